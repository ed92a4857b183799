"""Run by the Python with TF 1.15, the oracle: layers of which no tensor says how they compute.

    python tf1_cells.py FOLDER

writes FOLDER/<case>.ckpt with its .meta, FOLDER/<case>.pb, a frozen graph, FOLDER/<case>, a
SavedModel, and what each case computes of x in FOLDER/outputs.npz; FOLDER/<case>.h5 for the models
of tf.keras.
"""

import sys

import numpy as np

UNITS = 4


def inputs():
    """The input of every case: [batch, steps, inputs]."""
    return np.random.RandomState(1).randn(3, 7, 5).astype(np.float32)


def cases(tf):
    """{case: a function from the input to the output}"""
    cell, contrib, layers = tf.nn.rnn_cell, tf.contrib.rnn, tf.layers

    def dynamic(make):
        return lambda x: tf.nn.dynamic_rnn(make(), x, dtype=tf.float32)[0]

    def bidirectional(x):
        cells = (
            cell.LSTMCell(UNITS, name="left", forget_bias=0.5),
            cell.LSTMCell(UNITS, name="right"),
        )
        return tf.concat(tf.nn.bidirectional_dynamic_rnn(*cells, x, dtype=tf.float32)[0], -1)

    def static(x):
        basic = cell.BasicLSTMCell(UNITS, forget_bias=0.0)
        return tf.stack(tf.nn.static_rnn(basic, tf.unstack(x, axis=1), dtype=tf.float32)[0], 1)

    def fused(x):
        lstm = contrib.LSTMBlockFusedCell(UNITS, forget_bias=0.25)
        return tf.transpose(lstm(tf.transpose(x, [1, 0, 2]), dtype=tf.float32)[0], [1, 0, 2])

    def other_order(x):
        """A cell of one's own: its gates are i, f, c, o."""

        class Cell(cell.LSTMCell):
            def call(self, inputs, state):
                gates = tf.matmul(tf.concat([inputs, state.h], 1), self._kernel) + self._bias
                i, f, c, o = tf.split(gates, 4, 1)
                c = tf.sigmoid(f) * state.c + tf.sigmoid(i) * tf.tanh(c)
                h = tf.sigmoid(o) * tf.tanh(c)
                return h, cell.LSTMStateTuple(c, h)

        return tf.nn.dynamic_rnn(Cell(UNITS, name="own"), x, dtype=tf.float32)[0]

    def bidirectional_of(make):
        return lambda x: tf.concat(
            tf.nn.bidirectional_dynamic_rnn(make(), make(), x, dtype=tf.float32)[0], -1
        )

    def keras(name, **options):
        layer = getattr(tf.keras.layers, name)
        return lambda x: layer(UNITS, return_sequences=True, **options)(x)

    def stacked(*names):
        cells = [
            cell.LSTMCell(UNITS, forget_bias=bias, name=name)
            for bias, name in zip((0.3, 0.6), names)
        ]
        return cell.MultiRNNCell(cells)

    cudnn = tf.contrib.cudnn_rnn
    sigmoid = {"recurrent_activation": "sigmoid"}
    return {
        "compatible-lstm": dynamic(lambda: cudnn.CudnnCompatibleLSTMCell(UNITS)),
        "compatible-gru": dynamic(lambda: cudnn.CudnnCompatibleGRUCell(UNITS)),
        "gru-block": dynamic(lambda: contrib.GRUBlockCellV2(UNITS)),
        "gru-named": dynamic(lambda: cell.GRUCell(UNITS, name="decoder")),
        "gru-both": bidirectional_of(lambda: cell.GRUCell(UNITS, name="decoder")),
        "rnn-named": dynamic(lambda: cell.BasicRNNCell(UNITS, name="decoder")),
        "projected": dynamic(lambda: cell.LSTMCell(UNITS, num_proj=3, forget_bias=0.3)),
        "peepholes": dynamic(lambda: cell.LSTMCell(UNITS, use_peepholes=True)),
        "peepholes-block": dynamic(lambda: contrib.LSTMBlockCell(UNITS, use_peephole=True)),
        "peepholes-named": dynamic(
            lambda: cell.LSTMCell(UNITS, use_peepholes=True, name="encoder")
        ),
        "cut": dynamic(lambda: cell.LSTMCell(UNITS, cell_clip=0.2)),
        "cut-projection": dynamic(lambda: cell.LSTMCell(UNITS, num_proj=3, proj_clip=0.1)),
        "cut-block": dynamic(lambda: contrib.LSTMBlockCell(UNITS, cell_clip=0.2)),
        "layer-norm-lstm": dynamic(lambda: contrib.LayerNormBasicLSTMCell(UNITS)),
        "nas": dynamic(lambda: contrib.NASCell(UNITS)),
        "stacked": dynamic(lambda: stacked(None, None)),
        "stacked-named": dynamic(lambda: stacked("first", "second")),
        "residual": dynamic(
            lambda: cell.ResidualWrapper(cell.LSTMCell(5, forget_bias=0.3, name="inner"))
        ),
        "keras-lstm": keras("LSTM", **sigmoid),
        "keras-lstm-hard": keras("LSTM"),
        "keras-gru": keras("GRU", **sigmoid),
        "keras-gru-after": keras("GRU", reset_after=True, **sigmoid),
        "keras-rnn-relu": keras("SimpleRNN", activation="relu"),
        "basic": dynamic(lambda: cell.BasicLSTMCell(UNITS)),
        "basic-bias-0": dynamic(lambda: cell.BasicLSTMCell(UNITS, forget_bias=0.0)),
        "basic-relu": dynamic(lambda: cell.BasicLSTMCell(UNITS, activation=tf.nn.relu)),
        "named": dynamic(lambda: cell.LSTMCell(UNITS, name="encoder")),
        "named-bias": dynamic(lambda: cell.LSTMCell(UNITS, name="encoder", forget_bias=0.3)),
        "block": dynamic(lambda: contrib.LSTMBlockCell(UNITS, forget_bias=0.25)),
        "fused": fused,
        "static": static,
        "bidirectional": bidirectional,
        "other-order": other_order,
        "gru": dynamic(lambda: cell.GRUCell(UNITS)),
        "gru-relu": dynamic(lambda: cell.GRUCell(UNITS, activation=tf.nn.relu)),
        "rnn-relu": dynamic(lambda: cell.BasicRNNCell(UNITS, activation=tf.nn.relu)),
        "bn": lambda x: layers.batch_normalization(x, epsilon=0.01, fused=False),
        "bn-no-scale": lambda x: layers.batch_normalization(
            x, epsilon=0.01, fused=False, scale=False
        ),
        "bn-fused": lambda x: layers.batch_normalization(x[:, None], epsilon=0.01)[:, 0],
        "layer-norm": lambda x: tf.contrib.layers.layer_norm(x, begin_norm_axis=-1),
    }


