"""Built-in functions as Python 2 had them, for modules that were written for it."""

import builtins
import decimal
import functools

from tfgraphtools.compat.engine import attributes, rows
from tfgraphtools.compat.fixes.python.python2 import mixed


def map_(function, *iterables):
    """A list; ``map(None, ...)`` gives the items themselves; short ones are filled with None."""
    if not iterables:
        raise TypeError("map() requires at least two args")
    if len(iterables) == 1:
        items = iterables[0]
        return list(items) if function is None else [function(item) for item in items]
    from itertools import zip_longest

    joined = zip_longest(*iterables)
    return list(joined) if function is None else [function(*items) for items in joined]


def filter_(function, iterable):
    """A list; of a string a string, of a tuple a tuple."""
    kept = builtins.filter(function, iterable)
    if isinstance(iterable, str):
        return "".join(kept)
    return tuple(kept) if isinstance(iterable, tuple) else list(kept)


def zip_(*iterables):
    """A list."""
    return list(builtins.zip(*iterables))


def range_(*limits):
    """A list; floats are cut to integers, as Python 2 did with a warning."""
    return list(xrange_(*limits))


def xrange_(*limits):
    """A range; floats are cut to integers, as Python 2 did with a warning."""
    try:
        return builtins.range(*limits)
    except TypeError:
        if not any(isinstance(limit, float) for limit in limits):
            raise
        return builtins.range(*[int(limit) for limit in limits])


def round_(number, digits=0):
    """A float; halves are rounded away from zero."""
    if not isinstance(number, (int, float)):  # NumPy's, say: Python 2 took it for a float
        try:
            number = float(number)
        except TypeError:
            return builtins.round(number, digits)
    if number != number or number in (float("inf"), float("-inf")):
        return float(number)
    step = decimal.Decimal(1).scaleb(-digits)
    exact = decimal.Decimal(number)
    with decimal.localcontext() as context:
        context.prec = 400
        return float(exact.quantize(step, rounding=decimal.ROUND_HALF_UP))


def input_(prompt=""):
    """What was typed, evaluated."""
    import sys

    caller = sys._getframe(1)
    return eval(builtins.input(prompt), caller.f_globals, caller.f_locals)


def sorted_(iterable, cmp=None, key=None, reverse=False):
    """`sorted` with Python 2's ``cmp``."""
    return builtins.sorted(iterable, key=sort_key(cmp, key), reverse=reverse)


def sort(sequence, *arguments, **options):
    """``sequence.sort(...)``, with Python 2's ``cmp`` where it is a list."""
    if not isinstance(sequence, list):
        return attributes.read(sequence, "sort")(*arguments, **options)
    return _sort_list(sequence, *arguments, **options)


def _sort_list(sequence, cmp=None, key=None, reverse=False):
    return sequence.sort(key=sort_key(cmp, key), reverse=reverse)


def sort_key(cmp, key):
    """The key by which Python 3 sorts as ``cmp`` and ``key`` did."""
    if cmp is None:
        return key
    rows.used(mixed.SORT)
    wrapped = functools.cmp_to_key(cmp)
    return wrapped if key is None else lambda item: wrapped(key(item))


def listed(mapping, method):
    """``mapping.keys()``, ``.values()`` or ``.items()``: of a dict a list."""
    result = getattr(mapping, method)()
    return list(result) if isinstance(result, _DICT_VIEWS) else result


_DICT_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
