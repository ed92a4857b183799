"""Calls of pandas's methods that the source can say in today's words, with the same result.

What depends on the data stays, and is listed: see `clues.pandas_left`.
"""

import ast
import re

from tfgraphtools.analysis import assignments, scopes
from tfgraphtools.compat import rewrites
from tfgraphtools.compat.fixes.pandas import dates
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.passes import call_arguments, removed_attributes
from tfgraphtools.upgrade.text import Edit

#: Method of frames and series -> the order of its arguments in pandas 1, where both agree; "":
#: today by position, too.
_ORDERS = {
    "set_index": ("", "drop", "append", "inplace", "verify_integrity"),
    "sort_index": ("axis", "level", "ascending", "inplace"),
}
#: Those whose orders differ: a frame has a key for the first argument.
_OF_FRAMES = {
    "sort_values": ("", "axis", "ascending", "inplace", "kind", "na_position"),
    "drop_duplicates": ("", "keep", "inplace"),
}
_CONCAT = ("", "axis", "join", "ignore_index", "keys")

#: Methods that give a column of the same length, and take ``inplace``.
_IN_PLACE = {"fillna", "replace", "clip", "interpolate", "mask", "where", "ffill", "bfill"}

#: What a regular expression does not contain where it means what it says.
_PLAIN = re.compile(r"[\w\s,;:'\"=<>/%&@!~`#-]*")

_RENAMED = {"applymap": "map", "is_monotonic": "is_monotonic_increasing"}


def edits(work, call, parent):
    """Returns the edits of one call of a method in a module that imports pandas."""
    edit = _METHODS.get(call.func.attr)
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    doubled = any(keyword.arg is None for keyword in call.keywords)
    if edit is None or starred or doubled or work.is_guarded(call):
        return []
    return edit(work, call, parent)


def attribute_edits(work, node):
    """Returns the edits of one attribute that has another name today."""
    row, today = "pandas.dropped_methods", _RENAMED.get(node.attr)
    if today is None or not isinstance(node.ctx, ast.Load) or not work.choice.allows(row):
        return []
    if work.is_guarded(node) or _is_of_another_library(work, node):
        return []
    work.note(node.lineno, "." + node.attr, REWRITTEN, row, "." + today)
    end = work.text.span(node)[1]
    return [Edit(end - len(node.attr), end, today, row, node.lineno)]


def _is_of_another_library(work, node):
    name = work.names.here(node)
    return name is not None and not name.startswith("pandas.")


def _changed(work, call, row, rewrite, detail):
    if not work.choice.allows(row):
        return []
    work.note(call.lineno, "." + call.func.attr, REWRITTEN, row, detail)
    return call_arguments.edits(call, rewrite, work.text, row)


def _named(work, order, call):
    """Returns the edits that name the arguments by position."""
    names = order[len([word for word in order if not word]) : len(call.args)]
    given_names = {keyword.arg for keyword in call.keywords}
    if len(call.args) > len(order) or not names or given_names & set(names):
        return []
    rewrite = rewrites.Call(positions=order)
    return _changed(work, call, "pandas.positional_arguments", rewrite, ", ".join(names))


def _by_order(work, call, parent):
    name = call.func.attr
    first = call.args[0] if call.args else None
    is_key = isinstance(first, ast.List) or isinstance(getattr(first, "value", None), str)
    order = _ORDERS.get(name) or (_OF_FRAMES[name] if is_key else ())
    return _named(work, order, call)


def _concat(work, call, parent):
    return _named(work, _CONCAT, call) if work.names.here(call.func) == "pandas.concat" else []


def _replace(work, call, parent):
    """Returns ``regex=True`` for ``x.str.replace``, whose pattern was a regular expression."""
    pattern = pattern_of(call)
    if pattern is None or not matters(pattern, call):
        return []
    row = "pandas.texts"
    return _changed(work, call, row, rewrites.Call(added={"regex": "True"}), "regex=True")


