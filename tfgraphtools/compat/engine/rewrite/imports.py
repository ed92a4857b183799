"""Imports of whole modules in functions of user code, as calls of a helper.

``import numpy as np`` in a function becomes ``np = __imported__("numpy")``. The helper asks
first what the import gave before: Python calls it sooner than the ``__import__`` of a statement.
Statements of a module run once and stay, as does ``from a import b``, whose time goes elsewhere.
"""

import ast

from tfgraphtools.compat.engine import nodes

WHOLE, PART = "__imported__", "__imported_as__"

#: The helper of a module for Python 2, to which ``math`` is another module than to others.
WHOLE_OF_PYTHON2 = "__python2_imported__"

#: Fields that hold statements, or what holds statements itself.
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def as_calls(tree, whole=WHOLE, inside=False):
    """The tree with such statements as calls; it is changed.

    Args:
      tree: a module, or any statement.
      whole: the helper for ``import name``.
      inside: whether its statements are those of a function.
    """
    for field in _BLOCKS:
        block = getattr(tree, field, None)
        if not isinstance(block, list):  # the body of a lambda
            continue
        for statement in block:
            in_class = isinstance(statement, ast.ClassDef)
            is_inside = isinstance(statement, _FUNCTIONS) or (inside and not in_class)
            as_calls(statement, whole, is_inside)
        if inside and any(isinstance(statement, ast.Import) for statement in block):
            block[:] = [new for statement in block for new in _calls(statement, whole)]
    return tree


def _calls(statement, whole):
    if not isinstance(statement, ast.Import):
        return [statement]
    return [_call(alias, statement, whole) for alias in statement.names]


def _call(alias, at, whole):
    first, _, rest = alias.name.partition(".")
    helper = PART if rest and alias.asname else whole
    target = ast.copy_location(ast.Name(id=alias.asname or first, ctx=ast.Store()), at)
    value = nodes.call(helper, nodes.text(alias.name, at), at=at)
    made = ast.Assign(targets=[target], value=value)
    made.type_comment = None
    return ast.copy_location(made, at)
