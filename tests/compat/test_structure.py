"""The structure of compat: small folders, and no import cycle, lazy imports included."""

import ast
import pathlib

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import parts, rows

PACKAGE = pathlib.Path(compat.__file__).resolve().parent
ROOT = PACKAGE.parent.parent


def _name(path):
    parts_of_it = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts_of_it[:-1] if parts_of_it[-1] == "__init__" else parts_of_it)


MODULES = {_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def _imported(path, modules):
    """The modules of `modules` that the file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in modules else node.module)
    return found & set(modules)


def _cycle(graph):
    """One cycle of the graph as a list of names, or None."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name) :] + [name]
        if name in done:
            return None
        path.append(name)
        for other in sorted(graph[name]):
            found = visit(other)
            if found:
                return found
        done.add(path.pop())
        return None

    for name in sorted(graph):
        found = visit(name)
        if found:
            return found
    return None


def test_a_cycle_is_found():
    assert _cycle({"a": {"b"}, "b": set()}) is None
    assert _cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_no_import_cycle():
    graph = {name: _imported(path, MODULES) for name, path in MODULES.items()}
    assert sum(map(len, graph.values())) > len(MODULES)  # imports were found at all
    assert _cycle(graph) is None


#: Folders that may have more modules -> why.
INDEXED = {
    "tfgraphtools.compat.fixes.tensorflow": "a file is named by the public name that it is about",
}


@pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES.values()}), ids=_name)
def test_no_folder_has_more_than_20_modules(folder):
    assert len(list(folder.glob("*.py"))) <= 20 or _name(folder / "__init__.py") in INDEXED


def test_every_part_has_tables():
    assert all(isinstance(part.TABLES, tuple) for part in parts.load())


#: What changes attributes otherwise than by `replacing`, which asks who calls -> why it may.
CHANGING = {
    "engine.views.tensorflow_v1": "the switches of TensorFlow, which a process has once",
    "engine.environment": "the random state of the process",
    "engine.loading": "Python's import system and what executes source text: it asks whose it is",
    "engine.replacing": "the one way to replace an attribute of a library",
    "fixes.others.numba": "functions of user code that Numba compiles",
    "fixes.python2.library.standard_streams": "stdin of a program of Python 2: it asks who reads",
    "fixes.tensorflow.reached_ops": "a name that TensorFlow lacks, which user code replaces",
    "fixes.testing": "pytest, which runs the tests of user code",
    "seeds.corrections": "counts ops; what changes graphs asks whose they are",
    "seeds.coverage": "looks at graphs of user code",
}


def test_attributes_of_libraries_are_replaced_in_one_way():
    """Every other file that sets attributes is listed with its reason."""
    prefix = "tfgraphtools.compat."
    setting = {
        name[len(prefix) :]
        for name, path in MODULES.items()
        if name.startswith(prefix) and "state.set_" in path.read_text(encoding="utf-8")
    }
    listed = tuple(CHANGING)
    assert sorted(name for name in setting if not name.startswith(listed)) == []
    assert [name for name in listed if not any(one.startswith(name) for one in setting)] == []


def test_no_call_is_left_wherever_its_name_is_used():
    """`upgrade` leaves each use of a row with a remedy; of a call, only some ways are old."""
    calls = [row for table in rows.tables() if table.kind == "calls" for row in table.rows]
    assert [row.name for row in calls if row.cannot] == [] and len(calls) > 50
