"""Scores as NumPy's numbers, which have methods: ``accuracy_score(y, p).round(3)``."""

import functools

from tfgraphtools.compat.engine import after_import, rows, state
from tfgraphtools.compat.engine.rows import Row, Table

_ROW = Row(
    "sklearn.numbers",
    "scikit-learn 1.6",
    "metrics and score() return float64 of NumPy, which has round() and item(), not a float",
)
TABLE = Table("numbers of scikit-learn", "listed", [_ROW])

#: Those that returned a float of Python in 1.0 as well.
_PLAIN = ("adjusted_rand_score", "label_ranking_average_precision_score")

#: Those that count samples with ``normalize=False``.
_COUNTING = ("accuracy_score", "zero_one_loss")


def install():
    """Makes the functions of ``sklearn.metrics`` return NumPy's numbers, once it is loaded."""
    if not rows.is_off(_ROW.name):
        after_import.call("sklearn.metrics", _return_float64, _ROW.name)


def _return_float64(module):
    for name in module.__all__:
        function = getattr(module, name)
        if name not in _PLAIN and callable(function) and not isinstance(function, type):
            state.set_attribute(module, name, _with_float64(function))


def _with_float64(function):
    import numpy

    @functools.wraps(function)
    def score(*arguments, **options):
        value = function(*arguments, **options)
        if type(value) is not float:
            return value
        rows.used(_ROW)
        is_count = function.__name__ in _COUNTING and options.get("normalize") is False
        if is_count and options.get("sample_weight") is None:
            return numpy.int64(value)
        return numpy.float64(value)

    return score
