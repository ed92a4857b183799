"""How many elements datasets have, and when and in what order they give them.

cardinality  their number
copies       copies of datasets, for the others
iterations   the order in which eager code iterates over shuffled datasets
prefetches   when elements are computed
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.datasets import (
    cardinality,
    iterations,
    prefetches,
)

TABLES = (cardinality.TABLE, iterations.TABLE, prefetches.TABLE)
