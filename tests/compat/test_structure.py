"""The structure of compat: small folders, and no import cycle, lazy imports included."""

import ast
import pathlib

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import parts

PACKAGE = pathlib.Path(compat.__file__).resolve().parent
ROOT = PACKAGE.parent.parent

#: What only the whole of compat may know: the engine below must not.
ENGINE = "tfgraphtools.compat.engine"
ABOVE_THE_ENGINE = ("contrib", "datasets", "doctor", "fixes", "seeds")


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


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith(ENGINE)])
def test_the_engine_knows_no_library(name):
    above = tuple(f"tfgraphtools.compat.{part}" for part in ABOVE_THE_ENGINE)
    assert not [other for other in _imported(MODULES[name], MODULES) if other.startswith(above)]


@pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES.values()}), ids=_name)
def test_no_folder_has_more_than_20_modules(folder):
    assert len(list(folder.glob("*.py"))) <= 20


def test_every_part_has_tables():
    assert all(isinstance(part.TABLES, tuple) for part in parts.load())
