"""Lists transposed convolutions that lose the static batch of ``output_shape`` in plain TF 2.

TF 2.3 and later take the batch from the input: where that has none, the result has none.
"""

import ast

from tfgraphtools.analysis.scopes import dumped, nodes_of

ROW = "shapes.conv2d_transpose"

WHY = "its static shape has the batch of the input, which may be unknown, not that of output_shape"

#: Names of the function -> the keyword and the place of its shape.
_SHAPE_OF = {
    "tensorflow.compat.v1.nn.conv2d_transpose": ("output_shape", 2),
    "tensorflow.compat.v1.nn.conv2d_backprop_input": ("input_sizes", 0),
}


def uses(tree, names):
    """Yields (line, name) of calls whose ``output_shape`` may have a batch that the input has not.

    Left out are shapes whose batch comes from the shape of a tensor, and results whose static
    shape the code sets.

    Args:
      tree: the `ast.Module`, upgraded.
      names: its `resolving.Names`.
    """
    nodes = list(nodes_of(tree))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    shapes = [(call, _shape(call, names.here(call.func))) for call in calls]
    shapes = [(call, shape) for call, shape in shapes if shape is not None]
    if not shapes:
        return
    assignments = [node for node in nodes if isinstance(node, ast.Assign)]
    values = {}
    for assignment in assignments:
        for target in assignment.targets:
            values.setdefault(dumped(target).replace("Store", "Load"), []).append(assignment)
    for call, shape in shapes:
        if not _is_of_a_tensor(shape, values) and not _is_set(call, assignments, calls):
            yield call.lineno, names.here(call.func)


def _shape(call, name):
    """Returns the node of the shape that a call asks for, or None."""
    keyword, place = _SHAPE_OF.get(name, (None, None))
    if keyword is None:
        return None
    named = [word.value for word in call.keywords if word.arg == keyword]
    return next(iter(named + call.args[place : place + 1]), None)


def _is_of_a_tensor(shape, values, depth=0):
    """Tells whether the batch in a shape is read from the shape of a tensor."""
    items = shape.args[0] if isinstance(shape, ast.Call) and shape.args else shape
    batch = items.elts[0] if isinstance(items, (ast.List, ast.Tuple)) and items.elts else shape
    if any(_is_shape(part) for part in ast.walk(batch)):
        return True
    origins = values.get(dumped(batch), ())
    return depth < 3 and any(_is_of_a_tensor(node.value, values, depth + 1) for node in origins)


def _is_shape(node):
    return getattr(node, "attr", None) in ("shape", "get_shape")


def _is_set(call, assignments, calls):
    """Tells whether the code sets the static shape of what a call returns."""
    owners = [node.func.value for node in calls if getattr(node.func, "attr", "") == "set_shape"]
    names = {owner.id for owner in owners if isinstance(owner, ast.Name)}
    return any(
        isinstance(target, ast.Name) and target.id in names
        for node in assignments
        if node.value is call
        for target in node.targets
    )
