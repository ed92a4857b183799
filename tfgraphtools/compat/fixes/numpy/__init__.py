"""NumPy 1.18: its names, calls and printing, its arithmetic, its sizes and comparisons."""

from tfgraphtools.compat.engine.parts import ValueTexts
from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.numpy import (
    arithmetic,
    array_files,
    calls,
    fourier_transforms,
    index_lists,
    indices,
    one_element,
    operator_functions,
    order,
    removed_from_numpy,
    removed_methods,
    scalar_printing,
)

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (
    *removed.tables_of("NumPy"),
    removed_from_numpy.TABLE,
    removed_methods.TABLE,
    calls.TABLE,
    array_files.TABLE,
    *arithmetic.TABLES,
    one_element.TABLE,
    operator_functions.TABLE,
    index_lists.TABLE,
    indices.TABLE,
    scalar_printing.TABLE,
    order.TABLE,
    order.OF_METHODS,
    fourier_transforms.TABLE,
)

HELPERS = dict(
    arithmetic.HELPERS,
    **one_element.HELPERS,
    **index_lists.HELPERS,
    **indices.HELPERS,
    **scalar_printing.HELPERS,
)

OFFERS = (ValueTexts("__numpy1_in_mode__"),)


def install(options):
    """Makes libraries print NumPy's numbers for user code as NumPy 1 did."""
    install_after_import(*scalar_printing.REPLACEMENTS)
