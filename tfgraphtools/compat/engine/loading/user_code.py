"""The rule for user code: whatever does not lie in the interpreter's library folders.

It is decided for each file when it is loaded, by its path as Python knows it: a
package that is a link into another folder is where the link is. Installed packages
count where they were named (``--v1-package``) or recognised (`packages`).
"""

import functools
import os
import site
import sys
import sysconfig

from tfgraphtools.compat import legacy
from tfgraphtools.compat.engine.loading import own_code
from tfgraphtools.compat.engine.translate import code_cache

#: A folder of this name holds what is installed, of whichever interpreter.
_INSTALLED = ("site-packages", "dist-packages")

#: AutoGraph writes what it has made of a user's function into such files.
_GENERATED = "__autograph_generated_file"

_library_folders = ()
_as_v1 = set()
_as_today = set()
_known = {}  # path -> whether a file is user code


def begin(as_v1=(), as_today=()):
    """Starts a run.

    Args:
      as_v1: installed packages that are to be treated as user code.
      as_today: packages that are none, wherever they lie.
    """
    global _library_folders
    _library_folders = tuple(sorted(_find_library_folders()))
    for names, packages in ((_as_v1, as_v1), (_as_today, as_today)):
        names.clear()
        names.update(packages)
    _known.clear()


def treat_as_v1(package):
    """Makes an installed package user code from now on."""
    _as_v1.add(package)


def is_decided(package):
    """Tells whether it is decided what an installed package is."""
    return package in _as_v1 or package in _as_today


def is_user(name, path):
    """Tells whether a module is user code.

    Args:
      name: its dotted name.
      path: its file.
    """
    root = name.partition(".")[0]
    if root in _as_today:
        return False
    return root in _as_v1 or is_user_file(path)


def reason(name, path):
    """Returns whether a module is user code, in words: (whether it is, why).

    Args:
      name, path: as for `is_user`.
    """
    root = name.partition(".")[0]
    if root in _as_today:
        return False, f"--no-v1-package {root} says so"
    if root in _as_v1:
        return True, f"--v1-package {root} says so"
    if is_user_file(path):
        return True, "its file lies outside of the folders of Python and of installed packages"
    if own_code.is_own(path):
        return False, "it is part of tfgraphtools"
    if _installed_below(os.path.abspath(path)):
        return False, "it is an installed package"
    return False, "it is part of Python, or of what tfgraphtools keeps"


def is_user_file(path):
    """Tells whether code of this file is user code; ``"<string>"`` is no file."""
    known = _known.get(path)
    if known is None:
        known = _known[path] = _decide(path)
    return known


def _decide(path):
    if path.startswith("<") or os.path.basename(path).startswith(_GENERATED):
        return False
    path = os.path.abspath(path)
    if own_code.is_own(path) or (_is_library(path) and not _is_below_a_link(path)):
        return False
    return not path.startswith(_kept_folders())


def _is_below_a_link(path):
    """Tells whether a folder of site-packages is a link to a checkout, as some develop."""
    return bool(_installed_below(path)) and not _is_library(_real(os.path.dirname(path)))


@functools.lru_cache(maxsize=None)
def _real(folder):
    return os.path.join(os.path.realpath(folder), "")


def _is_library(path):
    return path.startswith(_library_folders) or _installed_below(path)


def _installed_below(path):
    return any(os.sep + name + os.sep in path for name in _INSTALLED)


def _kept_folders():
    """Returns the folders where compat keeps code itself: its cache, and TF 1.15's Python."""
    folders = [code_cache.folder(), legacy.find()]
    return tuple(os.path.join(os.path.abspath(str(folder)), "") for folder in folders if folder)


def _find_library_folders():
    paths = sysconfig.get_paths()
    folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders.update(site.getsitepackages() if hasattr(site, "getsitepackages") else ())
    folders.add(site.getusersitepackages())
    folders.add(os.path.dirname(os.__file__))
    folders.update(path for path in sys.path if path.endswith(_INSTALLED))
    in_full = {os.path.realpath(folder) for folder in folders} | set(map(os.path.abspath, folders))
    return {os.path.join(folder, "") for folder in in_full}
