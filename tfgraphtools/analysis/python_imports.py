"""Installed packages that ask Python's own library for names that it has no more."""

import ast
import sys

from tfgraphtools.analysis import branches, guards, library_sources, scopes


@library_sources.kept
def missing_name(file):
    """Returns the first name that the import of a package asks of Python, which has it not; or "".

    Args:
      file: the package's ``__init__.py``.
    """
    for path in sorted(library_sources.loaded(file)):
        for node in _from_python(path):
            module = sys.modules[node.module]
            names = [alias.name for alias in node.names if alias.name != "*"]
            lacking = [name for name in names if not hasattr(module, name)]
            if lacking and _is_required(path, node.lineno):
                return f"{node.module}.{lacking[0]}"
    return ""


def _from_python(path):
    """Yields the statements of a module that take names from modules of Python which are loaded."""
    of_python = getattr(sys, "stdlib_module_names", ())
    table = library_sources.table_of(path)
    for node in {id(node): node for nodes in table.names.values() for node in nodes}.values():
        if isinstance(node, ast.ImportFrom) and not node.level:
            if node.module in of_python and node.module in sys.modules:
                yield node


def _is_required(path, line):
    """Tells whether a statement runs, and nothing expects that it fails."""
    with open(path, "rb") as file:
        tree = branches.live(ast.parse(file.read()))
    lines = {node.lineno for node in scopes.nodes_of(tree) if isinstance(node, ast.ImportFrom)}
    return line in lines and line not in guards.harmless_lines(tree, handlers=True)
