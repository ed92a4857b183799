"""Which module an import without dots means, inside a package."""

import importlib.util

import pytest

from tfgraphtools.compat.fixes.python2 import implicit_imports

pytestmark = pytest.mark.quick


@pytest.fixture
def asked(monkeypatch):
    """The names that the import system is asked for; it has json, and own.table."""
    names = []

    def find_spec(name):
        names.append(name)
        return name if name in ("json", "own.table") else None

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    return names


@pytest.mark.parametrize(
    "name, is_python2, found, searched",
    [
        ("json", None, None, ["json"]),  # at each import in a function: nothing is searched
        ("json", False, None, []),
        ("table", None, "own.table", ["table", "own.table"]),
        ("table", True, "own.table", ["own.table"]),
        ("other", True, None, ["own.other"]),
    ],
)
def test_an_import_inside_a_package(asked, name, is_python2, found, searched):
    importer = {"__package__": "own", "__name__": "own.module", "__python2__": is_python2}
    assert implicit_imports.relative_name(name, importer) == found
    assert asked == searched
