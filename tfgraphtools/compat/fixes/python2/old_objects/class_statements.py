"""Class statements of Python 2's code: metaclasses, old classes, equality without a hash."""

import ast

from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.fixes.python2 import classes


def keep_old(node):
    """Makes a class statement mean what it meant in Python 2."""
    _take_metaclass(node)
    _keep_order(node)
    if _defined(node) & classes.NAMES:
        helper = trees.name_at("__python2_class__", node)
        node.decorator_list.append(helper)
    if "__eq__" in _defined(node) and not {"__ne__", "__hash__"} <= _defined(node):
        has_hash = "__hash__" in _defined(node) or not node.bases
        helper = trees.call(
            "__python2_equality__",
            ast.copy_location(ast.NameConstant(has_hash), node),
            at=node,
        )
        node.decorator_list.append(helper)


def _keep_order(node):
    """Makes a class without a base known, and one of several such bases search them in depth."""
    if not node.bases and not node.keywords:
        helper = trees.name_load("__python2_old_class__")
        node.decorator_list.append(ast.copy_location(helper, node))
    elif len(node.bases) > 1 and not node.keywords:
        helper = trees.name_at("__python2_metaclass__", node)
        node.keywords.append(ast.keyword(arg="metaclass", value=helper))


def _defined(node):
    names = {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            names.update(getattr(target, "id", None) for target in statement.targets)
    return names


def _take_metaclass(node):
    """Turns ``__metaclass__ = X`` in a class's body into today's ``metaclass=X``."""
    for place, statement in enumerate(node.body):
        targets = getattr(statement, "targets", [])
        if [getattr(target, "id", None) for target in targets] == ["__metaclass__"]:
            node.keywords.append(ast.keyword(arg="metaclass", value=statement.value))
            node.body[place] = ast.copy_location(ast.Pass(), statement)
