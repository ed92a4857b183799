"""What loops read and write, row by row, as expressions of PyTorch."""

from tfgraphtools.graphs.source_code.statements import list_arguments
from tfgraphtools.graphs.source_code.statements.expressions import call, code, index


def _stacked(body, node):
    rows, axis = list_arguments.rows_of(body, node.inputs[0]), node.attributes["axis"]
    keywords = {"dim": code(str(axis))} if axis else {}
    if node.attributes.get("is_reversed"):
        rows = index(rows, [code("::-1")])
    if len(node.inputs) > 1:
        return call("stack_rows", rows, body.read(node, 1), **keywords)
    return call("torch.stack", rows, **keywords)


def _reversed(body, node):
    list_arguments.require_sequences(body, node)
    return call("reverse_sequence", body.tensor(node, 0), body.tensor(node, 1))


TEMPLATES = {"ReverseSequence": _reversed, "Row": list_arguments.row, "Stack": _stacked}
