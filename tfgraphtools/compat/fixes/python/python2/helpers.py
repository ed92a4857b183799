"""What the rewritten trees call, by the names under which user modules find it."""

import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python.python2 import (
    classes,
    company,
    division,
    imports,
    listing,
    printing,
    table,
)
from tfgraphtools.compat.fixes.python.python2.library import binary
from tfgraphtools.compat.fixes.python.python2.values import old_values, ordering


def _reporting(row, function):
    """`function`, which records that its row was used."""

    def helper(*arguments, **options):
        rows.used(row)
        return function(*arguments, **options)

    helper.__name__ = helper.__qualname__ = function.__name__.rstrip("_")
    return helper


def _module(name, implicit):
    """Records by which row the module counts as Python 2; whether it imports implicitly."""
    rows.used(table.TABLE.row(name))
    company.note(name)
    imports.note_module(sys._getframe(1).f_globals, implicit)
    return implicit


HELPERS = {
    "__python2_module__": _module,
    "__python2_divide__": division.divide,
    "__python2_divide_in_place__": division.divide_in_place,
    "__python2_print__": _reporting(table.PRINT, printing.print_statement),
    "__python2_map__": _reporting(table.LISTS, listing.map_),
    "__python2_filter__": _reporting(table.LISTS, listing.filter_),
    "__python2_zip__": _reporting(table.LISTS, listing.zip_),
    "__python2_range__": _reporting(table.LISTS, listing.range_),
    "__python2_listed__": _reporting(table.LISTS, listing.listed),
    "__python2_round__": _reporting(table.BUILTINS, listing.round_),
    "__python2_input__": listing.input_,
    "__python2_open__": binary.open_,
    "__python2_given__": binary.take_text_or_bytes,
    "__python2_formatted__": binary.formatted,
    "__python2_str__": binary.str_,
    "__python2_bytes__": binary.bytes_,
    "__python2_bytearray__": binary.bytearray_,
    "__python2_class__": _reporting(table.CLASSES, classes.modernise),
    "__python2_equality__": _reporting(table.CLASSES, classes.compare_by_identity),
    "__python2_sort__": ordering.sort,
    "__python2_sorted__": ordering.sorted_,
    **ordering.HELPERS,
    **old_values.HELPERS,
}
