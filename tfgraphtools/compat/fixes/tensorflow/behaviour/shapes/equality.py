"""``x.shape == y.shape``: an unknown dimension equals no other one, as in 1.x.

``if shortcut.shape != x.shape`` is true in 1.15 where the batch is unknown, and adds the
projection; in 2.x it is false. Only user code compares so: TensorFlow's own caches do not.
A shape's own dimension equals itself: ``x.shape[:1] == x.shape[:1]`` of one tensor is true.
"""

import functools
import sys

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.loading import dispatch
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
    _follow_parts(kind, tensor_shape.as_shape)


def _follow_parts(kind, as_shape):
    """Makes slices and concatenations of shapes keep the origin of each dimension."""
    plain_item, plain_concatenate = kind.__getitem__, kind.concatenate

    @functools.wraps(plain_item)
    def __getitem__(self, key):
        found = plain_item(self, key)
        if type(key) is slice and isinstance(found, kind) and self._dims is not None:
            found._dims = _part(found._dims, _sources(self._dims)[key])
        return found

    @functools.wraps(plain_concatenate)
    def concatenate(self, other):
        found = plain_concatenate(self, other)
        if found._dims is not None:
            sources = _sources(self._dims) + _sources(as_shape(other)._dims)
            found._dims = _part(found._dims, sources)
        return found

    state.set_attribute(kind, "__getitem__", __getitem__)
    state.set_attribute(kind, "concatenate", concatenate)


class _Part(tuple):
    """Dimensions with their `sources`: for each, the dimensions that it is from and its place."""


def _part(dims, sources):
    if None not in dims or len(dims) != len(sources):
        return dims
    found = _Part(dims)
    found.sources = sources
    return found


def _sources(dims):
    if isinstance(dims, _Part):
        return dims.sources
    return tuple((dims, place) for place in range(len(dims)))


def _differ(one, other):
    """Whether shapes of the same numbers have an unknown dimension that they do not share."""
    dims, others = one._dims, getattr(other, "_dims", None)
    if not dims or None not in dims or others is dims:
        return False
    return others is None or any(
        size is None and not (mine[0] is its[0] and mine[1] == its[1])
        for size, mine, its in zip(dims, _sources(dims), _sources(others))
    )


#: Modules that compare for their caller.
_BETWEEN = ("unittest.", "tfgraphtools.compat.")


def _is_asked_by_user():
    """Whether user code compares, by an operator of ours or by an assertion of `unittest`."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(_BETWEEN):
        frame = frame.f_back
    return frame is not None and dispatch.is_user_module(frame.f_globals)


ROW = Row(
    "tensorflow.TensorShape.__eq__",
    "TF 2.0",
    "an unknown dimension equals no other dimension: [None, 3] == [None, 3] is False; True in 2.x",
    _compare_as_before,
)

TABLE = Table("comparisons of shapes", "patches", [ROW])
