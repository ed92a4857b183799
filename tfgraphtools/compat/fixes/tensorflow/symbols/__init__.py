"""Names of ``tensorflow.*`` that some 1.x had, or that came before 1.0, and that are gone."""

from tfgraphtools.compat.fixes.tensorflow.symbols import dropped, renamed

TABLES = (renamed.TABLE, dropped.TABLE)
