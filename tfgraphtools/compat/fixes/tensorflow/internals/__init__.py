"""Modules and names of ``tensorflow.python`` that no line of ``removed.tsv`` can serve."""

from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.tensorflow.internals import held, modules, private

TABLES = (modules.TABLE, held.TABLE, private.TABLE)


def install(options):
    """Makes internal modules hold the names that they held in 1.15, and those for contrib alone."""
    held.install()
    removed.register_those_of_contrib()
