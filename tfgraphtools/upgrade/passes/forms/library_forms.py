"""Calls of other libraries, and of TensorFlow, whose arguments show that they are old ones.

`old_forms` says what a form gives.
"""

import ast
import functools
import re

from tfgraphtools.analysis.scopes import dumped

#: A call that only the old function answers.
OLD = object()

_LABELS = re.compile(r"(?i)(\w*_)?(labels?|targets?|y)(_\w*)?")
_LAZY = ("map", "filter", "zip")


def _keywords(call):
    return {keyword.arg for keyword in call.keywords}


def _is_short(call, most, *words):
    """Tells whether a call has at most so many arguments by position, and none of these words."""
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    return not starred and len(call.args) <= most and not _keywords(call) & {None, *words}


def _without(most, *words):
    """Returns the form of a function whose default for an argument was another one."""
    return lambda call: OLD if call.args and _is_short(call, most, *words) else None


def _draws_from_set(call):
    first = call.args[0] if call.args else None
    name = getattr(first, "func", None)
    is_made = getattr(name, "id", getattr(name, "attr", None)) in ("set", "frozenset", "keys")
    return OLD if is_made or isinstance(first, (ast.Set, ast.SetComp)) else None


def _untyped(call):
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    is_guessed = "dtype" in named and getattr(named["dtype"], "value", 0) is None
    return OLD if is_guessed and "encoding" not in named else None


def _is_floating(call):
    second = call.args[1] if len(call.args) == 2 else None
    return OLD if getattr(second, "id", None) == "float" else None


def _sized(call):
    """Returns ``resize_images(images, height, width)``: the runtime tells it from a method."""
    if len(call.args) < 3 or isinstance(call.args[1], (ast.List, ast.Tuple, ast.Starred)):
        return None
    third = dumped(call.args[2]).lower()
    return None if "method" in third or "resize" in third else OLD


def _named_fourth(call):
    is_plain = len(call.args) == 4 and _is_short(call, 4)
    return ("", "", "", "name") if is_plain and "name" not in _keywords(call) else None


def _inputs_first(call):
    names = [getattr(node, "id", getattr(node, "attr", "")) for node in call.args[2:4]]
    matches = [_LABELS.fullmatch(name) is not None for name in names]
    return OLD if matches == [False, True] else None


def _listed(kinds, call):
    """Returns ``list(...)`` for what is no sequence: a generator, or ``map(...)``."""
    first = call.args[0] if call.args else None
    if isinstance(first, ast.GeneratorExp):
        ends = [(node.end_lineno, node.end_col_offset) for node in (call, first)]
        is_alone = ends[0] == ends[1]  # the parentheses are those of the call
        return {0: ("(list", ")") if is_alone else ("list", "")}
    is_lazy = isinstance(first, ast.Call) and getattr(first.func, "id", None) in kinds
    return {0: ("list(", ")")} if is_lazy else None


def _summed(call):
    """Returns the old function for a generator: of arrays it gives the sum item by item."""
    is_generator = call.args and isinstance(call.args[0], ast.GeneratorExp)
    return OLD if is_generator else _listed(_LAZY, call)


def _float_axis(call):
    """Returns ``np.min(0.1, x)``, whose second argument, an axis, NumPy cut off."""
    if len(call.args) != 2 or call.keywords:
        return None
    first, axis = call.args
    is_number = isinstance(getattr(first, "value", None), float)
    is_whole = isinstance(getattr(axis, "value", None), int)
    is_cut_off = isinstance(axis, ast.Call) and getattr(axis.func, "id", None) == "int"
    return {1: ("int(", ")")} if is_number and not (is_whole or is_cut_off) else None


FORMS = {
    "yaml.load": _without(1, "Loader"),
    "h5py.File": _without(1, "mode"),
    "numpy.fromstring": _without(3, "sep"),
    "numpy.genfromtxt": _untyped,
    "numpy.issubdtype": _is_floating,
    **{f"numpy.{name}": _float_axis for name in ("amax", "amin", "max", "min")},
    "random.sample": _draws_from_set,
    "scipy.stats.mode": _without(3, "keepdims"),
    "tensorflow.image.resize_images": _sized,
    **dict.fromkeys(("tensorflow.nn.top_k", "tensorflow.math.top_k"), _named_fourth),
    **dict.fromkeys(
        ("tensorflow.nn.nce_loss", "tensorflow.nn.sampled_softmax_loss"), _inputs_first
    ),
    # The others of these are made lists where Python 2's lists are.
    **{f"numpy.{name}": functools.partial(_listed, ()) for name in ("hstack", "stack", "vstack")},
    **{f"numpy.{name}": functools.partial(_listed, _LAZY) for name in ("column_stack", "dstack")},
    "numpy.sum": _summed,
}
