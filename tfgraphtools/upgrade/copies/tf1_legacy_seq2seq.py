"""Losses and the plain decoder of ``tf.contrib.legacy_seq2seq``.

Written by ``tfgraphtools upgrade --no-runtime``, as ``tf.contrib`` left TensorFlow.
It is yours to edit.
"""

import inspect

import tensorflow.compat.v1 as tf


def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """(outputs, last state) of a cell over a list of inputs [batch, size].

    Args:
      loop_function: of (the output before, the step): the next input; None takes the inputs.
    """
    with tf.variable_scope(scope or "rnn_decoder"):
        state, outputs, before = initial_state, [], None
        for step, inputs in enumerate(decoder_inputs):
            if loop_function is not None and before is not None:
                with tf.variable_scope("loop_function", reuse=True):
                    inputs = loop_function(before, step)
            if step > 0:
                tf.get_variable_scope().reuse_variables()
            output, state = cell(inputs, state)
            outputs.append(output)
            if loop_function is not None:
                before = output
    return outputs, state


def sequence_loss_by_example(
    logits,
    targets,
    weights,
    average_across_timesteps=True,
    softmax_loss_function=None,
    name=None,
):
    """The cross-entropy of each sequence of a batch, [batch].

    Args:
      logits, targets, weights: lists over time of [batch, class], [batch] and [batch].
    """
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError(
            f"{len(logits)} steps of logits, {len(targets)} of targets, {len(weights)} of weights"
        )
    with tf.name_scope(name, "sequence_loss_by_example", logits + targets + weights):
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                target = tf.reshape(target, [-1])  # a column is taken, too
                loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            else:
                loss = _called(softmax_loss_function, target, logit)
            losses.append(loss * weight)
        total = tf.add_n(losses)
        return total / (tf.add_n(weights) + 1e-12) if average_across_timesteps else total


def _called(function, labels, logits):
    """A loss function's result: it takes both by name, or, as before TF 1.1, in some order."""
    names = list(inspect.signature(function).parameters)
    if "labels" in names and "logits" in names:
        return function(labels=labels, logits=logits)
    labels_first = names[:1] and ("label" in names[0] or "target" in names[0])
    return function(labels, logits) if labels_first else function(logits, labels)


def sequence_loss(
    logits,
    targets,
    weights,
    average_across_timesteps=True,
    average_across_batch=True,
    softmax_loss_function=None,
    name=None,
):
    """The sum of `sequence_loss_by_example`, or its mean over the batch."""
    with tf.name_scope(name, "sequence_loss", logits + targets + weights):
        losses = sequence_loss_by_example(
            logits, targets, weights, average_across_timesteps, softmax_loss_function
        )
        cost = tf.reduce_sum(losses)
        return cost / tf.cast(tf.shape(targets[0])[0], cost.dtype) if average_across_batch else cost
