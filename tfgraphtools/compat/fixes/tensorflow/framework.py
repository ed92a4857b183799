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


_ROWS = [
    Fix(
        "tensorflow.python.framework.ops._TensorLike",
        "TF 2.3",
        "the class of which tensors are instances",
        _tensor_like,
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
