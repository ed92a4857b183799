"""Which ops a graph has, and what they are called.

types             the types of ops
by_hand           ops that are created by hand
parsing           which ops parse protos
result_names      functions whose result has the name that the call gives
positional_names  names that are passed by position
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.ops import (
    by_hand,
    parsing,
    positional_names,
    result_names,
    types,
)

TABLES = (
    types.TABLE,
    by_hand.TABLE,
    parsing.TABLE,
    result_names.TABLE,
    positional_names.TABLE,
    positional_names.CALLS,
)

HELPERS = dict(types.HELPERS, **by_hand.HELPERS)
