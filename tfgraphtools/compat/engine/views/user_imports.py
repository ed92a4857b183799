"""The ``import`` of user code.

Modules of user code are executed with builtins of their own (`loading.user_builtins`),
whose ``__import__`` is `user_import`. Every other module imports as usual, except code that was
running before (`loading.dispatch`).
"""

import builtins
import contextlib
import importlib
import importlib.machinery
import importlib.util
import sys

from tfgraphtools.compat.engine import parts, quiet, views
from tfgraphtools.compat.engine.loading import (
    assertions,
    autograph,
    evaluated_texts,
    import_cache,
    ipython,
    launchers,
    loaders,
    packages,
    pickling,
    shadows,
    user_code,
)
from tfgraphtools.compat.engine.loading import user_builtins as own_builtins
from tfgraphtools.compat.engine.parts import ImportRules
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.engine.views import api_pickles, lookup, tensorflow_v1

#: No file can disable the rows of kind "listed" for itself.
OF_PROCESS = True

TABLES = (packages.TABLE,)

_python_import = builtins.__import__
_modules = sys.modules
_results, _ABSENT = import_cache.results, import_cache.ABSENT


def begin(options):
    """Makes user code get 1.x modules from now on, whoever loads it."""
    user_code.begin(options.packages, options.modern_packages)
    own_builtins.begin({"__import__": user_import, **evaluated_texts.FUNCTIONS})
    _roots.clear()
    import_cache.begin()
    loaders.install()
    launchers.install()
    for part in (autograph, assertions, ipython, pickling):
        part.install()


def install(options):
    """Makes user code get `import_module`, `reload` and its own builtins when it asks for them."""
    for function in (import_module, reload):
        row = Fix("importlib." + function.__name__, None, "", _always(function))
        lookup.register_attribute(row)
    lookup.register_attribute(Fix("pydoc.locate", None, "", _always(locate)))
    lookup.register_module("builtins", own_builtins.users())


def _always(value):
    return lambda real: value


def user_import(name, globals=None, locals=None, fromlist=(), level=0):
    """Imports for user code: its ``__import__``."""
    if level:
        return _python_import(name, globals, locals, fromlist, level)
    if locals is None and globals is not None:  # a statement in a function: it may be repeated
        try:
            depends_on, result = _results[
                name, fromlist, globals.get("__name__"), globals.get("__python2__")
            ]
            for module_name, module in depends_on:
                if _modules.get(module_name, _ABSENT) is not module:
                    break
            else:
                return result or _python_import(name, globals, None, fromlist)
        except (
            AttributeError,
            KeyError,
            TypeError,
        ):  # it was not imported before, or this is no statement
            pass
    return _import_absolutely(name, globals, locals, fromlist)


def _import_absolutely(name, globals, locals, fromlist):
    if not isinstance(globals, (dict, type(None))):
        return _python_import(name, globals, locals, fromlist)  # which says what is wrong
    if shadows.concerns(name):
        return shadows.module(name, _find_users)
    package = (globals or {}).get("__package__")
    rules = parts.offered(ImportRules)
    if package:
        own = rules.import_implicitly(name, globals, locals, fromlist)
        if own is not None:
            import_cache.note(name, fromlist, globals, own, False, package)
            return own
    of_python2 = rules.module_for(name, globals)
    taken = _is_users_own(name) or import_cache.is_replaced(name)
    is_view = not taken and (
        of_python2 is not None or (lookup.concerns(name) and not api_pickles.serves(name))
    )
    if not is_view:
        module = _python_import(name, globals, locals, fromlist)
    elif of_python2 is not None:
        module = of_python2
    else:
        module = _import_seen(name, fromlist)
    if is_view:
        import_cache.note_shown(name)
    import_cache.note(name, fromlist, globals, module, is_view)
    return module


def _import_seen(name, fromlist):
    """Returns what user code gets for a module that the tables say something about."""
    if name.partition(".")[0] == "tensorflow":
        with contextlib.nullcontext() if "tensorflow" in sys.modules else quiet.quiet_stderr():
            tensorflow_v1.switch_for_import(name, fromlist)
    module = _module(name)
    if not fromlist:
        return _module(name.partition(".")[0])
    for item in fromlist:
        if item != "*":
            _find_item(module, name, item)
    return module


def _module(name):
    return views.module(tensorflow_v1.module_name(name))


def _find_item(module, name, item):
    """Loads what ``from name import item`` names, where it is a module; says why it is gone."""
    try:
        getattr(module, item)
    except views.GoneError as error:  # the statement itself would hide the reason
        raise ImportError(str(error), name=name) from None
    except AttributeError:
        _try_submodule(name + "." + item)


def _try_submodule(name):
    try:
        _module(name)
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
    """Returns the spec of a top-level module of the user's; None where none has this name."""
    spec = importlib.machinery.PathFinder.find_spec(name)
    if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
        return None
    return spec if user_code.is_user(name, spec.origin) else None


def import_module(name, package=None):
    """Imports for user code: its ``importlib.import_module``."""
    absolute = importlib.util.resolve_name(name, package) if name.startswith(".") else name
    if lookup.concerns(absolute) and not _is_users_own(absolute):
        user_import(absolute)
        return _module(absolute)
    return importlib.import_module(absolute)


def locate(path, forceload=0):
    """Returns what has a dotted name, or None: ``pydoc.locate`` of user code."""
    root, *names = [part for part in path.split(".") if part]
    if not lookup.concerns(root) or _is_users_own(root):
        return importlib.import_module("pydoc").locate(path, forceload)
    target, seen = import_module(root), root
    for name in names:
        seen += "." + name
        try:
            target = getattr(target, name)
        except AttributeError:
            try:
                target = import_module(seen)
            except ImportError:
                return None
    return target


def reload(module):
    """Loads the module behind a view again; the view stays: ``importlib.reload`` of user code."""
    importlib.reload(views.real_of(module))
    return module
