"""Calls of scikit-learn with arguments, values or defaults of its version 1.0.

The rows are those that `run` applies: ``compat/fixes/sklearn/renamed_arguments.tsv``.
"""

import ast
import functools
import importlib
import inspect

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat import rewrites
from tfgraphtools.compat.fixes import build
from tfgraphtools.compat.fixes import sklearn as fixes
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN
from tfgraphtools.upgrade.passes import call_arguments
from tfgraphtools.upgrade.text import Edit

#: Kind of a line of the table -> the row that is about it.
_ROWS = {
    "renamed": "sklearn.arguments",
    "dropped": "sklearn.arguments",
    "value": "sklearn.renamed_arguments",
    "default": "sklearn.defaults",
}


def edits(work):
    """Returns the edits of the calls of scikit-learn's functions and classes."""
    changes = []
    if "sklearn" not in work.text.text or not work.is_old:
        return changes
    for call in nodes_of(work.tree):
        name = work.names.here(call.func) if isinstance(call, ast.Call) else None
        if name is not None and name in _table() and not work.is_guarded(call):
            changes += _edits_of(work, call, name)
    return changes


def _edits_of(work, call, name):
    words = {keyword.arg: keyword.value for keyword in call.keywords}
    lines = [line for line in _table()[name] if work.choice.allows(_ROWS[line[0]])]
    if None in words or any(isinstance(argument, ast.Starred) for argument in call.args):
        defaults = [f"{line[1]}={line[2]}" for line in lines if line[0] == "default"]
        if defaults:
            why = f"its arguments are not written out; pass {', '.join(defaults)} if they are not"
            work.note(call.lineno, name, CANNOT, _ROWS["default"], why)
        return []
    renamed, added, changes = {}, {}, []
    for kind, argument, value in lines:
        passed = words.get(argument)
        if kind == "default":
            if passed is None:
                added[argument] = value
        elif passed is None or (kind != "value" and _takes(name, argument)):
            continue
        elif kind == "renamed":
            renamed[argument] = value
        elif kind == "dropped":
            if value == "any" or getattr(passed, "value", ()) in ast.literal_eval(value):
                renamed[argument] = None
        else:
            changes += _revalued(work, passed, ast.literal_eval(value))
    row = _ROWS["renamed" if renamed else "default"]
    if renamed or added:
        shown = [word if new is None else f"{new}=" for word, new in renamed.items()]
        shown += [f"{word}={new}" for word, new in added.items()]
        work.note(call.lineno, name, REWRITTEN, row, ", ".join(shown))
        rewrite = rewrites.Call(keywords=renamed, added=added)
        changes += call_arguments.edits(call, rewrite, work.text, row)
    return changes


def _revalued(work, node, values):
    old = getattr(node, "value", None)
    if not isinstance(old, str) or old not in values:
        return []
    new, row = values[old], _ROWS["value"]
    start, end = work.text.span(node)
    quote = work.text.text[end - 1]
    text = f"{quote}{new}{quote}" if isinstance(new, str) else repr(new)
    work.note(node.lineno, repr(old), REWRITTEN, row, text)
    return [Edit(start, end, text, row, node.lineno)]


@functools.lru_cache(None)
def _table():
    """Returns dotted name of a function or class -> [(kind, argument, value)]."""
    table = {}
    for kind, module, takers, argument, value in build.lines_of(
        fixes.__file__, "renamed_arguments.tsv"
    ):
        for taker in takers.split():
            table.setdefault(f"sklearn.{module}.{taker}", []).append((kind, argument, value))
    return table


@functools.lru_cache(None)
def _takes(name, argument):
    """Tells whether the installed function has an argument; False where none is installed."""
    owner, _, leaf = name.rpartition(".")
    try:
        function = getattr(importlib.import_module(owner), leaf)
        return argument in inspect.signature(function).parameters
    except (ImportError, AttributeError, ValueError):
        return False
