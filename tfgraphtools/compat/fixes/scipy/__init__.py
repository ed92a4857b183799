"""SciPy's old names, and the image functions that it had."""

from tfgraphtools.compat.fixes.scipy import names

TABLES = names.TABLES
