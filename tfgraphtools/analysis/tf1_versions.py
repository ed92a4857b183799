"""Conditions that tell one TF 1 from another: today's TensorFlow takes one branch of them.

``if tf.__version__ < "1.0":`` guards nothing from today's TensorFlow, as neither branch was
written for it; ``if tf.__version__.startswith("1."):`` does.
"""

import ast
import re

#: A version of TF 1, as code writes it to compare with.
_OF_TF1 = re.compile(r"[rv]?[01]\.\d")


def are_told_apart(test):
    """Tells whether a condition compares TensorFlow's version with versions of TF 1 only.

    Example:
      >>> are_told_apart(ast.parse("tf.__version__ >= '1.0'", mode="eval").body)
      True
      >>> are_told_apart(ast.parse("tf.__version__ >= '2.0'", mode="eval").body)
      False
    """
    if isinstance(test, ast.BoolOp):
        return all(are_told_apart(operand) for operand in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return are_told_apart(test.operand)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    sides = (test.left, test.comparators[0])
    asks = [any(map(_is_version, ast.walk(side))) for side in sides]
    if asks[0] == asks[1]:
        return False
    constants = _constants(sides[asks.index(False)])
    operator = _MIRRORED.get(type(test.ops[0]), type(test.ops[0])) if asks[1] else type(test.ops[0])
    return bool(constants) and all(_is_of_tf1(constant, operator) for constant in constants)


_MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


def _is_version(node):
    return (
        isinstance(node, ast.Attribute)
        and node.attr in ("__version__", "VERSION")
        and getattr(node.value, "id", "") in ("tf", "tensorflow")
    )


def _constants(node):
    """Returns the constants that are compared: places in a list or a string are not."""
    if isinstance(node, ast.Constant):
        return [node.value]
    if isinstance(node, ast.Subscript):
        return _constants(node.value)
    return [constant for child in ast.iter_child_nodes(node) for constant in _constants(child)]


def _is_of_tf1(value, operator):
    if isinstance(value, str):
        return _OF_TF1.match(value) is not None
    if isinstance(value, float):
        return value < 2
    if value == 1:  # a first number: beyond it lies TF 2
        return operator in (ast.Lt, ast.GtE)
    return isinstance(value, int) and (value <= 0 or value > 3)
