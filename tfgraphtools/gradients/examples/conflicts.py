"""Gradients of several tasks that pull in opposite directions, reconciled (PCGrad)."""

from typing import Any, List, Optional, Sequence, Tuple

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError

_PLACE = "project_conflicting(tasks)"


def project_conflicting(
    tasks: Sequence[Sequence[Tuple[Any, Any]]], seed: Optional[int] = None
) -> List[Tuple[Any, Any]]:
    """Returns the sum of the tasks' gradients, each without its part against another task.

    For each task the other tasks are taken in a random order, drawn at every step; where
    the gradient so far has a negative product with another task's gradient, its
    component along that one is removed. It does nothing where no two conflict.

    Args:
      tasks: for each task a list of (gradient, variable), as `compute_gradients`
        returns it. A gradient of None counts as zeros, and IndexedSlices become dense.
        The tasks may have other variables in common and of their own.
      seed: of the orders.

    Returns:
      A list of (gradient, variable) for `apply_gradients`: every variable once, in the
      order in which it comes first; None where no task has a gradient.

    Example:
      >>> optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.1)
      >>> tasks = [optimizer.compute_gradients(one) for one in (loss, tf.reduce_sum(w))]
      >>> step = optimizer.apply_gradients(project_conflicting(tasks))

    Raises:
      ArgumentError: there is no task, or one is no list of pairs.

    Source: Yu et al., "Gradient surgery for multi-task learning", arXiv:2001.06782,
    algorithm 1.
    """
    tasks = [_checked(task) for task in tasks]
    if not tasks:
        raise ArgumentError(_PLACE, "at least one task", "none", "Pass [pairs_a, pairs_b].")
    variables = []
    for task in tasks:
        variables += [v for _, v in task if not any(v is known for known in variables)]
    with v1.name_scope("project_conflicting"):
        table = [[_gradient_of(task, variable) for variable in variables] for task in tasks]
        norms = [_tf.Norm([grad for grad in grads if grad is not None]) for grads in table]
        dtype = tf.float64 if any(norm.dtype == tf.float64 for norm in norms) else tf.float32
        units = [_unit(norm, grads, dtype) for norm, grads in zip(norms, table)]
        lengths = [tf.cast(norm.value(), dtype) for norm in norms]
        removed = _removed(_products(units, dtype), lengths, seed)
        return [
            (_sum(column, [own[number] for own in units], removed), variable)
            for number, (variable, column) in enumerate(zip(variables, zip(*table)))
        ]


def _unit(norm, grads, dtype):
    """Returns a task's gradients over their norm, in the dtype of the products; zeros stay."""
    length = _tf.where(tf.equal(norm.root, 0), tf.ones_like(norm.root), norm.root)
    return [None if grad is None else _wide(grad, dtype, norm.scale, length) for grad in grads]


def _wide(grad, dtype, *divisors):
    """Returns a gradient over divisors, in the dtype of the products, or the complex one of it."""
    is_complex = grad.dtype.is_complex
    dtype = {tf.float32: tf.complex64, tf.float64: tf.complex128}[dtype] if is_complex else dtype
    grad = tf.cast(grad, dtype)
    for divisor in divisors:
        # A complex division squares the divisor.
        own = tf.cast(1 / divisor if is_complex else divisor, dtype)
        grad = grad * own if is_complex else grad / own
    return grad


def _sum(grads, units, removed):
    """Returns the sum of the tasks' gradients of a variable without what is removed of it."""
    present = [row for row, grad in enumerate(grads) if grad is not None]
    if not present:
        return None
    dtype = removed.dtype
    total = tf.add_n([_wide(grads[row], dtype) for row in present])
    for row in present:
        factor = tf.cast(removed[row], total.dtype)
        nothing = tf.zeros_like(total)
        total = total - _tf.where(tf.equal(removed[row], 0), nothing, units[row] * factor)
    return tf.cast(total, grads[present[0]].dtype)


def _checked(task):
    is_several = isinstance(task, (list, tuple)) or hasattr(task, "__next__")
    pairs = list(task) if is_several else [task]
    if any(not isinstance(pair, (list, tuple)) or len(pair) != 2 for pair in pairs):
        raise ArgumentError(
            _PLACE,
            "a list of (gradient, variable) for each task",
            f"{task!r:.80}",
            "Pass [optimizer.compute_gradients(loss) for loss in losses].",
        )
    owners = [owner for _, owner in pairs]
    for position, (grad, owner) in enumerate(pairs):
        is_gradient = grad is None or isinstance(grad, (tf.Tensor, tf.IndexedSlices))
        if not is_gradient or not (grad is None or _tf.has_gradients(grad.dtype)):
            raise ArgumentError(
                _PLACE,
                "gradients that are float or complex tensors, IndexedSlices or None",
                f"{grad!r:.80}",
                "Pass what compute_gradients returns.",
            )
        if any(owner is earlier for earlier in owners[:position]):
            raise ArgumentError(
                _PLACE,
                "each variable once in a task",
                f"{getattr(owner, 'name', owner)!r} twice",
                "Add its gradients up.",
            )
    return pairs


def _gradient_of(task, variable):
    for grad, owner in task:
        if owner is variable:
            return None if grad is None else tf.convert_to_tensor(grad)
    return None


def _products(units, dtype):
    """Returns the matrix of products of the tasks' gradients, over all variables."""
    count = len(units)
    products = {}
    for i in range(count):
        for j in range(i, count):
            products[i, j] = products[j, i] = _product(units[i], units[j], dtype)
    rows = [products[i, j] for i in range(count) for j in range(count)]
    return tf.reshape(tf.stack(rows), [count, count])


def _product(grads, others, dtype):
    """Returns the product of two tasks' gradients; None counts as zeros."""
    products = [
        tf.reduce_sum(part * other_part)
        for grad, other in zip(grads, others)
        if grad is not None and other is not None
        for part, other_part in zip(_tf.real_parts(grad), _tf.real_parts(other))
    ]
    return tf.add_n(products) if products else tf.constant(0, dtype)


def _removed(products, lengths, seed):
    """Returns how much of each task's gradient, at length 1, the projections take from the sum.

    A projected gradient is a sum of the tasks' gradients, so that its coefficients and
    the products are all that the projections need.
    """
    count, dtype = len(lengths), products.dtype
    total = tf.zeros([count], dtype)
    for task in range(count):
        own = None if seed is None else seed + task
        order = v1.random_shuffle(tf.range(count), seed=own)
        taken, removed = tf.one_hot(task, count, dtype=dtype), tf.zeros([count], dtype)
        for step in range(count):
            other = order[step]
            product = tf.tensordot(taken - removed, tf.gather(products, other, axis=1), 1)
            square = products[other, other]
            against = tf.logical_and(tf.not_equal(other, task), product < 0)
            safe = _tf.where(square > 0, square, tf.ones_like(square))
            share = _tf.where(against, product / safe, tf.zeros_like(product))
            removed = removed + share * tf.one_hot(other, count, dtype=dtype)
        total = total + _tf.where(tf.equal(removed, 0), removed, lengths[task] * removed)
    return total
