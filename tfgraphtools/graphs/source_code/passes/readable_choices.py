"""Choices by rows and limits, in the shortest form: after all patterns, which know TensorFlow's."""

from tfgraphtools.graphs.source_code.ir import ir_nodes, ir_reading, python_numbers


def _by_rows(program, node):
    """Makes one column of a condition on rows, which all choices by it read."""
    condition, dims = node.inputs[0], node.output.dims
    if condition.dims is None or dims is None or len(condition.dims) != 1 or len(dims) < 2:
        return None
    wanted = (*condition.dims, *[1] * (len(dims) - 1))
    columns = [user for user in condition.users if user.op == "Reshape"]
    columns = [user.output for user in columns if user.output.dims == wanted]
    if not columns:
        source, settings = condition.node, {"position": condition.node.position}
        columns = [ir_nodes.made("Reshape", source.name, [condition], wanted, "bool", **settings)]
    node.op = "SelectV2"
    node.set_inputs([columns[0], *node.inputs[1:]])
    return True


def _of_numbers(program, node):
    """Makes a number of a side that is filled with it, where the other side has the shape."""
    condition, *sides = node.inputs
    is_by_rows = node.op == "Select" and condition.dims != node.output.dims
    if is_by_rows or not node.output.dtype.startswith("float"):
        return None
    for place, (side, other) in enumerate(zip(sides, sides[::-1])):
        if side.op == "Fill" and other.dims == node.output.dims is not None:
            number = side.node.inputs[1].array
            if number is not None and other.array is None and other.op != "Fill":
                sides[place] = ir_reading.constant(number, side.node.name)
                node.set_inputs([condition, *sides])
                return True
    return None


def _between(program, node):
    """Makes one op of a lower and an upper limit."""
    for number, inner in (node.inputs, node.inputs[::-1]):
        if inner.op not in ("Minimum", "Maximum") or inner.op == node.op:
            continue
        if not python_numbers.is_number(number) or not program.has_one_user(inner):
            continue
        for other, value in (inner.node.inputs, inner.node.inputs[::-1]):
            if not python_numbers.is_number(other) or python_numbers.is_number(value):
                continue
            lower, upper = (other, number) if node.op == "Minimum" else (number, other)
            if node.op == "Maximum" and not _is_ordered(lower, upper):
                continue  # PyTorch takes the upper limit, TensorFlow the lower one
            return ir_nodes.made(
                "Clip", node.name, [value, lower, upper], node.output.dims, node.output.dtype,
                position=node.position,
            )  # fmt: skip
    return None


def _filled(program, node):
    """Makes a tensor that is filled with a number of one of ones and the number."""
    for ones, number in (node.inputs, node.inputs[::-1]):
        if ones.op != "Fill" or number.array is None or number.array.ndim:
            continue
        filling = ones.node.inputs[1].array
        if filling is not None and filling == 1 and ones.dims == node.output.dims:
            return ir_nodes.made(
                "Fill", node.name, [ones.node.inputs[0], number], ones.dims, ones.dtype,
                position=node.position,
            )  # fmt: skip
    return None


def _joined(program, node):
    """Joins what another join gives together with the rest."""
    *parts, axis = node.inputs
    for place, part in enumerate(parts):
        if part.op != "ConcatV2" or not program.has_one_user(part):
            continue
        *inner, inner_axis = part.node.inputs
        rank = len(part.dims or ())
        contents = axis.content, inner_axis.content
        if rank and None not in contents and contents[0] % rank == contents[1] % rank:
            node.set_inputs([*parts[:place], *inner, *parts[place + 1 :], axis])
            return True
    return None


def _is_ordered(lower, upper):
    is_known = lower.array is not None and upper.array is not None
    return is_known and bool(lower.array <= upper.array)


RULES = {
    "Mul": [_filled],
    "ConcatV2": [_joined],
    "Select": [_by_rows, _of_numbers],
    "SelectV2": [_of_numbers],
    "Minimum": [_between],
    "Maximum": [_between],
}
