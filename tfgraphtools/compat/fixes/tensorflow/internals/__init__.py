"""Modules and names of ``tensorflow.python`` that are elsewhere now."""

from tfgraphtools.compat.fixes.tensorflow.internals import held, modules, moved, private, rebuilt

TABLES = (modules.TABLE, held.TABLE, moved.TABLE, private.TABLE, rebuilt.TABLE)


def install(options):
    """Makes internal modules hold the names that they held in 1.15."""
    held.install()
