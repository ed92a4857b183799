"""The import rule of the package, as a table: imports point down only."""

import ast
import collections
import pathlib
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
    "__init__": {"gradients", "training", "checkpoints", "compat", "upgrade"},
    "__main__": {"cli"},
    "_version": set(),
    "errors": set(),
    "_tf": set(),
    "select": {"_tf"},
    "gradients": {"select", "_tf"},
    "training": {"select", "_tf"},
    "checkpoints": set(),
    "compat": {"_tf"},
    "runner": {"compat"},
    "tf1": {"compat", "_tf"},
    "upgrade": {"compat", "checkpoints"},
    "cli": {"runner", "upgrade", "gradients", "training", "checkpoints", "compat"},
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
    "keras": {"names", "format", "read", "optimizers", "plans", "graphs", "facts", "objects"},
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
        "keras",
    },
    "families": {"format", "read", "optimizers", "plans", "keras", "torch"},
    "inverse": {"format", "read", "optimizers", "plans", "keras", "torch", "families"},
    "sessions": {"format", "read", "optimizers", "plans", "torch"},
    "check": {"names", "format", "read", "optimizers", "plans", "objects", "graphs"},
}

#: The most modules that a folder of `checkpoints` or `cli` has.
MOST_MODULES = 20

#: The parts whose modules may import TensorFlow (or Keras) at module level.
TENSORFLOW_AT_TOP = {"_tf"}

#: The parts that may import TensorFlow inside functions. The files of upgrade/copies are written
#: into other codebases, and imported by none of ours.
TENSORFLOW_INSIDE = {"checkpoints", "compat", "runner"}


def _part(path):
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


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


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path):
    part = _part(path)
    tree = _parsed(path)
    for name, at_top in _imports(tree):
        root, _, rest = name.partition(".")
        if root == "tfgraphtools":
            target = rest.split(".")[0]
            allowed = MAY_IMPORT[part] | {part, "errors", "_version", ""}
            assert target in allowed, f"{path.name} imports {name}"
        elif root in ("tensorflow", "keras", "tf_keras") and path.parent.name != "copies":
            allowed = TENSORFLOW_AT_TOP if at_top else TENSORFLOW_AT_TOP | TENSORFLOW_INSIDE
            assert part in allowed, f"{path.name} imports {name}"


#: What only POSIX has. The base install runs on Windows, too: no module needs it at its top.
POSIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_modules_of_posix_are_optional(path):
    """Such an import is inside a function, or in a `try`."""
    needed = {name.partition(".")[0] for name, at_top in _imports(_parsed(path)) if at_top}
    assert not needed & POSIX_ONLY


def test_every_part_has_a_row():
    assert {_part(path) for path in MODULES} <= set(MAY_IMPORT)


@pytest.mark.parametrize(
    "path",
    sorted((PACKAGE / "checkpoints").glob("*/*.py")),
    ids=lambda p: "/".join(p.parts[-2:]),
)
def test_packages_of_checkpoints_import_down(path):
    package = path.parent.name
    for name, _ in _imports(_parsed(path)):
        if name.startswith("tfgraphtools.checkpoints."):
            target = name.split(".")[2]
            allowed = CHECKPOINTS_MAY_IMPORT[package] | {package}
            assert target in allowed, f"{package}/{path.name} imports {name}"


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
    counts = collections.Counter(path.parent for path in MODULES)
    assert {folder: n for folder, n in counts.items() if n > MOST_MODULES} == {}


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
