"""Numbers in rules: ``block{n}`` in a pattern, ``blocks.{n-1}`` in its replacement."""

import ast
import operator
import re

from tfgraphtools.errors import PlanError

_NUMBER = re.compile(r"\{([A-Za-z_]\w*)\}")
_SUM = re.compile(r"\{([^{}]*)\}")
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def pattern(text):
    r"""Returns a regular expression in which every ``{n}`` is a number.

    Example:
      >>> pattern("block{n}/(.*)")
      'block(?P<n>\\d+)/(.*)'
    """
    seen = set()

    def group(match):
        name = match.group(1)
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return rf"(?P<{name}>\d+)"

    return _NUMBER.sub(group, text) if isinstance(text, str) else text


def replacement(text, match, place):
    """Returns a replacement with its sums done: ``{n-1}``, ``{2*n}``, ``{(n+1)//2}``.

    Args:
      text: the replacement.
      match: a match of the pattern. Only names of its groups that are numbers count; anything else
        in braces stays.
      place: the argument to name in an error.

    Raises:
      PlanError: a sum is negative, or cannot be done.
    """
    numbers = {
        name: int(value)
        for name, value in match.groupdict().items()
        if value is not None and value.isdigit()
    }
    if not numbers or not isinstance(text, str):
        return text

    def done(braces):
        try:
            tree = ast.parse(braces.group(1).strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return braces.group(0)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if not names or not names <= set(numbers):
            return braces.group(0)
        value = _value(tree, numbers)
        if value is None or value < 0:
            raise PlanError(
                place,
                f"a number, 0 or more, for {braces.group(0)} of {match.group(0)!r}",
                "one below 0" if value is not None else "none",
                "Use +, -, *, // and % of integers and of the names in braces of the pattern.",
            )
        return str(value)

    return _SUM.sub(done, text)


def _value(node, numbers):
    """Returns the value of a sum, or None if it is something else."""
    if isinstance(node, ast.Name):
        return numbers[node.id]
    if isinstance(node, ast.Constant) or type(node).__name__ == "Num":  # of Python 3.7
        value = ast.literal_eval(node)
        return value if type(value) is int else None
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left, numbers), _value(node.right, numbers)
        if left is None or right is None or max(abs(left), abs(right)) > 10**9:
            return None
        try:
            return _OPERATORS[type(node.op)](left, right)
        except ZeroDivisionError:
            return None
    return None
