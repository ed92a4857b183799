"""NumPy 1.18: its names, calls and printing, its arithmetic, its sizes and comparisons."""

from tfgraphtools.compat.engine import after_import
from tfgraphtools.compat.fixes.numpy import (
    calls,
    comparisons,
    files,
    functions,
    index_lists,
    indices,
    modules,
    names,
    one_element,
    operators,
    order,
    printing,
    removed,
    results,
    sums,
    transforms,
    types,
)

TABLES = (
    names.TABLE,
    types.TABLE,
    names.GONE,
    calls.TABLE,
    files.TABLE,
    operators.TABLE,
    one_element.TABLE,
    comparisons.TABLE,
    comparisons.TRUTH,
    index_lists.TABLE,
    indices.TABLE,
    printing.TABLE,
    modules.TABLE,
    removed.TABLE,
    removed.GONE,
    results.TABLE,
    sums.TABLE,
    functions.TABLE,
    order.TABLE,
    order.SYNTAX,
    transforms.TABLE,
)

HELPERS = dict(
    operators.HELPERS,
    **one_element.HELPERS,
    **comparisons.HELPERS,
    **index_lists.HELPERS,
    **indices.HELPERS,
    **sums.HELPERS,
    **order.HELPERS,
)


def install(options):
    """Has NumPy print as NumPy 1, once it is loaded."""
    after_import.call("numpy", printing.print_as_numpy1)
