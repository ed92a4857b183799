"""Finders of user code in ``sys.meta_path`` that have ``find_module`` alone.

Python 3.12 asks for ``find_spec`` only: a copy of an old six in a project has no ``six.moves``.
"""

import importlib.util
import sys

from tfgraphtools.compat.engine import rows, state

ROW = rows.Row(
    "python.finders",
    "Python 3.12",
    "finders in sys.meta_path may use find_module",
    cannot="give the finder a method find_spec(name, path, target)",
)

TABLE = rows.Table("old finders of modules", "listed", [ROW])


class _Finder:
    """A finder that asks all finders in order, as Python 3.11 did, where one of them is old."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Finds a spec as every finder of ``sys.meta_path`` does."""
        if all(map(_is_of_today, sys.meta_path)):
            return None
        for finder in list(sys.meta_path):
            if finder is not cls and not getattr(finder, "is_watching", False):
                spec = _find_spec(finder, name, path, target)
                if spec is not None:
                    return spec
        return None


def _is_of_today(finder):
    return hasattr(finder, "find_spec") or not hasattr(finder, "find_module")


def _find_spec(finder, name, path, target):
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
