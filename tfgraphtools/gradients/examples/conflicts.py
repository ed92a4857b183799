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
        weights = _weights(_products(table), seed)
        result = []
        for column, variable in enumerate(variables):
            terms = [
                tf.cast(weights[row], grads[column].dtype) * grads[column]
                for row, grads in enumerate(table)
                if grads[column] is not None
            ]
            result.append((tf.add_n(terms) if terms else None, variable))
    return result


def _checked(task):
    pairs = list(task)
    if any(not isinstance(pair, (list, tuple)) or len(pair) != 2 for pair in pairs):
        raise ArgumentError(
            _PLACE,
            "a list of (gradient, variable) for each task",
            repr(task),
            "Pass [optimizer.compute_gradients(loss) for loss in losses].",
        )
    return pairs


def _gradient_of(task, variable):
    for grad, owner in task:
        if owner is variable:
            return None if grad is None else tf.convert_to_tensor(grad)
    return None


def _products(table):
    """Returns the matrix of products of the tasks' gradients, over all variables."""
    count = len(table)
    products = {}
    for i in range(count):
        for j in range(i, count):
            products[i, j] = products[j, i] = _product(table[i], table[j])
    rows = [products[i, j] for i in range(count) for j in range(count)]
    return tf.reshape(tf.stack(rows), [count, count])


def _product(grads, others):
    """Returns the product of two tasks' gradients; None counts as zeros."""
    products = [
        tf.reduce_sum(tf.cast(a, tf.float32) * tf.cast(b, tf.float32))
        for a, b in zip(grads, others)
        if a is not None and b is not None
    ]
    return tf.add_n(products) if products else tf.constant(0.0)


def _weights(products, seed):
    """Tells how often each task's own gradient is in the sum: a vector.

    A projected gradient is a sum of the tasks' gradients, so that its coefficients and
    the products are all that the projections need.
    """
    count = products.shape.as_list()[0]
    total = tf.zeros([count])
    for task in range(count):
        own = None if seed is None else seed + task
        order = v1.random_shuffle(tf.range(count), seed=own)
        taken = tf.one_hot(task, count)
        for step in range(count):
            other = order[step]
            product = tf.tensordot(taken, tf.gather(products, other, axis=1), 1)
            square = products[other, other]
            against = tf.logical_and(tf.not_equal(other, task), product < 0)
            safe = _tf.where(square > 0, square, tf.ones_like(square))
            removed = _tf.where(against, product / safe, tf.zeros_like(product))
            taken = taken - removed * tf.one_hot(other, count)
        total = total + taken
    return total
