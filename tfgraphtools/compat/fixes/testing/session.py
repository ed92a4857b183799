"""A plugin for each run of pytest that restores setup and collection of earlier versions.

Without it, pytest ignores nose's ``setup`` and ``teardown`` methods silently.
"""

import functools
import importlib.util
import inspect

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table

_NOSE = Row(
    "pytest.nose",
    "pytest 8.0",
    "setup() and teardown() of classes and modules are called, as nose did",
)
_YIELDING = Row(
    "pytest.yielding",
    "pytest 4.0",
    "a test that yields functions and arguments calls each of them",
)

TABLE = Table("collection and setup of pytest", "listed", [_NOSE, _YIELDING])

#: The configuration of the current run.
config = None


def begin(run):
    """Registers the plugin for a run of pytest with this configuration."""
    global config
    import pluggy

    config = run
    pluggy.HookimplMarker("pytest")(trylast=True)(_Plugin.pytest_runtest_setup)
    if not run.pluginmanager.has_plugin(__name__):
        run.pluginmanager.register(_Plugin(), __name__)


def forget():
    """Ends the current run."""
    global config
    config = None


class _Plugin:
    """The plugin: its methods are hooks of pytest."""

    def pytest_pycollect_makeitem(self, collector, name, obj):
        """Collects a test that yields."""
        function = getattr(obj, "__func__", obj)
        is_yielding = inspect.isgeneratorfunction(function) and rows.is_on(_YIELDING)
        if is_yielding and collector.istestfunction(obj, name):
            rows.used(_YIELDING)
            return list(collector._genfunctions(name, function))
        return None

    def pytest_pyfunc_call(self, pyfuncitem):
        """Calls everything that a test yields."""
        function = pyfuncitem.obj
        if not inspect.isgeneratorfunction(function) or not rows.is_on(_YIELDING):
            return None
        names = pyfuncitem._fixtureinfo.argnames
        for one in function(**{name: pyfuncitem.funcargs[name] for name in names}):
            called, *values = one if isinstance(one, tuple) else (one,)
            if isinstance(called, str):  # a name may precede the function
                called, *values = values
            called(*values)
        return True

    def pytest_runtest_setup(self, item):
        """Calls nose's ``setup`` after all fixtures, and ``teardown`` before their cleanup."""
        import pytest

        is_plain = isinstance(item, pytest.Function) and _is_needed()
        if is_plain and not _is_of_unittest(item):
            holder = item.obj if hasattr(item.obj, "setup") else item.instance
            _call(holder, "setup")
            item.addfinalizer(functools.partial(_call, holder, "teardown"))


def _is_needed():
    """Whether this pytest lacks its own plugin for nose."""
    return rows.is_on(_NOSE) and importlib.util.find_spec("_pytest.nose") is None


def _is_of_unittest(item):
    from _pytest import unittest

    return isinstance(item, unittest.TestCaseFunction)


def _call(holder, name):
    function = getattr(holder, name, None)
    if callable(function) and not _is_fixture(function):
        rows.used(_NOSE)
        function()


def _is_fixture(value):
    from _pytest import fixtures

    return fixtures.getfixturemarker(value) is not None


def set_up_modules(python):
    """Makes modules use nose's names for setup and teardown, too."""
    if not _is_needed():
        return
    plain = python._get_first_non_fixture_func

    def first(obj, names):
        found = plain(obj, names)
        nose = {"setUpModule": "setup", "tearDownModule": "teardown"}.get(tuple(names)[0])
        if found is None and nose is not None and inspect.ismodule(obj):
            found = plain(obj, (nose,))
            if found is not None:
                rows.used(_NOSE)
        return found

    state.set_attribute(python, "_get_first_non_fixture_func", first)
