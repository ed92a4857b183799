"""The number of elements of a dataset that a function was mapped over.

In TF 1.15 ``Dataset.range(5).map(f)`` has five elements. TF 2.x does not know, since ``f`` could
end the dataset early; only ``map`` of its second version promises that it does not. So the op is
asked about a copy of the dataset whose maps promise it. The dataset itself stays as it is: a
function may still end it. ``ignore_errors`` did not change the number either.

Source: `CardinalityInternal` of `MapDatasetOp` in tensorflow/core/kernels/data of TF 1.15.5.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.behaviour.datasets import copies
from tfgraphtools.compat.seeds import counting

_MAPS = frozenset(["MapDataset", "ParallelMapDataset", "ParallelMapDatasetV2"])
_PROMISE = "preserve_cardinality"
_IGNORING = "IgnoreErrorsDataset"


def _count_through_maps(real, used):
    plain = real.cardinality

    @functools.wraps(plain)
    def cardinality(dataset):
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import gen_dataset_ops

        variant = dataset._variant_tensor
        if isinstance(variant, ops.EagerTensor):
            copied = _copied_in_eager_code(dataset)
        else:
            with counting.paused(variant.graph):
                copied = _copied_in_graph(variant, {})
        if copied is variant:
            return plain(dataset)
        used()
        return gen_dataset_ops.dataset_cardinality(copied)

    return cardinality


def _copied_in_eager_code(dataset):
    """The variant tensor of a dataset, or of its copy if it has maps that promise nothing."""
    from tensorflow.core.framework import graph_pb2
    from tensorflow.python.framework import errors

    variant = dataset._variant_tensor
    try:
        graph = graph_pb2.GraphDef.FromString(copies.graph_of(dataset).numpy())
    except errors.OpError:
        return variant
    nodes = [node for node in graph.node if node.op == _IGNORING or _is_open(node.op, node.attr)]
    if not nodes:
        return variant
    for node in nodes:
        if node.op == _IGNORING:
            node.op = "Identity"
            node.attr.clear()
            node.attr["T"].type = variant.dtype.as_datatype_enum
        else:
            node.attr[_PROMISE].b = True
    return copies.variant_of(graph.SerializeToString())


def _copied_in_graph(variant, copied):
    """The same for a tensor of a graph; what is before the first such map is shared.

    Args:
      variant: the variant tensor of a dataset.
      copied: op -> what was found for it; a dataset may be the input of several.
    """
    op = variant.op
    if op not in copied:
        inputs = [
            _copied_in_graph(tensor, copied) if tensor.dtype == variant.dtype else tensor
            for tensor in op.inputs
        ]
        copied[op] = inputs[0] if op.type == _IGNORING else _copied_op(variant, inputs)
    return copied[op]


def _copied_op(variant, inputs):
    """The dataset with these inputs; it itself, if these are its own and it promises all."""
    op = variant.op
    attributes = dict(op.node_def.attr)
    if _is_open(op.type, attributes):
        attributes[_PROMISE] = type(attributes[_PROMISE])(b=True)
    elif all(new is old for new, old in zip(inputs, op.inputs)):
        return variant
    with op.graph.as_default():
        copy = op.graph.create_op(
            op.type, inputs, [variant.dtype], attrs=attributes, name=op.name + "_counted"
        )
    return copy.outputs[0]


def _is_open(kind, attributes):
    return kind in _MAPS and not attributes[_PROMISE].b


_WHY = "map keeps the number of elements of a dataset; unknown in 2.x"
_NAMES = (
    "tensorflow.data.experimental.cardinality",
    "tensorflow.python.data.experimental.ops.cardinality.cardinality",
)

TABLE = Table(
    "numbers of elements of datasets",
    "calls",
    [Row(name, "TF 2.0", _WHY, _count_through_maps) for name in _NAMES],
)
