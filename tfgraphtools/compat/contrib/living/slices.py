"""Reductions over slices of a tensor whose bounds are tensors."""

from tfgraphtools._tf import v1


def reduce_slice_sum(data, indices, axis, name=None):
    """The sum of each slice; 0 for an empty one. Arguments: see `_reduced`."""
    return _reduced(v1.reduce_sum, data, indices, axis, name or "ReduceSliceSum")


def reduce_slice_prod(data, indices, axis, name=None):
    """The product of each slice; 1 for an empty one. Arguments: see `_reduced`."""
    return _reduced(v1.reduce_prod, data, indices, axis, name or "ReduceSliceProd")


def reduce_slice_max(data, indices, axis, name=None):
    """The maximum of each slice; the lowest value for an empty one. See `_reduced`."""
    return _reduced(v1.reduce_max, data, indices, axis, name or "ReduceSliceMax")


def reduce_slice_min(data, indices, axis, name=None):
    """The minimum of each slice; the highest value for an empty one. See `_reduced`."""
    return _reduced(v1.reduce_min, data, indices, axis, name or "ReduceSliceMin")


def _reduced(reduction, data, indices, axis, name):
    """Reduces slices along an axis.

    Args:
      reduction: the op that reduces one slice.
      data: any tensor.
      indices: [n, 2]: where each slice begins, and where it ends (not included, cut
        at the end of the data); or [n + 1]: the bounds of slices that follow one another.
      axis: int scalar.

    Returns:
      `data` with n in place of the axis.
    """
    with v1.name_scope(name):
        data = v1.convert_to_tensor(data)
        bounds = v1.cast(v1.convert_to_tensor(indices), v1.int32)
        if bounds.shape.ndims == 1:
            bounds = v1.stack([bounds[:-1], bounds[1:]], 1)
        axis = v1.cast(axis, v1.int32)
        rank = v1.rank(data)
        rest = v1.boolean_mask(v1.range(rank), v1.not_equal(v1.range(rank), axis))
        first = v1.transpose(data, v1.concat([[axis], rest], 0))

        def one(bound):
            begin = bound[0]
            end = v1.maximum(begin, v1.minimum(bound[1], v1.shape(first)[0]))
            return reduction(first[begin:end], 0)

        reduced = v1.map_fn(one, bounds, dtype=data.dtype)
        there = v1.concat([v1.range(1, axis + 1), [0], v1.range(axis + 1, rank)], 0)
        result = v1.transpose(reduced, there)
        if data.shape.ndims is not None:
            result.set_shape(_static_shape(data, bounds, v1.get_static_value(axis)))
        return result


def _static_shape(data, bounds, axis):
    known = data.shape.as_list()
    if axis is None:
        return [None] * len(known)
    return known[:axis] + [bounds.shape.as_list()[0]] + known[axis + 1 :]
