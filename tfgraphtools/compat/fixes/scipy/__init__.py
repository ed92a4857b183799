"""SciPy's old names and calls, and the image functions that it had."""

from tfgraphtools.compat.fixes.scipy import calls, names, starts

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (*names.TABLES, calls.TABLE, starts.TABLE)
