"""pytest for test files of the TF 1 years, which were written for pytest 3 to 5."""

from tfgraphtools.compat.engine import after_import, state
from tfgraphtools.compat.fixes.python import mocks
from tfgraphtools.compat.fixes.testing import attributes, calls, marks, session

TABLES = (calls.NAMES, calls.CALLS, attributes.TABLE, session.TABLE, marks.TABLE)


def install(options):
    """Changes modules of pytest once they are loaded."""
    after_import.call("_pytest.mark.structures", marks.patch, "pytest.marks")
    after_import.call("_pytest.python", session.set_up_modules, "pytest.session")
    after_import.call("_pytest.config", _watch, "pytest.session")
    after_import.call("_pytest.monkeypatch", _look_up_users, "pytest.monkeypatch")


def _look_up_users(monkeypatch):
    """``monkeypatch.setattr("builtins.open", ...)`` is about what user code sees there."""
    plain = monkeypatch.derive_importpath

    def derive_importpath(import_path, raising):
        place, _, name = import_path.rpartition(".")
        if place not in mocks.BUILTINS:
            return plain(import_path, raising)
        found = mocks.find(place)
        if raising:
            getattr(found, name)
        return name, found

    state.set_attribute(monkeypatch, "derive_importpath", derive_importpath)


def _watch(module):
    """Registers our plugin for each run of pytest."""
    plain = module.Config.__init__

    def __init__(self, *arguments, **options):
        plain(self, *arguments, **options)
        begin(self)

    state.set_attribute(module.Config, "__init__", __init__)
    state.at_restore(session.forget)


def begin(config):
    """Registers our plugin for this run of pytest; it sets up and collects tests as pytest 5."""
    session.begin(config)
