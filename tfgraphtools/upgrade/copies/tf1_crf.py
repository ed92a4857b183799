"""The linear-chain conditional random field of ``tf.contrib.crf``.

Written by ``tfgraphtools upgrade --no-runtime``, as ``tf.contrib`` left TensorFlow.
It is yours to edit.
"""

import numpy as np
import tensorflow.compat.v1 as tf


def crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params):
    """The score of each sequence of tags, [batch], not normalized."""
    mask = tf.sequence_mask(sequence_lengths, tf.shape(inputs)[1], inputs.dtype)
    tags = tf.cast(tag_indices, tf.int32)
    chosen = tf.one_hot(tags, tf.shape(inputs)[2], dtype=inputs.dtype)
    unary = tf.reduce_sum(inputs * chosen * mask[:, :, None], [1, 2])
    pairs = tf.stack([tags[:, :-1], tags[:, 1:]], axis=-1)
    return unary + tf.reduce_sum(tf.gather_nd(transition_params, pairs) * mask[:, 1:], 1)


def crf_log_norm(inputs, sequence_lengths, transition_params):
    """The logarithm of the sum of the scores of all sequences of tags, exponentiated: [batch]."""
    steps = tf.range(1, tf.shape(inputs)[1])
    lengths = tf.cast(sequence_lengths, tf.int32)

    def forward(alphas, step):
        reached = tf.reduce_logsumexp(alphas[:, :, None] + transition_params[None], 1)
        return tf.where(step < lengths, reached + inputs[:, step], alphas)

    last = tf.foldl(forward, steps, initializer=inputs[:, 0])
    norm = tf.reduce_logsumexp(last, 1)
    return tf.where(lengths > 0, norm, tf.zeros_like(norm))


def crf_log_likelihood(inputs, tag_indices, sequence_lengths, transition_params=None):
    """(log-likelihood [batch], transitions [tags, tags]); the transitions are made if None.

    Args:
      inputs: unary scores, float [batch, time, tags].
      tag_indices: int [batch, time].
      sequence_lengths: int [batch].
    """
    count = inputs.get_shape().as_list()[2]
    if transition_params is None:
        transition_params = tf.get_variable("transitions", [count, count])
    score = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    norm = crf_log_norm(inputs, sequence_lengths, transition_params)
    return score - norm, transition_params


def viterbi_decode(score, transition_params):
    """(the best tags, their score) of one sequence of NumPy scores [time, tags]."""
    best = score[0]
    before = []
    for row in score[1:]:
        reached = best[:, None] + transition_params
        before.append(np.argmax(reached, 0))
        best = row + np.max(reached, 0)
    tags = [int(np.argmax(best))]
    for backwards in reversed(before):
        tags.append(backwards[tags[-1]])
    return tags[::-1], np.max(best)
