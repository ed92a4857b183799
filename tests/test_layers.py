"""The import rule of the package, as a table: imports point down only."""

import ast
import collections
import functools
import pathlib
import re
import subprocess
import sys

import pytest

import tfgraphtools

#: It reads source, which is the same under every TensorFlow.
pytestmark = pytest.mark.once

PACKAGE = pathlib.Path(tfgraphtools.__file__).resolve().parent

#: What each part may import of the package besides itself. "errors" and the
#: package's root (version only) are open to all. Nothing may import upwards.
MAY_IMPORT = {
    "__init__": {
        "gradients",
        "training",
        "checkpoints",
        "graphs",
        "compat",
        "upgrade",
        "revive",
    },
    "__main__": {"cli"},
    "_version": set(),
    "deep_recursion": set(),
    "environment_variables": set(),
    "errors": set(),
    "faq": set(),
    "child_python": set(),
    "files": set(),
    "garbage_collector": set(),
    "git_repository": set(),
    "html_page": set(),
    "installed": set(),
    "line_differences": set(),
    "regular_files": set(),
    "worker_processes": {"deep_recursion", "garbage_collector"},
    "analysis": set(),
    "_tf": set(),
    "select": {"_tf"},
    "gradients": {"select", "_tf"},
    "training": {"select", "_tf"},
    "checkpoints": {"garbage_collector", "regular_files"},
    "graphs": {"_tf", "checkpoints", "garbage_collector", "regular_files"},
    "compat": {
        "_tf",
        "analysis",
        "child_python",
        "deep_recursion",
        "environment_variables",
        "garbage_collector",
        "git_repository",
        "html_page",
        "installed",
        "regular_files",
    },
    "runs": {"checkpoints", "child_python", "environment_variables"},
    "runner": {"compat", "environment_variables", "faq", "runs"},
    "tf1": {"compat", "_tf"},
    "upgrade": {
        "compat",
        "checkpoints",
        "analysis",
        "deep_recursion",
        "files",
        "garbage_collector",
        "git_repository",
        "html_page",
        "installed",
        "line_differences",
        "regular_files",
        "runs",
        "worker_processes",
    },
    "revive": {
        "compat",
        "upgrade",
        "checkpoints",
        "analysis",
        "child_python",
        "deep_recursion",
        "garbage_collector",
        "git_repository",
        "html_page",
        "installed",
        "regular_files",
        "runs",
    },
    "cli": {
        "environment_variables",
        "faq",
        "files",
        "garbage_collector",
        "html_page",
        "runner",
        "revive",
        "upgrade",
        "gradients",
        "training",
        "checkpoints",
        "graphs",
        "compat",
    },
}

#: The same among the packages of `checkpoints`; its root is the lazy `__init__` alone.
CHECKPOINTS_MAY_IMPORT = {
    "names": set(),
    "format": set(),
    "read": {"format"},
    "optimizers": {"format"},
    "plans": {"names", "format", "read", "optimizers"},
    "archives": {"format", "read", "plans"},
    "graphs": {"format", "read", "plans"},
    "facts": {"format", "read", "graphs"},
    "objects": {"names", "format", "read", "optimizers", "plans", "graphs", "facts"},
    "matching": {"names", "format", "read", "optimizers", "plans", "graphs", "facts"},
    "keras": {
        "names",
        "format",
        "read",
        "optimizers",
        "plans",
        "graphs",
        "facts",
        "objects",
        "matching",
    },
    "torch": {
        "names",
        "format",
        "read",
        "optimizers",
        "plans",
        "archives",
        "graphs",
        "facts",
        "objects",
        "matching",
    },
    "families": {"format", "read", "optimizers", "plans", "keras", "torch"},
    "inverse": {"format", "read", "optimizers", "plans", "keras", "torch", "families"},
    "sessions": {"format", "read", "optimizers", "plans", "torch"},
    "check": {"names", "format", "read", "optimizers", "plans", "objects", "graphs"},
}

#: The same inside `compat`, modules named in strings included. The engine knows no library.
COMPAT_MAY_IMPORT = {
    "__init__": {"engine", "tf_version"},
    "tf_version": set(),
    "notebook_cells": set(),
    "legacy_packages": set(),
    "legacy": {"engine", "legacy_packages"},
    "rewrites": {"engine"},
    "engine": {"tf_version", "legacy"},
    "contrib": {"engine", "legacy", "legacy_packages"},
    "datasets": {"engine", "legacy"},
    "constraints": {"engine", "doctor"},
    "seeds": {"engine", "fixes"},
    "fixes": {"engine", "rewrites", "contrib", "datasets", "seeds", "legacy", "tf_version"},
    "doctor": {"engine", "contrib", "constraints", "fixes", "notebook_cells", "rewrites"},
}

#: The one file that names the parts of `compat` below it: the list to which a part is added.
LIST_OF_PARTS = "compat/engine/parts.py"

#: The most modules that a folder has.
MOST_MODULES = 20

