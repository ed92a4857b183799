"""Embeddings: rows of a matrix of parameters."""

from tfgraphtools.graphs.source_code.patterns import layer_nodes
from tfgraphtools.graphs.source_code.patterns.layer_nodes import KERNEL


def _embedding(program, node):
    table, places = node.inputs[:2]
    axis = node.inputs[2].content if len(node.inputs) > 2 else 0
    if not layer_nodes.is_parameter(table, 2) or axis != 0 or places.content is not None:
        return None
    if node.output.dims is None or node.attributes.get("batch_dims"):
        return None
    settings = {"rows": table.dims[0], "outputs": table.dims[1]}
    return layer_nodes.layer(
        "embedding", node, [places], {KERNEL: table}, settings, node.output.dims
    )


RULES = {"GatherV2": [_embedding], "Gather": [_embedding]}
