"""SciPy's old names, the image functions that it had, and functions that gave something else."""

from tfgraphtools.compat.fixes.scipy import names, renamed, restored, results, starts

TABLES = (*names.TABLES, *results.TABLES, *renamed.TABLES, restored.TABLE, starts.TABLE)


def install(options):
    """Has distributions of SciPy do as before, once they are loaded."""
    renamed.install()
