"""What becomes of a name under `run`: asked of the views that `run` gives to user code."""

import importlib.util
import sys
import types
from typing import NamedTuple, Optional

from tfgraphtools.compat.doctor import kernels
from tfgraphtools.compat.engine import views
from tfgraphtools.errors import TfgraphtoolsError

AS_IS = "as is"
SHIMMED = "shimmed"
LEGACY = "needs the legacy install"
PACKAGE = "needs a package"
UNKNOWN = "unknown name"
CANNOT = "cannot"

#: All fates, from good to bad.
FATES = (AS_IS, SHIMMED, LEGACY, PACKAGE, UNKNOWN, CANNOT)


class Fate(NamedTuple):
    """What becomes of a name.

    Fields:
      name: up to the first thing that is no module: what follows are its attributes.
      kind: one of `FATES`.
      why: one line; empty for what is as is.
      fix: the name of the row that helps, for ``run --without``; or None.
    """

    name: str
    kind: str
    why: str = ""
    fix: Optional[str] = None


#: What comes out of the 1.15 package, not out of today's TensorFlow.
_OF_LEGACY = ("tensorflow.contrib", "tensorflow.examples", "tensorflow.estimator")


def of(name):
    """The `Fate` of a dotted name, or None for one that concerns no one (``os.path``).

    Compat must be active: names are looked up as user code would.
    """
    root = name.partition(".")[0]
    if not views.concerns(root):
        return None if _is_installed(root) else _package(root)
    fate = _walk(name)
    if fate.kind in (AS_IS, SHIMMED) and _is_of_legacy(fate.name):
        why = kernels.why_gone(fate.name)
        if why:
            return Fate(fate.name, CANNOT, why)
        return fate._replace(kind=LEGACY, why=fate.why or "of TF 1.15's own package")
    return fate


def _is_of_legacy(name):
    return any(name == of or name.startswith(of + ".") for of in _OF_LEGACY)


def _walk(name):
    """Follows the parts of a name through modules."""
    parts = name.split(".")
    row, module = None, None
    for end in range(1, len(parts) + 1):
        here = ".".join(parts[:end])
        row = views.row_for(here) or row
        try:
            module = _step(module, here, parts[end - 1])
        except views.GoneError as error:
            return Fate(here, CANNOT, _reason(error, here), row and row.name)
        except (AttributeError, ImportError, TfgraphtoolsError) as error:
            if any(_is_module(".".join(parts[:more])) for more in range(end + 1, len(parts) + 1)):
                module = None  # a package that is gone, of a module that is not
                continue
            return _missing(here, error, row)
        if not isinstance(module, types.ModuleType):
            break
    if row is None or row.since is None:
        return Fate(here, AS_IS)
    return Fate(here, SHIMMED, row.why, row.name)


def _is_module(name):
    try:
        views.module(name)
    except (AttributeError, ImportError, TfgraphtoolsError):
        return False
    return True


def _step(module, here, leaf):
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


def _missing(here, error, row):
    if _is_of_legacy(here):
        why = kernels.why_gone(here)
        if why:
            return Fate(here, CANNOT, why)
        if isinstance(error, TfgraphtoolsError) or "legacy install" in str(error):
            return Fate(here, LEGACY, "'tfgraphtools legacy install' has not been run here")
    root = here.partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and error.name:
        missing = error.name.partition(".")[0]
        if missing != "tensorflow" and not _is_installed(missing):
            return _package(missing)._replace(name=here)
    if isinstance(error, TfgraphtoolsError):
        return Fate(here, PACKAGE, " ".join(str(error).split()), row and row.name)
    return Fate(here, UNKNOWN, f"no {root} has it that is known here: a slip, or set by the code")


def _package(root):
    return Fate(root, PACKAGE, f"the package of '{root}' is not installed")


def _is_installed(root):
    if root in sys.builtin_module_names or root in sys.modules:
        return True
    try:
        return importlib.util.find_spec(root) is not None
    except (ImportError, ValueError):
        return False


def _reason(error, here):
    text = " ".join(str(error).split())
    return text[len(here) + 2 :] if text.startswith(here + ": ") else text


def of_row(row):
    """The `Fate` of a file for which a row was needed before it was Python 3."""
    return Fate(row.name, SHIMMED, row.why, row.name)
