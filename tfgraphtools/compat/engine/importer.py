"""What ``import`` gives user code.

Modules of user code are executed with builtins of their own (`loading.builtins`),
whose ``__import__`` is `user_import`; every other module imports as ever.
"""

import builtins
import contextlib
import importlib
import importlib.machinery
import importlib.util
import sys

from tfgraphtools.compat.engine import facade, parts, pickled, quiet, state, views
from tfgraphtools.compat.engine.loading import (
    assertions,
    autograph,
    ipython,
    loaders,
    packages,
    pickling,
    repeated,
    running,
    shadows,
    user_code,
)
from tfgraphtools.compat.engine.loading import builtins as own_builtins
from tfgraphtools.compat.engine.rows import Row

TABLES = (packages.TABLE,)

_python_import = builtins.__import__
_modules = sys.modules
_whole, _DOTTED, _ABSENT = repeated.whole, repeated.DOTTED, repeated.ABSENT


def begin(options):
    """Has user code get 1.x modules from now on, whoever loads it."""
    user_code.begin(options.packages, options.modern_packages)
    own_builtins.begin(user_import)
    for known in (_roots, _running, _real, _dotted, _alike):
        known.clear()
    _forget_last()
    state.at_restore(_forget_last)
    repeated.begin()
    loaders.install()
    running.install()
    for part in (autograph, assertions, ipython, pickling):
        part.install()


def watch_running_code():
    """Gives modules that are loaded already their 1.x imports too, where they are user code."""
    state.set_attribute(builtins, "__import__", _dispatching_import)


def install(options):
    """Has user code get `import_module`, `reload` and its own builtins when it asks for them."""
    for function in (import_module, reload):
        row = Row("importlib." + function.__name__, None, "", _always(function))
        views.register_attribute(row)
    views.register_attribute(Row("pydoc.locate", None, "", _always(locate)))
    views.register_module("builtins", own_builtins.users())


def _always(value):
    return lambda real: value

#: name -> the module that libraries get for ``import name``. That of a name with dots is in
#: `_dotted`: (its module, its first part, the module of that).
_real = {}
_dotted = {}

#: name -> the module, where user code gets the same; else _NOBODYS.
_alike = {}


# A repeated import costs a few look-ups, as Python's own does. The last parameters are none:
# Python finds a function's own variables sooner than those of a module.
def user_import(
    name, globals=None, locals=None, fromlist=(), level=0, _modules=_modules, _whole=_whole
):
    """``__import__`` of user code."""
    if level:
        return _python_import(name, globals, locals, fromlist, level)
    try:
        if fromlist is None:  # the statement ``import name``
            behind, found = _whole[name]
            if _modules[name] is behind:
                return found
            if behind is _DOTTED:
                behind, first, top, found = found
                if _modules[name] is behind and _modules[first] is top:
                    return found
        elif locals is None:  # ``from name import ...`` in a function
            facts, found = repeated.names[name, fromlist]
            for mapping, key, value in facts:
                if mapping.get(key, _ABSENT) is not value:
                    break
            else:
                return found
    except (KeyError, TypeError):  # it was never imported, was taken away, or this is no statement
        pass
    if locals is None and globals is not None:
        found = repeated.before(name, globals, fromlist)
        if found is not None:
            return found
    return _import_absolutely(name, globals, locals, fromlist)


def _import_absolutely(name, globals, locals, fromlist):
    if shadows.concerns(name):
        return shadows.module(name, _find_users)
    if globals and globals.get("__package__"):
        own = parts.only("import_implicitly")(name, globals, locals, fromlist)
        if own is not None:
            repeated.note_for(name, globals, fromlist, own, globals["__package__"])
            return own
    of_python2 = parts.only("module_for")(name, globals)
    if of_python2 is not None and not _is_users_own(name):
        repeated.note_for(name, globals, fromlist, of_python2)
        return of_python2
    plain = not views.concerns(name) or _is_users_own(name) or repeated.is_replaced(name)
    if plain or pickled.serves(name):
        found = _python_import(name, globals, locals, fromlist)
        repeated.note(name, globals, fromlist, found, is_view=False)
        return found
    found = _import_seen(name, fromlist)
    repeated.note(name, globals, fromlist, found, is_view=True)
    return found


def _import_seen(name, fromlist):
    """What user code gets for a module that the tables say something about."""
    if name.partition(".")[0] == "tensorflow":
        with contextlib.nullcontext() if "tensorflow" in sys.modules else quiet.quiet_stderr():
            facade.speak_for(name, fromlist)
    found = views.module(name)
    if not fromlist:
        return views.module(name.partition(".")[0])
    for item in fromlist:
        if item != "*":
            _find_item(found, name, item)
    return found


