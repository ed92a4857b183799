"""Factors of 1 and choices that constants decide, which `tf.losses` has for weights of 1."""


def _product(program, node):
    for x, factor in (node.inputs, node.inputs[::-1]):
        if _is_one(factor) and x.dims is not None and x.dims == node.output.dims:
            return x
    return None


def _is_one(value):
    if value.op == "Fill":
        value = value.node.inputs[1]
    array = value.array
    return array is not None and array.size == 1 and array.reshape(-1)[0] == 1


def _choice(program, node):
    condition, left, right = node.inputs
    if condition.op != "Equal" or not left.dims == right.dims == node.output.dims:
        return None
    arrays = [value.array for value in condition.node.inputs]
    if any(array is None or array.size != 1 for array in arrays):
        return None
    return left if arrays[0].reshape(-1)[0] == arrays[1].reshape(-1)[0] else right


RULES = {"Mul": [_product], "Select": [_choice], "SelectV2": [_choice]}
