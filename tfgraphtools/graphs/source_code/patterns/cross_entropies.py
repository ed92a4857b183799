"""Cross-entropies of logits, whose ops give the gradient besides the loss."""

from tfgraphtools.graphs.source_code.ir import ir_nodes

_OPS = {
    "SparseSoftmaxCrossEntropyWithLogits": "SparseCrossEntropy",
    "SoftmaxCrossEntropyWithLogits": "CrossEntropy",
}


def _cross_entropy(program, node):
    logits, labels = node.inputs
    if node.outputs[1].users or logits.dims is None or len(logits.dims) != 2:
        return None
    if labels.dims is None:
        return None
    dims, dtype = (logits.dims[0],), node.output.dtype
    inputs = [logits, labels]
    return ir_nodes.made(_OPS[node.op], node.name, inputs, dims, dtype, position=node.position)


RULES = {op: [_cross_entropy] for op in _OPS}
