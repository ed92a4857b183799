"""Prints the losses of a sequence model with two buckets: `one` cell, or a `new` one for each."""

import sys

import numpy as np
import tensorflow as tf


def losses(make):
    tf.reset_default_graph()
    one = make()
    cell = (lambda: one) if sys.argv[1] == "one" else make
    words = [tf.placeholder(tf.int32, [None]) for _ in range(3)]
    weights = [tf.ones([2]) for _ in range(3)]

    def attend(encoder, decoder):
        return tf.contrib.legacy_seq2seq.embedding_attention_seq2seq(
            encoder, decoder, cell(), 5, 5, 4
        )

    _, both = tf.contrib.legacy_seq2seq.model_with_buckets(
        words, words, words, weights, [(2, 2), (3, 3)], attend
    )
    with tf.Session() as session:
        for variable in tf.trainable_variables():
            shape = variable.shape.as_list()
            variable.load(np.sin(np.arange(np.prod(shape))).reshape(shape), session)
            print(variable.name, shape)
        print(session.run(both, {word: [1, 2] for word in words}))


cells = tf.nn.rnn_cell
losses(lambda: tf.contrib.rnn.GRUCell(4))
losses(lambda: cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.LSTMCell(4, use_peepholes=True)]))
losses(lambda: tf.contrib.rnn.UGRNNCell(4))  # its weights are a layer that the first call makes
losses(lambda: cells.DropoutWrapper(cells.GRUCell(4), output_keep_prob=1.0))
