"""Names of values by their use: gates, states, masks, scores.

The names are those of the papers and of TensorFlow's own cells: ``i, j, f, o`` are the gates of an
LSTM, ``c`` and ``h`` its states, ``r, u`` the gates of a GRU, ``q, k, v`` what attention reads.
"""

from tfgraphtools.graphs.source_code.ir import ir_nodes, loop_values

_ADDITIONS = ("Add", "AddV2", "BiasAdd")
_CLIPS = ("Minimum", "Maximum", "Clip")
_SHAPES = ("Reshape", "Transpose")
_ARITHMETIC = ("Add", "AddV2", "Sub", "Mul", "RealDiv")
_COMPARISONS = ("Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual")
_CHOICES = ("Select", "SelectV2")
_PRODUCTS = ("BatchMatMul", "BatchMatMulV2", "Attention")
_OF_SCORES = (*_ARITHMETIC, *_CHOICES, *_PRODUCTS)


def names_of(program):
    """Returns {`Value`: name} of a simplified program."""
    names = {}
    for node in program.nodes():
        rule = _RULES.get(node.op)
        if rule is not None:
            rule(names, node)
    for node in program.nodes():
        if node.op == loop_values.END:
            _name_variables(names, node)
    for name, value in program.outputs.items():
        if value.op == "Stack" and len(name) > 1:
            names[value] = name
    return names


def _name_variables(names, end):
    """Names what loops begin with and end with as their variables."""
    start = end.attributes["start"]
    for value, initial, last in zip(start.outputs, start.inputs, end.outputs):
        if value in names:
            names.setdefault(last, names[value])
            if initial.op != ir_nodes.INPUT:
                names.setdefault(initial, names[value])


def _through(value, ops):
    """Returns the nodes that read a value, behind ops of some kinds."""
    nodes, waiting = [], [value]
    while waiting:
        for user in waiting.pop().users:
            if user.op in ops:
                waiting.append(user.output)
            else:
                nodes.append(user)
    return nodes


def _squashed(value):
    """Returns the output of the only activation that reads a gate, or None."""
    nodes = [node for node in _through(value, _ADDITIONS) if node.op != ir_nodes.LAYER]
    return nodes[0].output if len(nodes) == 1 and len(nodes[0].inputs) == 1 else None


def _other(node, value):
    left, right = node.inputs
    return right if left is value else left


def _users(value, *ops):
    return [user for user in value.users if user.op in ops]


def _split(names, node):
    count = len(node.outputs)
    if count == 4:
        _lstm(names, node)
    elif count == 2 and node.inputs[-1].op == "Sigmoid":
        _gru(names, node)
    elif count == 3:
        _attended(names, node)


def _lstm(names, node):
    gates = [_squashed(value) for value in node.outputs]
    if [gate is not None and gate.op == "Sigmoid" for gate in gates] != [True, False, True, True]:
        return
    names.update(zip(node.outputs, "ijfo"))
    joined = node.inputs[-1].node.inputs[0] if node.inputs[-1].op == ir_nodes.LAYER else None
    if (
        joined is not None
        and joined.op == "ConcatV2"
        and joined.node.inputs[-2].op != ir_nodes.INPUT
    ):
        names.setdefault(joined.node.inputs[-2], "h")
    for product in _users(gates[2], "Mul"):
        names[_other(product, gates[2])] = "c"
        for memory in _users(product.output, *_ADDITIONS):
            _name_memory(names, memory.output, gates[3])


def _name_memory(names, memory, gate):
    names[memory] = "c"
    while len(memory.users) == 1 and _users(memory, *_CLIPS):
        memory = next(iter(memory.users)).output
        names[memory] = "c"
    for product in _users(gate, "Mul"):
        output = product.output
        names[output] = "h"
        for user in output.users:
            if user.op == ir_nodes.LAYER and user.attributes["kind"] == "linear":
                if len(output.users) == 1:  # a projection
                    names[user.output] = "h"


def _gru(names, node):
    reset, update = node.outputs
    products = _users(reset, "Mul")
    if len(products) != 1 or len(reset.users) != 1:
        return
    state = _other(products[0], reset)
    kept = [product for product in _users(update, "Mul") if state in product.inputs]
    if not kept:
        return
    names.update({reset: "r", update: "u", state: "h"})
    for total in _users(kept[0].output, *_ADDITIONS):
        names[total.output] = "h"


def _attended(names, node):
    places = []
    for value in node.outputs:
        users = [user for user in _through(value, (*_SHAPES, "Mul")) if user.op in _PRODUCTS]
        if len(users) != 1:
            return
        moved = value
        while users[0] not in moved.users:
            moved = next(iter(moved.users)).output
        places.append((users[0], users[0].inputs.index(moved)))
    (first, _), (second, _), (third, _) = places
    numbers = [number for _, number in places]
    if numbers == [0, 1, 2] or numbers == [0, 1, 1] and first is second is not third:
        names.update(zip(node.outputs, "qkv"))


def _compared(names, node):
    left, right = node.inputs
    is_end = node.op == "GreaterEqual" and left.op == loop_values.START and right.dims != ()
    if node.op == "GreaterEqual" and left.dims == () and len(right.dims or ()) == 1:
        names.setdefault(right, "lengths")
    _name_all(names, node.output, "done" if is_end else "mask")


def _triangular(names, node):
    _name_all(names, node.output, "mask")


def _name_all(names, value, name):
    """Names a condition, and what it becomes with numbers."""
    names.setdefault(value, name)
    for user in value.users:
        numbers = [source for source in user.inputs if source is not value]
        if user.op in (*_SHAPES, "StridedSlice", "Cast", "Sub", "Mul"):
            if all(number.array is not None or number.op == "Known" for number in numbers):
                _name_all(names, user.output, name)


def _softmax(names, node):
    waiting = [node.inputs[0]]
    while waiting:
        value = waiting.pop()
        is_scores = value.op in _OF_SCORES and len(value.dims or ()) > 1
        if is_scores and len(value.users) == 1:
            names.setdefault(value, "scores")
            if value.op not in _PRODUCTS:
                sources = value.node.inputs
                waiting += [source for source in sources if source.dims == value.dims]


def _stacked(names, node):
    names[node.output] = "outputs"


def _recurrent(names, node):
    if node.attributes["kind"] in ("lstm", "rnn"):
        for value, name in zip(node.outputs, ("outputs", "h", "c")):
            names[value] = name
            for user in _users(value, "Reshape") if name != "outputs" else ():
                names[user.output] = name


_RULES = {
    "Split": _split,
    "Stack": _stacked,
    ir_nodes.LAYER: _recurrent,
    "Softmax": _softmax,
    "MatrixBandPart": _triangular,
    **dict.fromkeys(_COMPARISONS, _compared),
}
