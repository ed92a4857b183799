"""An array of one element where a number is meant: ``_read32`` of the first input_data.py.

The first readers of MNIST gave what ``numpy.frombuffer(stream.read(4), dtype=...)`` is as a
number, which NumPy took as one until 2.0. The file was copied into many codebases.
"""

import ast
import re

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.passes.one_element_values import ReturnedArrays
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


#: Functions of NumPy that make an array of a list.
_MAKING = ("numpy.array", "numpy.asarray")

#: Functions of NumPy that reduce along an axis.
_REDUCING = tuple(f"numpy.{name}" for name in "argmax argmin max amax min amin mean sum".split())


#: Functions that draw, with the place of the size; those of None take it as all arguments.
_DRAWING = {
    "rand": None,
    "randn": None,
    "random": 0,
    "random_sample": 0,
    "choice": 1,
    "normal": 2,
    "randint": 2,
    "uniform": 2,
}

#: Functions and methods that give an array of what they get: of one number, one number.
_KEEPING = tuple(f"numpy.{name}" for name in "abs ceil exp floor log rint round sqrt".split())
_KEEPING_METHODS = ("astype", "round", "copy")


def number_edits(work):
    """Adds ``.item()`` to arrays, where ``int(...)``, math or ``%d`` makes a number of them.

    An array is what NumPy reduced along an axis, drew with a size, searched for an array or made of
    a list, what a model of Keras predicts, and what a Session returns of a tensor with a dimension.
    """
    if not work.is_old or not work.choice.allows(_FIX):
        return []
    changes = []
    returned = ReturnedArrays(work.tree, work.names)
    for own in work.functions():
        arrays = _arrays(work, own, returned)
        for node in own:
            for value in _formatted(node) or _converted(work, node):
                if value in returned or _is_array(work, value, arrays):
                    changes += _of_item(work, value)
    return changes


def _of_item(work, value):
    start, end = work.text.span(value)
    needs_parentheses = isinstance(value, (ast.BinOp, ast.UnaryOp))
    opening, closing = ("(", ").item()") if needs_parentheses else ("", ".item()")
    work.note(value.lineno, work.text.text[start:end], REWRITTEN, _FIX, ".item()")
    edits = [Edit(start, start, opening, _FIX, value.lineno)] if opening else []
    return [*edits, Edit(end, end, closing, _FIX, value.end_lineno)]


def _converted(work, node):
    """Returns the arguments of ``int(x)``, ``float(x)`` and ``math.exp(x)``."""
    if not isinstance(node, ast.Call) or node.keywords:
        return []
    name = getattr(node.func, "id", None)
    is_conversion = name in ("int", "float", "complex") and len(node.args) == 1
    is_bound = is_conversion and work.scopes.scope_of(node.func).bindings(name)
    is_math = (work.names.here(node.func) or "").startswith("math.")
    return node.args if is_math or (is_conversion and not is_bound) else []


def _arrays(work, own, returned):
    """Returns the variables that only hold arrays."""
    kinds = {}
    for node in own:
        if isinstance(node, ast.Assign):
            is_array = node.value in returned or _is_array(work, node.value, ())
            held = [(target, is_array) for target in node.targets]
            held += [(target, returned.is_tensor(of)) for target, of in returned.pairs(node)]
            for target, is_one in held:
                if isinstance(target, ast.Name):
                    kinds.setdefault(target.id, []).append(is_one)
    stored = [n.id for n in own if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
    return {
        name for name, known in kinds.items() if all(known) and stored.count(name) == len(known)
    }


def _is_array(work, node, arrays):
    """Tells whether an expression is an array of one dimension or more, where it is a number."""
    if isinstance(node, ast.Name):
        return node.id in arrays
    if isinstance(node, ast.UnaryOp):
        return _is_array(work, node.operand, arrays)
    if isinstance(node, ast.BinOp):
        return not _is_text(node) and any(
            _is_array(work, side, arrays) for side in (node.left, node.right)
        )
    if not isinstance(node, ast.Call):
        return False
    name = work.names.here(node.func) or ""
    if name in _MAKING:
        return bool(node.args) and isinstance(node.args[0], (ast.List, ast.Tuple))
    if name in _REDUCING:
        return _has_axis(node)
    if name.startswith("numpy.random."):
        return _draws_several(name.rpartition(".")[2], node)
    if name == "numpy.searchsorted":
        return len(node.args) == 2 and _is_array(work, node.args[1], arrays)
    if name in _KEEPING:
        return any(_is_array(work, value, arrays) for value in node.args[:1])
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING_METHODS
    return is_method and _is_array(work, node.func.value, arrays)


def _is_text(node):
    """Tells whether a sum, product or ``"%d" % x`` is text, by its constants."""
    while isinstance(node, ast.BinOp):
        if _is_text(node.right) and isinstance(node.op, (ast.Add, ast.Mult)):
            return True
        node = node.left
    is_constant = isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    return is_constant or isinstance(node, ast.JoinedStr)


def _has_axis(call):
    keepdims = [word.value for word in call.keywords if word.arg == "keepdims"]
    axes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "axis")]
    return bool(keepdims) or any(getattr(axis, "value", 0) is not None for axis in axes)


def _draws_several(leaf, call):
    if leaf not in _DRAWING:
        return False
    place = _DRAWING[leaf]
    if place is None:
        return bool(call.args)
    sizes = [*call.args[place : place + 1], *(w.value for w in call.keywords if w.arg == "size")]
    return any(getattr(size, "value", 0) is not None for size in sizes)


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
