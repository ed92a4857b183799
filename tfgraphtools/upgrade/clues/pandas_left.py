"""Lists uses of pandas whose result depends on the data, and is another one today.

What the source can say is rewritten: see `passes.libraries.pandas_calls`.
"""

import ast
import re

from tfgraphtools.analysis.assignments import assigned_names
from tfgraphtools.analysis.scopes import index_of, nodes_of
from tfgraphtools.compat.fixes.pandas import before_1
from tfgraphtools.upgrade.passes.libraries import pandas_calls
from tfgraphtools.upgrade.uses import imported_roots

_BEFORE_1 = "pandas.methods_before_1"
_WHY = "run does it as pandas 1 did"
_LOST = "pandas 3 changes a copy: the frame stays as it is"

#: Functions of pandas whose result is a frame.
_READERS = re.compile(r"pandas\.(DataFrame|read_\w+|concat|merge|get_dummies|pivot_table|melt)")

#: Methods whose result is a frame where what they are called on is one.
_KEEPING = frozenset(
    "append assign astype copy drop drop_duplicates dropna fillna head join merge query "
    "reset_index sample set_index sort_index sort_values tail".split()
)

#: Names that people give to frames.
_FRAME = re.compile(r"(?i)(\w+_)?df(\d+|_\w+)?")

#: Methods that left out columns without numbers.
_OF_NUMBERS = frozenset("mean median std var sem skew prod quantile".split())
_OF_GROUPS = _OF_NUMBERS | {"sum", "min", "max"}

_BY_POSITION = frozenset("drop dropna set_index reset_index sort_values sort_index".split())

_OLD_LETTERS = re.compile(r"-?\d*(H|T|S|L|U|N|M|Q|A|Y|AS|BM|BQ|SM|BA|BY)(-[A-Z]{3})?")

_INDEXERS = ("loc", "iloc", "at", "iat")


def uses(tree, names):
    """Yields (line, name, row, why) of the uses in a module, as it is after the upgrade.

    Args:
      tree: the `ast.Module`.
      names: its `resolving.Names`.
    """
    if "pandas" not in set(imported_roots(tree)):
        return
    frames = frames_in(tree, names)
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            row = _row_of(node, frames)
            if row is not None:
                yield node.lineno, "." + node.func.attr, row, _WHY
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = getattr(node, "targets", None) or [node.target]
            if any(_is_chained(target, frames) for target in targets):
                yield node.lineno, "df[...][...] = ", "pandas.chained_assignment", _LOST
        elif isinstance(node, ast.Expr) and _changes_a_column(node.value, frames):
            yield node.lineno, "inplace=True", "pandas.chained_assignment", _LOST


def without_successor(tree):
    """Yields (line, name, row, why, remedy) of methods of old frames that nothing of today does."""
    if "pandas" not in set(imported_roots(tree)):
        return
    for node in nodes_of(tree):
        method = getattr(node.func, "attr", None) if isinstance(node, ast.Call) else None
        if method in before_1.WITHOUT_SUCCESSOR:
            remedy = f"write {before_1.WITHOUT_SUCCESSOR[method]}"
            yield node.lineno, "." + method, _BEFORE_1, "pandas 1.0 removed it", remedy


def columns_in(tree, frames):
    """Returns the names of variables that hold a column of a frame somewhere in a module."""
    return assigned_names(nodes_of(tree), lambda value: _is_column(value, frames))


def is_of_pandas(call, frames, columns):
    """Tells whether a method is called on a frame, a column of one, or their labels."""
    owner = call.func.value
    if call.func.attr == "contains":
        return getattr(owner, "attr", None) in ("index", "columns")
    return _is_frame(owner, frames | columns) or _is_column(owner, frames)


def _row_of(call, frames):
    """Returns the row that is about a call of a method, or None."""
    name, owner = call.func.attr, call.func.value
    words = {keyword.arg for keyword in call.keywords}
    if name == "replace" and getattr(owner, "attr", None) == "str":
        pattern = pandas_calls.pattern_of(call)
        is_said = "regex" in words or len(call.args) > 4
        is_same = pattern is not None and not pandas_calls.matters(pattern, call)
        return None if is_said or is_same else "pandas.texts"
    if (name == "fillna" and ("method" in words or len(call.args) > 1)) or (
        name == "to_csv" and "line_terminator" in words
    ):
        return "pandas.dropped_arguments"
    if name in ("corr", "cov") and not call.args and not words:
        return "pandas.numeric_only"
    if (
        name in _OF_GROUPS
        and not words
        and (_is_of_groups(owner) or (name in _OF_NUMBERS and _is_frame(owner, frames)))
    ):
        return "pandas.numeric_only"
    if name in ("resample", "asfreq", "date_range") and _has_letters(call):
        return "pandas.frequencies"
    if name in ("applymap", "tshift") or (name == "mad" and not call.args):
        return "pandas.dropped_methods"
    if name in _BY_POSITION and len(call.args) > 1:
        return "pandas.positional_arguments"
    return None


def _is_of_groups(owner):
    """Tells whether a call is ``x.groupby(...).mean()``, of all columns."""
    return isinstance(owner, ast.Call) and getattr(owner.func, "attr", None) == "groupby"


def _has_letters(call):
    """Tells whether a call has a frequency in the letters of pandas 1."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    texts = [getattr(node, "value", None) for node in values]
    return any(isinstance(text, str) and _OLD_LETTERS.fullmatch(text) for text in texts)


def frames_in(tree, names):
    """Returns the names of variables that hold a frame somewhere in a module."""
    frames, assigned = set(), []
    for node in nodes_of(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            assigned += [
                (target.id, node.value) for target in node.targets if isinstance(target, ast.Name)
            ]
    for _ in range(3):  # df = read(); other = df.drop("a"); third = other.copy()
        for name, call in assigned:
            is_read = _READERS.fullmatch(names.here(call.func) or "")
            owner = getattr(call.func, "value", None)
            is_kept = getattr(call.func, "attr", None) in _KEEPING and _is_frame(owner, frames)
            if is_read or is_kept:
                frames.add(name)
    return frames


def _is_frame(node, frames):
    """Tells whether an expression is a frame, as far as the source shows."""
    if isinstance(node, ast.Name):
        return node.id in frames or _FRAME.fullmatch(node.id) is not None
    if isinstance(node, ast.Subscript):  # df[["a", "b"]]
        return isinstance(index_of(node), ast.List) and _is_frame(node.value, frames)
    if isinstance(node, ast.Attribute):
        return _FRAME.fullmatch(node.attr) is not None
    return False


def _is_chained(target, frames):
    """Tells whether ``df["a"][mask]`` or ``df.a[mask]`` is assigned."""
    if not isinstance(target, ast.Subscript):
        return False
    column = target.value
    if isinstance(column, ast.Attribute) and column.attr in _INDEXERS:
        column = column.value
        if _is_frame(column, frames):
            return False
    return _is_column(column, frames)


def _is_column(node, frames):
    is_part = isinstance(node, (ast.Subscript, ast.Attribute))
    return is_part and _is_frame(node.value, frames) and not _is_frame(node, frames)


def _changes_a_column(call, frames):
    """Tells whether a call is ``df["a"].fillna(0, inplace=True)``."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    in_place = [keyword.value for keyword in call.keywords if keyword.arg == "inplace"]
    is_true = any(getattr(value, "value", None) is True for value in in_place)
    column = call.func.value
    is_part = isinstance(column, ast.Subscript) and pandas_calls.selects(index_of(column))
    return is_true and not is_part and _is_column(column, frames)
