"""Values that are numbers of Python in the code, not tensors: sizes, constants and counters."""

from tfgraphtools.graphs.source_code.ir import ir_nodes, loop_values

_ARITHMETIC = frozenset("Add AddV2 Sub Mul FloorDiv FloorMod".split())
_COMPARISONS = frozenset("Less LessEqual Greater GreaterEqual Equal NotEqual".split())
_LOGIC = frozenset("LogicalAnd LogicalOr LogicalNot".split())


def is_number(value):
    """Tells whether a value is a number of Python."""
    if value.op == "Known":
        return not isinstance(value.content, tuple)
    if value.op == ir_nodes.CONSTANT:
        return value.array.ndim == 0 and value.array.dtype.kind in "fiub"
    if value.op in (loop_values.START, loop_values.END):
        return value.index in numbers_of(value.node)
    inputs = value.node.inputs
    if value.op == "Cast":
        return value.dtype.startswith("float") and is_number(inputs[0])
    if value.op in _ARITHMETIC:
        return value.dtype.startswith("int") and _are_counted(inputs)
    if value.op in _COMPARISONS:
        return inputs[0].dtype.startswith("int") and _are_counted(inputs)
    return value.op in _LOGIC and all(map(is_number, inputs))


def _are_counted(values):
    return all(map(is_number, values))


def numbers_of(node):
    """Returns the set of the variables of a loop that are numbers of Python."""
    start = node.attributes.get("start", node)
    return start.attributes.get("numbers", frozenset())


def mark(end):
    """Notes which variables of a loop are numbers: those that begin as such and stay such."""
    start = end.attributes["start"]
    rows = list(enumerate(zip(start.outputs, start.inputs, end.inputs[1:])))
    numbers = {
        number
        for number, (value, initial, _) in rows
        if value.dtype.startswith("int") and value.dims == () and is_number(initial)
    }
    while True:
        start.attributes["numbers"] = frozenset(numbers)
        others = {number for number, row in rows if number in numbers and not is_number(row[2])}
        if not others:
            return
        numbers -= others
