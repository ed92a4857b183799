"""Code that was running before compat was activated: its next ``import`` gives 1.x modules.

Such code has Python's own builtins, as libraries have. So ``__import__`` is replaced there, and
asks each time whose code imports.
"""

import builtins
import sys

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.loading import user_code
from tfgraphtools.compat.engine.views import user_imports

_python_import = builtins.__import__

#: id of a module's globals -> (these globals, whether the module is user code).
_known = {}


def begin():
    """Forgets all modules."""
    _known.clear()


def watch():
    """Makes running code get 1.x modules until `state.restore`, if it is user code."""
    state.set_attribute(builtins, "__import__", dispatching_import)


def dispatching_import(name, globals=None, locals=None, fromlist=(), level=0):
    """Imports for whoever runs in this process: its ``__import__``."""
    if globals is not None and is_user_module(globals):
        return user_imports.user_import(name, globals, locals, fromlist, level)
    return _python_import(name, globals, locals, fromlist, level)


def is_user_module(module_globals):
    """Tells whether code with these globals is user code."""
    known = _known.get(id(module_globals))
    return known[1] if known else _is_user_module(module_globals)


def _is_user_module(module_globals):
    is_users = _is_of_users(module_globals)
    module = sys.modules.get(module_globals.get("__name__"))
    if module is not None and vars(module) is module_globals:  # which lives as long as we do
        _known[id(module_globals)] = module_globals, is_users
    return is_users


def _is_of_users(module_globals):
    path = module_globals.get("__file__")
    if path is None:
        return module_globals.get("__name__") == "__main__"
    return user_code.is_user(module_globals.get("__name__") or "", path)
