"""Reads and writes of loops, row by row, as expressions of PyTorch."""

from tfgraphtools.graphs.source_code.ir import tensor_arrays
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import call, code, index


def _row(body, node):
    items = [code(":")] * node.attributes["axis"] + [body.read(node, 1)]
    return index(body.tensor(node, 0), items)


def _stacked(body, node):
    rows, axis = _rows(body, node.inputs[0]), node.attributes["axis"]
    keywords = {"dim": code(str(axis))} if axis else {}
    if node.attributes.get("is_reversed"):
        rows = index(rows, [code("::-1")])
    if len(node.inputs) > 1:
        return call("stack_rows", rows, body.read(node, 1), **keywords)
    return call("torch.stack", rows, **keywords)


def _rows(body, value):
    """Returns a list: one that a loop has made, or its elements."""
    elements = []
    while value.op == "Append":
        elements.insert(0, body.of_value(value.node.inputs[-1]))
        value = value.node.inputs[0]
    if value.op == "List":
        return expressions.sequence(elements, "[", "]")
    assert value.dtype == tensor_arrays.LIST and not elements
    return body.of_value(value)


def _reversed(body, node):
    axes = node.attributes.get("seq_dim"), node.attributes.get("batch_dim", 0)
    if axes != (1, 0) or len(node.output.dims or ()) != 3:
        raise body.refused(node, "sequences that are not on the second one of three axes")
    return call("reverse_sequence", body.tensor(node, 0), body.tensor(node, 1))


TEMPLATES = {"ReverseSequence": _reversed, "Row": _row, "Stack": _stacked}
