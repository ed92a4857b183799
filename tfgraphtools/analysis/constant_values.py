"""Values of expressions that nothing needs to run for: versions that are compared, folders."""

import ast
import functools
import operator
import pathlib
import re

from tfgraphtools.analysis.scopes import dotted

#: The most characters, bytes or items of a value. A version and a path are shorter.
_LARGEST = 10000

#: What makes a text as long as it says: a width of five digits, or one from an argument.
_WIDE = re.compile(r"\d{5}|%[-+ #0]*\*|%\d*\.\*|\{[^{}]*\{")


def _sum(left, right):
    if hasattr(left, "__len__") and hasattr(right, "__len__"):
        _require_small(len(left) + len(right))
    return left + right


def _modulo(left, right):
    if isinstance(left, (str, bytes)):
        _require_narrow(left if isinstance(left, str) else left.decode("latin-1"))
    return left % right


def _require_small(size):
    """Raises ValueError for a value that takes memory: its source does not."""
    if size > _LARGEST:
        raise ValueError(f"a value of {size} items")


def _require_narrow(template):
    if _WIDE.search(template):
        raise ValueError("a text as wide as it says")


_OPERATORS = {
    ast.Add: _sum,
    ast.Div: operator.truediv,
    ast.Mod: _modulo,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}

#: Methods and attributes of texts and of paths. A path is absolute wherever it is asked to be.
_METHODS = {
    str: "format replace rsplit rstrip split startswith strip".split(),
    pathlib.PurePath: "absolute as_posix joinpath parent parents resolve".split(),
}
_UNCHANGED = ("absolute", "resolve")

_FAILURES = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    OSError,
    ArithmeticError,
    MemoryError,
)


def value_of(node, values, functions):
    """Returns (value,) of an expression, or None where only running it tells.

    Args:
      node: the expression.
      values: dotted name -> its value.
      functions: the last part of a function's name -> a function that may be called for it.

    Example:
      >>> value_of(ast.parse("x[0] >= 3", mode="eval").body, {"x": (3, 11)}, {})
      (True,)
    """
    try:
        return (_value(node, values, functions),)
    except _FAILURES:
        return None


def full_name(node):
    """Returns the text of ``a.b.c``, or None for any other expression."""
    root, parts = dotted(node)
    return None if root is None else ".".join([root.id, *parts])


def _value(node, values, functions):
    value = _folded(node, values, functions)
    if isinstance(value, (str, bytes, list, tuple)):
        _require_small(_size(value, _LARGEST))
    return value


def _size(value, most):
    """Returns how much a value holds, counted no further than a little beyond `most`."""
    size, waiting = 0, [value]
    while waiting and size <= most:
        item = waiting.pop()
        if isinstance(item, (list, tuple)):
            size += 1
            waiting += item[: most + 1]
        else:
            size += len(item) if isinstance(item, (str, bytes)) else 1
    return size


def _folded(node, values, functions):
    def inner(part):
        return None if part is None else _value(part, values, functions)

    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _OPERATORS[type(node.ops[0])](inner(node.left), inner(node.comparators[0]))
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](inner(node.left), inner(node.right))
    if isinstance(node, ast.BoolOp):
        return _of_several(node, inner)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not inner(node.operand)
    if isinstance(node, (ast.List, ast.Tuple)):
        items = [inner(item) for item in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)
    if isinstance(node, ast.Subscript):
        index = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
        if isinstance(index, ast.Slice):
            return inner(node.value)[inner(index.lower) : inner(index.upper)]
        return inner(node.value)[inner(index)]
    if full_name(node) in values:
        return values[full_name(node)]
    if isinstance(node, ast.Attribute):
        return _member(inner(node.value), node.attr)
    if isinstance(node, ast.Call) and not node.keywords:
        function = functions.get(getattr(node.func, "attr", getattr(node.func, "id", None)))
        function = inner(node.func) if function is None else function
        return function(*map(inner, node.args))
    return ast.literal_eval(node)


def _member(owner, name):
    if not any(isinstance(owner, kind) and name in names for kind, names in _METHODS.items()):
        raise LookupError(name)
    if name in _UNCHANGED:
        return lambda: owner
    bounded = _BOUNDED.get(name) if isinstance(owner, str) else None
    return getattr(owner, name) if bounded is None else functools.partial(bounded, owner)


def _formatted(template, *arguments):
    _require_narrow(template)
    return template.format(*arguments)


def _replaced(text, old, new, *count):
    _require_small(len(text) + (text.count(old) + 1) * len(new))
    return text.replace(old, new, *count)


#: Methods of texts that may return a much longer one.
_BOUNDED = {"format": _formatted, "replace": _replaced}


def _of_several(node, inner):
    """Returns the value of ``and`` and ``or``, of which one part may decide."""
    decides = isinstance(node.op, ast.Or)
    unknown = None
    for part in node.values:
        try:
            if bool(inner(part)) is decides:
                return decides
        except _FAILURES as error:
            unknown = error
    if unknown is not None:
        raise unknown
    return not decides
