"""Until which date graphs are to be readable: of TF 1.15, not of the TensorFlow that runs.

A program asks ``tf.compat.forward_compatible(2019, 10, 1)`` before it uses what came later, and
writes what 1.15 did where the answer is no. 2.x says yes to every such date.
"""

import contextlib
import datetime
import functools
import os

from tfgraphtools.compat.engine.rows import Row, Table

#: Of 1.15; ``TF_FORWARD_COMPATIBILITY_DELTA_DAYS`` adds to it.
_HORIZON = datetime.date(2019, 8, 21)

#: The date of the innermost block, in a list; empty outside.
_inside = []


def _now():
    if _inside:
        return _inside[0]
    days = os.environ.get("TF_FORWARD_COMPATIBILITY_DELTA_DAYS")
    return _HORIZON + datetime.timedelta(days=int(days)) if days else _HORIZON


def _forward_compatible(real, used):
    plain = real.forward_compatible

    @functools.wraps(plain)
    def forward_compatible(year, month, day):
        now = _now()
        answer = (now.year, now.month, now.day) > (year, month, day)
        if answer != plain(year, month, day):
            used()
        return answer

    return forward_compatible


def _forward_compatibility_horizon(real, used):
    plain = real.forward_compatibility_horizon

    @functools.wraps(plain)
    @contextlib.contextmanager
    def forward_compatibility_horizon(year, month, day):
        used()  # 2.x ignores a date before that of its own release
        _inside[:] = [datetime.date(year, month, day)]
        try:
            yield
        finally:
            _inside.clear()  # also of a block around it, as in 1.15

    return forward_compatibility_horizon


TABLES = (
    Table(
        "forward compatibility dates",
        "calls",
        [
            Row(place + name, "TF 2.0", why, provide)
            for place in ("tensorflow.compat.", "tensorflow.python.compat.compat.")
            for name, why, provide in (
                (
                    "forward_compatible",
                    "uses the horizon of TF 1.15, August 21 2019; 2.x uses the date of its own "
                    "release",
                    _forward_compatible,
                ),
                (
                    "forward_compatibility_horizon",
                    "sets the result of forward_compatible(); 2.x ignores past dates",
                    _forward_compatibility_horizon,
                ),
            )
        ],
    ),
)
