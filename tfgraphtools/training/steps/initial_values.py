"""Initial values that a step can tell from restored ones, by the lowest bits of their elements.

A variable initialised on its own draws other random numbers than the one that it copies, so no
comparison with the initial value can tell whether something was restored: the value itself must.
"""

import functools
from typing import Callable, List, Sequence

import numpy as np

from tfgraphtools._tf import tf

#: So many bits of a variable are set: others have all of them once in 2**32.
_BITS = 32
#: {bytes of an element: the most bits of it that are set}; about half of its mantissa.
_MOST = {2: 6, 4: 16, 8: 32}


def marked(value: tf.Tensor, shape: tf.TensorShape, constant: Callable = tf.constant) -> tf.Tensor:
    """Sets the lowest bits of each element: one bit where there are 32 elements or more.

    A float32 of a matrix moves by at most 1.2e-7 of itself.

    Args:
      value: of half, single or double precision.
      shape: of the variable that gets it, as the graph knows it.
      constant: `tf.constant`, or the same with a cache: a step may have thousands of variables.
    """
    ones = constant(_ones(value.dtype, shape), _bits_dtype(value.dtype))
    bits = tf.raw_ops.BitwiseOr(x=_bits(value), y=ones)
    return tf.raw_ops.Bitcast(input=bits, type=value.dtype, name="initial")


def are_marked(values: Sequence[tf.Tensor], shapes: Sequence[tf.TensorShape]) -> List[tf.Tensor]:
    """Tells, as scalar tensors, which values of variables are `marked`."""
    # Raw ops with constants in common, as for `marked`.
    constant = functools.lru_cache(maxsize=None)(tf.constant)
    are = []
    for value, shape in zip(values, shapes):
        ones = constant(_ones(value.dtype, shape), _bits_dtype(value.dtype))
        bits = tf.raw_ops.BitwiseAnd(x=_bits(value), y=ones)
        known = shape.rank is not None
        axes = constant(tuple(range(shape.rank)), tf.int32) if known else tf.range(tf.rank(value))
        are.append(tf.raw_ops.All(input=tf.raw_ops.Equal(x=bits, y=ones), axis=axes))
    return are


def array_is_marked(array: np.ndarray, shape: tf.TensorShape) -> bool:
    """Tells whether an array, fetched from a variable, is `marked`."""
    ones = _ones(tf.as_dtype(array.dtype), shape)
    bits = np.ascontiguousarray(array).view(_bits_dtype(tf.as_dtype(array.dtype)).as_numpy_dtype)
    return bool(np.all(bits & ones == ones))


def _ones(dtype, shape):
    elements = shape.num_elements()
    if not elements:  # not known, or none
        return 1
    return 2 ** min(-(-_BITS // elements), _MOST[dtype.size]) - 1


def _bits_dtype(dtype):
    return tf.as_dtype(f"int{8 * dtype.size}")


def _bits(value):
    return tf.raw_ops.Bitcast(input=value, type=_bits_dtype(value.dtype))
