"""The function bodies that a graph calls: control flow v2, `tf.function`, Defun."""

from tfgraphtools import _tf

#: Ops that carry data into function bodies and have a gradient.
CALLS = frozenset(
    [
        "Case",
        "If",
        "PartitionedCall",
        "StatefulPartitionedCall",
        "StatelessCase",
        "StatelessIf",
        "StatelessWhile",
        "While",
    ]
)

#: The attributes that name their functions; a loop's body comes before its condition.
_ATTRIBUTES = ("then_branch", "else_branch", "body", "cond", "branches", "f")


def called_names(op):
    """The names of the functions that an op calls, as data goes and gradients come back."""
    if op.type in CALLS:
        return _tf.function_attributes(op, _ATTRIBUTES)
    return [op.type] if is_legacy_call(op) else []


def role(op, number):
    """What the op uses its function of this number for: then_branch, body, f..."""
    if op.type.endswith("While"):
        roles = ["body", "cond"]
    elif op.type.endswith("If"):
        roles = ["then_branch", "else_branch"]
    else:
        return "f" if op.type not in ("Case", "StatelessCase") else str(number)
    return roles[number]


def is_legacy_call(op):
    """True for the call of a Defun: an op whose type is the function's name."""
    return _tf.function_definition(op.graph, op.type) is not None


def bodies(graph, names):
    """The definitions of these functions and of all that they call."""
    return [definition for definition, _ in _called(graph, [(name, None) for name in names])]


def reachable(graph):
    """The definitions of all functions that ops of the graph call."""
    return [definition for definition, _ in _called(graph, _calls_of(graph))]


def all_operations(graph):
    """[(op, why a gradient set on it would be ignored, or None)], function bodies included.

    A body without a live graph is rebuilt from its definition, in a graph of
    its own: its ops can be looked at, and their reason says what they are.
    """
    found = [(op, _why_unreachable(op.graph, None)) for op in graph.get_operations()]
    for definition, caller in _called(graph, _calls_of(graph)):
        body = _tf.function_graph(graph, definition)
        if body is not graph:
            why = _why_unreachable(body, caller)
            found.extend((op, why) for op in body.get_operations())
    return found


def _calls_of(graph):
    return [(name, op.type) for op in graph.get_operations() for name in called_names(op)]


def _called(graph, calls):
    """(definition, type of the calling op) of each function, and of all that it calls."""
    waiting, done = list(calls), set()
    while waiting:
        name, caller = waiting.pop()
        definition = None if name in done else _tf.function_definition(graph, name)
        done.add(name)
        if definition is None:
            continue
        yield definition, caller
        for node in definition.node_def:
            waiting.append((node.op, node.op))  # the call of a Defun is an op of its name
            waiting.extend((name, node.op) for name in _tf.function_names(node))


def _why_unreachable(body, caller):
    """Why a gradient set on ops of this graph would be ignored, in words, or None."""
    if _tf.in_legacy_function(body):
        return f"the body of the Defun {body.name!r}"
    if _tf.is_rebuilt(body):
        return f"the function {body.name!r}, of which only the stored definition is here"
    by_call = caller in CALLS and not caller.endswith("PartitionedCall")
    if _tf.IS_TF1 and (by_call or _tf.is_control_flow_body(body)):
        return f"the control-flow-v2 body {body.name!r}: TF 1.15 differentiates a stored copy of it"
    return None
