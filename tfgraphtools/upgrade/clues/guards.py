"""Which statements ask whether a name is there, or which version: they stay as they are.

try:                                      if tf.__version__ < "2":
    init = tf.global_variables_init...        ...
except AttributeError:
    init = tf.initialize_all_variables()

A ``try`` whose handler expects any error (the loop of a queue runner, say) is no such question.
"""

import ast

from tfgraphtools.upgrade import scopes
from tfgraphtools.upgrade.clues import tf1_versions

#: What a missing name raises.
_OF_A_MISSING_NAME = {"NameError", "ImportError", "ModuleNotFoundError", "AttributeError"}
_OF_ANYTHING = {"Exception", "BaseException"}

#: Attributes that hold the version of whatever has them.
_VERSIONS = {"__version__", "version_info", "hexversion"}

#: Statements that only ask for names.
_IMPORTS = (ast.Import, ast.ImportFrom, ast.Pass)

#: A probe is short: a training loop is none, whatever its handler expects.
_MOST_STATEMENTS = 3


def guarded(tree):
    """Returns the ids of the nodes that stand under a question for a name or a version.

    Args:
      tree: the `ast.Module`.
    """
    imported, answers = _bound_names(tree)
    nodes = set()
    for node in scopes.nodes_of(tree):
        if isinstance(node, ast.Try) and is_probe(node, imported):
            parts = [*node.body, *node.handlers, *node.orelse]
        elif isinstance(node, (ast.If, ast.IfExp)) and _asks(node.test, imported, answers):
            parts = [node.test if tf1_versions.are_told_apart(node.test) else node]
        elif isinstance(node, ast.Assign) and _asks(node.value, imported, answers):
            parts = [node.value]  # a condition asks for it later
        else:
            continue
        nodes.update(id(inner) for part in parts for inner in ast.walk(part))
    return nodes


def handled(tree):
    """Returns line of an ``except`` that expects a name to be missing -> the statements tried."""
    imported, _ = _bound_names(tree)
    lines = {}
    for node in scopes.nodes_of(tree):
        if isinstance(node, ast.Try) and is_probe(node, imported):
            for handler in node.handlers:
                for line in range(handler.lineno, handler.end_lineno + 1):
                    lines[line] = node.body
    return lines


def is_probe(node, imported):
    """Tells whether a ``try`` asks for a name, and its handlers do without it.

    Args:
      node: the `ast.Try`.
      imported: the names that the module imports.
    """
    caught = [handler for handler in node.handlers if _expects_missing(handler)]
    if not caught:
        return False
    if all(isinstance(part, _IMPORTS) or _is_name(part) for part in node.body):
        return True
    if len(node.body) > _MOST_STATEMENTS or any(map(_has_blocks, node.body)):
        return False
    handler = [part for one in caught for part in one.body]
    return bool(_roots(node.body) & _roots(handler) & imported) or (
        _targets(node.body) & _targets(handler) != set()
    )


def _expects_missing(handler):
    if handler.type is None:
        return True
    caught = {getattr(part, "id", None) for part in ast.walk(handler.type)}
    return bool(caught & (_OF_A_MISSING_NAME | _OF_ANYTHING))


def _is_name(statement):
    """Tells whether a statement only reads or binds a name: ``xrange``, ``f = tf.mul``."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, (ast.Expr, ast.Assign)):
        return False
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, (ast.Name, ast.Constant))


def _has_blocks(statement):
    return isinstance(statement, (ast.For, ast.While, ast.With, ast.FunctionDef, ast.ClassDef))


def _roots(statements):
    """The names that statements read."""
    nodes = (node for part in statements for node in ast.walk(part))
    return {node.id for node in nodes if isinstance(node, ast.Name)} | {
        alias.asname or alias.name.partition(".")[0]
        for part in statements
        for node in ast.walk(part)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }


def _targets(statements):
    """The names that statements bind."""
    found = set()
    for part in statements:
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                found.update(alias.asname or alias.name for alias in node.names)
    return found


def _bound_names(tree):
    """(the names that a module imports, the names that it binds to the answer to a question)."""
    imported, answers = set(), set()
    for node in scopes.nodes_of(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
            imported |= names
            answers |= {name for name in names if _is_word(name)}
    for node in scopes.nodes_of(tree):
        if isinstance(node, ast.Assign) and _asks(node.value, imported, answers):
            answers |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return imported, answers


def _is_word(name):
    """Tells whether an imported name is one for a version: PY2, IS_TF2, tf_version."""
    return name in ("PY2", "PY3") or "version" in name.lower() or "tf2" in name.lower()


def _asks(test, imported, answers):
    """Tells whether an expression asks for a version, or whether an import has a name."""
    for node in ast.walk(test):
        if isinstance(node, ast.Name) and node.id in answers:
            return True
        if isinstance(node, ast.Attribute) and (
            node.attr in _VERSIONS or (_root(node) in imported and _is_word(node.attr))
        ):
            return True
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "hasattr":
            if node.args and _root(node.args[0]) in imported:
                return True
    return False


def _root(node):
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", None)
