"""Shapes: what is known of them before a graph runs, and when two are equal.

static      static shapes, and ranks that kernels refuse
dimensions  what a dimension of a shape may be
equality    which shapes are equal
private     ``tensor._shape``
ragged      ragged tensors as arguments of functions of dense ones
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.shapes import (
    dimensions,
    equality,
    private,
    static,
)

TABLES = (dimensions.TABLE, equality.TABLE, private.TABLE, static.TABLE, static.IMAGES)
