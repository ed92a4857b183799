"""Variables of loops: those that change and that something needs; what counts; what is listed."""

from tfgraphtools.graphs.source_code.ir import ir_nodes, loop_values
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.passes import written_lists

_ADDITIONS = ("Add", "AddV2")


def tidy(program):
    """Removes variables that do not change or that nothing needs, and finds what counts.

    A ``LoopEnd`` whose condition compares a counter with a limit gets the attribute ``counter``,
    its number among the variables, and reads the limit in the place of the condition. A list that
    is written in order is read without the places.

    Raises:
      GraphExportError: a list is written in another order; or a loop in a branch counts nothing: it
        might not end where the branch is not taken.
    """
    while any([_simpler(program, end) for end in ends(program)]):
        program.sweep()
    for end in ends(program):
        written_lists.order(program, end, variables(end), step_of, conjuncts(end.inputs[0]))
        _count(program, end)
        _require_end(program, end)
    while any([_remove_unneeded(program, end) for end in ends(program)]):
        program.sweep()
    for node in program.nodes():
        if node.op == "Stack":
            _whole(node)
    program.sweep()


def ends(program):
    """Returns the ends of the loops of a program, in order."""
    return [node for node in program.nodes() if node.op == loop_values.END]


def variables(end):
    """Returns list of (value in an iteration, initial value, next value, last value)."""
    start = end.attributes["start"]
    return list(zip(start.outputs, start.inputs, end.inputs[1:], end.outputs))


def inside(end):
    """Returns the set of nodes that depend on an iteration of a loop."""
    reached, waiting = set(), [end.attributes["start"]]
    while waiting:
        for value in waiting.pop().outputs:
            for user in value.users:
                if user is not end and user not in reached:
                    reached.add(user)
                    waiting.append(user)
    return reached


def _simpler(program, end):
    return (
        _remove_constant(program, end)
        or _join_counters(program, end)
        or _remove_unneeded(program, end)
    )


def _remove_constant(program, end):
    for number, (value, initial, new, last) in enumerate(variables(end)):
        if new is value:
            program.replace(value, initial)
            program.replace(last, initial)
            _remove(end, number)
            return True
    return False


def _join_counters(program, end):
    counters = {}
    for number, (value, initial, new, last) in enumerate(variables(end)):
        step = step_of(value, new)
        if step is None or initial.content is None:
            continue
        first = counters.setdefault((value.dtype, initial.content, step), (value, last))
        if first[0] is not value:
            program.replace(value, first[0])
            program.replace(last, first[1])
            _remove(end, number)
            return True
    return False


def step_of(value, new):
    """Returns the integer that each iteration adds to a variable, or None."""
    if not value.dtype.startswith("int") or value.dims != ():
        return None
    if new.op == "Sub" and new.node.inputs[0] is value:
        step = new.node.inputs[1].content
        return -step if isinstance(step, int) else None
    if new.op not in _ADDITIONS:
        return None
    for operand, other in (new.node.inputs, new.node.inputs[::-1]):
        if operand is value and isinstance(other.content, int):
            return other.content
    return None


def _remove_unneeded(program, end):
    rows, body = variables(end), inside(end)
    start = end.attributes["start"]
    counter = end.attributes.get("counter")
    needed = {
        number
        for number, row in enumerate(rows)
        if number == counter or row[3].users or program.is_output(row[3])
    }
    waiting = [end.inputs[0], *(rows[number][2] for number in needed)]
    seen = set()
    while waiting:
        value = waiting.pop()
        if value.node is start:
            if value.index not in needed:
                needed.add(value.index)
                waiting.append(rows[value.index][2])
        elif value.node in body and value.node not in seen:
            seen.add(value.node)
            waiting += value.node.inputs
    for number in reversed(range(len(rows))):
        if number not in needed:
            _remove(end, number)
    return len(needed) < len(rows)


def _remove(end, number):
    start = end.attributes["start"]
    start.set_inputs(_without(start.inputs, number))
    end.set_inputs(_without(end.inputs, number + 1))
    for node in (start, end):
        node.outputs = _without(node.outputs, number)
        for index, value in enumerate(node.outputs):
            value.index = index
    if end.attributes.get("counter", -1) > number:
        end.attributes["counter"] -= 1


def _without(items, number):
    return items[:number] + items[number + 1 :]


# What counts ---------------------------------------------------------------------------------


