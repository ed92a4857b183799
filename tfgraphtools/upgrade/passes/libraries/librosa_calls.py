"""Calls of librosa with arguments by position, or with defaults, of its version 0.7.

The rows are those that `run` applies: ``compat/fixes/librosa/argument_orders.tsv``.
"""

import ast
import functools

from tfgraphtools.analysis import installed, keywords
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat import rewrites
from tfgraphtools.compat.fixes import build
from tfgraphtools.compat.fixes.librosa import argument_orders
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN
from tfgraphtools.upgrade.passes import call_arguments


def edits(work):
    """Returns the edits of the calls of librosa's functions."""
    changes = []
    if "librosa" not in work.text.text or not work.is_old:
        return changes
    for call in nodes_of(work.tree):
        name = work.names.here(call.func) if isinstance(call, ast.Call) else None
        if name and name.startswith("librosa.core."):
            name = "librosa." + name.rpartition(".")[2]
        if name in _parameters() and work.choice.allows(name) and not work.is_guarded(call):
            changes += _edits_of(work, call, name)
    return changes


def _edits_of(work, call, name):
    order, defaults = _parameters()[name]
    words = {keyword.arg for keyword in call.keywords}
    missing = {word: value for word, value in defaults.items() if word not in words}
    if None in words or any(isinstance(argument, ast.Starred) for argument in call.args):
        if missing or len(call.args) > _places(name):
            shown = ", ".join(f"{word}={value}" for word, value in missing.items())
            why = "its arguments are not written out: pass those behind the first by keyword"
            work.note(call.lineno, name, CANNOT, name, f"{why}, and {shown}" if shown else why)
        return []
    by_position = order[: len(call.args)]
    named = () if len(call.args) <= _places(name) else by_position[_places(name) :]
    added = {word: value for word, value in missing.items() if word not in by_position}
    if (not named and not added) or len(call.args) > len(order) or words & set(named):
        return []
    shown = [f"{word}=" for word in named] + [f"{word}={value}" for word, value in added.items()]
    work.note(call.lineno, name, REWRITTEN, name, ", ".join(shown))
    positions = ("",) * _places(name) + tuple(named) if named else ()
    rewrite = rewrites.Call(positions=positions, added=added)
    return call_arguments.edits(call, rewrite, work.text, name)


@functools.lru_cache(None)
def _parameters():
    """Returns dotted name -> (arguments by position in librosa 0.7, {argument: its default})."""
    table = {}
    for name, parameters, *_ in build.lines_of(argument_orders.__file__, "argument_orders.tsv"):
        words = parameters.split()
        defaults = dict(word.split("=", 1) for word in words if "=" in word)
        order = words[: words.index("*")] if "*" in words else words
        table[f"librosa.{name}"] = [word.partition("=")[0] for word in order], defaults
    return table


@functools.lru_cache(None)
def _places(name):
    """Returns how many arguments by position a function takes today."""
    places = keywords.parameters(name, installed.Libraries(True)).places
    return 99 if places is None else places