#: Folders that may have more -> why.
INDEXED = {"compat/fixes/tensorflow": "a file is named by the public name that it is about"}

#: The parts whose modules may import TensorFlow (or Keras) at module level.
TENSORFLOW_AT_TOP = {"_tf"}

#: The parts that may import TensorFlow inside functions. The files of upgrade/copies are written
#: into other codebases, and imported by none of ours.
TENSORFLOW_INSIDE = {"checkpoints", "compat", "graphs", "runner"}


def _part(path):
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


@functools.lru_cache(maxsize=None)
def _parsed(path):
    """The module's tree; a newer Python also checks that it is Python 3.7 syntax."""
    options = {"feature_version": (3, 7)} if sys.version_info >= (3, 8) else {}
    return ast.parse(path.read_text(encoding="utf-8"), **options)


def _imports(tree):
    """(module name, is it at the top level) of every import statement."""
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in top
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            for alias in node.names:
                yield node.module + "." + alias.name, id(node) in top


MODULES = sorted(PACKAGE.rglob("*.py"))


def _faults(paths, faults_of):
    """Returns what is wrong in all files, each with its path: one test a rule, not one a file."""
    return [
        f"{path.relative_to(PACKAGE).as_posix()} {fault}"
        for path in sorted(paths)
        for fault in faults_of(path)
    ]


def _upward_imports(path):
    part = _part(path)
    for name, at_top in _imports(_parsed(path)):
        root, _, rest = name.partition(".")
        if root == "tfgraphtools":
            allowed = MAY_IMPORT[part] | {part, "errors", "_version", ""}
            if rest.split(".")[0] not in allowed:
                yield f"imports {name}"
        elif root in ("tensorflow", "keras", "tf_keras") and path.parent.name != "copies":
            allowed = TENSORFLOW_AT_TOP if at_top else TENSORFLOW_AT_TOP | TENSORFLOW_INSIDE
            if part not in allowed:
                yield f"imports {name}"


def test_imports_point_down():
    assert _faults(MODULES, _upward_imports) == []


#: What only POSIX has. The base install runs on Windows, too: no module needs it at its top.
POSIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}


def _needed_of_posix(path):
    for name, at_top in _imports(_parsed(path)):
        if at_top and name.partition(".")[0] in POSIX_ONLY:
            yield f"needs {name}"


def test_modules_of_posix_are_optional():
    """Such an import is inside a function, or in a `try`."""
    assert _faults(MODULES, _needed_of_posix) == []


def test_every_part_has_a_row():
    assert {_part(path) for path in MODULES} <= set(MAY_IMPORT)


def _upward_imports_in_checkpoints(path):
    package = path.parent.name
    for name, _ in _imports(_parsed(path)):
        if name.startswith("tfgraphtools.checkpoints."):
            if name.split(".")[2] not in CHECKPOINTS_MAY_IMPORT[package] | {package}:
                yield f"imports {name}"


def test_packages_of_checkpoints_import_down():
    paths = (PACKAGE / "checkpoints").glob("*/*.py")
    assert _faults(paths, _upward_imports_in_checkpoints) == []


def _named_in_strings(tree):
    """The packages of `compat` of which string constants name a module, by its dotted name."""
    for node in ast.walk(tree):
        text = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
        match = isinstance(text, str) and re.match(
            r"(?:tfgraphtools\.)?(?:compat\.)?(\w+)\.(\w+)", text
        )
        if match and match[1] in COMPAT_MAY_IMPORT:
            place = PACKAGE / "compat" / match[1] / match[2]
            if place.is_dir() or place.with_suffix(".py").is_file():
                yield match[1]


def test_modules_named_in_strings_are_found():
    text = "f('tfgraphtools.compat.seeds.coverage'); g('fixes.numpy'); h('numpy.linalg', 'a seed')"
    assert list(_named_in_strings(ast.parse(text))) == ["seeds", "fixes"]


def _upward_imports_in_compat(path):
    relative, tree = path.relative_to(PACKAGE / "compat"), _parsed(path)
    package = relative.parts[0] if len(relative.parts) > 1 else relative.stem
    prefix = "tfgraphtools.compat."
    targets = {name.split(".")[2] for name, _ in _imports(tree) if name.startswith(prefix)}
    if path.relative_to(PACKAGE).as_posix() != LIST_OF_PARTS:
        targets |= set(_named_in_strings(tree))
    names = {target for target in targets if target in COMPAT_MAY_IMPORT}  # not those of __init__
    for name in sorted(names - COMPAT_MAY_IMPORT[package] - {package}):
        yield f"names compat.{name}"


def test_packages_of_compat_import_down():
    assert _faults((PACKAGE / "compat").rglob("*.py"), _upward_imports_in_compat) == []


