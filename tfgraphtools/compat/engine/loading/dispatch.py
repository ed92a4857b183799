"""Code that was running before compat was activated: its next ``import`` gives 1.x modules.

Such code has Python's own builtins, as libraries have. So ``__import__`` is replaced there, and
asks each time whose code imports: by the globals of the module, most often those that imported
last. It answers from what it gave before, for libraries too: they are to wait no longer than for
Python's own import.
"""

import builtins
import sys

from tfgraphtools.compat.engine import importer, state
from tfgraphtools.compat.engine.loading import repeated, user_code

_python_import = builtins.__import__
_modules = sys.modules
_whole = repeated.whole
_ABSENT, _DOTTED, _ASK = repeated.ABSENT, repeated.DOTTED, repeated.ASK

#: name -> the module that libraries get for ``import name``. That of a name with dots is in
#: `_dotted`: (its module, its first part, the module of that).
_real = {}
_dotted = {}

#: id of a module's globals -> (these globals, whether the module is user code).
_known = {}

#: The globals of the user's module, and of the library's, that imported last.
_user = _library = _NOBODYS = object()


def begin():
    """Forgets all modules and imports."""
    for known in (_real, _dotted, _known):
        known.clear()
    _forget_last()


def watch():
    """Makes running code get 1.x modules until `state.restore`, if it is user code."""
    state.at_restore(_forget_last)
    state.set_attribute(builtins, "__import__", dispatching_import)


def _forget_last():
    global _user, _library
    _user = _library = _NOBODYS


def dispatching_import(name, globals=None, locals=None, fromlist=(), level=0):
    """``__import__`` of the whole process."""
    global _library
    if fromlist is None and not level:
        try:
            if globals is _library:
                found = _real[name]
                if _modules[name] is found:
                    return found
                behind, first, top = _dotted[name]
                if _modules[name] is behind and _modules[first] is top:
                    return top
            elif globals is _user:
                behind, found = _whole[name]
                if behind is _ABSENT:
                    if name not in _modules:
                        return found
                elif _modules[name] is behind:
                    return found
                elif behind is _DOTTED:
                    behind, first, top, found = found
                    if _modules[name] is behind and _modules[first] is top:
                        return found
                elif behind is _ASK:
                    behind, found = repeated.of_others[name]
                    if _modules[name] is behind:
                        return found
            elif not _known[id(globals)][1]:
                _library = globals
                found = _real[name]
                if _modules[name] is found:
                    return found
        except KeyError:  # never imported, or taken away
            pass
    if globals is _user or (globals is not _library and _is_users(globals)):
        return importer.user_import(name, globals, locals, fromlist, level)
    found = _python_import(name, globals, locals, fromlist, level)
    if fromlist is None and not level and _real.get(name) is not found and name not in _dotted:
        _note_real(name)
    return found


def _is_users(module_globals):
    global _user, _library
    if module_globals is None:
        return False
    if is_user_module(module_globals):
        _user = module_globals
        return True
    _library = module_globals
    return False


def _note_real(name):
    """Remembers which module libraries get for ``import name``."""
    behind, first = _modules.get(name), name.partition(".")[0]
    if behind is None or behind is _real.get(name) or repeated.is_being_loaded(behind):
        return
    if first != name:
        _real[name] = _NOBODYS
        _dotted[name] = behind, first, _modules.get(first)
    else:
        _real[name] = behind


def is_user_module(module_globals):
    """Whether code with these globals is user code."""
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
