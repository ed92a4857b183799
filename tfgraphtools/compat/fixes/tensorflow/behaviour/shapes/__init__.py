"""Shapes: what is known of them before a graph runs, and when two are equal.

static      static shapes, and ranks that kernels refuse
dimensions  what a dimension of a shape may be
equality    which shapes are equal
"""

from tfgraphtools.compat.fixes.tensorflow.behaviour.shapes import dimensions, equality, static

TABLES = (dimensions.TABLE, equality.TABLE, static.TABLE, static.IMAGES)
