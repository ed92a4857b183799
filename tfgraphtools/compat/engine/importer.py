"""Who is user code, how its modules are loaded, and what its ``import`` gives it.

User code is what lies in the script's folder, in the working folder and in the
folders of PYTHONPATH, and the packages named with ``--v1-package``; never what
is installed. Its modules are executed with builtins of their own, whose
``__import__`` is `user_import`; every other module imports as ever.
"""

import builtins
import contextlib
import importlib
import importlib.machinery
import importlib.util
import os
import site
import sys
import sysconfig
import types

from tfgraphtools.compat.engine import facade, own_code, parts, quiet, shadows, source, state, views
from tfgraphtools.compat.engine.rows import Row

TABLES = ()

_user_folders = ()
_library_folders = ()
_user_packages = frozenset()

#: The builtins of user code: those of Python, and `user_import`.
_builtins = None

_python_import = builtins.__import__


def begin(folders, packages):
    """Makes the modules of these folders and packages user code from now on."""
    global _user_folders, _library_folders, _user_packages, _builtins
    _user_folders = tuple(_inside(folder) for folder in folders)
    _library_folders = tuple(_inside(folder) for folder in _find_library_folders())
    _user_packages = frozenset(packages)
    _builtins = types.ModuleType("builtins", builtins.__doc__)
    vars(_builtins).update(vars(builtins), __import__=user_import)
    for row in views.attribute_rows("builtins"):
        setattr(_builtins, row.name.partition(".")[2], row.provide(builtins))
    for part in parts.load():
        vars(_builtins).update(getattr(part, "HELPERS", ()))
    _roots.clear()
    state.insert_finder(UserFinder)
    state.forget_modules_of(UserLoader)


def user_builtins():
    """The module ``builtins`` of user code."""
    return _builtins


def watch_running_code():
    """Gives modules that are loaded already their 1.x imports too, where they are user code."""
    state.set_attribute(builtins, "__import__", _dispatching_import)


def _inside(folder):
    return os.path.join(os.path.realpath(folder), "")


def _find_library_folders():
    paths = sysconfig.get_paths()
    found = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    found.update(site.getsitepackages() if hasattr(site, "getsitepackages") else ())
    found.add(site.getusersitepackages())
    found.update(path for path in sys.path if path.endswith(("site-packages", "dist-packages")))
    found.update(own_code.FOLDERS)
    return found


def is_user_file(path):
    """Whether a module from this file is user code."""
    path = os.path.realpath(path)
    if path.startswith(_library_folders):
        return False
    return path.startswith(_user_folders)


def install(options):
    """Has user code get `import_module`, `reload` and its own builtins when it asks for them."""
    for name, function in (("import_module", import_module), ("reload", reload)):
        provide = _always(function)
        views.register_attribute(Row("importlib." + name, None, "", provide))
    views.register_module("builtins", _builtins)


def _always(value):
    return lambda real: value


class UserFinder:
    """Finds the modules that are user code, and hands them to `UserLoader`."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """As every finder of ``sys.meta_path``; None for what is no user code."""
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if name.partition(".")[0] in _user_packages or is_user_file(spec.origin):
            spec.loader = UserLoader(spec.loader.name, spec.loader.path)
            return spec
        return None


class UserLoader(importlib.machinery.SourceFileLoader):
    """Loads a module of user code: translated where it must be, with its own builtins."""

    def get_code(self, fullname):
        """The compiled module."""
        path = self.get_filename(fullname)
        return source.code_of(self.get_data(path), path)

    def exec_module(self, module):
        """Executes the module with the builtins of user code."""
        vars(module)["__builtins__"] = _builtins
        super().exec_module(module)


def user_import(name, globals=None, locals=None, fromlist=(), level=0):
    """``__import__`` of user code."""
    if not level and shadows.concerns(name):
        return shadows.module(name, UserFinder.find_spec)
    if not level and globals and globals.get("__package__"):
        own = parts.only("import_implicitly")(name, globals, locals, fromlist)
        if own is not None:
            return own
    of_python2 = None if level else parts.only("module_for")(name, globals)
    if of_python2 is not None and not _is_users_own(name):
        return of_python2
    if level or not views.concerns(name) or _is_users_own(name):
        return _python_import(name, globals, locals, fromlist, level)
    if name.partition(".")[0] == "tensorflow" and not name.startswith("tensorflow.compat"):
        with contextlib.nullcontext() if "tensorflow" in sys.modules else quiet.quiet_stderr():
            views.module("tensorflow")
            facade.speak_v1()
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
        _roots[root] = root not in sys.builtin_module_names and bool(UserFinder.find_spec(root))
    return _roots[root]


def _dispatching_import(name, globals=None, locals=None, fromlist=(), level=0):
    """``__import__`` of the whole process while code that was running before is watched."""
    if globals is not None and _is_user_module(globals):
        return user_import(name, globals, locals, fromlist, level)
    return _python_import(name, globals, locals, fromlist, level)


def _is_user_module(module_globals):
    path = module_globals.get("__file__")
    if path is None:
        return module_globals.get("__name__") == "__main__"
    known = _files.get(path)
    if known is None:
        known = _files[path] = is_user_file(path)
    return known


_files = {}


def import_module(name, package=None):
    """``importlib.import_module`` of user code."""
    absolute = importlib.util.resolve_name(name, package) if name.startswith(".") else name
    if views.concerns(absolute) and not _is_users_own(absolute):
        user_import(absolute)
        return views.module(absolute)
    return importlib.import_module(absolute)


def reload(module):
    """``importlib.reload`` of user code: a view stays, the module behind it is loaded anew."""
    importlib.reload(views.real_of(module))
    return module
