"""The types and values that NumPy 1 gave where NumPy 2 gives others.

`promotion` has the rule for two operands and `common_types` those for several; the
other modules are the places where they hold: operators, methods, functions.
"""

from tfgraphtools.compat.fixes.numpy.arithmetic import (
    comparisons,
    containers,
    empty_truth,
    methods,
    numpy_operators,
    results,
    sums,
    together,
    wrapping,
)

TABLES = (
    numpy_operators.TABLE,
    comparisons.TABLE,
    empty_truth.TABLE,
    results.TABLE,
    sums.TABLE,
    together.TABLE,
    methods.TABLE,
    wrapping.TABLE,
    wrapping.CALLS,
)

HELPERS = dict(
    numpy_operators.HELPERS,
    **comparisons.HELPERS,
    **containers.HELPERS,
    **empty_truth.HELPERS,
    **sums.HELPERS,
    **methods.HELPERS,
    **wrapping.HELPERS,
)
