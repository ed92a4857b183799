"""``x.shape == y.shape``: an unknown dimension equals no other one, as in 1.x.

``if shortcut.shape != x.shape`` is true in 1.15 where the batch is unknown, and adds the
projection; in 2.x it is false. Only user code compares so: TensorFlow's own caches do not.
"""

import sys

from tfgraphtools.compat.engine import importer, rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _compare_as_before():
    from tensorflow.python.framework import tensor_shape

    plain = tensor_shape.TensorShape.__eq__

    def __eq__(self, other):
        equal = plain(self, other)
        if equal is True and _differ(self, other) and _is_asked_by_user():
            rows.used(ROW)
            return False
        return equal

    def __ne__(self, other):
        equal = plain(self, other)
        if equal is NotImplemented:
            return equal
        ranks = self.rank, tensor_shape.as_shape(other).rank
        if None in ranks and _is_asked_by_user():
            rows.used(ROW)
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        if equal and _differ(self, other) and _is_asked_by_user():
            rows.used(ROW)
            return True
        return not equal

    kind = tensor_shape.TensorShape
    hashed = kind.__hash__
    state.set_attribute(kind, "__eq__", __eq__)
    state.set_attribute(kind, "__ne__", __ne__)
    state.set_attribute(kind, "__hash__", hashed)


def _differ(one, other):
    """Whether shapes of the same numbers have an unknown dimension that they do not share."""
    dims = one._dims
    return bool(dims) and None in dims and getattr(other, "_dims", None) is not dims


#: Modules that compare for their caller.
_BETWEEN = ("unittest.", "tfgraphtools.compat.")


def _is_asked_by_user():
    """Whether user code compares, by an operator of ours or by an assertion of `unittest`."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(_BETWEEN):
        frame = frame.f_back
    return frame is not None and importer.is_user_module(frame.f_globals)


ROW = Row(
    "tensorflow.TensorShape.__eq__",
    "TF 2.0",
    "a dimension that is unknown equals no other one: [None, 3] == [None, 3] is False; True in 2.x",
    _compare_as_before,
)

TABLE = Table("shapes that are compared", "patches", [ROW])
