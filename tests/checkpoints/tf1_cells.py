"""Run by the Python with TF 1.15: every recurrent cell with random weights, its outputs saved.

    python tf1_cells.py FOLDER

writes FOLDER/<case>.ckpt and, for all cases, FOLDER/outputs.npz. TF 1.15 is the
oracle: the same inputs through the converted Keras layer must give these outputs.
"""

import sys

import numpy as np

BATCH, STEPS, INPUTS, UNITS, PROJECTED = 3, 7, 5, 4, 3


def inputs():
    """The input of every case: [batch, steps, inputs]."""
    return np.random.RandomState(1).randn(BATCH, STEPS, INPUTS).astype(np.float32)


def cases(tf):
    """{case: a function from the input to the outputs [batch, steps, ...]}"""
    rnn, cells = tf.contrib.rnn, tf.nn.rnn_cell

    def dynamic(make):
        return lambda x: tf.nn.dynamic_rnn(make(), x, dtype=tf.float32)[0]

    def fused(x):
        cell = rnn.LSTMBlockFusedCell(UNITS)
        outputs, _ = cell(tf.transpose(x, [1, 0, 2]), dtype=tf.float32)
        return tf.transpose(outputs, [1, 0, 2])

    def bidirectional(x):
        outputs, _ = tf.nn.bidirectional_dynamic_rnn(
            cells.LSTMCell(UNITS), cells.LSTMCell(UNITS), x, dtype=tf.float32
        )
        return tf.concat(outputs, -1)

    def stacked_bidirectional(x):
        outputs, _, _ = rnn.stack_bidirectional_dynamic_rnn(
            [cells.GRUCell(UNITS), cells.GRUCell(UNITS)],
            [cells.GRUCell(UNITS), cells.GRUCell(UNITS)],
            x,
            dtype=tf.float32,
        )
        return outputs

    def cudnn(make):  # the names and the form in which CudnnLSTM and CudnnGRU are saved
        def build(x):
            with tf.variable_scope("cudnn"):
                stack = cells.MultiRNNCell([make(), make()])
                return tf.nn.dynamic_rnn(stack, x, dtype=tf.float32)[0]

        return build

    cudnn_rnn = tf.contrib.cudnn_rnn
    return {
        "basic_lstm": dynamic(lambda: cells.BasicLSTMCell(UNITS)),
        "lstm": dynamic(lambda: cells.LSTMCell(UNITS)),
        "lstm_forget_bias": dynamic(lambda: cells.LSTMCell(UNITS, forget_bias=0.25)),
        "lstm_projected": dynamic(lambda: cells.LSTMCell(UNITS, num_proj=PROJECTED)),
        "lstm_peepholes": dynamic(lambda: cells.LSTMCell(UNITS, use_peepholes=True)),
        "lstm_block": dynamic(lambda: rnn.LSTMBlockCell(UNITS)),
        "lstm_block_fused": fused,
        "layer_norm_lstm": dynamic(lambda: rnn.LayerNormBasicLSTMCell(UNITS)),
        "gru": dynamic(lambda: cells.GRUCell(UNITS)),
        "gru_block": dynamic(lambda: rnn.GRUBlockCell(UNITS)),
        "gru_block_v2": dynamic(lambda: rnn.GRUBlockCellV2(UNITS)),
        "cudnn_compatible_gru": dynamic(lambda: cudnn_rnn.CudnnCompatibleGRUCell(UNITS)),
        "cudnn_compatible_lstm": dynamic(lambda: cudnn_rnn.CudnnCompatibleLSTMCell(UNITS)),
        "cudnn_lstm": cudnn(lambda: cudnn_rnn.CudnnCompatibleLSTMCell(UNITS)),
        "cudnn_gru": cudnn(lambda: cudnn_rnn.CudnnCompatibleGRUCell(UNITS)),
        "basic_rnn": dynamic(lambda: cells.BasicRNNCell(UNITS)),
        "bidirectional": bidirectional,
        "stacked_bidirectional": stacked_bidirectional,
        "stacked": dynamic(
            lambda: cells.MultiRNNCell([cells.BasicLSTMCell(UNITS), cells.BasicLSTMCell(UNITS)])
        ),
        "keras_lstm": lambda x: tf.keras.layers.LSTM(
            UNITS, return_sequences=True, recurrent_activation="sigmoid"
        )(x),
        "keras_gru": lambda x: tf.keras.layers.GRU(
            UNITS, return_sequences=True, recurrent_activation="sigmoid"
        )(x),
    }


def main(folder):
    import tensorflow as tf

    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    outputs, random = {}, np.random.RandomState(2)
    for case, build in cases(tf).items():
        with tf.Graph().as_default(), tf.Session() as session:
            output = build(tf.constant(inputs()))
            for variable in tf.global_variables():  # no bias is left at zero
                variable.load(0.5 * random.randn(*variable.shape.as_list()), session)
            tf.train.Saver().save(session, f"{folder}/{case}.ckpt", write_meta_graph=False)
            outputs[case] = session.run(output)
    np.savez(folder + "/outputs.npz", **outputs)


if __name__ == "__main__":
    main(sys.argv[1])
