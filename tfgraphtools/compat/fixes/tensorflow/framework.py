"""Names of ``tensorflow.python`` that 2.x does without: a few lines do what they did."""

from tfgraphtools.compat.engine.rows import Fix, Table


def _tensor_like(real):
    from tensorflow.python.framework import indexed_slices, sparse_tensor, tensor

    kinds = (tensor.Tensor, sparse_tensor.SparseTensor, indexed_slices.IndexedSlices)

    class Kind(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, kinds)

        def __subclasscheck__(cls, other):
            return issubclass(other, kinds)

    return Kind("_TensorLike", (), {"__module__": real.__name__})


def _in_graph_mode(real):
    return lambda: not real.executing_eagerly()


def _bfloat16_type(real):
    from tfgraphtools._tf import v1

    return lambda: v1.bfloat16.as_numpy_dtype


def _logger(real):
    from tfgraphtools._tf import v1

    return v1.get_logger()


def _list_devices(real):
    return lambda: [device.name for device in real.experimental.list_logical_devices()]


_ROWS = [
    *(
        Fix(
            name + ".config.experimental_list_devices",
            "TF 2.1",
            "the names of the devices of list_logical_devices",
            _list_devices,
            cannot="write [d.name for d in tf.config.experimental.list_logical_devices()]",
        )
        for name in ("tensorflow", "tensorflow.compat.v2")
    ),
    Fix(
        "tensorflow.python.pywrap_tensorflow.TF_bfloat16_type",
        "TF 2.2",
        "the type of bfloat16 in NumPy",
        _bfloat16_type,
    ),
    *(
        Fix("tensorflow.python.framework.tensor_shape." + name, "TF 2.1", "a TensorShape", provide)
        for name, provide in (
            ("vector", lambda real: lambda length: real.TensorShape([length])),
            ("matrix", lambda real: lambda rows, columns: real.TensorShape([rows, columns])),
        )
    ),
    Fix(
        "tensorflow.python.framework.ops._TensorLike",
        "TF 2.3",
        "the class of which tensors are instances",
        _tensor_like,
    ),
    Fix("tensorflow.logging._logger", "TF 1.12", "the logger of TensorFlow", _logger),
    Fix(
        "tensorflow.logging._handler",
        "TF 1.12",
        "the handler of TensorFlow's logger",
        lambda real: _logger(real).handlers[0],
    ),
    Fix(
        "tensorflow.python.eager.context.in_graph_mode",
        "TF 1.7",
        "not executing_eagerly()",
        _in_graph_mode,
    ),
    Fix(
        "tensorflow.python.framework.tensor_shape.scalar",
        "TF 2.1",
        "TensorShape([])",
        lambda real: lambda: real.TensorShape([]),
    ),
]

TABLES = (Table("internals that were removed", "names", _ROWS),)
