"""``G.node[n]`` of networkx 1, which is ``G.nodes[n]``, where the code shows that G is a graph."""

import ast
import re

from tfgraphtools.analysis.assignments import assigned_values
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade import uses
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.text import Edit

_ROW = "networkx.graph_attributes"
#: Functions of networkx that give a graph.
_MAKERS = re.compile(r"networkx\.([\w.]*\.)?((Multi)?(Di)?Graph|\w+_graph|(from|read)_\w+)")


def edits(work):
    """Returns the edits of the items of ``node`` of graphs that a function, or the file, makes."""
    if not work.choice.allows(_ROW) or "networkx" not in uses.imported_roots(work.tree):
        return []
    shared = {
        name
        for node in nodes_of(work.tree)
        if isinstance(node, (ast.Global, ast.Nonlocal))
        for name in node.names
    }
    changes = []
    for nodes in work.functions():
        graphs = _graphs(work, nodes) - shared
        for node in nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
                changes += _renamed(work, node.value, graphs)
    return changes


def _graphs(work, nodes):
    """Returns the names that nothing but graphs is bound to."""
    values, bound = assigned_values(nodes)
    parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
    return {
        name
        for name, calls in values.items()
        if bound[name] == len(calls) and all(_is_graph(work, call) for call in calls)
    } - parameters


def _is_graph(work, value):
    name = work.names.here(value.func) if isinstance(value, ast.Call) else None
    return bool(name and _MAKERS.fullmatch(name))


def _renamed(work, node, graphs):
    is_node = isinstance(node, ast.Attribute) and node.attr == "node"
    if not is_node or getattr(node.value, "id", None) not in graphs or work.is_guarded(node):
        return []
    end = work.text.span(node)[1]
    work.note(node.lineno, ".node", REWRITTEN, _ROW, ".nodes")
    return [Edit(end - len("node"), end, "nodes", _ROW, node.lineno)]
