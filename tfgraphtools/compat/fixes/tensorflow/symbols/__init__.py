"""Names of ``tensorflow`` that some 1.x had, or that came before 1.0, and that were removed."""

from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.tensorflow.symbols import before_one, dropped, scopes

TABLES = (*removed.tables_of("TF"), *before_one.TABLES, *scopes.TABLES, dropped.TABLE)
