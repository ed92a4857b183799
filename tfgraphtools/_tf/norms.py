"""The L2 norm of tensors together: in every float dtype, without overflow or underflow.

Half floats are squared and summed in float32, float64 in float64. Where squares would leave
that range, the elements are first divided by a power of two, which rounds nothing: there
the norm and what is shortened to it are as exact as elsewhere.
"""

from tfgraphtools._tf.api import colocate_with, tf, v1, where

# dtype: (a largest element below it is divided by this; one above it divided by this)
_RANGES = {
    tf.float32: ((2.0**-30, 2.0**-78), (2.0**50, 2.0**77)),
    tf.float64: ((2.0**-300, 2.0**-700), (2.0**450, 2.0**740)),
}
#: Squares of these neither overflow float32 nor vanish in it.
_NARROW = (tf.float16,)


def wide_dtype(tensors):
    """Returns the dtype in which products of these are summed: float64 if one has its precision."""
    dtypes = {tensor.dtype.base_dtype for tensor in tensors}
    return tf.float64 if dtypes & {tf.float64, tf.complex128} else tf.float32


def real_parts(tensor):
    """Returns the real tensors of which a tensor consists: of a complex one two."""
    if tensor.dtype.is_complex:
        return [tf.math.real(tensor), tf.math.imag(tensor)]
    return [tensor]


def summed(grad):
    """Returns the gradient with each row at most once: a dense one as it is.

    A row that is looked up twice is in the slices twice, and its gradient is the
    sum. Whatever is not linear (a norm, a clip) must see the sum.
    """
    if not isinstance(grad, tf.IndexedSlices):
        return grad
    rows, position = tf.unique(grad.indices)
    sums = tf.math.unsorted_segment_sum(grad.values, position, tf.shape(rows)[0])
    return tf.IndexedSlices(sums, rows, grad.dense_shape)


class Norm:
    """The L2 norm of all tensors together, or of each row of them.

    Args:
      tensors: a list of tensors and IndexedSlices, whose repeated rows are summed first.
      rows: take the norm of each element along the first dimension, by itself: a vector.
      lazily: look for the largest element only where the sum of the squares leaves the range.
        Takes a third of the time, but cannot be vectorised by `pfor` nor differentiated.

    Attributes:
      dtype: float32, or float64 where a tensor is float64 or complex128.
      root, scale: tensors: the norm is ``root * scale``, where ``scale`` is a power of two.
    """

    def __init__(self, tensors, rows=False, lazily=False):
        values = [getattr(summed(tensor), "values", summed(tensor)) for tensor in tensors]
        self.dtype = wide_dtype(values)
        self._rows = rows
        self._narrow = all(value.dtype.base_dtype in _NARROW for value in values)
        parts = [part for value in values for part in real_parts(value)]
        if not parts:
            self.root, self.scale = tf.constant(0.0), tf.constant(1.0)
        elif lazily and not rows:
            self.root, self.scale = self._root_in_range(parts)
        else:
            self.root, self.scale = self._root(parts)

    def value(self):
        """Returns the norm."""
        return self.root * self.scale

    def shorten(self, tensor, limit):
        """Returns the tensor times the factor that lowers the norm to the limit.

        One within the limit stays as it is, to the bit. An infinity or NaN in any of the
        tensors makes all of them NaN: they have no direction.
        """
        limit, ones = in_dtype(limit, self.dtype), tf.ones_like(self.root)
        over = self.root > limit / self.scale
        share = where(over, limit / where(over, self.root, ones), ones)
        share = where(tf.math.is_finite(self.root), share, ones * float("nan"))
        # A division, as the graph optimizer makes one factor of two, which may be out of range.
        divisor = self.spread(where(over, self.scale, ones), tensor)
        share = self.spread(share, tensor)
        parts = [tf.cast(part, self.dtype) / divisor * share for part in real_parts(tensor)]
        return tf.cast(tf.complex(*parts) if len(parts) == 2 else parts[0], tensor.dtype)

    def spread(self, factor, tensor):
        """Returns a factor of each row as it is broadcast to a tensor of these rows."""
        if not self._rows:
            return factor
        shape = tf.concat([tf.shape(factor), tf.ones_like(tf.shape(tensor)[1:])], 0)
        return tf.reshape(factor, shape)

    def _root(self, parts):
        """Returns (root, scale), by the largest element of all."""
        wide = [tf.cast(part, self.dtype) for part in parts]
        if self._narrow:
            total = tf.add_n([self._sum(tf.square(part)) for part in wide])
            return _safe_root(total), tf.ones_like(total)
        (low, small), (high, large) = _RANGES[self.dtype]
        largest = self._largest(wide[0])
        for part in wide[1:]:
            largest = tf.maximum(largest, self._largest(part))
        ones = tf.ones_like(largest)
        scale = where(largest > high, large * ones, where(largest < low, small * ones, ones))
        squares = [tf.square(part / self.spread(scale, part)) for part in wide]
        return _safe_root(tf.add_n(list(map(self._sum, squares)))), scale

    def _root_in_range(self, parts):
        """Returns (root, scale), by the sum of squares alone where that can be."""
        total = 2 * _half_square([tf.cast(part, self.dtype) for part in parts])
        if self._narrow:
            return tf.sqrt(total), tf.ones_like(total)
        least = _RANGES[self.dtype][0][0] ** 2
        fits = tf.logical_and(total >= least, total <= self.dtype.max)
        no, yes = tf.raw_ops.Switch(data=total, pred=fits)
        unscaled = tf.raw_ops.Switch(data=tf.ones_like(total), pred=fits).output_true
        with v1.control_dependencies([tf.identity(no, name="scale_first")]):
            root, scale = _root_out_of_range([tf.cast(part, self.dtype) for part in parts])
        root = tf.raw_ops.Merge(inputs=[tf.sqrt(yes), root]).output
        return root, tf.raw_ops.Merge(inputs=[unscaled, scale]).output

    def _axes(self, part):
        return tf.range(1, tf.rank(part)) if self._rows else None

    def _sum(self, part):
        return tf.reduce_sum(part, axis=self._axes(part))

    def _largest(self, part):
        """Returns the largest magnitude of a real tensor, as a constant to derivatives."""
        part, axes = tf.stop_gradient(part), self._axes(part)
        return tf.maximum(tf.reduce_max(part, axis=axes), -tf.reduce_min(part, axis=axes))


