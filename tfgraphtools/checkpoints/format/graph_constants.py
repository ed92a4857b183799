"""The weights in a frozen graph: the constants that its variables have become.

`convert_variables_to_constants` puts a ``Const`` of the variable's name in its place, which is read
by an ``Identity``: ``w/read`` for a variable of TF 1, ``.../ReadVariableOp`` for a resource
variable. Other constants, such as shapes and axes, are no weights. Where the graph was optimised
since, and no such Identity is left, every constant of floating-point numbers with an axis counts.
"""

from tfgraphtools.checkpoints.format import dtypes, graph_def, v1
from tfgraphtools.checkpoints.format.archive_members import Member
from tfgraphtools.checkpoints.format.bundle import parse_shape
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import (
    Malformed,
    expect_bytes,
    expect_int,
    fields,
    last_fields,
)

_TENSOR, _CONTENT = 8, 4
_LARGEST_FILLED = 1 << 28  # bytes that a single stored value may stand for


def members(file):
    """Returns [`Member`] of the weights in an open `File`; `Malformed` if it is no graph."""
    constants, read = {}, set()
    for graph in graph_def.graphs(file.view(0, file.size), file.path):
        for number, value in fields(graph):
            if number == 1:
                node = graph_def.node(expect_bytes(value))
                if node.op == "Const":
                    constants[node.name] = node
                elif node.op == "Identity" and node.inputs and _is_read(node):
                    read.add(node.inputs[0])
    weights = [
        _member(node) for name, node in constants.items() if name in read and _is_number(node)
    ]
    if not weights:
        weights = [_member(node) for node in constants.values() if _is_like_a_weight(node)]
    if not weights:
        raise Malformed("a graph without weights: its variables are in a checkpoint")
    return weights


def values(node):
    """Returns the numbers of a constant as a flat array; None if they are none."""
    import numpy as np

    if not _is_number(node):
        return None
    member = _member(node)
    return np.frombuffer(member.load(), member.layout[0])


def _is_read(node):
    return node.name == node.inputs[0] + "/read" or "ReadVariableOp" in node.name


def _is_number(node):
    return _tensor(node)[0].size is not None


def _is_like_a_weight(node):
    dtype, shape, _ = _tensor(node)
    return dtype.kind == "f" and len(shape) > 0


def _tensor(node):
    """Returns (type, shape, TensorProto) of a constant."""
    proto = expect_bytes(last_fields(expect_bytes(node.attrs.get("value", b""))).get(_TENSOR, b""))
    values = last_fields(proto)
    dtype = dtypes.by_number(expect_int(values.get(1, 0)))
    return dtype, parse_shape(expect_bytes(values.get(2, b""))), proto


def _member(node):
    dtype, shape, proto = _tensor(node)
    size = elements(shape) * (dtype.size or 0)
    layout = dtypes.storage(dtype), False

    def load():
        content = last_fields(proto).get(_CONTENT)
        if content is not None and len(expect_bytes(content)) == size:
            return content
        return _filled(v1.tensor_values(proto, dtype), elements(shape), node.name)

    return Member(node.name, dtype, shape, None, size, layout, load, load)


def _filled(values, count, name):
    """Returns the bytes of all values: the last one that is stored stands for the rest."""
    import numpy as np

    missing = count - len(values)
    if missing < 0 or count and not len(values) or missing * values.itemsize > _LARGEST_FILLED:
        raise Malformed(f"{len(values)} values for {count} of {name!r}")
    if missing:
        values = np.concatenate([values, np.full(missing, values[-1], values.dtype)])
    return memoryview(np.ascontiguousarray(values)).cast("B")
