"""Other integers until NumPy 1.12: arrays of one element, and floats as sizes and axes.

The reader of MNIST files that half of the early scripts copied takes sizes out of a
file as arrays of one number: ``stream.read(n)``, ``range(n)``, ``x.reshape(n, 784)``.
And ``np.zeros(n / 2)``, ``np.random.rand(1e4, 2)``, ``np.min(1e-2, 0.5)`` cut the fraction off.
"""

import ast
import re
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.loading import user_builtins
from tfgraphtools.compat.engine.rows import Fix, Table, used
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking
from tfgraphtools.compat.fixes.numpy.arithmetic import python_numbers
from tfgraphtools.compat.fixes.numpy.called_again import (
    calls_again,
    calls_again_with_one,
    each_changed,
)

#: Functions and methods of NumPy that took floats as sizes: name -> at which place they take
#: them (None for all places); ``size=`` of all is one.
FLOATS_AT = {
    **dict.fromkeys("empty full identity ones random random_sample ranf zeros".split(), (0,)),
    **dict.fromkeys("eye rand randn".split(), None),
    **dict.fromkeys("choice repeat reshape resize tile".split(), (1,)),
    **dict.fromkeys("binomial normal randint uniform".split(), (2,)),
}

#: Functions that took floats as an axis, in the second place or as ``axis=``.
_AXES_AT = dict.fromkeys(
    "all amax amin any argmax argmin argsort concatenate cumprod cumsum max min nansum prod ptp "
    "squeeze sum".split(),
    (1,),
)

#: Functions and methods of Python and NumPy that take sizes, by the last part of their name.
_TAKE_SIZES = frozenset(
    "arange range read seek xrange __python2_range__ __python2_xrange__".split()
).union(FLOATS_AT)

_REFUSED = "only integer scalar arrays can be converted to a scalar index"
#: In what NumPy says of a float for a size.
_REFUSED_FLOAT = re.compile(
    "object cannot be interpreted as an integer|a single integer, got|multiply sequence by non-int"
)


@walking
def sizes(tree):
    """Makes ``f(n)`` take an array of one integer, where f is a function that takes sizes."""
    return _Calls("len" not in trees.bound_names(tree), python_numbers.in_tree(tree))


class _Calls(Visitor):
    def __init__(self, has_len, of_python):
        self.has_len = has_len
        self.of_python = of_python  # calls without a number of NumPy

    def visit_Call(self, node):
        function = node.func
        name = getattr(function, "attr", None) or getattr(function, "id", None)
        if name == "range" and node in self.of_python:  # NumPy's functions get floats of Python's
            return node
        if name in _TAKE_SIZES and not _are_literals(node):
            if not trees.has_one_argument(node):
                return trees.wrap_call("__numpy1_sized__", node)
            if not (self.has_len and _is_length(node.args[0])):
                return trees.wrap_call("__numpy1_sized_of__", node)
        if getattr(function, "attr", None) in _AXES_AT and _has_axis(node):
            return trees.wrap_call("__numpy1_sized__", node)
        return node


def _is_length(node):
    """Tells whether it is ``len(x)``, which is a size."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", None) == "len"


def _has_axis(node):
    """Tells whether it may be called with an axis that is not a literal integer."""
    axes = node.args[1:2] + [word.value for word in node.keywords if word.arg == "axis"]
    return any(not _is_literal(axis) for axis in axes)


def _are_literals(node):
    return all(map(_is_literal, node.args + [keyword.value for keyword in node.keywords]))


def _is_literal(node):
    return isinstance(node, ast.Constant) and type(node.value) is not float


def _with_sizes(error, function, arguments, options):
    """Returns the arguments of a second call, with numbers in the place of arrays of one number."""
    if _REFUSED_FLOAT.search(str(error)) and _is_numpys(function):
        return _with_whole_sizes(function, arguments, options)
    if str(error) != _REFUSED or rows.is_off(ROW.name) or _is_users(function):
        return None
    again = each_changed(_as_size, arguments, options)
    if again is not None:
        used(ROW)
    return again


#: Calls a function that takes sizes.
sized = calls_again(TypeError, _with_sizes)
_sized_of = calls_again_with_one(TypeError, _with_sizes)


def _is_users(function):
    """Tells whether the script defines it: what it did before it failed must not be done twice."""
    return user_builtins.are_users(getattr(function, "__globals__", {}).get("__builtins__"))


def _as_size(value):
    """Returns `value` with a number in the place of each array of one integer."""
    if type(value) in (tuple, list):
        items = [_as_size(item) for item in value]
        changed = any(new is not old for new, old in zip(items, value))
        return type(value)(items) if changed else value
    if not isinstance(value, sys.modules["numpy"].ndarray):
        return value
    is_one = value.ndim > 0 and value.size == 1 and value.dtype.kind in "iu"
    return value.item() if is_one else value


def _is_numpys(function):
    owner = type(getattr(function, "__self__", None))
    module = getattr(function, "__module__", None) or owner.__module__
    is_row_off = rows.is_off(FLOATS.name)
    return not is_row_off and str(module).partition(".")[0] == "numpy"


def _with_whole_sizes(function, arguments, options):
    """Returns them with the fraction cut off from floats where it takes sizes or an axis."""
    name = function.__name__
    places = FLOATS_AT[name] if name in FLOATS_AT else _AXES_AT.get(name, ())
    words = _SIZE_WORDS | {"axis"} if name in _AXES_AT else _SIZE_WORDS
    if isinstance(getattr(function, "__self__", None), sys.modules["numpy"].ndarray):
        places = None  # a method: what the function takes first is the array itself
    whole = [
        _cut(value) if places is None or place in places else value
        for place, value in enumerate(arguments)
    ]
    named = {key: _cut(value) if key in words else value for key, value in options.items()}
    if repr(whole) == repr(list(arguments)) and repr(named) == repr(options):  # 10 == 10.0
        return None  # it refuses something else
    used(FLOATS)
    return whole, named


_SIZE_WORDS = frozenset("size shape newshape reps repeats N M".split())


def _cut(value):
    if isinstance(value, (tuple, list)):
        return type(value)(_cut(item) for item in value)
    return int(value) if isinstance(value, (float, sys.modules["numpy"].floating)) else value


FLOATS = Fix(
    "numpy.float_size",
    "NumPy 1.12",
    "a float is a size or an axis, and is truncated: np.zeros(7 / 2), np.min(0.1, 0.2)",
    sizes,
    cannot="write int(size), or size // 2",
)
ROW = Fix(
    "numpy.one_element_size",
    "NumPy 1.12",
    "an array of one integer is a size: stream.read(n), range(n), x.reshape(n, 784)",
    sizes,
    cannot="take the element: x.item()",
)

TABLE = Table("arrays of one number, and floats, as sizes", "syntax", [ROW, FLOATS])

HELPERS = {"__numpy1_sized__": sized, "__numpy1_sized_of__": _sized_of}
