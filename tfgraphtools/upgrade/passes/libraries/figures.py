"""Three-dimensional axes of matplotlib, which no longer add themselves to their figure; preambles.

The rows of axes are those that `run` applies: ``compat/fixes/pictures/matplotlib_figures.py``.
A preamble of LaTeX was a list of lines until matplotlib 3.5, and is a text today.
"""

import ast

from tfgraphtools.analysis.scopes import parents_of
from tfgraphtools.upgrade import uses
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN
from tfgraphtools.upgrade.text import Edit

_GCA, _THREE_D = "matplotlib.figure.Figure.gca", "mpl_toolkits.mplot3d.Axes3D"
_PARAMETERS = "matplotlib.rcParams"
_PREAMBLES = ("pgf.preamble", "text.latex.preamble")


def edits(work):
    """Returns the edits of a file that imports matplotlib."""
    if not work.is_old or {"matplotlib", "mpl_toolkits"}.isdisjoint(uses.imported_roots(work.tree)):
        return []
    changes = []
    for node, parent in parents_of(work.tree).items():
        if isinstance(node, ast.Call) and not work.is_guarded(node):
            if work.names.here(node.func) in (_THREE_D, _THREE_D.replace("3d.", "3d.axes3d.")):
                changes += _added(work, node, parent)
            elif getattr(node.func, "attr", None) == "gca" and node.keywords:
                _note_gca(work, node)
        elif isinstance(node, (ast.Dict, ast.Assign)) and work.choice.allows(_PARAMETERS):
            for lines in _preambles(node):
                changes += _joined(work, lines)
    return changes


def _preambles(node):
    """Returns the lists that ``{"pgf.preamble": []}`` and ``rc["pgf.preamble"] = []`` hold."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values)
    else:
        subscripts = [target for target in node.targets if isinstance(target, ast.Subscript)]
        keys = [getattr(target.slice, "value", target.slice) for target in subscripts]
        pairs = [(key, node.value) for key in keys]
    return [
        value
        for key, value in pairs
        if isinstance(value, ast.List) and getattr(key, "value", key) in _PREAMBLES
    ]


def _joined(work, lines):
    """Returns the lines of a preamble as one text, which matplotlib made of them."""
    start, end = work.text.span(lines)
    opening = '"\\n".join('
    work.note(lines.lineno, "preamble", REWRITTEN, _PARAMETERS, opening + "...)")
    return [
        Edit(start, start, opening, _PARAMETERS, lines.lineno),
        Edit(end, end, ")", _PARAMETERS, lines.end_lineno),
    ]


def _added(work, call, parent):
    """Returns ``figure.add_axes(Axes3D(figure))``, which gives the axes."""
    is_added = isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") == "add_axes"
    if not call.args or is_added or not work.choice.allows(_THREE_D):
        return []
    figure = call.args[0]
    if not isinstance(figure, (ast.Name, ast.Attribute)):
        why = "axes no longer add themselves to the figure: call figure.add_axes(axes)"
        work.note(call.lineno, "Axes3D", CANNOT, _THREE_D, why)
        return []
    start, end = work.text.span(call)
    opening = work.text.of(figure) + ".add_axes("
    work.note(call.lineno, "Axes3D", REWRITTEN, _THREE_D, opening + "...)")
    return [
        Edit(start, start, opening, _THREE_D, call.lineno),
        Edit(end, end, ")", _THREE_D, call.end_lineno),
    ]


def _note_gca(work, call):
    if work.names.here(call.func) is not None or not work.choice.allows(_GCA):
        return
    words = ", ".join(f"{work.text.of(keyword)}" for keyword in call.keywords)
    why = f"it takes no arguments: write figure.add_subplot({words}) where the axes are created"
    work.note(call.lineno, ".gca", CANNOT, _GCA, why)
