"""The check, before a module runs, whether it imports one that only Python 2 can parse.

A module that does so at its top level could only ever run under Python 2, and so could the
program: what it imports before that statement divided, listed and printed as Python 2 did, too.
Only statements of the module itself count. One inside ``try``, ``if`` or a function may never
run, and says nothing about the rest.
"""

import ast
import importlib.machinery
import os
import re
import sys

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.loading import user_code
from tfgraphtools.compat.fixes.python2 import python2_programs, table

#: What may be an import of the module itself. Its tree is asked only where that leads somewhere:
#: compiled code is kept, and parsing each file at each start would take longer than running it.
_STATEMENT = re.compile(
    rb"^(?:import[ \t]+(?P<modules>[^\n;#]+)"
    rb"|from[ \t]+(?P<dots>\.*)(?P<module>[\w.]*)[ \t]*import\b[ \t]*"
    rb"(?:\((?P<block>[^)]*)\)|(?P<names>[^\n;#(]+)))",
    re.MULTILINE,
)

#: What may be syntax that only Python 2 has; whether it is, Python 3 says. Each begins with
#: letters or digits that are rare elsewhere, for which `re` looks quickly.
_MAYBE_PYTHON2 = [
    re.compile(pattern)
    for pattern in (
        rb"print[ \t]*(?:[^=(\s,.:)\]\w]|[ \t]\w)",
        rb"exec[ \t]*(?:[^=(\s,.:)\]\w]|[ \t]\w)",
        rb"except[ \t]+[\w.]+[ \t]*,|except[ \t]*\([^)\n]*\)[ \t]*,",
        rb"raise[ \t]+[\w.]+[ \t]*,",
        rb"<>",
        rb"0(?<![\w.:/'\"-]0)[0-7]+\b(?![.:/-])",
        rb"L[\W](?<=[0-9]L[\W])",
        rb"ur['\"]",
        rb"lambda[ \t]*\(|lambda[ \t][\w, \t]*,[ \t]*\(",
        rb"def[ \t][^\n]*[(,][ \t]*\([ \t]*\w+[ \t]*,",
    )
]

_COMMENT = re.compile(rb"#[^\n]*")

_seen = set()

#: (module, *search path) of modules that are none of the user's.
_others = set()


def look_ahead(data, path):
    """Notes that the program is Python 2's where this module imports one that only that can parse.

    It does nothing where that is known already, or a file was looked at before.

    Args:
      data: the bytes of the module that is about to run.
      path: its file.
    """
    if python2_programs.is_python2() or not state.is_changed():
        return
    if not _seen:
        state.at_restore(_seen.clear)
    if _leads(data, os.path.abspath(path)):
        python2_programs.note(table.SYNTAX.name)


def certain_imports(tree):
    """Returns the imports that run whenever a module does: [(dots, module, names), ...].

    Args:
      tree: the tree of the module.
    """
    imports = []
    for node in tree.body:
        if isinstance(node, ast.Import):
            imports += [(0, alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            imports.append((node.level, node.module or "", names))
    return imports


def _leads(data, path):
    folder = os.path.dirname(path)
    beside = None  # the names in the folder, read once
    for imported in _possible_imports(data):
        beside = _names_in(folder) if beside is None else beside
        for file in _files(imported, folder, beside):
            if file in _seen:
                continue
            _seen.add(file)
            with open(file, "rb") as opened:
                other = opened.read()
            if (_is_only_python2(other, file) or _leads(other, file)) and _is_certain(
                imported, data
            ):
                return True
    return False


def _is_only_python2(data, path):
    may_be = any(pattern.search(data) for pattern in _MAYBE_PYTHON2)
    return may_be and _tree(data, path) is None


def _is_certain(imported, data):
    tree = _tree(data)
    level, module, names = imported
    return tree is not None and any(
        (level, module) == other[:2] and set(names) <= set(other[2])
        for other in certain_imports(tree)
    )


def _tree(data, path="<unknown>"):
    try:
        return ast.parse(data, path)
    except (SyntaxError, ValueError):
        return None


def _possible_imports(data):
    for match in _STATEMENT.finditer(data):
        if match["modules"] is not None:
            for name in _names(match["modules"]):
                yield 0, name, ()
        else:
            names = _names(_COMMENT.sub(b"", match["block"] or match["names"] or b""))
            yield len(match["dots"]), match["module"].decode("ascii", "replace"), tuple(names)


def _names(text):
    parts = (part.split() for part in text.decode("ascii", "replace").split(","))
    return [part[0] for part in parts if part and part[0].replace(".", "").isidentifier()]


def _names_in(folder):
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _files(imported, folder, beside):
    """Returns the files of the user's that an import of a module runs.

    Args:
      imported: the import.
      folder: that of the module.
      beside: the names in it.
    """
    level, module, names = imported
    parts = [part for part in module.split(".") if part]
    for _ in range(level - 1):
        folder = os.path.dirname(folder)
    is_beside = bool(parts) and not beside.isdisjoint((parts[0], parts[0] + ".py"))
    is_relative = level or (is_beside and "__init__.py" in beside)
    files = _below(folder, parts, names) if is_relative else []
    if level or files:  # without dots: an implicit relative import
        return files
    root = parts[0]
    if root in sys.modules or root in sys.builtin_module_names or (root, *sys.path) in _others:
        return []
    spec = importlib.machinery.PathFinder.find_spec(root)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return []
    if not user_code.is_user(root, spec.origin):
        _others.add((root, *sys.path))
        return []
    holder = os.path.dirname(os.path.abspath(spec.origin))
    if spec.submodule_search_locations is not None:
        holder = os.path.dirname(holder)
    return _below(holder, parts, names)


def _below(folder, parts, names):
    files = []
    for part in parts:
        file = _file(folder, part)
        folder = os.path.join(folder, part)
        if file is None and not os.path.isdir(folder):
            return []
        files.append(file)
    files += [_file(folder, name) for name in names]
    return [file for file in files if file]


def _file(folder, name):
    for file in (os.path.join(folder, name, "__init__.py"), os.path.join(folder, name + ".py")):
        if os.path.isfile(file):
            return file
    return None