def _module_name(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _in_a_cycle(imports):
    """The modules that import each other, from {module: the modules that it imports}."""
    remaining = dict(imports)
    while True:  # without those that import nothing of the rest, and those that nothing imports
        imported = {name for targets in remaining.values() for name in targets}
        done = {
            name
            for name, targets in remaining.items()
            if name not in imported or not targets & set(remaining)
        }
        if not done:
            return sorted(remaining)
        remaining = {name: t & set(remaining) for name, t in remaining.items() if name not in done}


def test_no_import_cycle():
    """Imports inside functions and for type checkers only count, too."""
    modules = {_module_name(path): path for path in MODULES}
    imports = {}
    for name, path in modules.items():
        found = [imported for imported, _ in _imports(_parsed(path))]
        targets = {name if name in modules else name.rpartition(".")[0] for name in found}
        imports[name] = (targets & set(modules)) - {name}
    assert _in_a_cycle(imports) == []
    one, other = "tfgraphtools.errors", "tfgraphtools.select"
    imports[one] = imports[one] | {other}
    imports[other] = imports[other] | {one}
    assert one in _in_a_cycle(imports)  # the check itself can fail


def test_no_folder_has_many_modules():
    counts = collections.Counter(str(path.parent.relative_to(PACKAGE)) for path in MODULES)
    assert {folder for folder, n in counts.items() if n > MOST_MODULES} == set(INDEXED)


def test_checkpoints_has_no_other_packages():
    found = {path.parent.name for path in (PACKAGE / "checkpoints").glob("*/*.py")}
    assert found == set(CHECKPOINTS_MAY_IMPORT)
    assert [p.name for p in (PACKAGE / "checkpoints").glob("*.py")] == ["__init__.py"]


_LOADED = "import sys; {}; sys.exit(3 if 'tensorflow' in sys.modules else 0)"


@pytest.mark.parametrize(
    "statement, exit_code",
    [
        ("import tfgraphtools", 0),
        ("import tfgraphtools.errors", 0),
        ("from tfgraphtools import checkpoints", 0),
        ("from tfgraphtools import graphs; graphs.show", 0),
        ("from tfgraphtools import upgrade", 0),
        ("from tfgraphtools.cli import main; main(['--help'])", 0),
        ("from tfgraphtools.cli import main; main(['--version'])", 0),
        ("import tfgraphtools._tf", 3),  # the check itself can fail
    ],
)
def test_tensorflow_is_not_imported(statement, exit_code):
    command = [sys.executable, "-c", _LOADED.format(statement)]
    done = subprocess.run(command, cwd=str(PACKAGE.parent))
    assert done.returncode == exit_code


#: The folders of `compat` that concern TensorFlow and Keras, whose private names they may use; and
#: the standard library and the import machinery, which change with Python alone.
MAY_USE_PRIVATE_NAMES = (
    "compat/contrib",
    "compat/engine",
    "compat/fixes/keras",
    "compat/fixes/python",
    "compat/fixes/python2",
    "compat/fixes/tensorflow",
    "compat/seeds",
)

#: Private names that other files of `compat` use -> why.
PRIVATE_NAMES = {
    "_asdict": "a public method of named tuples",
    "_replace": "a public method of named tuples",
    "_getframe": "sys: the frame of the caller",
}


def _own_names():
    """Every name that the package binds itself."""
    for tree in map(_parsed, MODULES):
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield node.name
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield node.attr
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.alias):
                yield (node.asname or node.name).partition(".")[0]


def _private_names(tree):
    """The private names that a source uses: attributes, imports, and modules given as text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr if re.match(r"_[a-zA-Z]", node.attr) else ""
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [getattr(node, "module", None) or "", *[alias.name for alias in node.names]]
            if not names[0].startswith("tfgraphtools"):
                yield from (name for name in names if re.search(r"(^|\.)_[a-z]", name))
        elif isinstance(node, ast.Call):
            yield from (word.arg for word in node.keywords if re.match(r"_[a-z]", word.arg or ""))
            yield from (text for text in map(_text, node.args) if re.search(r"[.:]_[a-z]", text))


def _text(node):
    value = getattr(node, "value", None)
    is_path = isinstance(value, str) and re.match(r"[\w.:]+$", value)
    return value if is_path else ""


OTHER_LIBRARIES = [
    path
    for path in (PACKAGE / "compat").rglob("*.py")
    if not str(path.relative_to(PACKAGE)).startswith(MAY_USE_PRIVATE_NAMES)
]


def test_private_names_are_found():
    tree = ast.parse("from a._b import c\nx._mgr\nd(e, _f=1)\npatch('pandas:Frame._slice')\nself.g")
    names = set(filter(None, _private_names(tree)))
    assert names == {"a._b", "_mgr", "_f", "pandas:Frame._slice"}


def test_no_private_name_of_another_library():
    may_use = set(_own_names()) | set(PRIVATE_NAMES)

    def foreign(path):
        return sorted(set(filter(None, _private_names(_parsed(path)))) - may_use)

    assert _faults(OTHER_LIBRARIES, foreign) == []
