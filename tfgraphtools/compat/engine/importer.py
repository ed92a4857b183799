"""What ``import`` gives user code.

Modules of user code are executed with builtins of their own (`loading.builtins`),
whose ``__import__`` is `user_import`. Every other module imports as usual, except code that was
running before (`loading.dispatch`).
"""

import builtins
import contextlib
import importlib
import importlib.machinery
import importlib.util
import sys

from tfgraphtools.compat.engine import facade, parts, pickled, quiet, registry, views
from tfgraphtools.compat.engine.loading import (
    assertions,
    autograph,
    ipython,
    loaders,
    namespaces,
    packages,
    pickling,
    repeated,
    running,
    shadows,
    user_code,
)
from tfgraphtools.compat.engine.loading import builtins as own_builtins
from tfgraphtools.compat.engine.rewrite import imports
from tfgraphtools.compat.engine.rows import Row

#: No file can disable the rows of kind "listed" for itself.
OF_PROCESS = True

TABLES = (packages.TABLE, namespaces.TABLE)

_python_import = builtins.__import__
_modules = sys.modules
_whole = repeated.whole
_ABSENT, _DOTTED, _ASK = repeated.ABSENT, repeated.DOTTED, repeated.ASK


def begin(options):
    """Makes user code get 1.x modules from now on, whoever loads it."""
    user_code.begin(options.packages, options.modern_packages)
    own_builtins.begin(user_import, _HELPERS_ANEW)
    _roots.clear()
    repeated.begin()
    loaders.install()
    running.install()
    for part in (autograph, assertions, ipython, pickling):
        part.install()


def install(options):
    """Makes user code get `import_module`, `reload` and its own builtins when it asks for them."""
    for function in (import_module, reload):
        row = Row("importlib." + function.__name__, None, "", _always(function))
        registry.register_attribute(row)
    registry.register_attribute(Row("pydoc.locate", None, "", _always(locate)))
    registry.register_module("builtins", own_builtins.users())


def _always(value):
    return lambda real: value


# A repeated import costs a few look-ups, as Python's own does. Parameters that begin with an
# underscore are none: Python finds a function's own variables sooner than those of a module.
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
                if mapping[key] is not value:
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


def _importing(apart):
    def imported(name, _modules=_modules, _whole=_whole, _apart=apart):
        """``import name`` in a function of user code (see `rewrite.imports`)."""
        try:
            behind, found = _whole[name]
            if behind is _ABSENT:
                if name not in _modules:
                    return found
            elif behind is _ASK:
                behind, found = _apart[name]
                if _modules[name] is behind:
                    return found
                found = repeated.before(name, sys._getframe(1).f_globals, None)
                if found is not None:
                    return found
            elif _modules[name] is behind:
                return found
            elif behind is _DOTTED:
                behind, first, top, found = found
                if _modules[name] is behind and _modules[first] is top:
                    return found
        except KeyError:
            pass
        return _import_in(sys._getframe(1), name)

    return imported


def imported_as(name):
    """``import name.with.dots as another`` in a function of user code."""
    try:
        facts, found = repeated.names[name, None]
        for mapping, key, value in facts:
            if mapping[key] is not value:
                break
        else:
            return found
    except KeyError:
        pass
    top, found = _import_part_in(sys._getframe(1), name)
    repeated.note_part(name, top, found)
    return found


def _anew(name):
    return _import_in(sys._getframe(1), name)


def _part_anew(name):
    return _import_part_in(sys._getframe(1), name)[1]


#: What translated code calls, and what it calls where user code has replaced ``__import__``.
HELPERS = {
    imports.WHOLE: _importing(repeated.of_others),
    imports.WHOLE_OF_PYTHON2: _importing(repeated.of_python2),
    imports.PART: imported_as,
}
_HELPERS_ANEW = {
    imports.WHOLE: _anew,
    imports.WHOLE_OF_PYTHON2: _anew,
    imports.PART: _part_anew,
}


def _import_in(frame, name):
    """What ``import name`` gives to a frame, by the ``__import__`` that it has."""
    if "__import__" not in frame.f_builtins:
        raise ImportError("__import__ not found")
    return frame.f_builtins["__import__"](name, frame.f_globals, None, None, 0)


def _import_part_in(frame, name):
    """The first part of a name with dots, and what ``import name as another`` binds."""
    tops = []

    def __import__(*its_own):
        tops.append(_import_in(frame, name))
        return tops[0]

    namespace = {"__builtins__": {"__import__": __import__}}
    exec(f"import {name} as found", namespace)
    return tops[0], namespace["found"]


def _import_absolutely(name, globals, locals, fromlist):
    if shadows.concerns(name):
        return shadows.module(name, _find_users)
    repeats = globals if locals is None else None  # a statement of a module runs once
    if globals and globals.get("__package__"):
        own = parts.only("import_implicitly")(name, globals, locals, fromlist)
        if own is not None:
            repeated.note_in_package(name, repeats, fromlist, own, globals["__package__"])
            return own
    of_python2 = parts.only("module_for")(name, globals)
    taken = _is_users_own(name) or repeated.is_replaced(name)
    if of_python2 is not None and not taken:
        repeated.note_for_python2(name, repeats, fromlist, of_python2)
        return of_python2
    if taken or not registry.concerns(name) or pickled.serves(name):
        found = _python_import(name, globals, locals, fromlist)
        repeated.note(name, repeats, fromlist, found, is_view=False)
        return found
    found = _import_seen(name, fromlist)
    repeated.note(name, repeats, fromlist, found, is_view=True)
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


def import_module(name, package=None):
    """``importlib.import_module`` of user code."""
    absolute = importlib.util.resolve_name(name, package) if name.startswith(".") else name
    if registry.concerns(absolute) and not _is_users_own(absolute):
        user_import(absolute)
        return views.module(absolute)
    return importlib.import_module(absolute)


def locate(path, forceload=0):
    """``pydoc.locate`` of user code: what has a dotted name, or None."""
    root, *names = [part for part in path.split(".") if part]
    if not registry.concerns(root) or _is_users_own(root):
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
    """``importlib.reload`` of user code: a view stays, the module behind it is loaded again."""
    importlib.reload(views.real_of(module))
    return module
