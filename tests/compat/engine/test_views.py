"""A view remembers what it showed, until the real module or a row says something else."""

import sys
import types

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import rows, views
from tfgraphtools.compat.engine.views import lookup

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick


@pytest.fixture
def view(monkeypatch):
    """User code's view of a module `old_library` that holds a number and a module `part`."""
    real, part = types.ModuleType("old_library"), types.ModuleType("old_library.part")
    real.number, real.part, part.value = 1, part, "plain"
    monkeypatch.setitem(sys.modules, "old_library", real)
    monkeypatch.setitem(sys.modules, "old_library.part", part)
    changed = [
        lookup._attributes,
        lookup.shown_by_views,
        lookup.modules,
        lookup.views_by_name,
    ]
    before = [one.copy() for one in changed]
    lookup.register_attribute(rows.Fix("old_library.gone", "2", "", lambda real: "back"))
    yield views.module("old_library")
    for one, contents in zip(changed, before):
        one.clear()
        one.update(contents)


def test_what_a_library_changes_is_seen(view):
    assert (view.number, view.number, view.part.value) == (1, 1, "plain")
    real = views.real_of(view)
    real.number, real.part = 2, types.ModuleType("mock")
    assert view.number == 2 and view.part.__name__ == "mock"


def test_what_user_code_changes_is_seen(view):
    assert view.number == 1
    view.number = 3
    assert view.number == views.real_of(view).number == 3


@pytest.mark.parametrize("register", ["attribute", "deeper", "missing"])
def test_a_row_that_comes_later_is_asked(view, register):
    assert view.number == 1 and view.part.value == "plain"
    if register == "attribute":
        lookup.register_attribute(rows.Fix("old_library.number", "2", "", lambda real: "row's"))
        assert view.number == "row's"
    elif register == "deeper":
        lookup.register_attribute(rows.Fix("old_library.part.value", "2", "", lambda real: "row's"))
        assert view.part.value == "row's"
    else:
        other = types.ModuleType("other")
        lookup.register_missing("old_library.part", rows.Fix("x", "2", "", lambda: other))
        assert view.part is other


def test_a_star_import_keeps_the_folder_of_the_package_that_does_it(view):
    """TF 2.x lists ``__path__``: a package of user code would no longer find its own modules."""
    views.real_of(view).__all__ = ["__path__", "__version__", "number"]
    assert view.__all__ == ["__version__", "gone", "number"]
