"""Lists images of bool that scikit-image resizes: they were interpolated as floats until 0.19."""

import ast

from tfgraphtools.analysis.scopes import assigned_values, nodes_of

WHY = "an image of bool stays one, or is refused; scikit-image 0.17 returned floats"

REMEDY = "convert the image: image.astype(float), and write order=0 where no order stands"

_FUNCTIONS = frozenset(f"skimage.transform.{name}" for name in "resize rescale rotate warp".split())


def uses(tree, names):
    """Yields (line, name) of calls whose image is one of bool, as the source shows.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
    """
    nodes = list(nodes_of(tree))
    calls = [(node, names.here(node.func)) for node in nodes if isinstance(node, ast.Call)]
    calls = [(node, name) for node, name in calls if name in _FUNCTIONS]
    values, _ = assigned_values(nodes)
    for call, name in calls:
        images = call.args[:1] + [word.value for word in call.keywords if word.arg == "image"]
        if images and _is_bool(images[0], values):
            yield call.lineno, name


def _is_bool(node, values, depth=0):
    """Tells whether an expression makes an array of bool: a comparison, ``x.astype(bool)``..."""
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Invert) and _is_bool(node.operand, values, depth)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        is_logical = isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor))
        return is_logical and any(_is_bool(side, values, depth) for side in sides)
    if isinstance(node, ast.Call):
        if getattr(node.func, "attr", "").startswith(("logical_", "isnan", "isclose", "isin")):
            return True
        return any(map(_names_bool, [*node.args, *(word.value for word in node.keywords)]))
    known = values.get(node.id, ()) if isinstance(node, ast.Name) and depth < 3 else ()
    return bool(known) and all(_is_bool(value, values, depth + 1) for value in known)


def _names_bool(node):
    word = getattr(node, "id", getattr(node, "attr", getattr(node, "value", None)))
    return word in ("bool", "bool_", "bool8")
