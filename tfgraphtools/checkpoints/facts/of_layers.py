"""Layers and the roles of their tensors, by the ops that read them and not by names."""

from tfgraphtools.checkpoints.facts import graph_ops as graphs
from tfgraphtools.checkpoints.format.wire import reading

_KERNELS = {
    "MatMul": "kernel",
    "BatchMatMul": "kernel",
    "BatchMatMulV2": "kernel",
    "Conv2D": "kernel",
    "Conv3D": "kernel",
    "Conv2DBackpropInput": "kernel",
    "DepthwiseConv2dNative": "depthwise_kernel",
}
_SUMS = ("BiasAdd", "Add", "AddV2")
_NORMALISED = ("gamma", "beta", "moving_mean", "moving_variance")
_NORMALISATIONS = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
_STEPS = 8


def layers(graph, tensors):
    """Groups tensors by the layer that computes with them.

    Args:
      graph: a `Graph`.
      tensors: names of tensors.

    Returns:
      [{role: tensor}], in no order; a tensor that is in no layer is in none of them.
    """
    by_op, added = {}, []
    with reading(graph.path, "Pass the .meta beside the checkpoint."):
        for tensor in tensors:
            for use in graph.readers(tensor):
                op = use.node.op
                if op in _KERNELS and use.index == 1:
                    by_op.setdefault(use.node.name, {})[_KERNELS[op]] = tensor
                elif op in _NORMALISATIONS and 1 <= use.index <= 4:
                    by_op.setdefault(use.node.name, {})[_NORMALISED[use.index - 1]] = tensor
                elif op in _SUMS:
                    added.append((tensor, use))
        for tensor, use in added:
            source = _product(graph, use)
            if source in by_op and len(by_op[source]) == 1:
                by_op[source]["bias"] = tensor
    return _once(by_op.values())


def _product(graph, use):
    """Returns the op whose product a tensor is added to, past reshapes."""
    name = graphs.endpoint(use.node.inputs[1 - use.index])[0] if len(use.node.inputs) == 2 else None
    for _ in range(_STEPS):
        node = graph.nodes.get(name)
        if node is None or node.op not in graphs.PASSING or not node.inputs:
            return name
        name = graphs.endpoint(node.inputs[0])[0]
    return None


def _once(units):
    """Returns the units with tensors of their own: a layer that computes twice counts once."""
    seen, distinct = set(), []
    for leaves in sorted(units, key=lambda leaves: -len(leaves)):
        if not seen.intersection(leaves.values()):
            seen.update(leaves.values())
            distinct.append(leaves)
    return distinct