def keras_models(keras):
    """{case: a layer of tf.keras}"""
    options = {"return_sequences": True}
    return {
        "h5-lstm": keras.layers.LSTM(UNITS, **options),
        "h5-lstm-sigmoid": keras.layers.LSTM(UNITS, recurrent_activation="sigmoid", **options),
        "h5-bn": keras.layers.BatchNormalization(epsilon=0.01),
    }


def randomized(tf, session):
    random, trained = np.random.RandomState(3), tf.trainable_variables()
    for variable in tf.global_variables():
        if variable in trained or "moving" in variable.name:
            value = 0.5 * random.randn(*variable.shape.as_list())
            variable.load(np.abs(value) if "variance" in variable.name else value, session)


def save(tf, folder, case, build):
    with tf.Graph().as_default(), tf.Session() as session:
        output = tf.identity(build(tf.constant(inputs())), name="output")
        loss = tf.reduce_sum(output**2) + sum(map(tf.nn.l2_loss, tf.trainable_variables()))
        # The ops of a training read the variables, too.
        tf.gradients(loss, tf.trainable_variables())
        session.run(tf.global_variables_initializer())
        randomized(tf, session)
        tf.train.Saver().save(session, f"{folder}/{case}.ckpt")
        tensors = {"output": output}
        tf.saved_model.simple_save(session, f"{folder}/{case}", tensors, tensors)
        graph = tf.graph_util.convert_variables_to_constants(session, session.graph_def, ["output"])
        with open(f"{folder}/{case}.pb", "wb") as file:
            file.write(graph.SerializeToString())
        return session.run(output)


def save_keras(tf, folder, case):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.keras.backend.set_session(session)
        model = tf.keras.Sequential([keras_models(tf.keras)[case]])
        model.build((None, 7, 5))
        randomized(tf, session)
        model.save(f"{folder}/{case}.h5")
        return model.predict(inputs())


def main(folder):
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    outputs = {case: save(tf, folder, case, build) for case, build in cases(tf).items()}
    outputs.update((case, save_keras(tf, folder, case)) for case in keras_models(tf.keras))
    np.savez(folder + "/outputs.npz", **outputs)


if __name__ == "__main__":
    main(sys.argv[1])
