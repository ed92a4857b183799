"""Rows and lists that loops read and write, for every target."""

from tfgraphtools.graphs.source_code.ir import tensor_arrays
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import code, index


def row(body, node):
    """Returns the `Code` of a row of a tensor."""
    items = [code(":")] * node.attributes["axis"] + [body.read(node, 1)]
    return index(body.tensor(node, 0), items)


def rows_of(body, value):
    """Returns the `Code` of a list: one that a loop has made, or its elements."""
    elements = []
    while value.op == "Append":
        elements.insert(0, body.of_value(value.node.inputs[-1]))
        value = value.node.inputs[0]
    if value.op == "List":
        return expressions.sequence(elements, "[", "]")
    assert value.dtype == tensor_arrays.LIST and not elements
    return body.of_value(value)


def require_sequences(body, node):
    """Raises where a ReverseSequence reverses anything but the second of three axes."""
    axes = node.attributes.get("seq_dim"), node.attributes.get("batch_dim", 0)
    if axes != (1, 0) or len(node.output.dims or ()) != 3:
        raise body.refused(node, "sequences that are not on the second one of three axes")
