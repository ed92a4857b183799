"""The functions that rewritten trees call, by the names under which user modules find them."""

import builtins
import functools

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.loading import user_builtins
from tfgraphtools.compat.fixes.python2 import (
    builtin_functions,
    classes,
    integer_division,
    ordering,
    print_statement,
    python2_programs,
    table,
)
from tfgraphtools.compat.fixes.python2.containers import hashes, old_dicts, old_sets
from tfgraphtools.compat.fixes.python2.library import (
    byte_texts,
    formatting,
    met_texts,
    old_files,
    old_values,
    run_notices,
    stand_ins,
    standard_streams,
    text_codecs,
    unicode_mixing,
)
from tfgraphtools.compat.fixes.python2.library.byte_strings import string
from tfgraphtools.compat.fixes.python2.old_objects import old_classes, old_types


def _reporting(row, function):
    """Returns `function`, which records that its row was used."""

    def helper(*arguments, **options):
        rows.used(row)
        return function(*arguments, **options)

    helper.__name__ = helper.__qualname__ = function.__name__.rstrip("_")
    return helper


def _module(name, implicit, makes_unicode=False, makes_long=False):
    """Records by which row the module counts as Python 2; whether it imports implicitly."""
    rows.used(table.TABLE.row(name))
    standard_streams.take_bytes()
    if makes_unicode:
        unicode_mixing.note_unicode()
    if makes_long:
        text_codecs.note_long()
    python2_programs.note(name)
    return implicit


@functools.lru_cache(maxsize=4096)
def _literal(data):
    """Returns the value of a literal whose bytes are not ASCII."""
    return byte_texts.of_bytes(data)


def _chosen(value, name, helper):
    """Returns Python 2's function or class in place of today's; anything else is the user's own."""
    of_users = getattr(user_builtins.users(), name, None)
    if value is not None and (value is of_users or value is _TODAYS.get(name)):
        return HELPERS[helper]
    return value


#: built-in name -> what it is where nothing binds it.
_TODAYS = {name: getattr(builtins, name, None) for name in stand_ins.HELPER_OF}
_TODAYS.update(long=int, unicode=str)

HELPERS = {
    "__python2_chosen__": _chosen,
    "__python2_module__": _module,
    "__python2_divide__": integer_division.divide,
    "__python2_divide_in_place__": integer_division.divide_in_place,
    "__python2_print__": _reporting(table.PRINT, print_statement.print_statement),
    "__python2_map__": _reporting(table.LISTS, builtin_functions.map_),
    "__python2_filter__": _reporting(table.LISTS, builtin_functions.filter_),
    "__python2_zip__": _reporting(table.LISTS, builtin_functions.zip_),
    "__python2_list__": builtin_functions.list_,
    "__python2_tuple__": builtin_functions.tuple_,
    "__python2_enumerate__": builtin_functions.enumerate_,
    "__python2_range__": _reporting(table.LISTS, builtin_functions.range_),
    "__python2_listed__": _reporting(table.LISTS, builtin_functions.listed),
    "__python2_round__": _reporting(table.BUILTINS, builtin_functions.round_),
    "__python2_input__": builtin_functions.input_,
    "__python2_open__": old_files.open_,
    "__python2_given__": old_files.take_text_or_bytes,
    "__python2_string__": string,
    "__python2_literal__": _literal,
    "__python2_encode__": text_codecs.encode,
    "__python2_decode__": text_codecs.decode,
    "__python2_template__": formatting.template,
    "__python2_literal_template__": formatting.literal_template,
    "__python2_unicode_template__": formatting.unicode_template,
    "__python2_all_bytes__": old_values.all_bytes,
    "__python2_names__": old_values.names,
    "__python2_paths__": old_values.paths,
    "__python2_repr__": formatting.shown,
    "__python2_hash__": hashes.hash_,
    "__python2_dict__": old_dicts.literal,
    "__python2_dict_type__": old_dicts.Dict,
    "__python2_options__": old_dicts.Dict.of,
    "__python2_passed_on__": old_dicts.passed_on,
    "__python2_iterated__": old_dicts.iterated,
    "__python2_set__": old_sets.Set,
    "__python2_set_literal__": old_sets.literal,
    "__python2_frozenset__": old_sets.FrozenSet,
    "__python2_chr__": old_values.chr_,
    "__python2_ord__": old_values.ord_,
    "__python2_raw_input__": old_values.raw_input_,
    "__python2_str__": old_values.str_,
    "__python2_bytes__": old_values.bytes_,
    "__python2_bytearray__": old_values.bytearray_,
    "__python2_format__": formatting.format_,
    "__python2_buffer__": old_values.buffer_,
    "__python2_control__": old_values.of_control,
    "__python2_item__": print_statement.item,
    "__python2_noted__": run_notices.noted,
    **old_types.HELPERS,
    **old_classes.HELPERS,
    "__python2_class__": _reporting(table.CLASSES, classes.modernise),
    "__python2_equality__": _reporting(table.CLASSES, classes.compare_by_identity),
    "__python2_sort__": ordering.sort,
    "__python2_sorted__": ordering.sorted_,
    **ordering.HELPERS,
    **old_values.HELPERS,
    **met_texts.HELPERS,
}
