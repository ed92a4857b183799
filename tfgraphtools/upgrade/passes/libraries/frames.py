"""Methods of pandas that lists have as well, or that lost an argument: where a call shows which."""

import ast

from tfgraphtools.analysis.scopes import nodes_of, parents_of
from tfgraphtools.compat import rewrites
from tfgraphtools.compat.fixes.pandas import before_1
from tfgraphtools.upgrade import uses
from tfgraphtools.upgrade.clues import pandas_left
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN
from tfgraphtools.upgrade.passes import call_arguments, removed_attributes
from tfgraphtools.upgrade.passes.libraries import pandas_calls
from tfgraphtools.upgrade.passes.work import RUNTIME_ROOT
from tfgraphtools.upgrade.text import Edit

#: What only a frame's ``append`` and ``sort`` take.
_APPEND = {"ignore_index", "verify_integrity", "sort"}
_SORT = {"columns", "by", "ascending", "axis", "inplace"}

_DUMMIES = rewrites.Call(added={"dtype": '"uint8"'})


def edits(work):
    """Returns the edits of a file that imports pandas."""
    if "pandas" not in work.text.text or "pandas" not in set(uses.imported_roots(work.tree)):
        return []
    all_changes = []
    frames = pandas_left.frames_in(work.tree, work.names)
    columns = pandas_left.columns_in(work.tree, frames)
    for node, parent in parents_of(work.tree).items():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            edit = _METHODS.get(node.func.attr)
            changes = edit(work, node, parent) if edit else []
            is_before_1 = work.is_old and node.func.attr in before_1.AMBIGUOUS
            if is_before_1 and pandas_left.is_of_pandas(node, frames, columns):
                changes = _asked(work, node, "pandas.methods_before_1")
            if not changes and work.is_old:
                changes = pandas_calls.edits(work, node, parent)
            all_changes += changes
        elif isinstance(node, ast.Attribute) and work.is_old:
            all_changes += pandas_calls.attribute_edits(work, node)
    return all_changes


def _asked(work, call, row):
    """Returns the edits that ask the runtime for a method that today's frames lack."""
    if not work.choice.allows(row) or work.is_guarded(call):
        return []
    if work.choice.runtime:
        return removed_attributes.asked(work, call.func, row)
    why = f"only {RUNTIME_ROOT}.attribute provides it (--no-runtime)"
    work.note(call.lineno, "." + call.func.attr, CANNOT, row, why)
    return []


def _append(work, call, parent):
    named = {keyword.arg for keyword in call.keywords}
    is_used = isinstance(parent, (ast.Assign, ast.AugAssign, ast.Attribute))
    return _asked(work, call, "pandas.append") if is_used or named & _APPEND else []


def _sort(work, call, parent):
    named = {keyword.arg for keyword in call.keywords}
    by = call.args[0] if call.args else None
    is_name = isinstance(by, ast.List) or isinstance(getattr(by, "value", None), str)
    return _asked(work, call, "pandas.sort") if is_name or named & _SORT else []


def _drop(work, call, parent):
    """Returns ``axis=1`` for the second argument."""
    row = "pandas.positional_arguments"
    if len(call.args) != 2 or not work.choice.allows(row):
        return []
    if any(getattr(node, "name", None) == "drop" for node in nodes_of(work.tree)):
        return []  # it may be that of a class here
    axis = call.args[1]
    if not isinstance(axis, ast.Constant) or axis.value not in (0, 1, "columns", "index"):
        return []
    start = work.text.span(axis)[0]
    work.note(axis.lineno, ".drop", REWRITTEN, row, f"axis={axis.value!r}")
    return [Edit(start, start, "axis=", row, axis.lineno)]


def _get_dummies(work, call, parent):
    """Returns ``dtype="uint8"``, as it was: today's are truth values."""
    row = "pandas.get_dummies"
    named = {keyword.arg for keyword in call.keywords}
    if not work.role.is_tf1 or not work.choice.allows(row) or named & {"dtype", None}:
        return []
    if not isinstance(call.func.value, ast.Name) or work.names.here(call.func) != row:
        return []
    work.note(call.end_lineno, row, REWRITTEN, row, 'dtype="uint8"')
    return call_arguments.edits(call, _DUMMIES, work.text, row)


_METHODS = {"append": _append, "sort": _sort, "drop": _drop, "get_dummies": _get_dummies}