def _count(program, end):
    """Finds the counter of a loop and its limit."""
    conditions = conjuncts(end.inputs[0])
    limits = [_limit(condition, end) for condition in conditions]
    if None in limits:
        return
    limits = _of_last_counter(end, limits)
    if len({number for number, _ in limits}) != 1:
        return
    number, limit = limits[0]
    contents = [value.content for _, value in limits]
    if len(limits) == 2 and None in contents:
        limit = _smaller(*(value for _, value in limits))
    elif len(limits) > 1:
        if None in contents:
            return
        content = contents[0]
        for other in contents[1:]:
            content = sizes.extreme("min", content, other)
        limit = _known(content, limit, end)
    _, initial, _, last = variables(end)[number]
    if limit is None or last.users or program.is_output(last) or limit.node in inside(end):
        return
    end.attributes["counter"] = number
    end.set_inputs([limit, *end.inputs[1:]])


def _of_last_counter(end, limits):
    """Returns the limit of the counter that began last, where all have the same limit."""
    contents = {limit.content for _, limit in limits}
    starts = {number: variables(end)[number][1].content for number, _ in limits}
    is_known = None not in contents and all(isinstance(start, int) for start in starts.values())
    if len(contents) > 1 or not is_known:
        return limits
    last = max(starts, key=starts.get)
    return [row for row in limits if row[0] == last][:1]


def _require_end(program, end):
    start = end.attributes["start"]
    if start.attributes.get("is_in_branch") and "counter" not in end.attributes:
        reason = "a loop in a branch, which would run where the branch is not taken"
        raise ir_nodes.unwritable(program.place, [("Enter", start.name, reason)])


def _smaller(left, right):
    """Returns the one of two limits that is the minimum of the other one and more, or None."""
    for limit, other in ((left, right), (right, left)):
        parts = limit.node.inputs if limit.op == "Minimum" else ()
        if other.content is not None and any(part.content == other.content for part in parts):
            return limit
    return None


def _known(content, limit, end):
    node = ir_nodes.Node("Known", end.name, position=end.position)
    return node.add_output((), limit.dtype, content)


def conjuncts(value):
    """Returns the conditions that are all true where a value is."""
    if value.op != "LogicalAnd":
        return [value]
    return [part for operand in value.node.inputs for part in conjuncts(operand)]


def _limit(condition, end):
    """Returns (number of a counter, what it stays below), or None."""
    if condition.op not in ("Less", "Greater"):
        return None
    counter, limit = condition.node.inputs[:: 1 if condition.op == "Less" else -1]
    start = end.attributes["start"]
    if counter.node is not start or step_of(counter, end.inputs[1 + counter.index]) != 1:
        return None
    return None if start.inputs[counter.index].content is None else (counter.index, limit)


def _whole(stack):
    """Drops the size of a stack that is as long as its loop."""
    if len(stack.inputs) == 1:
        return
    flow, size = stack.inputs
    if flow.op == loop_values.END and "counter" in flow.node.attributes:
        start = flow.node.attributes["start"]
        first = start.inputs[flow.node.attributes["counter"]].content
        count = len(written_lists.listed(start.inputs[flow.index]) or ())
        if flow.node.inputs[0].content == size.content and first == count:
            stack.set_inputs([flow])


# Rules ---------------------------------------------------------------------------------------


def _row_of_transposed(program, node):
    """Takes a row from another axis of what is transposed."""
    source = node.inputs[0]
    order = source.node.attributes.get("order") if source.op == "Transpose" else None
    if order is None:
        return None
    axis = order[node.attributes["axis"]]
    rest = [other for other in order if other != axis]
    if rest != sorted(rest):
        return None
    node.attributes["axis"] = axis
    node.set_inputs([source.node.inputs[0], *node.inputs[1:]])
    return True


def _stack_transposed(program, node):
    """Stacks on another axis what is transposed afterwards."""
    source, order = node.inputs[0], node.attributes.get("order")
    if source.op != "Stack" or order is None or source.node.attributes["axis"]:
        return None
    axis = order.index(0)
    rest = [other for other in order if other]
    if rest != sorted(rest) or not axis or not program.has_one_user(source):
        return None
    return ir_nodes.made(
        "Stack", source.node.name, source.node.inputs, node.output.dims, node.output.dtype,
        {**source.node.attributes, "axis": axis}, source.node.position,
    )  # fmt: skip


RULES = {"Row": [_row_of_transposed], "Transpose": [_stack_transposed]}