def norms(lists):
    """Returns the norm of the tensors of each list, as `Norm` does lazily, with fewer ops.

    All are looked at again where the squares of one of them leave the range.
    """
    tensors = [[getattr(summed(t), "values", summed(t)) for t in listed] for listed in lists]
    dtype = wide_dtype([tensor for listed in tensors for tensor in listed])
    parts = [
        [tf.cast(part, dtype) for tensor in listed for part in real_parts(tensor)]
        for listed in tensors
    ]
    halves = tf.stack([_half_square(listed) for listed in parts])
    if all(tensor.dtype.base_dtype in _NARROW for listed in tensors for tensor in listed):
        return tf.unstack(tf.sqrt(2 * halves))
    least, most = (tf.constant(x / 2, dtype) for x in (_RANGES[dtype][0][0] ** 2, dtype.max))
    kept = tf.raw_ops.ClipByValue(t=halves, clip_value_min=least, clip_value_max=most)
    no, yes = tf.raw_ops.Switch(data=halves, pred=tf.reduce_all(tf.equal(kept, halves)))
    with v1.control_dependencies([tf.identity(no, name="again")]):
        again = _norms_out_of_range(parts)
    return tf.unstack(tf.raw_ops.Merge(inputs=[tf.sqrt(2 * yes), again]).output)


def _norms_out_of_range(parts):
    """Returns the norms of lists of real tensors as a vector: not to derive."""
    dtype = parts[0][0].dtype
    if dtype == tf.float32:  # whose squares float64 holds
        wide = [[tf.cast(part, tf.float64) for part in listed] for listed in parts]
        return tf.cast(tf.sqrt(2 * tf.stack(list(map(_half_square, wide)))), dtype)
    return tf.stack([root * scale for root, scale in map(_root_out_of_range, parts)])


def _half_square(parts):
    """Returns half of the sum of the squares of real tensors."""
    halves = []
    for part in parts:
        with colocate_with(part.op):
            halves.append(tf.nn.l2_loss(part))
    return tf.add_n(halves) if len(halves) > 1 else halves[0]


def _root_out_of_range(parts):
    """Returns (root, scale) of real tensors by their largest element: not to derive."""
    dtype = parts[0].dtype
    (low, small), (high, large) = _RANGES[dtype]
    largest = tf.reduce_max(tf.abs(parts[0]))
    for part in parts[1:]:
        largest = tf.maximum(largest, tf.reduce_max(tf.abs(part)))
    small, one, large = (tf.constant(number, dtype) for number in (small, 1, large))
    scale = where(largest > high, large, where(largest < low, small, one))
    return tf.sqrt(2 * _half_square([part / scale for part in parts])), scale


def in_dtype(value, dtype):
    """Returns a number, tensor or variable in a dtype: `tf.cast` rounds a number to float32."""
    if isinstance(value, tf.Tensor) or hasattr(value, "read_value"):
        return tf.cast(value, dtype)
    return tf.convert_to_tensor(value, dtype)


def scaled(values, factor):
    """Returns the values times a real factor, in the dtype of the factor, rounded to their own."""
    if values.dtype.is_complex:
        return values * tf.cast(factor, values.dtype)
    return tf.cast(tf.cast(values, factor.dtype) * factor, values.dtype)


def _safe_root(squares):
    """Returns the square root, whose derivative at 0 is 0 and not infinite."""
    is_zero = tf.equal(squares, 0)
    root = tf.sqrt(where(is_zero, tf.ones_like(squares), squares))
    return where(is_zero, tf.zeros_like(squares), root)
