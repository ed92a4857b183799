"""Steps under a `tf.distribute` strategy: one step, built once, for the copies of all replicas.

As in `Optimizer.apply_gradients`: the replicas meet in `merge_call`, and there
`_distributed_apply` builds the update of every copy of every variable. The
gradients of the replicas are summed by the optimizers inside.
"""

import contextlib

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.steps import gate as _gate
from tfgraphtools.training.steps import optimizer_chain as _optimizers


def is_active():
    """Returns True where a strategy other than TensorFlow's default is open."""
    return tf.distribute.has_strategy()


def merged_step(optimizer, pairs, global_step, name):
    """Returns the step of one of our optimizers, from inside a replica; see `apply_gradients`."""
    place = type(optimizer).__name__ + ".apply_gradients"
    strategy = tf.distribute.get_strategy()
    if not isinstance(strategy, _tf.MIRRORED_STRATEGIES):
        raise OptimizerKindError(
            place,
            "no tf.distribute strategy, or a MirroredStrategy",
            type(strategy).__name__,
            "Build the step outside of strategy.scope(), or with a MirroredStrategy.",
        )
    if tf.distribute.in_cross_replica_context():
        raise OptimizerKindError(
            place,
            "a call inside a replica",
            "one outside, where gradients are not those of one replica",
            "Build the step in the function that strategy.run, or on TF 1.15 "
            "strategy.experimental_run_v2, calls in each replica.",
        )
    for wrapped in _optimizers.chain(optimizer):
        if hasattr(wrapped, "steps_in_replicas") and not wrapped.steps_in_replicas:
            raise OptimizerKindError(
                place,
                "optimizers that take a step in every replica",
                type(wrapped).__name__,
                "Build the step outside of strategy.scope().",
            )
    # Each replica's gradients are there before any of them is summed, so that all
    # are before the first variable changes.
    with _gate.gated([(g, variable) for g, variable in pairs if g is not None]) as held:
        return tf.distribute.get_replica_context().merge_call(
            optimizer._distributed_apply, args=(held, global_step, name)
        )


@contextlib.contextmanager
def gated(pairs):
    """Gates as `gate.gated`; under a strategy each replica has gated its own gradients."""
    if is_active():
        yield pairs
    else:
        with _gate.gated(pairs) as held:
            yield held


def together(grad):
    """Returns one gradient: under a strategy the sum of those of the replicas."""
    if not is_active() or grad is None:
        return grad
    grads = tf.distribute.get_strategy().experimental_local_results(grad)
    if not isinstance(grads[0], tf.IndexedSlices):
        return tf.add_n(list(grads))
    values = tf.concat([part.values for part in grads], axis=0)
    indices = tf.concat([part.indices for part in grads], axis=0)
    return tf.IndexedSlices(values, indices, grads[0].dense_shape)


def apart(grad, like):
    """Returns one gradient for each replica: all of it for the first, nothing for others.

    Args:
      grad: of all replicas; its sum with zeros is itself.
      like: the gradients of the replicas.
    """
    if not is_active() or grad is None:
        return grad
    others = tf.distribute.get_strategy().experimental_local_results(like)[1:]
    return _tf.per_replica(like, [grad] + [_nothing(grad, other) for other in others])


def _nothing(grad, other):
    place = other.values if isinstance(other, tf.IndexedSlices) else other
    with _tf.colocate_with(place.op):
        if isinstance(grad, tf.IndexedSlices):
            return tf.IndexedSlices(grad.values[:0], grad.indices[:0], grad.dense_shape)
        return tf.zeros_like(grad)


def apply_wrapped(optimizer, pairs, global_step=None):
    """Returns the op of a wrapped optimizer's `apply_gradients`, under a strategy or not."""
    if not is_active():
        return _optimizers.as_operation(optimizer.apply_gradients(pairs, global_step=global_step))
    own = type(optimizer)
    base = v1.train.Optimizer
    ours = hasattr(optimizer, "wrapped_optimizers")
    if not ours and (
        not _optimizers.applies_by_hooks(optimizer)
        or own._distributed_apply is not base._distributed_apply
    ):
        raise OptimizerKindError(
            f"{own.__name__} under a tf.distribute strategy",
            "an optimizer that applies gradients by Optimizer.apply_gradients",
            "one that does it in a way of its own",
            "Build the step outside of strategy.scope().",
        )
    strategy = tf.distribute.get_strategy()
    return _optimizers.as_operation(optimizer._distributed_apply(strategy, pairs, global_step))


def updated(variable, build, *values):
    """Returns the op of ``build(variable, *values)``; under a strategy, of all copies.

    Args:
      values: variables, of which ``build`` gets the same copy, and tensors.
    """
    if not is_active():
        with _tf.colocate_with(variable):
            return _optimizers.as_operation(build(variable, *values))
    update = tf.distribute.get_strategy().extended.update
    return update(variable, lambda *own: _optimizers.as_operation(build(*own)), args=values)


def copies(grad, variable, states):
    """Returns (gradient, variable, states) of every copy; of the variable if there is one.

    A sparse gradient of a copy is that of all replicas: all change the copy.

    Args:
      grad: of the variable; under a strategy one for each replica.
      variable: whose copies to list.
      states: its slots.
    """
    if not _tf.is_mirrored(variable):
        return [(grad, variable, states)]
    grads = tf.distribute.get_strategy().experimental_local_results(grad)
    if isinstance(grads[0], tf.IndexedSlices):
        grads = [together(grad)] * len(grads)
    copies_of_states = [_tf.components(state) for state in states]
    return list(zip(grads, _tf.components(variable), _transposed(copies_of_states, len(grads))))


def _transposed(rows, length):
    return [[row[i] for row in rows] for i in range(length)]
