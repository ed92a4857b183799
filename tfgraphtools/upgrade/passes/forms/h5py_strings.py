"""Texts among the attributes of HDF5 files, which h5py 3 reads as ``str``: they have no decode().

    n.decode("utf8")     (n if isinstance(n, str) else n.decode("utf8"))

where ``n`` comes from ``file.attrs["layer_names"]``, or goes through it.
"""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.text import Edit

_FIX = "h5py.strings"


def edits(work):
    """Returns the `Edit`s of calls of ``decode`` on what comes from attributes."""
    changes = []
    if "attrs" not in work.text.text or not work.choice.allows(_FIX):
        return changes
    asked = _asked(work.tree)
    for own in work.functions():
        variables = _variables(own)
        for node in own:
            text = _decoded(node)
            if text is None or id(node) in asked or work.is_guarded(node):
                continue
            if _is_attribute(text) or getattr(text, "id", None) in variables:
                changes += _decoded_once(work, node, text)
    return changes


def _decoded_once(work, node, text):
    """Returns the `Edit`s of one call; what another call gives is asked for once."""
    value, closing = work.text.of(text), ")"
    if any(isinstance(part, ast.Call) and part is not text for part in ast.walk(text)):
        (start, end), behind = work.text.span(text), work.text.span(node)[1]
        opening = "(lambda text: text if isinstance(text, str) else text"
        opening += work.text.text[end:behind] + ")("
        edits = [
            Edit(start, start, opening, _FIX, node.lineno),
            Edit(end, behind, closing, _FIX, node.end_lineno),
        ]
    else:
        opening = f"({value} if isinstance({value}, str) else "
        edits = work.text.around(node, opening, closing, _FIX)
    work.note(node.lineno, ".decode", REWRITTEN, _FIX, opening + "...)")
    return edits


def _asked(tree):
    """Returns the ids of the nodes below a condition that asks for the type of a value."""
    return {
        id(inner)
        for node in nodes_of(tree)
        if isinstance(node, (ast.If, ast.IfExp)) and _asks(node.test)
        for inner in ast.walk(node)
    }


def _asks(test):
    calls = [node for node in ast.walk(test) if isinstance(node, ast.Call)]
    return any(getattr(call.func, "id", None) in ("isinstance", "hasattr") for call in calls)


def _decoded(node):
    """Returns the expression whose ``decode`` a node calls, or None."""
    function = node.func if isinstance(node, ast.Call) else None
    return function.value if getattr(function, "attr", None) == "decode" else None


def _is_attribute(node):
    """Tells whether an expression is ``x.attrs[...]`` or ``x.attrs.get(...)``."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "get":
        return getattr(node.func.value, "attr", None) == "attrs"
    return isinstance(node, ast.Subscript) and getattr(node.value, "attr", None) == "attrs"


def _variables(own):
    """Returns the variables of a function that hold such an attribute, or go through one."""
    variables = set()
    while True:
        more = set()
        for node in own:
            value = getattr(node, "value", None) if isinstance(node, ast.Assign) else None
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, (ast.For, ast.comprehension)):
                value, targets = node.iter, [node.target]
            if value is not None and _comes_from(value, variables):
                more |= {target.id for target in targets if isinstance(target, ast.Name)}
        if more <= variables:
            return variables
        variables |= more


def _comes_from(node, variables):
    if isinstance(node, ast.Subscript) and not _is_attribute(node):
        node = node.value
    return _is_attribute(node) or getattr(node, "id", None) in variables
