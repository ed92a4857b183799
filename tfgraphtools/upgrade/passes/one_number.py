"""An array of one element where a number is meant: ``_read32`` of the first input_data.py.

The first readers of MNIST gave what ``numpy.frombuffer(stream.read(4), dtype=...)`` is as a
number, which NumPy took as one until 2.0. The file was copied into many codebases.
"""

import ast
import re

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.text import Edit

_FIX = "numpy.one_element"


def edits(work):
    """Returns ``[0]`` behind what ``_read32`` returns."""
    if not work.choice.allows(_FIX):
        return []
    changes = []
    for node in nodes_of(work.tree):
        if isinstance(node, ast.FunctionDef) and node.name == "_read32":
            last = node.body[-1]
            if isinstance(last, ast.Return) and _reads_four_bytes(last.value):
                end = work.text.span(last.value)[1]
                work.note(last.lineno, "numpy.frombuffer", REWRITTEN, _FIX, "[0]")
                changes.append(Edit(end, end, "[0]", _FIX, last.lineno))
    return changes


def _reads_four_bytes(node):
    """Tells whether an expression is ``numpy.frombuffer(stream.read(4), ...)``."""
    if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "frombuffer":
        return False
    read = node.args[0] if node.args else None
    return (
        isinstance(read, ast.Call)
        and getattr(read.func, "attr", "") == "read"
        and len(read.args) == 1
        and getattr(read.args[0], "value", None) == 4
    )


#: Functions of NumPy that reduce along an axis.
_REDUCING = tuple(f"numpy.{name}" for name in "argmax argmin max amax min amin mean sum".split())


def formatted_edits(work):
    """Adds ``.item()`` to what was reduced along an axis, where ``%d`` or ``%f`` formats it."""
    if not work.is_old or not work.choice.allows(_FIX):
        return []
    changes = []
    for own in work.functions():
        reduced = _reduced(work, own)
        for node in own if reduced else ():
            for value in _formatted(node):
                if getattr(value, "id", None) in reduced:
                    end = work.text.span(value)[1]
                    work.note(value.lineno, value.id, REWRITTEN, _FIX, ".item()")
                    changes.append(Edit(end, end, ".item()", _FIX, value.lineno))
    return changes


def _reduced(work, own):
    """Returns the variables that only hold what NumPy reduced along an axis."""
    kinds = {}
    for node in own:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    kinds.setdefault(target.id, []).append(_reduces(work, node.value))
    stored = [n.id for n in own if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
    return {
        name
        for name, reductions in kinds.items()
        if all(reductions) and stored.count(name) == len(reductions)
    }


def _reduces(work, node):
    if not isinstance(node, ast.Call):
        return False
    has_axis = len(node.args) > 1 or any(keyword.arg == "axis" for keyword in node.keywords)
    return has_axis and work.names.here(node.func) in _REDUCING


def _formatted(node):
    """Returns the values that ``"%d" % value`` or ``"%d %f" % (value, value)`` makes numbers of."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mod):
        return []
    words = node.left.value if isinstance(node.left, ast.Constant) else None
    if not isinstance(words, str):
        return []
    values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    wanted = re.findall(r"%[-+ #0]*[\d.]*([a-zA-Z%])", words)
    wanted = [kind for kind in wanted if kind != "%"]
    if len(wanted) != len(values):
        return []
    return [value for kind, value in zip(wanted, values) if kind in "diufFeEgGxXo"]
