"""``m = map(f, xs); len(m)`` and similar code in sources that Python 3 parses.

Where a module is not treated as Python 2 as a whole, `map`, `filter`, `zip`,
`range` and a dictionary's views give a list where the code can only work with
one: as Python 3 has them, each of these uses fails, or makes an array of one
object.
"""

import ast

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import Syntax
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, early_walking

_LAZY = {"map", "filter", "zip"}
_VIEWS = {"keys", "values", "items"}
_LIST_METHODS = {"append", "extend", "insert", "remove", "pop", "sort", "reverse"}

#: Functions of NumPy, random and TensorFlow that need the values at once.
_WHOLE = {
    "array",
    "asarray",
    "average",
    "concatenate",
    "constant",
    "convert_to_tensor",
    "hstack",
    "mean",
    "median",
    "permutation",
    "shuffle",
    "stack",
    "std",
    "vstack",
}


@early_walking
def make_lists(tree):
    """Puts ``list`` around what is used as a list."""
    wanted = used_as_lists(tree)
    if not wanted:
        return None
    rows.used(ROW)
    return _Wrap({id(node) for node in wanted})


def used_as_lists(tree):
    """Returns the calls of a module that give no list in Python 3 and are used as one."""
    if not trees.read_names(tree) & {*_LAZY, "range"} and not trees.read_attributes(tree) & _VIEWS:
        return []
    functions = trees.builtin_reads(tree, {*_LAZY, "range"})
    wanted = []
    for _, inside in trees.scopes_of(tree):
        wanted += _wanted_in(inside, functions)
    return wanted


def _wanted_in(inside, functions):
    """Returns the calls of a scope whose result is used as a list there."""
    calls = inside.get(ast.Call, ())
    calls = {node for node in calls if node.func in functions or is_view(node)}
    if not calls:
        return []
    held = _held(inside, calls)
    wanted = []
    for used, how in _list_uses(inside):
        for value in held.get(used.id, ()) if isinstance(used, ast.Name) else (used,):
            function = value.func if isinstance(value, ast.Call) else None
            if function in functions:
                if function.id in _LAZY or how == "changed":
                    wanted.append(value)
            elif is_view(value) and how != "measured":
                wanted.append(value)
    return wanted


def _held(inside, calls):
    """Returns {variable: those of the calls that it holds}, of variables that hold nothing else."""
    held, targets = {}, set()
    for node in inside.get(ast.Assign, ()):
        if len(node.targets) > 1:
            continue
        target = node.targets[0]
        if node.value in calls and isinstance(target, ast.Name):
            held.setdefault(target.id, []).append(node.value)
            targets.add(target)
    names = [node for node in inside.get(ast.Name, ()) if node not in targets]
    others = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return {name: calls for name, calls in held.items() if name not in others}


def _list_uses(inside):
    """Yields (what is used as a list, how): ranges can be read and measured, views measured."""
    for node in inside.get(ast.Subscript, ()):
        yield node.value, "changed" if isinstance(node.ctx, ast.Store) else "read"
    for node in inside.get(ast.BinOp, ()):
        if isinstance(node.op, ast.Add):
            yield node.left, "changed"
            yield node.right, "changed"
    for node in inside.get(ast.Call, ()):
        name = getattr(node.func, "id", getattr(node.func, "attr", None))
        if isinstance(node.func, ast.Attribute) and name in _LIST_METHODS:
            yield node.func.value, "changed"
        elif node.args and name == "len":
            yield node.args[0], "measured"
        elif node.args and name in _WHOLE:
            yield node.args[0], "changed" if name == "shuffle" else "read"


def is_view(node):
    """Tells whether a node is ``x.keys()``, ``x.values()`` or ``x.items()``."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return getattr(node.func, "attr", None) in _VIEWS


class _Wrap(Visitor):
    def __init__(self, wanted):
        self.wanted = wanted

    def visit_Call(self, node):
        if id(node) not in self.wanted:
            return node
        if is_view(node):  # the helper leaves what is no dictionary as it is
            name = trees.constant(node.func.attr, node)
            return trees.call("__python2_listed__", node.func.value, name, at=node)
        return trees.call("list", node, at=node)


ROW = rows.Fix(
    "python2.used_as_list",
    "Python 3.0",
    "results of map, filter, zip, range and keys() that are used as lists are lists",
    make_lists,
    rewrite=Syntax("python2.used_as_list"),
)
