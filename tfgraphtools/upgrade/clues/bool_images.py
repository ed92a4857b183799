"""Lists images of bool that scikit-image resizes: they were interpolated as floats until 0.19."""

import ast

from tfgraphtools.upgrade.clues import assigned_above

WHY = "an image of bool stays one, or is refused; scikit-image 0.17 returned floats"

REMEDY = (
    "convert the image: image.astype(float), write order=0 where no order stands, and "
    "anti_aliasing=False in resize and rescale"
)

_FUNCTIONS = frozenset(f"skimage.transform.{name}" for name in "resize rescale rotate warp".split())


def uses(tree, names):
    """Yields (line, name) of calls whose image is one of bool, as the source shows.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
    """
    for own, assignments in assigned_above.functions(tree):
        for call in own:
            name = names.here(call.func) if isinstance(call, ast.Call) else None
            if name in _FUNCTIONS and _has_bool(call, assignments):
                yield call.lineno, name


def _has_bool(call, values):
    images = call.args[:1] + [word.value for word in call.keywords if word.arg == "image"]
    return bool(images) and _is_bool(images[0], values, call.lineno)


def _is_bool(node, values, line):
    """Tells whether an expression makes an array of bool: a comparison, ``x.astype(bool)``...

    A variable holds what the last assignment above the line gave it. Without one, a mask counts:
    nothing tells what it holds, and most masks are of bool.
    """
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Invert) and _is_bool(node.operand, values, line)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        is_logical = isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor))
        return is_logical and any(_is_bool(side, values, line) for side in sides)
    if isinstance(node, ast.Subscript):
        return _is_bool(node.value, values, line)
    if isinstance(node, ast.Call):
        if getattr(node.func, "attr", "").startswith(("logical_", "isnan", "isclose", "isin")):
            return True
        return any(map(_names_bool, [*node.args, *(word.value for word in node.keywords)]))
    if not isinstance(node, ast.Name):
        return False
    start, value = assigned_above.last(values, node.id, line)
    return "mask" in node.id.lower() if value is None else _is_bool(value, values, start)


def _names_bool(node):
    word = getattr(node, "id", getattr(node, "attr", getattr(node, "value", None)))
    return word in ("bool", "bool_", "bool8")
