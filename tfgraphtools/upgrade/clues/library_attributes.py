"""Lists attributes of graphs, figures and rows that networkx, matplotlib and pandas removed.

An attribute's name alone does not say of what it is: the module imports the library, and the name
is of no other class, or what it is read from shows it.
"""

import ast
import re

from tfgraphtools.analysis.assignments import assigned_names
from tfgraphtools.analysis.scopes import index_of, nodes_of
from tfgraphtools.compat.fixes.others import networkx
from tfgraphtools.upgrade.uses import imported_roots

_GRAPHS, _FIGURES = "networkx.graph_attributes", "matplotlib.attributes"
_POSITIONS = "pandas.position_in_series"

_WHY = {
    _GRAPHS: "networkx 2.4 removed it",
    _FIGURES: "matplotlib 3.10 removed it",
    _POSITIONS: "pandas 3 takes the number for a label, and columns have names",
}

#: Names that people give to graphs.
_GRAPH = re.compile(r"(?i)\w*graph\w*|(\w*_|\w{0,2})g\d?|h\d?")

#: Attributes of networkx's graphs with names that other classes have, too.
_COMMON = ("node", "edge")

_READERS = ("read_csv", "read_excel", "read_table")


def uses(tree, names):
    """Yields (line, name, row, why) of the attributes that a module reads.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
    """
    roots, nodes = set(imported_roots(tree)), nodes_of(tree)
    kinds = (("networkx", _of_graphs), ("matplotlib", _of_figures), ("pandas", _of_rows))
    for root, of_library in kinds:
        for node, name, row in of_library(nodes, names) if root in roots else ():
            yield node.lineno, name, row, _WHY[row]


def _of_graphs(nodes, names):
    for node in nodes:
        leaf = getattr(node, "attr", None)
        if leaf in networkx.ATTRIBUTES and names.here(node) is None:
            owner = node.value
            word = getattr(owner, "id", getattr(owner, "attr", ""))
            if leaf not in _COMMON or _GRAPH.fullmatch(word):
                yield node, "." + leaf, _GRAPHS


def _of_figures(nodes, names):
    contours = assigned_names(nodes, _draws_contours)
    for node in nodes:
        leaf = getattr(node, "attr", None)
        if leaf == "tostring_rgb":
            yield node, "." + leaf, _FIGURES
        elif leaf == "collections":
            if getattr(node.value, "id", None) in contours or _draws_contours(node.value):
                yield node, "." + leaf, _FIGURES


def _draws_contours(value):
    leaf = getattr(value.func, "attr", "") if isinstance(value, ast.Call) else ""
    return leaf in ("contour", "contourf", "tricontour", "tricontourf")


def _of_rows(nodes, names):
    """Yields ``frame.iloc[2][0]`` and the same of rows, where all frames are of files with names.

    Only numbers are labels in a frame that has none.
    """
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    leaves = {getattr(call.func, "attr", None) for call in calls}
    if leaves.isdisjoint(_READERS) or "DataFrame" in leaves or any(map(_has_header, calls)):
        return
    rows = {name for node in nodes for name in _rows_in(node)}
    for node in nodes:
        if isinstance(node, ast.Subscript) and _is_position(node):
            owner = node.value
            is_row = isinstance(owner, ast.Subscript) and _is_one_row(owner)
            if is_row or getattr(owner, "id", None) in rows:
                yield node, "row[...]", _POSITIONS


def _has_header(call):
    return any(keyword.arg in ("header", "names", "columns") for keyword in call.keywords)


def _rows_in(node):
    """Returns the names that hold a row: of a loop over ``iterrows()``."""
    if not isinstance(node, (ast.For, ast.comprehension)) or not isinstance(node.iter, ast.Call):
        return []
    is_pair = isinstance(node.target, ast.Tuple) and len(node.target.elts) == 2
    if not is_pair or getattr(node.iter.func, "attr", None) != "iterrows":
        return []
    return [getattr(node.target.elts[1], "id", None) or ""]


def _is_position(subscript):
    index = index_of(subscript)
    if isinstance(index, ast.UnaryOp):
        index = index.operand
    return type(getattr(index, "value", index)) is int


def _is_one_row(subscript):
    """Tells whether an expression is ``frame.iloc[i]``, of one row."""
    is_one = not isinstance(subscript.slice, (ast.Tuple, ast.Slice, ast.List))
    return is_one and getattr(subscript.value, "attr", None) in ("iloc", "loc", "ix")
