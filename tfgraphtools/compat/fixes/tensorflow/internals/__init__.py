"""Modules and names of ``tensorflow.python`` that moved, or that 2.x does without."""

from tfgraphtools.compat.fixes.tensorflow.internals import (
    attributes,
    defun,
    modules,
    names,
    private,
    rebuilt,
)

TABLES = (
    modules.TABLE,
    names.TABLE,
    private.TABLE,
    rebuilt.TABLE,
    defun.TABLE,
    attributes.TABLE,
    attributes.CALLS,
)
