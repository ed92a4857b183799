"""Numbers at the edges: poles, infinity, NaN and matrices without an inverse.

poles     special functions at their poles and at infinity
singular  matrices without a root or an inverse
einsums   sums over a subscript that one input has twice
edges     what is said of NaN and infinite arguments, and not restored
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.numbers import (
    edges,
    einsums,
    poles,
    singular,
)

TABLES = (singular.TABLE, poles.TABLE, poles.CALLS, einsums.TABLE, edges.TABLE)
