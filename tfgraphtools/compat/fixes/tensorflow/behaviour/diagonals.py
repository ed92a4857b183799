"""Diagonals: arguments that 1.15 took and ignored, until a date that its build never reaches.

2.x pads with the number 0, which it refuses beside a variable or a list of bools.

Source: ``matrix_diag``, ``matrix_diag_part`` and ``matrix_set_diag`` of TF 1.15's ``array_ops``.
"""

import functools

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Row, Table

#: function -> its arguments, of which the first ones count.
_ARGUMENTS = {
    "diag": ("diagonal name", "k num_rows num_cols padding_value"),
    "diag_part": ("input name", "k padding_value"),
    "set_diag": ("input diagonal name", "k"),
}

#: What says the same as to leave the argument out.
_DEFAULTS = {"k": 0, "num_rows": -1, "num_cols": -1, "padding_value": 0}


def _ignoring(name, counted, ignored):
    def provide(real, used):
        plain = getattr(real, name)
        names = counted.split() + ignored.split()

        @functools.wraps(plain)
        def function(*arguments, **options):
            given = dict(zip(names, arguments), **options)
            dropped = {key: given.pop(key) for key in ignored.split() if key in given}
            if any(value is not _DEFAULTS[key] for key, value in dropped.items()):
                used()
                notices.once(
                    "tensorflow." + name,
                    f"{name} ignores {', '.join(dropped)}, as TF 1.15 did: it uses the main "
                    "diagonal",
                )
            if "padding_value" in ignored and _holds_bools(given.get(names[0])):
                used()
                given["padding_value"] = False
            return plain(**given)

        return function

    return provide


def _holds_bools(matrix):
    import numpy as np

    dtype = getattr(matrix, "dtype", None)
    if dtype is None:
        return np.asarray(matrix).dtype == bool
    return getattr(dtype, "base_dtype", dtype) == "bool"


TABLE = Table(
    "arguments of diagonals",
    "calls",
    [
        Row(
            f"tensorflow.{place}{name}",
            "TF 2.0",
            f"ignores {ignored.replace(' ', ', ')}, as 1.15 did: only the main diagonal",
            _ignoring(place.rpartition(".")[2] + name, counted, ignored),
        )
        for name, (counted, ignored) in _ARGUMENTS.items()
        for place in ("linalg.", "matrix_")
    ],
)
