"""The support of `run` for a name: asked of the views that `run` gives to user code."""

import functools
import importlib.util
import os
import sys
import types
from typing import NamedTuple, Optional

from tfgraphtools.analysis import library_sources, python_imports
from tfgraphtools.compat.contrib import stand_ins
from tfgraphtools.compat.doctor import contrib_in_cpp, install
from tfgraphtools.compat.engine import rows, views
from tfgraphtools.compat.engine.loading import packages
from tfgraphtools.compat.engine.views import lookup
from tfgraphtools.compat.fixes.keras import keras1, standalone, standalone_names
from tfgraphtools.errors import TfgraphtoolsError

WORKS = "works"
PATCHED = "patched"
LEGACY = "legacy"
DIFFERS = "differs"
NOT_INSTALLED = "not installed"
MISSING = "missing"
CANNOT = "not supported"

#: All statuses, from good to bad.
STATUSES = (WORKS, PATCHED, LEGACY, DIFFERS, NOT_INSTALLED, MISSING, CANNOT)
#: Those at which `run` stops.
STOPS = (NOT_INSTALLED, MISSING, CANNOT)
ABSENT = (NOT_INSTALLED, MISSING)
#: What no installation of a package helps with.
BAD = (MISSING, CANNOT)


class Status(NamedTuple):
    """A name, and whether `run` supports it.

    Fields:
      name: up to the first thing that is no module: what follows are its attributes.
      status: "works" in today's TensorFlow; "patched" by a fix of `run`; "legacy": served by
        the legacy installation; "differs": it runs, and the installed library gives something
        else than in the TF 1 years; "not installed": a package that this environment lacks;
        "missing": no such name or module is there;
        or "not supported".
      why: one line; empty for what works.
      fix: the name of the row that helps, for ``run --without``; or None.
      install: the command that installs what is missing, or None.
    """

    name: str
    status: str
    why: str = ""
    fix: Optional[str] = None
    install: Optional[str] = None


#: What comes out of the 1.15 package, not out of today's TensorFlow.
_OF_LEGACY = ("tensorflow.contrib", "tensorflow.examples", "tensorflow.estimator")


def of(name):
    """Returns the `Status` of a dotted name, or None for one outside what changed (``os.path``).

    Compat must be active: names are looked up as user code would.
    """
    root = name.partition(".")[0]
    if standalone.serves(root):
        return _of_keras(name)
    if not lookup.concerns(root):
        return _of_installed(name) if is_installed(root) else _package(root)
    status = _walk(name)
    if status.status in (WORKS, PATCHED) and _is_of_legacy(status.name):
        why = contrib_in_cpp.why_gone(status.name)
        if why:
            return Status(status.name, CANNOT, why)
        return status._replace(status=LEGACY, why=status.why or "of TF 1.15's own package")
    return status


def _of_keras(name):
    """Returns the `Status` of a name that Keras 2.2.4 lacks; else None."""
    root = name.partition(".")[0]
    old, advice = keras1.found_in(name)
    here = old or library_sources.missing(name, top(root))
    if here is None or standalone_names.has(here):
        return None
    why = f"of Keras 1: {advice}" if advice else "Keras 2.2.4 has no such name"
    return Status(here, MISSING, why)


def _is_of_legacy(name):
    return any(name == of or name.startswith(of + ".") for of in _OF_LEGACY)


def _walk(name):
    """Follows the parts of a name through modules."""
    parts = name.split(".")
    row, module = None, None
    for end in range(1, len(parts) + 1):
        here = ".".join(parts[:end])
        row = lookup.row_for(here) or row
        try:
            module = _step(module, here, parts[end - 1])
        except views.GoneError as error:
            return Status(here, CANNOT, _reason(error, here), row and row.name)
        except (AttributeError, ImportError, TfgraphtoolsError) as error:
            if any(_is_module(".".join(parts[:more])) for more in range(end + 1, len(parts) + 1)):
                module = None  # a package that is gone, of a module that is not
                continue
            return _missing(here, error, row)
        if not isinstance(module, types.ModuleType):
            break
    why = stand_ins.why(module)
    if why:
        return Status(here, CANNOT, why)
    if row is None or row.since is None:
        return Status(here, WORKS)
    return Status(here, PATCHED, row.why, row.name)


