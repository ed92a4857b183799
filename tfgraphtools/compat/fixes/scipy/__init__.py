"""SciPy's old names and calls, and the image functions that it had."""

from tfgraphtools.compat.fixes.scipy import (
    misc_and_sparse,
    old_integrals,
    optimize,
    stats_and_linalg,
)

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (*misc_and_sparse.TABLES, stats_and_linalg.TABLE, optimize.TABLE, *old_integrals.TABLES)
