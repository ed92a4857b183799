"""What user code puts into ``sys.meta_path``, and finds modules by ``find_module`` alone.

Python 3.12 asks for ``find_spec`` only: a copy of an old six in a project has no ``six.moves``.
"""

import importlib.machinery
import importlib.util
import sys

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.fixes.build import made

ROW = rows.Row(
    "python.finders",
    "Python 3.12",
    "finders in sys.meta_path may use find_module",
    cannot="give the finder a method find_spec(name, path, target)",
)

TABLE = rows.Table("old finders of modules", "listed", [ROW])


class _Finder:
    """Asks all finders in their turn, as Python 3.11 did, where one of them is an old one."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """As every finder of ``sys.meta_path``."""
        if all(map(_is_of_today, sys.meta_path)):
            return None
        for finder in list(sys.meta_path):
            if finder is not cls and not getattr(finder, "is_watching", False):
                spec = _found(finder, name, path, target)
                if spec is not None:
                    return spec
        return None


def _is_of_today(finder):
    return hasattr(finder, "find_spec") or not hasattr(finder, "find_module")


def _found(finder, name, path, target):
    if _is_of_today(finder):
        find = getattr(finder, "find_spec", None)
        return find and find(name, path, target)
    loader = finder.find_module(name, path)
    if loader is None:
        return None
    rows.used(ROW)
    return importlib.util.spec_from_loader(name, loader)


def install():
    """Calls the finders of user code until `state.restore`."""
    if rows.is_on(ROW):
        state.insert_finder(_Finder)


@made("pkgutil.ImpImporter", "Python 3.12", "finds the modules in a folder, or on sys.path")
def _importer(real):
    class ImpImporter:
        """``pkgutil.ImpImporter`` of Python 3.7."""

        def __init__(self, path=None):
            self.path = path

        def find_module(self, fullname, path=None):
            """The loader of a module; None where there is none."""
            folders = None if self.path is None else [self.path]
            spec = importlib.machinery.PathFinder.find_spec(fullname.rpartition(".")[2], folders)
            return None if spec is None else spec.loader

        def iter_modules(self, prefix=""):
            """(name, whether it is a package) of every module in the folder."""
            folders = None if self.path is None else [self.path]
            for found in real.iter_modules(folders, prefix):
                yield found.name, found.ispkg

    return ImpImporter


NAMES = rows.Table("an old finder of pkgutil", "names", [_importer])
