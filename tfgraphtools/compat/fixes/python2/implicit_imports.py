"""Implicit relative imports: inside a package ``import x`` was the package's own x first."""

import importlib
import importlib.util
import sys

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.loading import import_cache
from tfgraphtools.compat.fixes.python2.library.library_modules import has_another
from tfgraphtools.compat.fixes.python2.table import IMPORTS

#: The packages whose modules for Python 2 import implicitly; "" where a module for Python 2 runs.
_packages = set()

#: name inside a package -> whether there is such a module.
_is_module = {}


def note_module(importer, is_implicit):
    """Notes that a module for Python 2 begins to run.

    Args:
      importer: its globals.
      is_implicit: whether it looks into its own package first.
    """
    packages = {"", (importer.get("__package__") or "") if is_implicit else ""}
    if not packages <= _packages and state.is_changed():  # else nobody imports through us
        if not _packages:
            state.at_restore(_packages.clear)
            state.at_restore(_is_module.clear)
        _packages.update(packages)
        import_cache.results.clear()


def differs(name):
    """Tells whether ``import name`` means something else to a module for Python 2 that runs."""
    first = name.partition(".")[0]
    return bool(_packages) and (
        has_another(name) or any(_has(package, first) for package in _packages if package)
    )


def _has(package, first):
    own = package + "." + first
    if own not in _is_module:
        _is_module[own] = _exists(own)
    return _is_module[own]


def import_implicitly(name, importer, locals, fromlist):
    """Returns what ``import name`` gives where it means a module of the importer's own package.

    None where it does not (see `relative_name`).

    Args:
      name, importer, locals, fromlist: as ``__import__`` gets them; `importer` is
        its globals.
    """
    own = relative_name(name, importer)
    if own is None:
        return None
    module = importlib.__import__(own, importer, locals, fromlist or ("*",), 0)
    if fromlist:
        return module
    return sys.modules[importer["__package__"] + "." + name.partition(".")[0]]


def relative_name(name, importer):
    """Returns the name inside the importer's package that ``import name`` meant to Python 2.

    None where the import is absolute: the importer is in no package, its
    package has no such module, or it is Python 3 and `name` exists unchanged.

    Args:
      name: the dotted name of an import without leading dots.
      importer: the globals of the module that imports.
    """
    package = importer.get("__package__")
    if not package or rows.is_off(IMPORTS.name):
        return None
    first = name.partition(".")[0]
    own = package + "." + first
    is_python2 = importer.get("__python2__")
    if is_python2 is False or own == importer.get("__name__"):
        return None
    if is_python2 is None and _exists(first):  # quick where it is loaded: asked at each import
        return None
    if not _exists(own):
        return None
    rows.used(IMPORTS)
    return package + "." + name


def _exists(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):  # a parent that is no package, or __main__
        return False