def _is_module(name):
    try:
        views.module(name)
    except (AttributeError, ImportError, TfgraphtoolsError):
        return False
    return True


def _step(module, here, leaf):
    if leaf == "__main__":
        return _program(here)
    if module is None:
        return views.module(here)
    if hasattr(module, leaf):  # a GoneError is an AttributeError: ask again, to hear it
        return getattr(module, leaf)
    try:
        return views.module(here)
    except ModuleNotFoundError as error:
        if error.name and here.startswith(error.name):
            return getattr(module, leaf)
        raise


def _program(name):
    """Returns the spec of the ``__main__`` of a package, which runs when it is imported."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return spec


def _missing(here, error, row):
    if _is_of_legacy(here):
        why = contrib_in_cpp.why_gone(here)
        if why:
            return Status(here, CANNOT, why)
        if isinstance(error, TfgraphtoolsError) or "legacy install" in str(error):
            why = f"run '{install.LEGACY}' once"
            return Status(here, MISSING, why, install=install.LEGACY)
    root = here.partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and error.name:
        missing = error.name.partition(".")[0]
        if missing != "tensorflow" and not is_installed(missing):
            return _package(missing)._replace(name=here, status=MISSING)  # a name of TF1
    if isinstance(error, TfgraphtoolsError):
        return Status(here, MISSING, " ".join(str(error).split()), row and row.name)
    return Status(here, MISSING, f"{root} has no such name: a typo, or assigned at run time")


def _package(root):
    why = f"the package of '{root}' is not installed"
    return Status(root, NOT_INSTALLED, why, install=install.command_for(root))


def _of_installed(name):
    """Returns the `Status` of an import that fails, or of a name that is not there; or None."""
    root = name.partition(".")[0]
    package = top(root)
    asked = package is not None and python_imports.missing_name(package.file)
    if not asked or packages.reason_for_tf1(root, os.path.dirname(package.file)):
        return _lacking(name)
    why = f"the installed {root} imports {asked}, which this Python has not: --v1-package {root}"
    return Status(root, MISSING, why)


def _lacking(name):
    """Returns the `Status` of a name that an installed package has not; else None."""
    root = name.partition(".")[0]
    here = None if root in _with_rows() else library_sources.missing(name, top(root))
    if here is None:
        return None
    why = f"the installed {root} has no such name"
    return Status(here, MISSING, why, install=install.command_for_older(root))


def top(root):
    """Returns the `Definition` of a package that is not Python's own, or None."""
    if standalone.serves(root):
        file = os.path.join(standalone.folder(), root, "__init__.py")
        return library_sources.Definition(library_sources.MODULE, file)
    package = library_sources.top(root)
    is_folder = package is not None and os.path.basename(package.file) == "__init__.py"
    return package if is_folder and "-packages" in package.file else None


@functools.lru_cache(None)
def _with_rows():
    """Returns the packages that rows change: their sources do not say what user code gets."""
    return {row.name.partition(".")[0] for table in rows.tables() for row in table.rows}


def is_installed(root):
    """Tells whether a module of this name can be imported."""
    if root in sys.builtin_module_names or root in sys.modules:
        return True
    try:
        return importlib.util.find_spec(root) is not None
    except (ImportError, ValueError):
        return False


def _reason(error, here):
    text = " ".join(str(error).split())
    return text[len(here) + 2 :] if text.startswith(here + ": ") else text


def of_change(change):
    """Returns the `Status` of a use that a library answers otherwise since a version."""
    why = f"{change.why}, since {change.since}"
    return Status(change.name.lstrip("."), DIFFERS, why)


def of_row(row):
    """Returns the `Status` of a file for which a row was needed before it was Python 3."""
    return Status(row.name, PATCHED, row.why, row.name)
