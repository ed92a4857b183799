"""Modules and names of ``tensorflow.python`` that moved, or that 2.x does without."""

from tfgraphtools.compat.fixes.tensorflow.internals import (
    attributes,
    dataset_options,
    debuggers,
    decorators,
    defun,
    held,
    linear_model,
    modules,
    private,
    pywrap,
    rebuilt,
    testing,
    toggles,
)

TABLES = (
    modules.TABLE,
    held.TABLE,
    private.TABLE,
    pywrap.TABLE,
    rebuilt.TABLE,
    defun.TABLE,
    linear_model.TABLE,
    dataset_options.TABLE,
    attributes.TABLE,
    attributes.CALLS,
    testing.TABLE,
    testing.GRADIENTS,
    debuggers.TABLE,
    decorators.TABLE,
    decorators.NOTICES,
    toggles.TABLE,
)


def install(options):
    """Makes internal modules hold the names that they held in 1.15."""
    held.install()
