"""Operations that Python 2 computed differently, as functions.

from tfgraphtools.tf1.python2 import divide
divide(7, 2)   # 3, and divide(7.0, 2) is 3.5
"""

import functools

from tfgraphtools.compat.fixes.python2.builtin_functions import round_ as round
from tfgraphtools.compat.fixes.python2.classes import modernise as special_methods
from tfgraphtools.compat.fixes.python2.integer_division import divide, divide_in_place
from tfgraphtools.compat.fixes.python2.library.old_values import HELPERS as _HELPERS

__all__ = [
    "divide",
    "divide_in_place",
    "ends_at_stop_iteration",
    "oct",
    "round",
    "special_methods",
]

#: Python 2's `oct`: ``oct(8)`` is "010".
oct = _HELPERS["__python2_oct__"]


def ends_at_stop_iteration(function):
    """Returns a generator function whose generators end where ``next(x)`` finds nothing.

    Since Python 3.7 a StopIteration inside a generator is a RuntimeError.

    Example:
      >>> @ends_at_stop_iteration
      ... def pairs(items):
      ...     while True:
      ...         yield next(items), next(items)
      >>> list(pairs(iter("abcde")))
      [('a', 'b'), ('c', 'd')]
    """

    @functools.wraps(function)
    def generator(*args, **kwargs):
        try:
            return (yield from function(*args, **kwargs))
        except RuntimeError as error:
            if not isinstance(error.__cause__, StopIteration):
                raise

    return generator
