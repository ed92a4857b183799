"""When and in what order datasets give their elements.

copies       copies of datasets, for the others
iterations   the order in which eager code iterates over shuffled datasets
prefetches   when elements are computed
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.datasets import iterations, prefetches

TABLES = (iterations.TABLE, prefetches.TABLE)