def pattern_of(call):
    """Returns the pattern of ``x.str.replace("pattern", new)`` that says no ``regex``, or None."""
    if getattr(call.func.value, "attr", None) != "str":
        return None
    words = {keyword.arg: keyword.value for keyword in call.keywords}
    pattern = words.get("pat", call.args[0] if call.args else None)
    is_said = "regex" in words or len(call.args) > 4
    return None if is_said or not isinstance(pattern, ast.Constant) else pattern.value


def matters(pattern, call):
    """Tells whether a pattern means something else where it is no regular expression."""
    texts = [node.value for node in call.args[1:2] if isinstance(node, ast.Constant)]
    is_plain = isinstance(pattern, str) and _PLAIN.fullmatch(pattern)
    takes_text = len(texts) == 1 and isinstance(texts[0], str) and "\\" not in texts[0]
    return len(pattern) > 1 and not (is_plain and takes_text)


_FILLS = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}


def _fillna(work, call, parent):
    """Returns ``x.ffill()`` for ``x.fillna(method="ffill")``."""
    words = {keyword.arg: keyword.value for keyword in call.keywords}
    method = _FILLS.get(getattr(words.get("method"), "value", None))
    row = "pandas.dropped_arguments"
    if method is None or call.args or set(words) - {"method", "axis", "inplace", "limit"}:
        return _in_place(work, call, parent)
    start, end = work.text.span(call.func)[1] - len("fillna"), work.text.span(call)[1]
    if "#" in work.text.text[start:end] or not work.choice.allows(row):
        return []
    front = _assigned(work, call, parent)
    removed_words = {"method", "inplace"} if front else {"method"}
    kept = [work.text.of(keyword) for keyword in call.keywords if keyword.arg not in removed_words]
    work.note(call.lineno, ".fillna", REWRITTEN, row, f".{method}")
    return [*front, Edit(start, end, f"{method}({', '.join(kept)})", row, call.lineno)]


def _in_place(work, call, parent):
    """Returns ``df["a"] = df["a"].fillna(0)`` for ``df["a"].fillna(0, inplace=True)``."""
    front = _assigned(work, call, parent)
    if not front:
        return []
    drop = rewrites.Call(keywords={"inplace": None})
    return front + call_arguments.edits(call, drop, work.text, front[0].fix)


def _assigned(work, call, parent):
    """Returns the edit that stores a column which the statement changes in place.

    It returns None for any other statement.
    """
    row, column = "pandas.chained_assignment", call.func.value
    in_place = [keyword for keyword in call.keywords if keyword.arg == "inplace"]
    is_true = len(in_place) == 1 and getattr(in_place[0].value, "value", None) is True
    if not isinstance(parent, ast.Expr) or not is_true or not work.choice.allows(row):
        return []
    if not isinstance(column, ast.Subscript) or any(
        isinstance(part, (ast.Call, ast.Slice, ast.NamedExpr)) for part in ast.walk(column)
    ):
        return []
    if not _may_be_column(work, column):
        return []
    start, end = work.text.span(column)
    text = work.text.text[start:end]
    work.note(call.lineno, "." + call.func.attr, REWRITTEN, row, f"{text} = ...")
    return [Edit(start, start, text + " = ", row, call.lineno)]


def _to_datetime(work, call, parent):
    """Adds ``format="mixed"``.

    pandas 1 read each text by itself. The argument changes nothing for other values.
    """
    words = {keyword.arg for keyword in call.keywords}
    first = next(iter(call.args), None)
    if work.names.here(call.func) != "pandas.to_datetime" or words & {"format", "unit"}:
        return []
    if len(call.args) > 4 or isinstance(first, ast.Constant):
        return []
    rewrite = rewrites.Call(keywords={"infer_datetime_format": None}, added={"format": '"mixed"'})
    return _changed(work, call, "pandas.texts", rewrite, 'format="mixed"')


