"""``tf.TensorShape`` and ``tf.Dimension``: when shapes are equal, and what a dimension may be.

``if shortcut.shape != x.shape`` is true in 1.15 where the batch is unknown, and adds the
projection; in 2.x it is false: an unknown dimension equals no other one. Only user code compares
so: TensorFlow's own caches do not. A shape's own dimension equals itself: ``x.shape[:1] ==
x.shape[:1]`` of one tensor is true. And what stands for an integer is a dimension: ``[None, 784 /
2]``, ``[True, 2]``.
"""

import numbers
import sys

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow import ownership

ROW = Fix(
    "tensorflow.TensorShape.__eq__",
    "TF 2.0",
    "an unknown dimension equals no other dimension: [None, 3] == [None, 3] is False; True in 2.x",
)
_SHAPE = "tensorflow.python.framework.tensor_shape:TensorShape."


@replacing.replaces(_SHAPE + "__eq__", row=ROW, through=())
def _eq(original, self, other):
    equal = original(self, other)
    if equal is True and _differ(self, other):
        _eq.used()
        return False
    return equal


@replacing.replaces(_SHAPE + "__ne__", row=ROW, through=())
def _ne(original, self, other):
    from tensorflow.python.framework import tensor_shape

    is_other = original(self, other)
    if is_other is NotImplemented:
        return is_other
    if None in (self.rank, tensor_shape.as_shape(other).rank):
        _ne.used()
        raise ValueError("The inequality of unknown TensorShapes is undefined.")
    return is_other


@replacing.replaces(_SHAPE + "__getitem__", row=ROW, through=ownership.FAMILY)
def _getitem(original, self, key):
    """Keeps the origin of each dimension of a slice."""
    part = original(self, key)
    if type(key) is slice and isinstance(part, type(self)) and self._dims is not None:
        part._dims = _part(part._dims, _sources(self._dims)[key])
    return part


@replacing.replaces(_SHAPE + "concatenate", row=ROW, through=ownership.FAMILY)
def _concatenate(original, self, other):
    from tensorflow.python.framework import tensor_shape

    concatenated = original(self, other)
    if concatenated._dims is not None:
        sources = _sources(self._dims) + _sources(tensor_shape.as_shape(other)._dims)
        concatenated._dims = _part(concatenated._dims, sources)
    return concatenated


class _Part(tuple):
    """Dimensions with their `sources`: for each, the dimensions that it is from and its place."""


def _part(dims, sources):
    if None not in dims or len(dims) != len(sources):
        return dims
    part = _Part(dims)
    part.sources = sources
    return part


def _sources(dims):
    if isinstance(dims, _Part):
        return dims.sources
    return tuple((dims, place) for place in range(len(dims)))


def _differ(shape, other):
    """Tells whether shapes of the same numbers have an unknown dimension that they do not share."""
    dims, others = shape._dims, getattr(other, "_dims", None)
    if not dims or None not in dims or others is dims:
        return False
    return others is None or any(
        size is None and not (source[0] is other_source[0] and source[1] == other_source[1])
        for size, source, other_source in zip(dims, _sources(dims), _sources(others))
    )


def _is_no_integer(self, value):
    """Tells whether user code makes a dimension of another type; each step makes many of ints."""
    return type(value) is not int and value is not None and ownership.is_user(sys._getframe())


@replacing.replaces(
    "tensorflow.python.framework.tensor_shape:Dimension.__init__",
    when=_is_no_integer,
    name="tensorflow.Dimension",
    since="TF 2.1",
    why="a float without a fraction is a dimension, too: [None, 784 / 2]",
    cannot="write an integer: 784 // 2",
)
def _init_dimension(original, self, value):
    if isinstance(value, bool):  # which protobuf refuses by now
        _init_dimension.used()
        value = int(value)
    try:
        original(self, value)
    except TypeError:
        if not isinstance(value, numbers.Real) or value % 1 != 0:
            raise
        _init_dimension.used()
        original(self, int(value))


TABLES = (
    replacing.table("dimensions", _init_dimension, kind="patches"),
    replacing.table("comparisons of shapes", _eq, _ne, _getitem, _concatenate, kind="patches"),
)
