"""The table of removed names, ``removed.tsv``, and its reader."""

import sys
import types

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.views import lookup
from tfgraphtools.compat.fixes import build, removed

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = [pytest.mark.quick, pytest.mark.once]

LINES = removed.lines()


def test_lines_are_sorted_and_each_name_has_one():
    names = [line.old for line in LINES]
    assert names == sorted(set(names))


def test_each_line_has_a_version_and_something_to_say():
    assert [line.old for line in LINES if not line.since] == []
    assert [line.old for line in LINES if bool(line.now) == bool(line.instead)] == []


def test_each_line_is_read_by_a_part():
    rows_of_parts = {row.name for table in rows.tables() for row in table.rows}
    unread = [line.old for line in LINES if line.old not in rows_of_parts]
    assert unread == [line.old for line in removed.lines_of(removed.CONTRIB)]


@pytest.mark.parametrize(
    "now, kind",
    [
        ("numpy:inf", "names"),
        ("numpy", "names"),
        ("=32", "names"),
        ("module queue", "modules"),
        ("names of urllib.request urllib.error", "modules"),
        ("package standard-uu", "modules"),
        ("", "gone"),
    ],
)
def test_kinds(now, kind):
    assert removed.kind_of(removed.Removed("a.b", "NumPy 2.0", now, "")) == kind


def test_names_of_today_are_there():
    """Of Python and NumPy: `test_rewrites` asks for those of other libraries."""
    lines = removed.lines_of("Python", "NumPy")
    needed = [line for line in lines if ":" in line.now and rows.is_needed(removed.row_of(line))]
    assert len(needed) > 100
    assert [line.old for line in needed if not _is_there(line.now)] == []


def _is_there(spec):
    try:
        build.lookup(spec)
    except (AttributeError, ImportError):
        return False
    return True


def test_a_constant():
    row = removed.row_of(removed.Removed("numpy.MAXDIMS", "NumPy 2.0", "=32", ""))
    assert row.run(None) == 32


@pytest.fixture
def sources(monkeypatch):
    """Two modules, of which both have `shared`."""
    monkeypatch.setattr(rows, "is_needed", lambda row: True)
    lookup.begin([])
    for name, attributes in (("first", "shared own"), ("second", "shared other")):
        module = types.ModuleType(name)
        vars(module).update({attribute: name for attribute in attributes.split()})
        monkeypatch.setitem(sys.modules, name, module)
    yield ["first", "second"]
    lookup.end()


def test_the_first_module_that_has_a_name_gives_it(sources):
    module = removed.module_of("old", [*sources, "not_there"], mine=1)
    assert (module.shared, module.own, module.other, module.mine) == ("first", "first", "second", 1)
    assert module.__all__ == ["mine", "other", "own", "shared"]
    with pytest.raises(AttributeError, match="'old' has no attribute 'third'"):
        _ = module.third


def test_none_of_the_modules_is_there(sources):
    with pytest.raises(ImportError, match="not_there"):
        removed.module_of("old", ["not_there"])


def test_without_the_package_the_error_names_it(sources):
    row = removed.row_of(removed.Removed("not_there", "Python 3.13", "package standard-x", ""))
    with pytest.raises(ModuleNotFoundError, match="pip install standard-x"):
        row.run()
