"""Functions of the module `operator`, handed on as values: ``reduce(operator.add, scalars)``.

They compute as the operators of user code do.
"""

import functools
import operator

from tfgraphtools.compat.engine.loading import standing_functions
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.numpy import index_lists, one_element
from tfgraphtools.compat.fixes.numpy.arithmetic import (
    comparisons,
    containers,
    empty_truth,
    promotion,
)


def _functions():
    """Yields (name, function) of what computes as the operators of user code."""
    for name, helper in comparisons.HELPER_OF.items():
        yield name, comparisons.HELPERS[helper]
    for kind, (plain, in_place) in promotion.OPERATORS.items():
        yield plain.__name__, promotion.binary(plain, kind)
        yield in_place.__name__, promotion.binary(in_place, kind, in_place=True)
    yield "mod", one_element.modulo
    yield "contains", lambda a, b: containers.contains(b, a)
    yield "getitem", index_lists.item
    yield "not_", lambda a: not empty_truth.truth(a)
    yield "truth", lambda a: bool(empty_truth.truth(a))


def _provided(function, name, real):
    return standing_functions.as_builtin(getattr(real, name))(function)


def _accumulate(real):
    """Returns ``itertools.accumulate``, which adds as user code does."""

    def accumulate(iterable, func=None, **options):
        return real.accumulate(iterable, func or _add, **options)

    return standing_functions.as_builtin(real.accumulate)(accumulate)


def _itemgetter(real):
    """Returns ``operator.itemgetter``; one of a list indexes arrays as user code does."""

    def itemgetter(*items):
        if not any(item.__class__ is list for item in items):
            return real.itemgetter(*items)
        if len(items) == 1:
            return lambda owner: index_lists.item(owner, *items)
        return lambda owner: tuple(index_lists.item(owner, item) for item in items)

    return standing_functions.as_builtin(real.itemgetter)(itemgetter)


_add = standing_functions.as_builtin(operator.add)(
    promotion.binary(promotion.OPERATORS["Add"][0], "Add")
)


def _chosen(name, real):
    """Returns ``heapq.nsmallest`` or ``nlargest``, which compare as user code does."""
    original = getattr(real, name)

    def choose(n, iterable, key=None):
        items = list(iterable)
        return original(n, items, containers.key_of(items, key))

    return standing_functions.as_builtin(original)(choose)


def _halving(name, real):
    """Returns a function of `bisect`, which compares as user code does."""
    original = getattr(real, name)
    inserts = name.startswith("insort")  # which makes the key of `x` itself

    def halve(a, x, lo=0, hi=None, *, key=None):
        if containers.is_alike(x):
            return original(a, x, lo, hi, key=key)
        wide_key = containers.wide_key(key)
        return original(a, x if inserts else containers.wide_key()(x), lo, hi, key=wide_key)

    return standing_functions.as_builtin(original)(halve)


_WHY = "compares float32 with Python's numbers as NumPy 1"

TABLE = Table(
    "functions of operator on NumPy's numbers",
    "names",
    [
        Fix(
            "operator." + name,
            "NumPy 2.0",
            "computes as the operator does in NumPy 1",
            functools.partial(_provided, function, name),
        )
        for name, function in dict(_functions()).items()
    ]
    + [
        Fix("operator.itemgetter", "NumPy 1.23", "a list is the index that it was", _itemgetter),
        Fix("itertools.accumulate", "NumPy 2.0", "adds numbers as NumPy 1", _accumulate),
        *(
            Fix("heapq." + name, "NumPy 2.0", _WHY, functools.partial(_chosen, name))
            for name in ("nsmallest", "nlargest")
        ),
        *(
            Fix("bisect." + name, "NumPy 2.0", _WHY, functools.partial(_halving, name))
            for name in "bisect bisect_left bisect_right insort insort_left insort_right".split()
        ),
    ],
)
