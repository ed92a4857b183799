"""NumPy 1.18: its names, calls and printing, its arithmetic, its sizes and comparisons."""

from tfgraphtools.compat.engine import after_import
from tfgraphtools.compat.fixes.numpy import (
    arithmetic,
    calls,
    files,
    index_lists,
    indices,
    modules,
    names,
    one_element,
    order,
    printing,
    removed,
    transforms,
    types,
)

TABLES = (
    names.TABLE,
    types.TABLE,
    names.GONE,
    calls.TABLE,
    files.TABLE,
    *arithmetic.TABLES,
    one_element.TABLE,
    index_lists.TABLE,
    indices.TABLE,
    printing.TABLE,
    modules.TABLE,
    removed.TABLE,
    removed.GONE,
    order.TABLE,
    order.OF_METHODS,
    transforms.TABLE,
)

HELPERS = dict(
    arithmetic.HELPERS,
    **one_element.HELPERS,
    **index_lists.HELPERS,
    **indices.HELPERS,
)


def install(options):
    """Makes NumPy print as NumPy 1, once it is loaded."""
    after_import.call("numpy", printing.print_as_numpy1, "numpy.printing")
