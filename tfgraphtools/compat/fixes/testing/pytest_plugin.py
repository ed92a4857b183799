"""A plugin for each run of pytest: ``setup`` and ``teardown`` as nose called them.

Without it, pytest ignores them silently.
"""

import functools
import inspect

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix, Table

_NOSE = Fix(
    "pytest.nose",
    "pytest 8.0",
    "setup() and teardown() of classes and modules are called, as nose did",
)

TABLE = Table("setup of tests", "listed", [_NOSE])


def begin(run):
    """Registers the plugin for a run of pytest with this configuration."""
    import pluggy

    pluggy.HookimplMarker("pytest")(trylast=True)(_Plugin.pytest_runtest_setup)
    if not run.pluginmanager.has_plugin(__name__):
        run.pluginmanager.register(_Plugin(), __name__)


class _Plugin:
    """The plugin: its methods are hooks of pytest."""

    def __init__(self):
        self._modules = set()

    def pytest_runtest_setup(self, item):
        """Calls nose's ``setup`` after all fixtures, and ``teardown`` before their cleanup."""
        import unittest

        import pytest

        if not isinstance(item, pytest.Function) or not rows.is_on(_NOSE):
            return
        module = item.getparent(pytest.Module)
        if module not in self._modules:
            self._modules.add(module)
            _call(module.obj, "setup", "setup_module")
            module.addfinalizer(functools.partial(_call, module.obj, "teardown", "teardown_module"))
        if not isinstance(item.instance, unittest.TestCase):
            holder = item.obj if hasattr(item.obj, "setup") else item.instance
            if holder is not module.obj:
                _call(holder, "setup")
                item.addfinalizer(functools.partial(_call, holder, "teardown"))


def _call(holder, name, today=None):
    """Calls a function of nose's, if there is one, and none of today's name."""
    function = getattr(holder, name, None)
    kinds = (inspect.isfunction, inspect.ismethod, inspect.isbuiltin)
    is_function = any(is_kind(function) for is_kind in kinds)
    if is_function and not (_is_fixture(function) or hasattr(holder, str(today))):
        rows.used(_NOSE)
        function()


def _is_fixture(function):
    return hasattr(function, "__pytest_wrapped__")  # until pytest 8.3
