"""``tensorflow.contrib``, the real one of TF 1.15, from the legacy installation."""

from tfgraphtools.compat.contrib import (
    bijectors,
    core_internals,
    early_names,
    finder,
    old_layers,
    ops,
    reductions,
)

#: No file can disable the rows of kind "listed" for itself.
OF_PROCESS = True

TABLES = (
    ops.TABLE,
    early_names.TABLE,
    early_names.MODULES,
    bijectors.TABLE,
    reductions.TABLE,
)

HELPERS = bijectors.HELPERS


def install(options):
    """Puts the finder and the moved internals in force."""
    core_internals.install()
    old_layers.install()
    finder.install()
