"""The dtypes of arrays that ops are given in eager execution.

1.15 leaves an array its dtype if the op takes it: ``tf.signal.fft(array of complex128)`` is a
complex128. 2.x converts it to the default dtype of the op, a complex64, except in the first call
of the op. It does not convert complex numbers of Python, which 1.15 does. Where 1.15 cannot take
its fast path, as in ``tf.nn.lrn(x, alpha=1)``, the default dtype comes first. 2.x prefers the
array's there.

Source: ``pywrap_tfe_src.cc`` and ``execute.args_to_matching_eager`` of both.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table

#: What gets the default dtype of an op of complex numbers.
_PYTHON = (list, tuple, complex)


def _keep_dtypes():
    from numpy import ndarray
    from tensorflow.python import pywrap_tfe
    from tensorflow.python.eager import execute
    from tensorflow.python.framework import ops

    concerned = (ndarray, *_PYTHON)
    plain, match = pywrap_tfe.TFE_Py_FastPathExecute, execute.args_to_matching_eager

    def fast_path(context, op, name, *arguments):
        places = _with_defaults(op)
        for place, *_ in places:
            if isinstance(arguments[place], concerned):
                break
        else:  # of most ops, and they are many
            return plain(context, op, name, *arguments)
        arguments = list(arguments)
        for place, dtypes, default in places:
            value = arguments[place]
            if isinstance(value, ndarray) and value.dtype.name in dtypes:
                rows.used(_ROW)
                arguments[place] = ops.convert_to_tensor(value)
            elif isinstance(value, _PYTHON) and default == "complex64":
                rows.used(_ROW)
                arguments[place] = ops.convert_to_tensor(value, preferred_dtype=default)
        return plain(context, op, name, *arguments)

    @functools.wraps(match)
    def args_to_matching_eager(l, ctx, allowed_dtypes, default_dtype=None):  # noqa: E741
        if default_dtype is not None and any(isinstance(one, ndarray) for one in l):
            rows.used(_ROW)
            allowed_dtypes = []
        return match(l, ctx, allowed_dtypes, default_dtype)

    state.set_attribute(pywrap_tfe, "TFE_Py_FastPathExecute", fast_path)
    state.set_attribute(execute, "args_to_matching_eager", args_to_matching_eager)


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


_ROW = Row(
    "dtypes.arrays_in_eager",
    "TF 2.2",
    "an array that is passed to an op in eager execution keeps its dtype: fft of complex128",
    _keep_dtypes,
)

TABLE = Table("dtypes of arrays in eager execution", "patches", [_ROW])
