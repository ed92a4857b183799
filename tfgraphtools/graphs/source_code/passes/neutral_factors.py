"""Factors of 1, terms of 0, and choices that constants decide, such as those of `tf.losses`."""


def _product(program, node):
    for x, factor in (node.inputs, node.inputs[::-1]):
        if _is(factor, 1) and x.dims is not None and x.dims == node.output.dims:
            return x
    return None


def _sum(program, node):
    for x, term in (node.inputs, node.inputs[::-1]):
        if _is(term, 0) and x.dims is not None and x.dims == node.output.dims:
            return x
    return None


def _is(value, number):
    if value.op == "Fill":
        value = value.node.inputs[1]
    array = value.array
    return array is not None and array.size == 1 and array.reshape(-1)[0] == number


def _choice(program, node):
    condition, left, right = node.inputs
    if condition.op != "Equal" or not left.dims == right.dims == node.output.dims:
        return None
    arrays = [value.array for value in condition.node.inputs]
    if any(array is None or array.size != 1 for array in arrays):
        return None
    return left if arrays[0].reshape(-1)[0] == arrays[1].reshape(-1)[0] else right


RULES = {
    "Mul": [_product],
    "Add": [_sum],
    "AddV2": [_sum],
    "Select": [_choice],
    "SelectV2": [_choice],
}
