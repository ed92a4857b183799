"""Names that are still there and mean something else now."""

from tfgraphtools.compat.behaviour import calls, types

TABLES = (calls.TABLE, types.TABLE)
