"""Generators that end by StopIteration: an error since Python 3.7 (PEP 479).

Readers of data of Python 2.7 to 3.6 end by ``raise StopIteration``, or by a ``next(lines)`` that
finds no line.
"""

import ast

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, early_walking


@early_walking
def stop_iteration(tree):
    """Makes a generator return where it would raise StopIteration."""
    return _Generators() if trees.mentions(tree, "StopIteration", "next") else None


class _Generators(Visitor):
    def visit_FunctionDef(self, node):
        own = list(own_nodes(node))
        yields = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own)
        raises = any(map(is_raise, own))
        if yields and (raises or any(map(may_stop, own))):
            if raises:
                rows.used(ROW)
            start = 1 if ast.get_docstring(node, clean=False) is not None else 0
            node.body[start:] = [_ending(node.body[start:])]
        return node


def own_nodes(function):
    """Returns the nodes of a function's body that are not in a function or class of its own."""
    todo = list(function.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))


def is_raise(node):
    """Tells whether it is ``raise StopIteration`` or ``raise StopIteration()``."""
    if not isinstance(node, ast.Raise):
        return False
    raised = node.exc
    called = raised.func if isinstance(raised, ast.Call) and not raised.args else raised
    return getattr(called, "id", None) == "StopIteration"


def may_stop(node):
    """Tells whether it is ``next(x)`` or ``x.next()``."""
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    if getattr(node.func, "id", None) == "next":
        return len(node.args) == 1
    return getattr(node.func, "attr", None) in ("next", "__next__") and not node.args


def stops_by_next(function):
    """Tells whether a generator function has a loop in which ``next(x)`` ends it, unguarded."""
    own = list(own_nodes(function))
    if not any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own):
        return False
    loops = [node for node in own if isinstance(node, (ast.For, ast.While))]
    inside = {id(part) for loop in loops for part in ast.walk(loop)} - guarded(own)
    return any(may_stop(node) and id(node) in inside for node in own)


def guarded(own):
    """Returns the ids of the nodes around which the function itself handles StopIteration."""
    tries = [
        node for node in own if isinstance(node, ast.Try) and any(map(_catches, node.handlers))
    ]
    return {id(part) for node in tries for line in node.body for part in ast.walk(line)}


def _catches(handler):
    """Tells whether an ``except`` is for StopIteration, too."""
    if handler.type is None:
        return True
    names = {getattr(part, "id", None) for part in ast.walk(handler.type)}
    return bool(names & {"StopIteration", "Exception", "BaseException"})


def _ending(body):
    """Returns ``try: body; except StopIteration: return``."""
    at = body[0]
    handler = ast.ExceptHandler(
        type=trees.name_load("StopIteration"), name=None, body=[ast.Return(value=None)]
    )
    ended = ast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
    for node in (ended, handler, handler.type, handler.body[0]):
        ast.copy_location(node, at)
    return ended


ROW = rows.Fix(
    "python.stop_iteration",
    "Python 3.7",
    "a generator ends when it raises StopIteration, also through next(x)",
    stop_iteration,
)
TABLE = rows.Table("generators that end by StopIteration", "syntax", [ROW])
