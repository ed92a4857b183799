"""Edge cases of numbers: poles, infinity, NaN and matrices without an inverse.

poles     special functions at their poles and at infinity
singular  matrices without a root or an inverse
einsums   sums with a repeated subscript in one input
edges     reports of NaN and infinite arguments whose results are not restored
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.numbers import (
    edges,
    einsums,
    poles,
    singular,
)

TABLES = (singular.TABLE, poles.TABLE, poles.CALLS, einsums.TABLE, edges.TABLE)
