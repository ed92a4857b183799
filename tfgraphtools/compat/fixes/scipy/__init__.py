"""SciPy's old names, the image functions that it had, and functions that gave something else."""

from tfgraphtools.compat.fixes.scipy import names, restored, results, starts

TABLES = (*names.TABLES, *results.TABLES, restored.TABLE, starts.TABLE)
