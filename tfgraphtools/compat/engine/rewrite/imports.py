"""Imports of whole modules in functions of user code, as calls of a helper.

``import numpy as np`` in a function becomes ``np = __imported__("numpy")``. The helper asks
first what the import gave before: Python calls it sooner than the ``__import__`` of a statement.
Statements of a module run once and stay, as does ``from a import b``, whose time goes elsewhere.
"""

import ast

from tfgraphtools.compat.engine import nodes

WHOLE, PART = "__imported__", "__imported_as__"

#: Fields that hold statements, or what holds statements itself.
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def as_calls(tree, inside=False):
    """The tree with such statements as calls; it is changed.

    Args:
      tree: a module, or any statement.
      inside: whether its statements are those of a function.
    """
    for field in _BLOCKS:
        block = getattr(tree, field, None)
        if not isinstance(block, list):  # the body of a lambda
            continue
        for statement in block:
            in_class = isinstance(statement, ast.ClassDef)
            as_calls(statement, isinstance(statement, _FUNCTIONS) or (inside and not in_class))
        if inside and any(isinstance(statement, ast.Import) for statement in block):
            block[:] = [new for statement in block for new in _calls(statement)]
    return tree


def _calls(statement):
    if not isinstance(statement, ast.Import):
        return [statement]
    return [_call(alias, statement) for alias in statement.names]


def _call(alias, at):
    first, _, rest = alias.name.partition(".")
    helper = PART if rest and alias.asname else WHOLE
    target = ast.copy_location(ast.Name(id=alias.asname or first, ctx=ast.Store()), at)
    value = nodes.call(helper, nodes.text(alias.name, at), at=at)
    made = ast.Assign(targets=[target], value=value)
    made.type_comment = None
    return ast.copy_location(made, at)
