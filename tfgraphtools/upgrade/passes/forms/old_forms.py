"""Calls that are written as only old code writes them, to functions that are still there.

A form is a function of an `ast.Call`. It gives None where the call may be one of today, and
otherwise one of:

- a tuple of the keywords of the positional arguments, or of their new order,
- a dict {place or keyword of an argument: its new source text, a function of the old one, or
  the (opening, closing) text around it},
- `OLD`: a call that only the old function answers.
"""

import ast
import functools
import re
import warnings

from tfgraphtools.compat.fixes.pictures import seaborn
from tfgraphtools.upgrade.passes.forms import library_forms
from tfgraphtools.upgrade.passes.forms.library_forms import OLD


def of(name, call):
    """Returns what the form of a call to the function of this dotted name says, or None."""
    form = _FORMS.get(name)
    return form(call) if form else None


def are_known(name):
    """Tells whether calls to a function are looked at one by one."""
    return name in _FORMS


def _is_number(node):
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _concat(call):
    if len(call.args) == 2 and _is_number(call.args[0]) and not _is_number(call.args[1]):
        return (1, 0)
    if len(call.args) == 2 and isinstance(call.args[1], (ast.List, ast.Tuple)):
        if not isinstance(call.args[0], (ast.List, ast.Tuple)):
            return (1, 0)
    return None


def _split(call):
    if len(call.args) == 3 and _is_number(call.args[0]) and not _is_number(call.args[2]):
        return (2, 1, 0)
    return None


def _cross_entropy(call):
    if call.args and not isinstance(call.args[0], ast.Starred):
        return ("logits", "labels", "name")
    return None


def _reverse(call):
    if len(call.args) == 2 and isinstance(call.args[1], (ast.List, ast.Tuple)):
        flags = call.args[1].elts
        if flags and all(isinstance(getattr(flag, "value", None), bool) for flag in flags):
            axes = [place for place, flag in enumerate(flags) if flag.value]
            return {1: str(axes)}
    return None


def _first_constant(call):
    """Returns the value of the first argument, where the source says it."""
    is_constant = bool(call.args) and isinstance(call.args[0], ast.Constant)
    return call.args[0].value if is_constant else None


def _style(call):
    first = _first_constant(call)
    if isinstance(first, str) and re.fullmatch(r"seaborn(-[a-z]+)*", first):
        return {0: '"' + first.replace("seaborn", "seaborn-v0_8", 1) + '"'}
    return None


def _plotted(order, call):
    """Returns seaborn's plots, whose arguments had no names."""
    return tuple(order.split()) if len(call.args) > 1 else None


def _points(call):
    """Returns a number of points that is a float: NumPy cut it off."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    starred = any(isinstance(argument, ast.Starred) for argument in call.args[:3])
    if "num" in named:
        return {"num": _TO_INT} if is_float(named["num"]) else None
    if len(call.args) < 3 or starred or not is_float(call.args[2]):
        return None
    return {2: _TO_INT}


_TO_INT = ("int(", ")")


def is_float(node):
    """Tells whether an expression is a float, by its operators and constants."""
    if isinstance(node, ast.UnaryOp):
        return is_float(node.operand)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Div) or is_float(node.left) or is_float(node.right)
    is_named = getattr(node, "attr", "") in ("inf", "Inf", "nan")
    return is_named or isinstance(getattr(node, "value", None), float)


def _split_by_pattern(call):
    """Returns ``re.split`` with a pattern that can match nothing, which it never split at."""
    pattern = _first_constant(call)
    if not isinstance(pattern, str):
        return None
    try:
        if not re.match(pattern, ""):
            return None
        solid = _solid(pattern)
    except re.error:
        return None
    if solid is None:
        return OLD
    return {0: functools.partial(_with_last, solid[len(pattern) - 1 :])}


def _with_last(last, literal):
    """Returns the source of a string with another last character, or none."""
    quote = re.search(r"('''|\"\"\"|'|\")$", literal).group()
    return literal[: -len(quote) - 1] + last + quote


def _solid(pattern):
    """Returns ``x+`` for ``x*`` and ``x`` for ``x?``, which do not match nothing; else None."""
    try:
        from re import _parser as parser
    except ImportError:
        import sre_parse as parser
    parsed = parser.parse(pattern)
    if len(parsed) != 1 or str(parsed[0][0]) != "MAX_REPEAT" or pattern[-1:] not in "*?":
        return None
    solid = pattern[:-1] + ("+" if pattern.endswith("*") else "")
    return None if re.match(solid, "") else solid


def _opened(call):
    """Returns a file that is opened with universal newlines, as every text file is."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    place = "mode" if "mode" in named else 1
    mode = named.get("mode", call.args[1] if len(call.args) > 1 else None)
    if not isinstance(mode, ast.Constant) or "U" not in str(mode.value):
        return None
    reads = "" if "r" in mode.value else "r"
    return {place: lambda literal: literal.replace("U", reads)}


#: What stands at the start of a pattern today.
_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")


def _flags_first(call):
    """Returns a regular expression with flags behind its start: they hold for all of it."""
    pattern = _first_constant(call)
    if not isinstance(pattern, (str, bytes)):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)  # that of Python 3.10
            re.compile(pattern)
    except (re.error, DeprecationWarning) as error:
        if "flags not at the start" in str(error).lower():
            return {0: _with_flags_first}
    return None


def _with_flags_first(literal):
    start = re.match("""\\w*(?:\"{3}|'{3}|["'])""", literal).end()
    flags = "".join(_FLAGS.findall(literal))
    return literal[:start] + flags + _FLAGS.sub("", literal[start:])


_FORMS = {
    **library_forms.FORMS,
    **dict.fromkeys(("builtins.open", "io.open", "codecs.open", "os.fdopen"), _opened),
    **{
        f"re.{name}": _flags_first
        for name in "compile match fullmatch search sub subn findall finditer".split()
    },
    "re.split": _split_by_pattern,
    **{f"numpy.{name}": _points for name in ("linspace", "logspace", "geomspace")},
    "matplotlib.style.use": _style,
    "matplotlib.pyplot.style.use": _style,
    **{
        f"seaborn.{name}": functools.partial(_plotted, order)
        for order, names in seaborn.ORDERS.items()
        for name in names.split()
    },
    "tensorflow.reverse": _reverse,
    "tensorflow.concat": _concat,
    "tensorflow.split": _split,
    "tensorflow.nn.softmax_cross_entropy_with_logits": _cross_entropy,
    "tensorflow.nn.sparse_softmax_cross_entropy_with_logits": _cross_entropy,
    "tensorflow.nn.sigmoid_cross_entropy_with_logits": _cross_entropy,
}

#: Old keywords of functions whose calls are looked at one by one.
OLD_KEYWORDS = {
    **{f"seaborn.{name}": {"size": "height"} for name in ("jointplot", "lmplot")},
    "tensorflow.concat": {"concat_dim": "axis"},
    "tensorflow.split": {"split_dim": "axis", "num_split": "num_or_size_splits"},
    "tensorflow.nn.sigmoid_cross_entropy_with_logits": {"targets": "labels", "_sentinel": None},
    "tensorflow.nn.softmax_cross_entropy_with_logits": {"_sentinel": None},
    "tensorflow.nn.sparse_softmax_cross_entropy_with_logits": {"_sentinel": None},
}
