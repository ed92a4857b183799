"""``tf.compat.forward_compatible`` answers as TF 1.15 did, for its own date.

A program asks ``tf.compat.forward_compatible(2019, 10, 1)`` before it uses what came later, and
writes what 1.15 did where the answer is no. 2.x says yes to every such date.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of

#: The date of TF 1.15.
_HORIZON = (2019, 8, 21)


@in_place_of(
    "tensorflow.compat.forward_compatible tensorflow.python.compat.compat.forward_compatible",
    "TF 2.0",
    "uses the horizon of TF 1.15, August 21 2019; 2.x uses the date of its own release",
)
def _forward_compatible(original, used, year, month, day):
    answer = _HORIZON > (year, month, day)
    if answer != original(year, month, day):
        used()
    return answer


TABLES = (Table("forward compatibility dates", "calls", _forward_compatible),)
