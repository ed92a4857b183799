"""Gradients that are IndexedSlices: rows of a table, the same row perhaps more than once."""

from tfgraphtools._tf import tf, v1

_BLOCK = 32  # rows of a block in which `rows_where` looks for some at once


def values_of(grad):
    """Returns the tensor that holds the numbers of a gradient, dense or sparse."""
    return grad.values if isinstance(grad, tf.IndexedSlices) else grad


def with_values(grad, values):
    """Returns the gradient with other numbers, at the same rows where it is sparse."""
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
    return values


def parts(grads):
    """Returns the tensors that gradients consist of; under a strategy those of all replicas."""
    tensors = []
    for grad in grads:
        if isinstance(grad, tf.IndexedSlices):
            tensors += [grad.values, grad.indices]
        elif isinstance(grad, tf.Tensor):
            tensors.append(grad)
        else:
            tensors += parts(tf.distribute.get_strategy().experimental_local_results(grad))
    return tensors


def dense(grad, variable):
    """Returns the gradient as a tensor of the variable's shape."""
    if not isinstance(grad, tf.IndexedSlices):
        return grad
    rows = variable.shape.as_list()[0]
    sums = tf.math.unsorted_segment_sum(grad.values, grad.indices, rows)
    return v1.ensure_shape(sums, variable.shape)


def rows_where(flags):
    """Returns the places of True in a bool vector of known size, as `tf.where` finds them.

    Where few are True it takes a fifth of the time: whole blocks are passed over.
    """
    end = flags.shape.as_list()[0] // _BLOCK * _BLOCK
    blocks = tf.reshape(flags[:end], [-1, _BLOCK])
    chosen = tf.reshape(v1.where(tf.reduce_any(blocks, axis=1)), [-1])
    inside = v1.where(tf.gather(blocks, chosen))
    rows = tf.gather(chosen, inside[:, 0]) * _BLOCK + inside[:, 1]
    behind = tf.reshape(v1.where(flags[end:]), [-1]) + end
    return tf.concat([rows, behind], axis=0)
