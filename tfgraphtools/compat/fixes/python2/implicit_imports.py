"""Implicit relative imports: inside a package ``import x`` was the package's own x first."""

import importlib
import importlib.util
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.table import IMPORTS


def import_implicitly(name, importer, locals, fromlist):
    """Returns what ``import name`` gives where it means a module of the importer's own package.

    None where it does not (see `relative_name`).

    Args:
      name, importer, locals, fromlist: as ``__import__`` gets them; `user_imports` is
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
