"""Implicit relative imports of Python 2: which files have them, and their explicit form."""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat.doctor import programs
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN
from tfgraphtools.upgrade.passes import importing

FIX = "python2.imports"

#: Which imports of the modules beside a file are implicit relative ones: all; all, and programs
#: start the file as well; those of one program, and not of another.
ALWAYS, STARTED, AMBIGUOUS = "always", "started", "both"

_LEFT = {
    STARTED: "this file is imported as a module of a package, and is a program as well: start it "
    "with python -m PACKAGE.MODULE",
    AMBIGUOUS: "one program imports this file as a module of a package, another one as a module of "
    "its own, and Python 3 finds what is beside it for one of them only: import it in one way",
}


def members(read, old, known):
    """Returns path -> `ALWAYS`, `STARTED` or `AMBIGUOUS`, of what programs import from packages.

    Args:
      read: a list of `sources.Source`.
      old: the paths of the files that run with one of Python 2.
      known: the `codebase.Codebase`.
    """
    modules = {
        source.path: programs.module_of_code(source.code, None)
        for source in read
        if source.path in old and not source.is_notebook
    }
    modes = {}
    for path, folders in programs.packages(modules, known.files.top).items():
        if folders != {None}:
            starts = STARTED if known.facts[path].is_entry else ALWAYS
            modes[path] = AMBIGUOUS if None in folders else starts
    return modes


def edits(work):
    """Returns the edits by which implicit relative imports of Python 2 say what they are."""
    kind = work.role.relative
    if kind is None or not work.choice.allows(FIX):
        return []
    changes = []
    for node in nodes_of(work.tree):
        is_import = isinstance(node, (ast.Import, ast.ImportFrom))
        lines = explicit(node, work.role.path, work.names.files) if is_import else []
        if lines and kind in _LEFT:
            work.note(node.lineno, "implicit relative import", CANNOT, FIX, _LEFT[kind])
        if lines and kind != AMBIGUOUS:
            work.note(node.lineno, "implicit relative import", REWRITTEN, FIX, "; ".join(lines))
            if isinstance(node, ast.ImportFrom):
                changes += importing.other_module(node, "." + node.module, work.text, FIX)
            else:
                changes.append(importing.replaced(node, lines, work.text, FIX))
    return changes


def explicit(node, path, files):
    """Returns the statements for an import of modules of the same folder; none for any other.

    Args:
      node: the import statement.
      path: the file that it is in.
      files: the `modules.Files`.
    """
    if isinstance(node, ast.ImportFrom):
        if node.level or not files.beside(path, node.module.partition(".")[0]):
            return []
        return [f"from .{node.module} import {', '.join(map(importing.clause, node.names))}"]
    own = [alias for alias in node.names if files.beside(path, alias.name.partition(".")[0])]
    if not own:
        return []
    others = [importing.clause(alias) for alias in node.names if alias not in own]
    lines = ["import " + ", ".join(others)] if others else []
    clauses = [importing.clause(alias) for alias in own if "." not in alias.name]
    lines += ["from . import " + ", ".join(clauses)] if clauses else []
    for alias in own:
        package, _, module = alias.name.rpartition(".")
        if package and alias.asname:
            alias = ast.alias(module, None if alias.asname == module else alias.asname)
            lines.append(f"from .{package} import {importing.clause(alias)}")
        elif package:  # it binds the first name, and loads the last
            root = package.partition(".")[0]
            lines.append(f"from . import {root}")
            lines.append(f"from .{package} import {module} as _{alias.name.replace('.', '_')}")
    return list(dict.fromkeys(lines))
