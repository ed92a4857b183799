"""The function bodies that a graph calls: control flow v2, `tf.function`, Defun."""

from tfgraphtools._tf.api import IS_TF1
from tfgraphtools._tf.graph_functions import (
    function_attributes,
    function_definition,
    function_graph,
    function_names,
    in_legacy_function,
    is_control_flow_body,
    is_rebuilt,
)

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

#: Those whose first input chooses the function and is not passed to it.
CHOICES = frozenset(["Case", "If", "StatelessCase", "StatelessIf"])

#: The attributes that name their functions; a loop's body comes before its condition.
_ATTRIBUTES = ("then_branch", "else_branch", "body", "cond", "branches", "f")


def called_names(op):
    """Returns the names of the functions that an op calls, as data goes and gradients come back."""
    if op.type in CALLS:
        return function_attributes(op, _ATTRIBUTES)
    return [op.type] if is_legacy_call(op) else []


def call_role(op, number):
    """Returns what the op uses its function of this number for: then_branch, body, f..."""
    if op.type.endswith("While"):
        roles = ["body", "cond"]
    elif op.type.endswith("If"):
        roles = ["then_branch", "else_branch"]
    else:
        return "f" if op.type not in ("Case", "StatelessCase") else str(number)
    return roles[number]


def is_legacy_call(op):
    """Returns True for the call of a Defun: an op whose type is the function's name."""
    return function_definition(op.graph, op.type) is not None


def called_definitions(graph, names):
    """Returns the definitions of these functions and of all that they call."""
    return [definition for definition, _ in _called(graph, [(name, None) for name in names])]


def reachable_definitions(graph):
    """Returns the definitions of all functions that ops of the graph call."""
    return [definition for definition, _ in _called(graph, _calls_of(graph))]


def all_operations(graph):
    """Returns [(op, why a gradient set on it would be ignored, or None)], function bodies included.

    A body without a live graph is rebuilt from its definition, in a graph of
    its own: its ops can be looked at, and their reason says what they are.
    """
    reasons = [(op, _why_unreachable(op.graph, None)) for op in graph.get_operations()]
    for definition, caller in _called(graph, _calls_of(graph)):
        body = function_graph(graph, definition)
        if body is not graph:
            why = _why_unreachable(body, caller)
            reasons.extend((op, why) for op in body.get_operations())
    return reasons


def _calls_of(graph):
    return [(name, op.type) for op in graph.get_operations() for name in called_names(op)]


def _called(graph, calls):
    """Yields (definition, type of the calling op) of each function, and of all that it calls."""
    waiting, done = list(calls), set()
    while waiting:
        name, caller = waiting.pop()
        definition = None if name in done else function_definition(graph, name)
        done.add(name)
        if definition is None:
            continue
        yield definition, caller
        for node in definition.node_def:
            waiting.append((node.op, node.op))  # the call of a Defun is an op of its name
            waiting.extend((name, node.op) for name in function_names(node))


def _why_unreachable(body, caller):
    """Tells why a gradient set on ops of this graph would be ignored, in words, or None."""
    if in_legacy_function(body):
        return f"the body of the Defun {body.name!r}"
    if is_rebuilt(body):
        return f"the function {body.name!r}, of which only the stored definition is here"
    by_call = caller in CALLS and not caller.endswith("PartitionedCall")
    if IS_TF1 and (by_call or is_control_flow_body(body)):
        return f"the control-flow-v2 body {body.name!r}: TF 1.15 differentiates a stored copy of it"
    return None


def functions_of(op):
    """Returns the names of all functions that an op may call, those of data sets included."""
    return called_names(op) or function_names(op.node_def)


def captured_inputs(op, body):
    """Returns [(input of the op, argument of the body)] of a function that the op calls.

    A function of a data set takes elements first, and tensors of the graph last.
    """
    if op.type in CHOICES:
        return list(zip(op.inputs[1:], body.inputs))
    if called_names(op):
        return list(zip(op.inputs, body.inputs))
    outer = list(op.inputs)
    for start, count, name in _ranges_of_arguments(op):
        if name == "other_arguments" or name == "captured_func_inputs":
            outer = outer[start : start + count]
    count = min(len(outer), len(body.inputs))
    return list(zip(outer[len(outer) - count :], body.inputs[len(body.inputs) - count :]))


def _ranges_of_arguments(op):
    """Yields (first input, number of inputs, name) of each argument in the definition of the op."""
    start = 0
    for argument in op.op_def.input_arg:
        if argument.type_list_attr:
            count = len(op.get_attr(argument.type_list_attr))
        else:
            count = op.get_attr(argument.number_attr) if argument.number_attr else 1
        yield start, count, argument.name
        start += count
