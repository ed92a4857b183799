"""Names that are still there and mean something else now."""

from tfgraphtools.compat.behaviour import calls, slots, types

TABLES = (calls.TABLE, types.TABLE, slots.TABLE)
