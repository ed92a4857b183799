"""Three-dimensional axes of matplotlib, which no longer add themselves to their figure.

The rows are those that `run` applies: ``compat/fixes/pictures/matplotlib_figures.py``.
"""

import ast

from tfgraphtools.upgrade import uses
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN
from tfgraphtools.upgrade.text import Edit

_GCA, _THREE_D = "matplotlib.figure.Figure.gca", "mpl_toolkits.mplot3d.Axes3D"


def edits(work):
    """Returns the edits of a file that imports matplotlib."""
    if not work.is_old or {"matplotlib", "mpl_toolkits"}.isdisjoint(uses.imported_roots(work.tree)):
        return []
    changes = []
    for node, parent in uses.parents_of(work.tree).items():
        if isinstance(node, ast.Call) and not work.is_guarded(node):
            if work.names.here(node.func) in (_THREE_D, _THREE_D.replace("3d.", "3d.axes3d.")):
                changes += _added(work, node, parent)
            elif getattr(node.func, "attr", None) == "gca" and node.keywords:
                _note_gca(work, node)
    return changes


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
