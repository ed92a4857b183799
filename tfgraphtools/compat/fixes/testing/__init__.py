"""pytest for test files of the TF 1 years, which were written for pytest 3 to 5."""

from tfgraphtools.compat.engine import after_import, state
from tfgraphtools.compat.engine.replacing import replaces
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.python import mocks
from tfgraphtools.compat.fixes.testing import pytest_functions, pytest_plugin

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (*removed.tables_of("pytest"), pytest_functions.CALLS, pytest_plugin.TABLE)


def install(options):
    """Registers our plugin for each run of pytest, once it is loaded."""
    after_import.call("pytest", _watch, "pytest.session")
    after_import.call("pytest", lambda module: _set.apply(), "pytest.monkeypatch")


@replaces("pytest:MonkeyPatch.setattr", row=Fix("pytest.monkeypatch", None, ""), through=())
def _set(original, self, target, *arguments, **options):
    """Makes ``monkeypatch.setattr("builtins.open", ...)`` set what user code sees there."""
    place, _, name = target.rpartition(".") if isinstance(target, str) else ("", "", "")
    if place in mocks.BUILTINS:
        return original(self, mocks.find(place), name, *arguments, **options)
    return original(self, target, *arguments, **options)


def _watch(module):
    original = module.Config.__init__

    def __init__(self, *arguments, **options):
        original(self, *arguments, **options)
        pytest_plugin.begin(self)

    state.set_attribute(module.Config, "__init__", __init__)
