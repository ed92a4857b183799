"""Lists that a loop makes: what is written to a TensorArray one by one, in one of two orders."""

from tfgraphtools.graphs.source_code.ir import ir_nodes, loop_values, tensor_arrays
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes


def order(program, end, variables, step_of, conditions):
    """Drops the places of what a loop writes, where a counter of the loop says them.

    A `Stack` of what is written from the last place to the first one gets the attribute
    ``is_reversed``.

    Args:
      program: a `Program`.
      end: the ``LoopEnd``.
      variables: list of (value in an iteration, initial value, next value, last value).
      step_of: a function that returns the integer that each iteration adds to a variable.
      conditions: list of those that are all true where the loop goes on.

    Raises:
      GraphExportError: a list is written in another order.
    """
    for value, initial, new, last in variables:
        if value.dtype != tensor_arrays.LIST:
            continue
        places = listed(initial)
        is_append = new.op == "Append" and new.node.inputs[0] is value and places is not None
        if not is_append or not program.has_one_user(new) or value.users != {new.node: 1}:
            raise _out_of_order(program, new)
        place = new.node.inputs[1]
        step, start = None, None
        if place.node is end.attributes["start"]:
            step = step_of(place, end.inputs[1 + place.index])
            start = place.node.inputs[place.index].content
        is_first = step == 1 and places == list(range(len(places))) and start == len(places)
        if not is_first and not (step == -1 and _reverse(conditions, place, start, places, last)):
            raise _out_of_order(program, new)
        new.node.set_inputs([value, new.node.inputs[2]])


def listed(value):
    """Returns the places that are written before a loop, or None."""
    places = []
    while value.op == "Append":
        places.insert(0, value.node.inputs[1].content)
        value = value.node.inputs[0]
    return places if value.op == "List" else None


def _reverse(conditions, place, start, places, last):
    """Reverses the stacks of a list that is written down to 0; returns whether all of it is."""
    stacks = list(last.users)
    for stack in stacks:
        if stack.op != "Stack" or len(stack.inputs) != 2 or stack.inputs[1].content is None:
            return False
        size = stack.inputs[1].content
        expected = [sizes.subtract(size, 1 + count) for count in range(len(places) + 1)]
        if [*places, start] != expected:
            return False
        counts = (size, sizes.subtract(size, len(places)))
        others = [row for row in conditions if not _is_down_to_zero(row, place)]
        if len(others) == len(conditions) or not all(_counts_to(row, counts) for row in others):
            return False
    for stack in stacks:
        stack.set_inputs(stack.inputs[:1])
        stack.attributes["is_reversed"] = True
    return bool(stacks)


def _is_down_to_zero(condition, place):
    inputs = condition.node.inputs
    return condition.op == "GreaterEqual" and inputs[0] is place and inputs[1].content == 0


def _counts_to(condition, counts):
    """Tells whether a condition only counts from 0 to one of some limits."""
    if condition.op != "Less" or condition.node.inputs[0].op != loop_values.START:
        return False
    counter, limit = condition.node.inputs
    return counter.node.inputs[counter.index].content == 0 and limit.content in counts


def _out_of_order(program, value):
    reason = "a TensorArray that is not written in order"
    return ir_nodes.unwritable(program.place, [("TensorArrayWriteV3", value.node.name, reason)])
