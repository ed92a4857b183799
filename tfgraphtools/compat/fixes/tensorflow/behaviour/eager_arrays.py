"""The dtypes of arrays that ops are given in eager execution.

1.15 leaves an array its dtype if the op takes it: ``tf.signal.fft(array of complex128)`` is a
complex128. 2.x converts it to the default dtype of the op, a complex64, except in the first call
of the op. It does not convert complex numbers of Python, which 1.15 does. Where 1.15 cannot take
its fast path, as in ``tf.nn.lrn(x, alpha=1)``, the default dtype comes first. 2.x prefers the
array's there.

Source: ``pywrap_tfe_src.cc`` and ``execute.args_to_matching_eager`` of both.
"""

import functools
import sys

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow import ownership
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

#: What gets the default dtype of an op of complex numbers.
_PYTHON = (list, tuple, complex)


_ROW = Row(
    "dtypes.arrays_in_eager",
    "TF 2.2",
    "an array that is passed to an op in eager execution keeps its dtype: fft of complex128",
)


def _has_values(context, op, name, *arguments):
    """Tells whether user code passes what is no tensor to an input with a default dtype."""
    from numpy import ndarray

    for place, *_ in _with_defaults(op):
        if isinstance(arguments[place], (ndarray, *_PYTHON)):
            return ownership.is_user(sys._getframe())
    return False


@replaces(
    "tensorflow.python.pywrap_tfe:TFE_Py_FastPathExecute",
    row=_ROW,
    when=_has_values,  # which are few, and ops are many
)
def _fast_path(original, context, op, name, *arguments):
    from numpy import ndarray
    from tensorflow.python.framework import ops

    arguments = list(arguments)
    for place, dtypes, default in _with_defaults(op):
        value = arguments[place]
        if isinstance(value, ndarray) and value.dtype.name in dtypes:
            _fast_path.used()
            arguments[place] = ops.convert_to_tensor(value)
        elif isinstance(value, _PYTHON) and default == "complex64":
            _fast_path.used()
            arguments[place] = ops.convert_to_tensor(value, preferred_dtype=default)
    return original(context, op, name, *arguments)


@replaces("tensorflow.python.eager.execute:args_to_matching_eager", row=_ROW)
def _match(original, l, ctx, allowed_dtypes, default_dtype=None):  # noqa: E741
    from numpy import ndarray

    if default_dtype is not None and any(isinstance(value, ndarray) for value in l):
        _match.used()
        allowed_dtypes = []
    return original(l, ctx, allowed_dtypes, default_dtype)


@functools.lru_cache(maxsize=None)
def _with_defaults(op):
    """The inputs of an op whose dtype has a default: [(place, the dtypes it takes, default)]."""
    from tensorflow.python.framework import dtypes, op_def_registry

    definition = op_def_registry.get(op)
    inputs = definition.input_arg if definition else ()
    attributes = {one.name: one for one in definition.attr} if definition else {}
    found = []
    for place, one in enumerate(inputs):
        attribute = attributes.get(one.type_attr)
        if attribute and attribute.HasField("default_value") and not one.number_attr:
            allowed = [dtypes.as_dtype(kind) for kind in attribute.allowed_values.list.type]
            default = dtypes.as_dtype(attribute.default_value.type)
            found.append((place, frozenset(one.name for one in allowed), default.name))
    return tuple(found)


TABLE = replacing.table("dtypes of arrays in eager execution", _fast_path, _match, kind="patches")
