"""Edge cases of numbers.

singular  matrices without a root or an inverse
einsums   sums with a repeated subscript in one input
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.numbers import einsums, singular

TABLES = (singular.TABLE, einsums.TABLE)
