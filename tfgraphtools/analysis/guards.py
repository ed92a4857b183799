"""Statements in which a missing name does no harm.

try:                                      if hasattr(tf, "mul"):
    init = tf.global_variables_init...        ...
except AttributeError:
    init = tf.initialize_all_variables()

`upgrade` leaves them unmodified, `doctor` reports nothing that is missing there, and a name of
Python 2 there does not make a file one of Python 2's. A ``try`` whose handler expects any error
(the loop of a queue runner, say) is no such question, and neither is one whose handler raises.
"""

import ast
import re

from tfgraphtools.analysis import scopes, tf1_versions

#: Errors that are raised for a missing name or module, and by little else.
_OF_A_MISSING_NAME = {"NameError", "ImportError", "ModuleNotFoundError", "AttributeError"}
#: The same, without the error that data raise as well.
_OF_A_MISSING_GLOBAL = _OF_A_MISSING_NAME - {"AttributeError"}

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
    nodes = scopes.nodes_of(tree)
    imported = _imported(nodes)
    asks = _questions(nodes, imported)
    ids = set()
    for node in nodes:
        if isinstance(node, ast.Try) and is_probe(node, imported):
            parts = [*node.body, *node.handlers, *node.orelse]
        elif isinstance(node, (ast.If, ast.IfExp)) and asks(node.test):
            parts = [node.test if tf1_versions.are_told_apart(node.test) else node]
        elif isinstance(node, ast.Assign) and asks(node.value):
            parts = [node.value]  # a condition asks for it later
        else:
            continue
        ids.update(id(inner) for part in parts for inner in ast.walk(part))
    return ids


def handled(tree):
    """Returns line of an ``except`` that expects a name to be missing -> the statements tried."""
    nodes = scopes.nodes_of(tree)
    imported = _imported(nodes)
    lines = {}
    for node in nodes:
        if isinstance(node, ast.Try) and is_probe(node, imported):
            for handler in node.handlers:
                for line in range(handler.lineno, handler.end_lineno + 1):
                    lines[line] = node.body
    return lines


def harmless(tree, handlers=False):
    """Yields the nodes, of statements and expressions, in which a missing name does no harm.

    They are tried by a probe, or for a name or a module, imported where an error is expected, or
    asked for with ``hasattr``. Nothing is kept of the nodes, which may change afterwards.

    Args:
      tree: the source.
      handlers: whether the handlers count, too: what they name is tried on another Python.
    """
    nodes = getattr(tree, scopes.NODES, None) or list(ast.walk(tree))
    imported = _imported(nodes)
    for node in nodes:
        if isinstance(node, ast.Try):
            yield from _harmless_in(node, imported, handlers)
        elif isinstance(node, (ast.If, ast.IfExp)) and _has_name(node.test, imported):
            yield from node.body if isinstance(node.body, list) else [node.body]


def harmless_lines(tree, handlers=False):
    """Returns the lines of the nodes that `harmless` yields."""
    return set(lines_of(harmless(tree, handlers)))


def _harmless_in(node, imported, handlers):
    expecting = [handler for handler in node.handlers if expects_missing(handler)]
    is_whole = is_probe(node, imported) or any(
        not _kinds(handler).isdisjoint(_OF_A_MISSING_GLOBAL) for handler in expecting
    )
    for part in node.body if expecting else ():
        if is_whole or isinstance(part, _IMPORTS):
            yield part
    if handlers and is_whole:
        yield from node.handlers


def fallbacks(tree):
    """Yields (the lines that are tried, those of a handler for a missing name) of a module."""
    for node in scopes.nodes_of(tree):
        for handler in node.handlers if isinstance(node, ast.Try) else ():
            kinds = _kinds(handler)
            if kinds and kinds <= _OF_A_MISSING_NAME:
                yield set(lines_of(node.body)), set(lines_of(handler.body))


def unused_fallbacks(pairs, bad):
    """Returns the lines of handlers for a missing name, where nothing that is tried is missing.

    Args:
      pairs: those of `fallbacks`.
      bad: the lines with a name that is missing or not supported.
    """
    return set().union(*(lines for tried, lines in pairs if bad.isdisjoint(tried)))


def lines_of(statements):
    """Yields the lines in which nodes of statements begin."""
    for statement in statements:
        for node in ast.walk(statement):
            if hasattr(node, "lineno"):
                yield node.lineno


def is_probe(node, imported):
    """Tells whether a ``try`` asks for a name, and its handlers do without it.

    Args:
      node: the `ast.Try`.
      imported: the names that the module imports.
    """
    caught = [handler for handler in node.handlers if expects_missing(handler)]
    if not caught:
        return False
    if all(isinstance(part, _IMPORTS) or _is_name(part) for part in node.body):
        return True
    if len(node.body) > _MOST_STATEMENTS or any(map(_has_blocks, node.body)):
        return False
    # An alternative says the same in other words; ``except: x = np.nan`` is for data that are bad.
    instead = _roots([part for handler in caught for part in handler.body])
    tried = _roots(node.body)
    return tried == instead and bool(tried & imported)


def expects_missing(handler):
    """Tells whether a handler takes the error of a missing name, and does not raise."""
    if any(isinstance(node, ast.Raise) for node in ast.walk(handler)):
        return False
    expected = _OF_A_MISSING_NAME | _OF_ANYTHING
    return handler.type is None or not _kinds(handler).isdisjoint(expected)


def _kinds(handler):
    """Returns the names of the errors that a handler names; none for a bare ``except``."""
    if handler.type is None:
        return set()
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {getattr(kind, "id", getattr(kind, "attr", None)) for kind in kinds}


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
    """Returns the names that statements read."""
    nodes = (node for part in statements for node in ast.walk(part))
    return {node.id for node in nodes if isinstance(node, ast.Name)} | {
        alias.asname or alias.name.partition(".")[0]
        for part in statements
        for node in ast.walk(part)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }


def _imported(nodes):
    """Returns the names that a module imports."""
    return {
        alias.asname or alias.name.partition(".")[0]
        for node in nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }


def _questions(nodes, imported):
    """Returns a function that tells whether an expression of a module asks for a version or name.

    It also asks with a variable to which the answer to such a question was assigned.
    """
    answers = set(filter(_is_word, imported))

    def is_question(node):
        if isinstance(node, ast.Name):
            return node.id in answers
        if isinstance(node, ast.Attribute):
            is_version = node.attr in _VERSIONS
            return is_version or (_is_word(node.attr) and _root(node) in imported)
        return _is_hasattr(node, imported)

    if not any(map(is_question, nodes)):  # as in most modules
        return lambda expression: False

    def asks(expression):
        return any(map(is_question, ast.walk(expression)))

    for node in nodes:
        if isinstance(node, ast.Assign) and asks(node.value):
            answers.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return asks


def _is_word(name):
    """Tells whether an imported name is one for a version: PY2, IS_TF2, tf_version."""
    lower = re.sub("(con|in|di|a|per|sub|re)version", "", name.lower())  # conversion is none
    return name in ("PY2", "PY3") or "version" in lower or "tf2" in lower


def _has_name(test, imported):
    """Tells whether an expression asks with ``hasattr`` whether an import has a name."""
    return any(_is_hasattr(node, imported) for node in ast.walk(test))


def _is_hasattr(node, imported):
    return (
        isinstance(node, ast.Call)
        and getattr(node.func, "id", None) == "hasattr"
        and bool(node.args)
        and _root(node.args[0]) in imported
    )


def _root(node):
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", None)
