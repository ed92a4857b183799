"""The dtypes of arrays that TensorFlow is given, and which dtypes are numeric.

An op's own default dtype comes first, as in 1.x:
``tf.nn.max_pool(numpy array of float64, ...)`` is a float32 in 1.15, and a float64 since
2.x infers the dtype of what is no tensor first wherever the op would take it.
`tf.divide` of what is no tensor is plain division in 1.15. Sources:
``op_def_library._apply_op_helper``, ``math_ops.divide`` and ``check_ops.NUMERIC_TYPES`` of both.
"""

import functools
import numbers
import operator

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tensorflow.python.framework.op_def_library:_ExtractDefaultTypesAndAllowedTypes",
    name="dtypes.defaults_of_ops",
    since="TF 2.2",
    why="an array that is passed to an op with a default dtype is converted to it: max_pool "
    "returns float32",
    cannot="convert the array: np.float32(x)",
)
def _extract(original, op_def, default_type_attr_map, allowed_list_attr_map):
    original(op_def, default_type_attr_map, allowed_list_attr_map)
    for name in default_type_attr_map:
        if allowed_list_attr_map.pop(name, None) is not None:
            _extract.used()


@replaces(
    "tensorflow.python.framework.dtypes:DType.size",
    name="tensorflow.DType.size",
    since="TF 2.12",
    why="the size of a string is 8, and that of a resource 1; 0 in 2.x",
)
def _size(original, self):
    size = original(self)
    if size:
        return size
    _size.used()
    return 8 if self.base_dtype == "string" else 1


TABLE = replacing.table("default dtypes of ops", _extract, _size, kind="patches")


def _divide(real, used):
    from numpy import ndarray as array

    from tfgraphtools.compat.fixes.numpy.arithmetic import promotion

    plain_divide = promotion.binary(operator.truediv, "Div")

    @functools.wraps(real.divide)
    def divide(x, y, name=None):
        if name is None and all(isinstance(one, (array, numbers.Number)) for one in (x, y)):
            used()
            return plain_divide(x, y)
        return real.divide(x, y, name)

    return divide


#: What `is_numeric_tensor` of 1.15 calls numeric.
_NUMERIC = frozenset(
    "float32 float64 int8 int16 int32 int64 uint8 qint8 qint32 quint8 complex64".split()
)


def _is_numeric_tensor(real, used):
    @functools.wraps(real.is_numeric_tensor)
    def is_numeric_tensor(tensor):
        said = real.is_numeric_tensor(tensor)
        if not said or tensor.dtype.base_dtype.name in _NUMERIC:
            return said
        used()
        return False

    return is_numeric_tensor


#: function -> (its first argument, the dtype that 1.15 gave to what is no tensor there).
_CONVERTED = {
    "bincount": ("arr", "int32"),
    "math.bincount": ("arr", "int32"),
    "signal.mfccs_from_log_mel_spectrograms": ("log_mel_spectrograms", "float32"),
}


def _converting(name, argument, dtype):
    attribute = name.rpartition(".")[2]

    def provide(real, used):
        from numpy import ndarray

        plain = getattr(real, attribute)

        @functools.wraps(plain)
        def function(*arguments, **options):
            given = dict(zip([argument], arguments), **options)
            value = given.get(argument)
            if isinstance(value, ndarray) and value.dtype != dtype:
                used()
                given[argument] = value.astype(dtype)
            first = [given.pop(argument)] if arguments else []
            return plain(*first, *arguments[1:], **given)

        return function

    return Row("tensorflow." + name, "TF 2.2", f"converts an array to {dtype}, as in 1.15", provide)


def _conv2d(real, used):
    @functools.wraps(real.conv2d)
    def conv2d(input, *arguments, **options):
        if isinstance(input, (list, tuple)):
            from tfgraphtools._tf import v1

            used()
            input = v1.convert_to_tensor(input)
        return real.conv2d(input, *arguments, **options)

    return conv2d


CALLS = Table(
    "arrays and numeric dtypes",
    "calls",
    [
        Row("tensorflow.nn.conv2d", "TF 2.2", "takes a list as input", _conv2d),
        *(
            Row(
                name,
                "TF 2.2",
                "arrays and numbers are not converted to tensors, as in 1.15",
                _divide,
            )
            for name in ("tensorflow.divide", "tensorflow.math.divide")
        ),
        *(
            Row(
                name,
                "TF 2.0",
                "False for float16, unsigned integers and complex128, as in 1.15",
                _is_numeric_tensor,
            )
            for name in ("tensorflow.is_numeric_tensor", "tensorflow.debugging.is_numeric_tensor")
        ),
        *(_converting(name, *of) for name, of in _CONVERTED.items()),
    ],
)
