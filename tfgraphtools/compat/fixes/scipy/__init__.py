"""SciPy's old names, the image functions that it had, and functions that gave something else."""

from tfgraphtools.compat.fixes.scipy import names, renamed, restored, results, starts

TABLES = (*names.TABLES, *results.TABLES, *renamed.TABLES, restored.TABLE, starts.TABLE)


def install(options):
    """Makes distributions of SciPy accept the old arguments, once they are loaded."""
    renamed.install()
