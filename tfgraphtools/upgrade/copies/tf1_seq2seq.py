"""``sequence_loss`` of ``tf.contrib.seq2seq``.

Written by ``tfgraphtools upgrade --no-runtime``, as ``tf.contrib`` left TensorFlow.
It is yours to edit.
"""

import tensorflow.compat.v1 as tf


def sequence_loss(
    logits,
    targets,
    weights,
    average_across_timesteps=True,
    average_across_batch=True,
    sum_over_timesteps=False,
    sum_over_batch=False,
    softmax_loss_function=None,
    name=None,
):
    """The weighted cross-entropy of sequences.

    Args:
      logits: float [batch, time, class].
      targets: int [batch, time].
      weights: float [batch, time]; 0 for padding.
      average_across_...: divide the sum over that axis by the sum of its weights.
      sum_over_...: divide it by the number of its weights that are not 0.
      softmax_loss_function: used in place of the softmax: function of labels= and logits=.

    Returns:
      a scalar, [time] or [batch], by the axes over which it is reduced.
    """
    for tensor, rank, what in (
        (logits, 3, "Logits"),
        (targets, 2, "Targets"),
        (weights, 2, "Weights"),
    ):
        if len(tensor.get_shape()) != rank:
            raise ValueError(f"{what} must have {rank} dimensions")
    if (average_across_timesteps and sum_over_timesteps) or (
        average_across_batch and sum_over_batch
    ):
        raise ValueError("average_across_ and sum_over_ of one axis exclude each other")
    with tf.name_scope(name, "sequence_loss", [logits, targets, weights]):
        flat = tf.reshape(logits, [-1, tf.shape(logits)[2]])
        labels = tf.reshape(targets, [-1])
        loss_of = softmax_loss_function or tf.nn.sparse_softmax_cross_entropy_with_logits
        losses = loss_of(labels=labels, logits=flat) * tf.reshape(weights, [-1])
        losses = tf.reshape(losses, tf.shape(logits)[:2])
        if average_across_timesteps and average_across_batch:
            return _divided(losses, tf.reduce_sum(weights), None)
        if sum_over_timesteps and sum_over_batch:
            return _divided(losses, tf.count_nonzero(weights), None)
        if average_across_timesteps or average_across_batch:
            axis = [0] if average_across_batch else [1]
            return _divided(losses, tf.reduce_sum(weights, axis=axis), axis)
        if sum_over_timesteps or sum_over_batch:
            axis = [0] if sum_over_batch else [1]
            return _divided(losses, tf.count_nonzero(weights, axis=axis), axis)
        return losses


def _divided(losses, size, axis):
    return tf.div_no_nan(tf.reduce_sum(losses, axis=axis), tf.cast(size, losses.dtype))
