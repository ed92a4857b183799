"""Parts of a source that never run."""

import ast
import collections
import os
import sys
from typing import NamedTuple, Set, Tuple

from tfgraphtools.analysis import constant_values, scopes

#: What a condition may read, and its value under `run`.
UNDER_RUN = {
    "TYPE_CHECKING": False,
    "typing.TYPE_CHECKING": False,
    "six.PY2": False,
    "six.PY3": True,
    "os.name": os.name,
    "sys.platform": sys.platform,
    "sys.version": sys.version,
    "sys.version_info": tuple(sys.version_info[:3]),
    "sys.version_info.major": sys.version_info[0],
    "sys.version_info.minor": sys.version_info[1],
    "tf.__version__": "1.15.5",
    "tensorflow.__version__": "1.15.5",
}


_CONDITIONALS = (ast.If, ast.IfExp)


def live(tree, values=UNDER_RUN):
    """Returns the tree without the branches whose condition is known to fail.

    Conditions on the version of Python, on the platform and on constants are known;
    all others may hold. The tree itself is not changed; it is returned where all may run.

    Args:
      tree: the `ast.Module`.
      values: dotted name -> its value.
    """
    conditions = (node.test for node in scopes.nodes_of(tree) if isinstance(node, _CONDITIONALS))
    if all(_known_value(condition, values) is None for condition in conditions):
        return tree
    return _Live(values).visit(_copy(tree))


def under_plain_python(tree, version):
    """Returns the values for `live` of a module under plain Python.

    What the module's own level assigns once, of known values, is known, too.

    Args:
      tree: the `ast.Module`.
      version: the version of TensorFlow, or None.
    """
    values = {name: value for name, value in UNDER_RUN.items() if "__version__" not in name}
    nodes = scopes.nodes_of(tree)
    for node in nodes if version else ():
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in ("tensorflow", "tensorflow.compat.v1"):
                    values[(alias.asname or "tensorflow") + ".__version__"] = version
                    values[(alias.asname or "tensorflow") + ".VERSION"] = version
    assigned = collections.Counter(
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            name = getattr(node.targets[0], "id", None)
            if assigned.get(name) == 1 and not isinstance(node.value, ast.Constant):
                known = _known_value(node.value, values)
                if known is not None:
                    values[name] = known[0]
    return values


def _copy(node):
    """Returns the node with nodes of its own, but for names, which are shared."""
    if not isinstance(node, ast.AST) or isinstance(node, (ast.Name, ast.expr_context)):
        return node
    copy = type(node)()
    copy.__dict__.update(vars(node))
    scopes.forget(copy)  # what is known of the other tree
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(copy, name, [_copy(item) for item in value])
        elif isinstance(value, ast.AST):  # of an expression, `_Live` may keep one branch
            setattr(copy, name, _copy(value))
    return copy


class _Live(ast.NodeTransformer):
    def __init__(self, values):
        self._values = values

    def visit_If(self, node):
        known = _known_value(node.test, self._values)
        if known is None:
            return self.generic_visit(node)
        body = node.body if known[0] else node.orelse
        statements = []
        for statement in body:
            new = self.visit(statement)
            statements += new if isinstance(new, list) else [new]
        return statements or ast.copy_location(ast.Pass(), node)

    def visit_IfExp(self, node):
        known = _known_value(node.test, self._values)
        return node if known is None else (node.body if known[0] else node.orelse)


def _known_value(node, values):
    return constant_values.value_of(node, values, {"int": int})


class Functions(NamedTuple):
    """The functions of a module.

    Fields:
      mentioned: the names that the module reads, imports or has as strings.
      defined: (name, its lines) of each function that nothing calls by its name alone.
    """

    mentioned: Set[str]
    defined: Tuple[Tuple[str, range], ...]


def functions_of(tree):
    """Returns the `Functions` of a module."""
    mentioned, defined = set(), []
    for node in scopes.nodes_of(tree):
        if isinstance(node, ast.Name):
            mentioned.add(node.id)
        elif isinstance(node, ast.Attribute):
            mentioned.add(node.attr)
        elif isinstance(node, ast.alias):
            mentioned.add(node.name.rpartition(".")[2])
        elif isinstance(getattr(node, "value", None), str):
            mentioned.add(node.value)
        elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
            if not node.name.startswith(("__", "test", "visit_", "on_")):
                last = getattr(node, "end_lineno", None) or node.lineno
                defined.append((node.name, range(node.body[0].lineno, last + 1)))
    return Functions(mentioned, tuple(defined))


def uncalled_lines(functions):
    """Returns {path: lines} of functions that nothing in the code base names.

    Args:
      functions: path -> `Functions`.
    """
    mentioned = set().union(*(of_file.mentioned for of_file in functions.values()))
    return {
        path: set().union(*(lines for name, lines in of_file.defined if name not in mentioned))
        for path, of_file in functions.items()
    }