def _find_item(found, name, item):
    """Loads what ``from name import item`` names, where it is a module; says why it is gone."""
    try:
        getattr(found, item)
    except views.GoneError as error:  # the statement itself would hide the reason
        raise ImportError(str(error), name=name) from None
    except AttributeError:
        _try_submodule(name + "." + item)


def _try_submodule(name):
    try:
        views.module(name)
    except ModuleNotFoundError as error:
        if error.name.rpartition(".")[2] != name.rpartition(".")[2]:
            raise


#: root name -> whether the user has a module of this name, which then wins.
_roots = {}


def _is_users_own(name):
    root = name.partition(".")[0]
    if root not in _roots:
        _roots[root] = root not in sys.builtin_module_names and bool(_find_users(root))
    return _roots[root]


def _find_users(name):
    """The spec of a top-level module of the user's; None where there is none of this name."""
    spec = importlib.machinery.PathFinder.find_spec(name)
    if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
        return None
    return spec if user_code.is_user(name, spec.origin) else None


def _dispatching_import(
    name, globals=None, locals=None, fromlist=(), level=0, _modules=_modules, _real=_real
):
    """``__import__`` of the whole process while code that was running before is watched."""
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
                if _modules[name] is behind:
                    return found
                if behind is _DOTTED:
                    behind, first, top, found = found
                    if _modules[name] is behind and _modules[first] is top:
                        return found
            else:
                found = _alike[name]
                if _modules[name] is found:
                    return found
        except KeyError:  # never imported, or taken away
            pass
    if globals is _user or (globals is not _library and _is_users(globals)):
        return user_import(name, globals, locals, fromlist, level)
    found = _python_import(name, globals, locals, fromlist, level)
    if fromlist is None and not level:
        _note_real(name)
    return found


#: The globals of the user's module, and of the library's, that imported last while code that
#: was running before is watched: most imports that are repeated come from one place.
_user = _library = _NOBODYS = object()


def _is_users(module_globals):
    global _user, _library
    if module_globals is None:
        return False
    if is_user_module(module_globals):
        _user = module_globals
        return True
    _library = module_globals
    return False


def _forget_last():
    global _user, _library
    _user = _library = _NOBODYS


def _note_real(name):
    """Remembers which module libraries get for ``import name``."""
    behind, first = _modules.get(name), name.partition(".")[0]
    if behind is None or behind is _real.get(name) or repeated.is_being_loaded(behind):
        return
    if first != name:
        _real[name] = _alike[name] = _NOBODYS
        _dotted[name] = behind, first, _modules.get(first)
        return
    is_alike = not views.concerns(name) and not shadows.concerns(name)
    _real[name], _alike[name] = behind, behind if is_alike else _NOBODYS


#: id of a module's globals -> (these globals, whether the module is user code): asked at
#: each import of a library too.
_running = {}


def is_user_module(module_globals):
    """Whether code with these globals is user code."""
    known = _running.get(id(module_globals))
    return known[1] if known else _is_user_module(module_globals)


def _is_user_module(module_globals):
    is_users = _is_of_users(module_globals)
    module = sys.modules.get(module_globals.get("__name__"))
    if module is not None and vars(module) is module_globals:  # which lives as long as we do
        _running[id(module_globals)] = module_globals, is_users
    return is_users


def _is_of_users(module_globals):
    path = module_globals.get("__file__")
    if path is None:
        return module_globals.get("__name__") == "__main__"
    return user_code.is_user(module_globals.get("__name__") or "", path)


def import_module(name, package=None):
    """``importlib.import_module`` of user code."""
    absolute = importlib.util.resolve_name(name, package) if name.startswith(".") else name
    if views.concerns(absolute) and not _is_users_own(absolute):
        user_import(absolute)
        return views.module(absolute)
    return importlib.import_module(absolute)


def locate(path, forceload=0):
    """``pydoc.locate`` of user code: what has a dotted name, or None."""
    root, *names = [part for part in path.split(".") if part]
    if not views.concerns(root) or _is_users_own(root):
        return importlib.import_module("pydoc").locate(path, forceload)
    found, seen = import_module(root), root
    for name in names:
        seen += "." + name
        try:
            found = getattr(found, name)
        except AttributeError:
            try:
                found = import_module(seen)
            except ImportError:
                return None
    return found


def reload(module):
    """``importlib.reload`` of user code: a view stays, the module behind it is loaded anew."""
    importlib.reload(views.real_of(module))
    return module
