"""The functions that rewritten trees call, by the names under which user modules find them."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2 import (
    builtin_functions,
    classes,
    integer_division,
    ordering,
    print_statement,
    python2_programs,
    table,
)
from tfgraphtools.compat.fixes.python2.library import binary_files, old_values


def _reporting(row, function):
    """Returns `function`, which records that its row was used."""

    def helper(*arguments, **options):
        rows.used(row)
        return function(*arguments, **options)

    helper.__name__ = helper.__qualname__ = function.__name__.rstrip("_")
    return helper


def _module(name, implicit):
    """Records by which row the module counts as Python 2; whether it imports implicitly."""
    rows.used(table.TABLE.row(name))
    python2_programs.note(name)
    return implicit


HELPERS = {
    "__python2_module__": _module,
    "__python2_divide__": integer_division.divide,
    "__python2_divide_in_place__": integer_division.divide_in_place,
    "__python2_print__": _reporting(table.PRINT, print_statement.print_statement),
    "__python2_map__": _reporting(table.LISTS, builtin_functions.map_),
    "__python2_filter__": _reporting(table.LISTS, builtin_functions.filter_),
    "__python2_zip__": _reporting(table.LISTS, builtin_functions.zip_),
    "__python2_range__": _reporting(table.LISTS, builtin_functions.range_),
    "__python2_listed__": _reporting(table.LISTS, builtin_functions.listed),
    "__python2_round__": _reporting(table.BUILTINS, builtin_functions.round_),
    "__python2_input__": builtin_functions.input_,
    "__python2_open__": binary_files.open_,
    "__python2_given__": binary_files.take_text_or_bytes,
    "__python2_encoded__": binary_files.encoded,
    "__python2_formatted__": binary_files.formatted,
    "__python2_str__": binary_files.str_,
    "__python2_bytes__": binary_files.bytes_,
    "__python2_bytearray__": binary_files.bytearray_,
    "__python2_class__": _reporting(table.CLASSES, classes.modernise),
    "__python2_equality__": _reporting(table.CLASSES, classes.compare_by_identity),
    "__python2_sort__": ordering.sort,
    "__python2_sorted__": ordering.sorted_,
    **ordering.HELPERS,
    **old_values.HELPERS,
}
