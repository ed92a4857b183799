"""Whose code reads a file: Python 2's, or a library's, which gets text or bytes of today."""

import sys

#: Modules of ours that call what Python 2's code passed to them: ``list(file)``, ``file.next()``.
_FOR_PYTHON2 = (
    "tfgraphtools.compat.fixes.python2.",
    "tfgraphtools.compat.fixes.numpy.arithmetic.",  # ``lines += file``
    "tfgraphtools.compat.engine.translate.",
)


def is_python2s(levels=1):
    """Tells whether Python 2's code called the function that is `levels` above the caller."""
    names = sys._getframe(levels + 1).f_globals
    if names.get("__python2__") is not None:
        return True
    return str(names.get("__name__", "")).startswith(_FOR_PYTHON2)
