"""Patterns of ops as nested tuples: (op, pattern of input, ...), or a name that binds a value.

An op may be several, as in "Add|AddV2"; the inputs of additions and products are tried both ways.
"""

_COMMUTATIVE = ("Add", "AddV2", "Mul")


def match(value, pattern, bound=None):
    """Returns {name: `Value`}, or None where a pattern does not match."""
    bound = {} if bound is None else bound
    if isinstance(pattern, str):
        if pattern in bound:
            return bound if bound[pattern] is value else None
        return {**bound, pattern: value}
    ops, *inputs = pattern
    if value.op not in ops.split("|") or len(value.node.inputs) < len(inputs):
        return None
    operands = value.node.inputs[: len(inputs)]
    orders = [operands]
    if value.op in _COMMUTATIVE and len(inputs) == 2:
        orders.append(operands[::-1])
    for order in orders:
        result = _all(order, inputs, bound)
        if result is not None:
            return result
    return None


def _all(values, patterns, bound):
    for value, pattern in zip(values, patterns):
        bound = match(value, pattern, bound)
        if bound is None:
            return None
    return bound


def scalar(value):
    """Returns the number of a constant with one element, or None."""
    array = value.array
    if array is None or array.size != 1 or array.dtype.kind not in "fiu":
        return None
    return float(array.reshape(-1)[0])
