"""Built-in functions as Python 2 had them, for modules that were written for it."""

import builtins
import collections.abc

from tfgraphtools.compat.fixes.python2.containers import old_dicts, old_sets
from tfgraphtools.compat.fixes.python2.library import old_values


def map_(function, *iterables):
    """Returns a list; ``map(None, ...)`` gives the items; None fills up short iterables."""
    if not iterables:
        raise TypeError("map() requires at least two args")
    function = _as_called(function)
    iterables = [old_dicts.iterated(iterable) for iterable in iterables]
    if len(iterables) == 1:
        items = iterables[0]
        return list(items) if function is None else [function(item) for item in items]
    from itertools import zip_longest

    joined = zip_longest(*iterables)
    return list(joined) if function is None else [function(*items) for items in joined]


def _as_called(function):
    """Returns what a class is where it is called: ``map(str, xs)``."""
    if function is str:
        return old_values.str_
    if not isinstance(function, type):
        return function
    return {dict: old_dicts.Dict, set: old_sets.Set}.get(function, function)


def _of_items(function):
    """Returns a class whose instances have the items of a set or dictionary in Python 2's order."""

    def make(*items, **options):
        return function(*map(old_dicts.iterated, items), **options)

    make.__name__ = function.__name__
    return make


list_, tuple_, enumerate_ = map(_of_items, (list, tuple, enumerate))


def filter_(function, iterable):
    """Returns a list; of a string a string, of a tuple a tuple."""
    kept = builtins.filter(function, iterable)
    if isinstance(iterable, str):
        return "".join(kept)
    return tuple(kept) if isinstance(iterable, tuple) else list(kept)


def zip_(*iterables):
    """Returns a list."""
    return list(builtins.zip(*iterables))


def range_(*limits):
    """Returns a list; numbers other than floats are cut to integers, as in Python 2."""
    try:
        return list(builtins.range(*limits))
    except TypeError:
        places = ("end",) if len(limits) == 1 else ("start", "end", "step")
        text = "range() integer {} argument expected, got {}."
        if not 1 <= len(limits) <= 3:
            raise
        return list(builtins.range(*[_limit(*pair, text) for pair in zip(limits, places)]))


def xrange_(*limits):
    """Returns a range; numbers other than floats are cut to integers, as in Python 2."""
    try:
        return builtins.range(*limits)
    except TypeError:
        if not limits:
            raise
        is_float = any(isinstance(limit, float) for limit in limits)
        text = "integer argument expected, got float" if is_float else "an integer is required"
        return builtins.range(*[_limit(limit, "", text) for limit in limits])


def _limit(number, place, text):
    """Returns what Python 2 took for a limit of ``range``; an error of this text without one."""
    if isinstance(number, float) or not hasattr(number, "__int__"):
        raise TypeError(text.format(place, type(number).__name__)) from None
    return int(number)


def round_(number, ndigits=0):
    """Returns a float; halves are rounded away from zero."""
    if not isinstance(number, (int, float)):  # NumPy's, say: Python 2 took it for a float
        try:
            number = float(number)
        except TypeError:
            return builtins.round(number, ndigits)
    if number != number or number in (float("inf"), float("-inf")):
        return float(number)
    import decimal  # slow to import

    step = decimal.Decimal(1).scaleb(-int(ndigits))
    exact = decimal.Decimal(number)
    with decimal.localcontext() as context:
        context.prec = 400
        return float(exact.quantize(step, rounding=decimal.ROUND_HALF_UP))


def input_(prompt=""):
    """Evaluates what was typed."""
    import sys

    caller = sys._getframe(1)
    return eval(builtins.input(prompt), caller.f_globals, caller.f_locals)


def listed(mapping, method):
    """Returns ``mapping.keys()``, ``.values()`` or ``.items()``; of a dict a list."""
    if type(mapping) is dict:
        mapping = old_dicts.Dict.of(mapping)
    if isinstance(mapping, old_dicts.Ordered) and getattr(type(mapping), method) is _OWN[method]:
        return mapping.listed(method)
    result = getattr(mapping, method)()
    return list(result) if isinstance(result, _DICT_VIEWS) else result


_OWN = {name: getattr(old_dicts.Ordered, name) for name in ("keys", "values", "items")}
_DICT_VIEWS = (
    *(type(view) for view in ({}.keys(), {}.values(), {}.items())),
    collections.abc.KeysView,
    collections.abc.ValuesView,
    collections.abc.ItemsView,
)
