"""Python's functions that calculate for user code: ``operator.add``, ``accumulate``.

The operators of user code have NumPy 1's types (`operators`); the same sums by
``functools.reduce(operator.mul, ...)``, ``map(operator.add, ...)`` or
``itertools.accumulate`` have them here.
"""

import operator

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made
from tfgraphtools.compat.fixes.numpy.arithmetic import comparisons, promotion

_SINCE = "NumPy 2.0"

_FUNCTIONS = {
    "eq": comparisons.HELPERS["__numpy1_equal__"],
    "ne": comparisons.HELPERS["__numpy1_unequal__"],
    "lt": comparisons.HELPERS["__numpy1_less__"],
    "le": comparisons.HELPERS["__numpy1_less_equal__"],
    "gt": comparisons.HELPERS["__numpy1_greater__"],
    "ge": comparisons.HELPERS["__numpy1_greater_equal__"],
}
for _kind, (_plain, _in_place) in promotion.OPERATORS.items():
    _FUNCTIONS[_plain.__name__] = promotion.binary(_plain, _kind)
    _FUNCTIONS[_in_place.__name__] = promotion.binary(_in_place, _kind, in_place=True)


class Operator:
    """A function of `operator` with NumPy 1's types; it can be pickled, as Python's own."""

    autograph_info__ = {}  # AutoGraph calls it and does not translate it, as any builtin

    def __init__(self, name):
        self.__name__ = self.__qualname__ = name
        self.__doc__ = getattr(operator, name).__doc__
        self._call = _FUNCTIONS[name]

    def __call__(self, a, b):
        return self._call(a, b)

    def __reduce__(self):
        return Operator, (self.__name__,)

    def __repr__(self):
        return repr(getattr(operator, self.__name__))


def _operator(name):
    def provide(real, used):
        return getattr(real, name) if rows.is_off(promotion.PROMOTION.name) else Operator(name)

    why = "the result for NumPy's scalars and arrays has the type of NumPy 1"
    return made("operator." + name, _SINCE, why)(provide)


@made("itertools.accumulate", _SINCE, "sums of NumPy's scalars have the types of NumPy 1")
def _accumulate(real, used):
    add = operator.add if rows.is_off(promotion.PROMOTION.name) else _FUNCTIONS["add"]

    def accumulate(iterable, func=None, **initial):
        return real.accumulate(iterable, func or add, **initial)

    return accumulate


TABLE = Table(
    "Python functions that compute with NumPy scalars",
    "calls",
    [*[_operator(name) for name in sorted(_FUNCTIONS)], _accumulate],
)
