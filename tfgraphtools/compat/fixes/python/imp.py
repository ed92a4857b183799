"""The module ``imp``, which left Python 3.12, made of ``importlib``."""

import importlib
import importlib.machinery as machinery
import importlib.util
import os
import sys
import threading
import types

SEARCH_ERROR, PY_SOURCE, PY_COMPILED, C_EXTENSION, PY_RESOURCE = range(5)
PKG_DIRECTORY, C_BUILTIN, PY_FROZEN, PY_CODERESOURCE, IMP_HOOK = range(5, 10)

_lock = threading.RLock()
_held = []


def new_module(name):
    """A new, empty module."""
    return types.ModuleType(name)


def acquire_lock():
    """Takes a lock of this module (imports have locks of their own)."""
    _lock.acquire()
    _held.append(threading.get_ident())


def release_lock():
    """Gives the lock back."""
    _held.pop()
    _lock.release()


def lock_held():
    """Whether somebody holds the lock."""
    return bool(_held)


def get_suffixes():
    """(suffix, mode, kind) of the files that can be imported."""
    kinds = (
        (machinery.EXTENSION_SUFFIXES, "rb", C_EXTENSION),
        (machinery.SOURCE_SUFFIXES, "r", PY_SOURCE),
        (machinery.BYTECODE_SUFFIXES, "rb", PY_COMPILED),
    )
    return [(suffix, mode, kind) for suffixes, mode, kind in kinds for suffix in suffixes]


def get_magic():
    """The first bytes of a compiled module."""
    return importlib.util.MAGIC_NUMBER


def get_tag():
    """The part of a compiled module's name that says which Python made it."""
    return sys.implementation.cache_tag


def cache_from_source(path, debug_override=None):
    """Where the compiled module of a source is kept."""
    return importlib.util.cache_from_source(path, debug_override)


def source_from_cache(path):
    """The source of a compiled module."""
    return importlib.util.source_from_cache(path)


def is_builtin(name):
    """1 where a built-in module has this name, else 0."""
    return int(name in sys.builtin_module_names)


def is_frozen(name):
    """Whether a frozen module has this name."""
    return machinery.FrozenImporter.find_spec(name) is not None


def init_builtin(name):
    """Imports a built-in module; None where there is none."""
    return importlib.import_module(name) if is_builtin(name) else None


def find_module(name, path=None):
    """Where a module is: (open file or None, path, (suffix, mode, kind)).

    Raises:
      ImportError: there is none.
    """
    if path is None and is_builtin(name):
        return None, None, ("", "", C_BUILTIN)
    if path is None and is_frozen(name):
        return None, None, ("", "", PY_FROZEN)
    for folder in sys.path if path is None else path:
        package = os.path.join(folder, name)
        for suffix, _, _ in get_suffixes():
            if os.path.isfile(os.path.join(package, "__init__" + suffix)):
                return None, package, ("", "", PKG_DIRECTORY)
        for suffix, mode, kind in get_suffixes():
            file = package + suffix
            if os.path.isfile(file):
                encoding = None if "b" in mode else "utf-8"
                return open(file, mode, encoding=encoding), file, (suffix, mode, kind)
    raise ImportError(f"No module named {name!r}", name=name)


def load_module(name, file, filename, details):
    """Loads what `find_module` found, again if it is loaded.

    Raises:
      ImportError: there is nothing to load for this kind.
    """
    kind = details[2]
    if kind == PKG_DIRECTORY:
        return load_package(name, filename)
    if kind in (C_BUILTIN, PY_FROZEN):
        return importlib.import_module(name)
    if kind in (PY_SOURCE, PY_COMPILED, C_EXTENSION):
        return load_source(name, filename)
    raise ImportError(f"Don't know how to import {name} (type code {kind})", name=name)


def load_package(name, path):
    """Loads the package in a folder."""
    for suffix, _, _ in get_suffixes():
        init = os.path.join(path, "__init__" + suffix)
        if os.path.exists(init):
            return _load(name, init, [path])
    raise ValueError(f"{path!r} is not a package")


def load_source(name, pathname, file=None):
    """Loads a module from a file, under this name."""
    return _load(name, pathname, None)


load_compiled = load_dynamic = load_source


def reload(module):
    """Loads a module again."""
    return importlib.reload(module)


class NullImporter:
    """An importer that finds nothing."""

    def __init__(self, path):
        if path == "" or os.path.isdir(path):
            raise ImportError("empty pathname" if path == "" else "existing directory", path=path)

    def find_module(self, fullname):
        """None."""


def _load(name, path, locations):
    """Executes a file as the module of this name: in the one that is loaded, if there is one."""
    from tfgraphtools.compat.engine import views

    of_user_code = views.module("importlib.util")  # it knows which files are user code
    spec = of_user_code.spec_from_file_location(name, path, submodule_search_locations=locations)
    module = sys.modules.get(name)
    if module is None:
        module = importlib.util.module_from_spec(spec)
    else:
        module.__spec__, module.__file__ = spec, path
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return sys.modules[name]