def _to_csv(work, call, parent):
    if not any(keyword.arg == "line_terminator" for keyword in call.keywords):
        return []
    rewrite = rewrites.Call(keywords={"line_terminator": "lineterminator"})
    return _changed(work, call, "pandas.dropped_arguments", rewrite, "lineterminator=")


#: Lists of names and conditions: they select a copy, which changed alone in pandas 1 as well.
_SELECTING = (ast.List, ast.ListComp, ast.Compare, ast.UnaryOp)


def selects(key):
    """Tells whether ``frame[key]`` is a part of a frame by lists or conditions, and no column."""
    is_condition = isinstance(key, ast.BinOp) and isinstance(key.op, (ast.BitAnd, ast.BitOr))
    return is_condition or isinstance(key, _SELECTING)


def _may_be_column(work, subscript):
    """Tells whether a subscript may be a column, and no selection or frame among several."""
    values, _ = assignments.assigned_values(scopes.nodes_of(work.tree))
    owner, key = subscript.value, scopes.index_of(subscript)
    if getattr(owner, "attr", None) in ("loc", "iloc"):
        return False
    keys = [key, *values.get(getattr(key, "id", None), ())]
    if any(selects(part) or isinstance(part, ast.Call) for part in keys):
        return False
    several = (ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.DictComp)
    owners = values.get(getattr(owner, "id", None), ())
    return not owners or not all(isinstance(value, several) for value in owners)


#: Function -> (place of the frequency, its name, what comes before a function of pandas).
_PLACES = {
    "resample": (0, "rule", ""),
    "date_range": (3, "freq", "pandas."),
    "timedelta_range": (3, "freq", "pandas."),
}


def _frequency(work, call, parent):
    """Returns ``"h"`` for ``"H"``, and other letters of frequencies."""
    place, name, module = _PLACES[call.func.attr]
    row = "pandas.frequencies"
    if module and work.names.here(call.func) != module + call.func.attr:
        return []
    value = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    if value is None and len(call.args) > place:
        value = call.args[place]
    text = getattr(value, "value", None)
    today = dates.translated(text) if isinstance(text, str) else text
    if today == text or not work.choice.allows(row):
        return []
    work.note(value.lineno, "." + call.func.attr, REWRITTEN, row, repr(today))
    start, end = work.text.span(value)
    written = work.text.text[start:end]
    quote = written[-1]
    return [Edit(start, end, f"{quote}{today}{quote}", row, value.lineno)]


def _ravel(work, call, parent):
    """Returns ``attribute(df["a"], "ravel")()``: arrays have that method, and columns had it."""
    row, owner = "pandas.dropped_methods", call.func.value
    key = getattr(owner, "slice", None)
    key = getattr(key, "value", None)
    if not isinstance(key, str) or not work.choice.runtime or not work.choice.allows(row):
        return []
    return removed_attributes.asked(work, call.func, row)


def _asked(work, call, parent):
    """Tables of TensorFlow have a ``lookup``, too: of one argument."""
    row = "pandas.dropped_methods"
    if len(call.args) != (2 if call.func.attr == "lookup" else 0):
        return []
    if not work.choice.runtime or not work.choice.allows(row):
        return []
    if _is_of_another_library(work, call.func):
        return []
    return removed_attributes.asked(work, call.func, row)


_METHODS = {
    **dict.fromkeys((*_ORDERS, *_OF_FRAMES), _by_order),
    **dict.fromkeys(_IN_PLACE, _in_place),
    **dict.fromkeys(_PLACES, _frequency),
    "replace": lambda work, call, parent: (
        _replace(work, call, parent) or _in_place(work, call, parent)
    ),
    "fillna": _fillna,
    "concat": _concat,
    "to_csv": _to_csv,
    "to_datetime": _to_datetime,
    "ravel": _ravel,
    "mad": _asked,
    "lookup": _asked,
}
