"""``tensorflow.contrib``, the real one of TF 1.15, from the legacy installation."""

from tfgraphtools.compat.contrib import bijectors, dropped, finder, living, moved, reductions

TABLES = (
    living.TABLE,
    dropped.TABLE,
    dropped.SKFLOW,
    dropped.MODULES,
    dropped.GONE,
    bijectors.TABLE,
    reductions.TABLE,
)

HELPERS = bijectors.HELPERS


def install(options):
    """Puts the finder and the moved internals in force."""
    moved.install()
    dropped.install()
    finder.install()
