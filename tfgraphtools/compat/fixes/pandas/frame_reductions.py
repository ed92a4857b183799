"""``np.mean(frame)``, ``np.sum(frame)``...: one number for each column, as up to pandas 1.

NumPy asks the frame with ``axis=None``, which meant each column, and means the whole frame now.
"""

import sys

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of


def is_of_columns(values, arguments, options):
    """Tells whether it is a frame that is reduced without an axis.

    Args:
      values: the first argument of the reduction.
      arguments, options: the others; the axis is the first of them.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(values, getattr(pandas, "DataFrame", ())):
        return False
    return (arguments[0] if arguments else options.get("axis")) is None


def of_columns(original, values, arguments, options):
    """Returns the reduction of each column of a frame."""
    options.pop("axis", None)
    return original(values, 0, *arguments[1:], **options)


@in_place_of(
    "numpy.mean numpy.std numpy.var numpy.max numpy.min numpy.amax numpy.amin",
    "pandas 2.0",
    "of a frame: one number for each column",
)
def _reduced(original, used, a, *arguments, **options):
    if not is_of_columns(a, arguments, options):
        return original(a, *arguments, **options)
    used()
    return of_columns(original, a, arguments, options)


TABLES = (Table("reductions of frames", "calls", _reduced),)
