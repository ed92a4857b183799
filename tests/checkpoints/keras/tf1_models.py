"""Run by the Python with TF 1.15, the oracle: models with random weights, and trainings.

    python tf1_models.py FOLDER

writes FOLDER/<case>.ckpt for every case of `cells` and `nets`, their outputs in
FOLDER/outputs.npz, and for every optimizer FOLDER/<name>.ckpt after 20 steps and
the weights after 20 more in FOLDER/<name>.npz.
"""

import sys

import numpy as np

BATCH, STEPS, INPUTS, UNITS, PROJECTED = 3, 7, 5, 4, 3


def sequences():
    """The input of every recurrent cell: [batch, steps, inputs]."""
    return np.random.RandomState(1).randn(BATCH, STEPS, INPUTS).astype(np.float32)


def images():
    """The input of every convolutional net."""
    return np.random.RandomState(1).randn(2, 8, 8, 3).astype(np.float32)


def words():
    """The input of the net with an embedding."""
    return np.random.RandomState(1).randint(0, 11, (4, 6))


def target():
    """What the trained net is to give for `sequences`."""
    return np.random.RandomState(3).randn(BATCH, 2).astype(np.float32)


def cells(tf):
    """{case: a function from the input to the outputs [batch, steps, ...]}"""
    rnn, cell = tf.contrib.rnn, tf.nn.rnn_cell
    cudnn_rnn, keras = tf.contrib.cudnn_rnn, tf.keras.layers

    def dynamic(make):
        return lambda x: tf.nn.dynamic_rnn(make(), x, dtype=tf.float32)[0]

    def fused(x):
        outputs, _ = rnn.LSTMBlockFusedCell(UNITS)(tf.transpose(x, [1, 0, 2]), dtype=tf.float32)
        return tf.transpose(outputs, [1, 0, 2])

    def bidirectional(x):
        cells = cell.LSTMCell(UNITS), cell.LSTMCell(UNITS)
        return tf.concat(tf.nn.bidirectional_dynamic_rnn(*cells, x, dtype=tf.float32)[0], -1)

    def stacked_bidirectional(x):
        stacks = [[cell.GRUCell(UNITS), cell.GRUCell(UNITS)] for _ in range(2)]
        return rnn.stack_bidirectional_dynamic_rnn(*stacks, x, dtype=tf.float32)[0]

    def cudnn(make):  # under the names and in the form in which CudnnLSTM and CudnnGRU are saved
        def build(x):
            with tf.variable_scope("cudnn"):
                stack = cell.MultiRNNCell([make(), make()])
                return tf.nn.dynamic_rnn(stack, x, dtype=tf.float32)[0]

        return build

    def of_keras(layer):
        return lambda x: layer(UNITS, return_sequences=True, recurrent_activation="sigmoid")(x)

    return {
        "basic_lstm": dynamic(lambda: cell.BasicLSTMCell(UNITS)),
        "lstm": dynamic(lambda: cell.LSTMCell(UNITS)),
        "lstm_forget_bias": dynamic(lambda: cell.LSTMCell(UNITS, forget_bias=0.25)),
        "lstm_projected": dynamic(lambda: cell.LSTMCell(UNITS, num_proj=PROJECTED)),
        "lstm_peepholes": dynamic(lambda: cell.LSTMCell(UNITS, use_peepholes=True)),
        "lstm_block": dynamic(lambda: rnn.LSTMBlockCell(UNITS)),
        "lstm_block_fused": fused,
        "layer_norm_lstm": dynamic(lambda: rnn.LayerNormBasicLSTMCell(UNITS)),
        "gru": dynamic(lambda: cell.GRUCell(UNITS)),
        "gru_block": dynamic(lambda: rnn.GRUBlockCell(UNITS)),
        "gru_block_v2": dynamic(lambda: rnn.GRUBlockCellV2(UNITS)),
        "cudnn_compatible_gru": dynamic(lambda: cudnn_rnn.CudnnCompatibleGRUCell(UNITS)),
        "cudnn_compatible_lstm": dynamic(lambda: cudnn_rnn.CudnnCompatibleLSTMCell(UNITS)),
        "cudnn_lstm": cudnn(lambda: cudnn_rnn.CudnnCompatibleLSTMCell(UNITS)),
        "cudnn_gru": cudnn(lambda: cudnn_rnn.CudnnCompatibleGRUCell(UNITS)),
        "basic_rnn": dynamic(lambda: cell.BasicRNNCell(UNITS)),
        "bidirectional": bidirectional,
        "stacked_bidirectional": stacked_bidirectional,
        "stacked": dynamic(
            lambda: cell.MultiRNNCell([cell.BasicLSTMCell(UNITS), cell.BasicLSTMCell(UNITS)])
        ),
        "keras_lstm": of_keras(keras.LSTM),
        "keras_gru": of_keras(keras.GRU),
    }


def nets(tf):
    """{case: a function from `images` (or `words`) to the outputs}"""
    layers, contrib, keras = tf.layers, tf.contrib.layers, tf.keras.layers

    def tf_layers(x):
        x = layers.batch_normalization(layers.conv2d(x, 4, 3, activation=tf.nn.relu))
        x = layers.separable_conv2d(x, 4, 3, padding="same")
        x = layers.batch_normalization(layers.conv2d(x, 4, 3, padding="same"), fused=False)
        x = layers.conv2d(layers.conv2d_transpose(x, 5, 3, strides=2), 4, 3, use_bias=False)
        x = layers.batch_normalization(x, scale=False)
        return layers.dense(layers.dense(layers.flatten(x), 6, activation=tf.tanh), 6)

    def slim(x):
        arg_scope = tf.contrib.framework.arg_scope
        with arg_scope([contrib.conv2d], normalizer_fn=contrib.batch_norm):
            with arg_scope([contrib.batch_norm], is_training=False):
                with tf.variable_scope("net"):
                    x = contrib.conv2d(contrib.conv2d(x, 4, 3, scope="conv1"), 4, 3, scope="conv2")
                    x = contrib.separable_conv2d(x, 4, 3, 1, scope="separable")
                    x = contrib.separable_conv2d(x, None, 3, 2, scope="depthwise")
                    return contrib.fully_connected(contrib.flatten(x), 3, scope="logits")

    def normalised(function, **options):
        return lambda x: function(contrib.conv2d(x, 8, 3, activation_fn=None), **options)

    def of_keras(x):
        x = keras.BatchNormalization()(keras.Conv2D(4, 3)(x))
        x = keras.SeparableConv2D(4, 3)(keras.DepthwiseConv2D(3, depth_multiplier=2)(x))
        x = keras.LayerNormalization()(keras.Conv2DTranspose(4, 3)(x))
        return keras.Dense(2)(keras.Flatten()(x))

    def embedded(x):
        table = tf.get_variable("word_embedding", [11, 8])
        x = layers.conv1d(tf.nn.embedding_lookup(table, x), 8, 3)
        return contrib.layer_norm(x, begin_norm_axis=-1)

    return {
        "tf_layers": tf_layers,
        "slim": slim,
        "renorm": normalised(layers.batch_normalization, renorm=True, fused=False),
        "layer_norm": normalised(contrib.layer_norm),
        "instance_norm": normalised(contrib.instance_norm),
        "group_norm": normalised(contrib.group_norm, groups=4),
        "local_response": normalised(tf.nn.local_response_normalization),
        "of_keras": of_keras,
        "embedded": embedded,
    }


def optimizers(tf):
    """{case: TF1's optimizer}"""
    train = tf.train
    return {
        "SGD": train.GradientDescentOptimizer(0.1),
        "Momentum": train.MomentumOptimizer(0.05, 0.9),
        "Nesterov": train.MomentumOptimizer(0.05, 0.9, use_nesterov=True),
        "Adam": train.AdamOptimizer(0.01),
        "RMSProp": train.RMSPropOptimizer(0.01, momentum=0.5),
        "CenteredRMSProp": train.RMSPropOptimizer(0.01, centered=True),
        "Adagrad": train.AdagradOptimizer(0.1),
        "Adadelta": train.AdadeltaOptimizer(1.0),
        "Ftrl": train.FtrlOptimizer(0.1, l1_regularization_strength=0.001),
    }


def forget_bias(case):
    """Ftrl computes a weight from its slots alone: one to which 1 was added it would not keep."""
    return 0.0 if case == "Ftrl" else 1.0


def trained_net(tf, x, case):
    """What every optimizer trains: a gated cell, so that its slots are permuted, and a layer."""
    cell = tf.nn.rnn_cell.BasicLSTMCell(UNITS, forget_bias=forget_bias(case))
    _, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    return tf.layers.dense(state.h, 2)


def outputs_of(tf, folder, cases, default_input):
    outputs, random = {}, np.random.RandomState(2)
    for case, build in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            output = build(tf.constant(words() if case == "embedded" else default_input))
            for variable in tf.global_variables():  # no bias is left at zero, no mean
                value = 0.5 * random.randn(*variable.shape.as_list())
                variable.load(np.abs(value) if "variance" in variable.name else value, session)
            tf.train.Saver().save(session, f"{folder}/{case}.ckpt", write_meta_graph=False)
            outputs[case] = session.run(output)
    return outputs


def train(tf, folder, case):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(4)
        output = trained_net(tf, tf.constant(sequences()), case)
        loss = tf.reduce_mean((output - target()) ** 2)
        step = tf.train.get_or_create_global_step()
        minimize = optimizers(tf)[case].minimize(loss, global_step=step)
        session.run(tf.global_variables_initializer())
        for _ in range(20):
            session.run(minimize)
        tf.train.Saver().save(session, f"{folder}/{case}.ckpt", write_meta_graph=False)
        for _ in range(20):
            session.run(minimize)
        weights = {v.op.name: session.run(v) for v in tf.trainable_variables()}
        np.savez(f"{folder}/{case}.npz", **weights)


def main(folder):
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    outputs = outputs_of(tf, folder, cells(tf), sequences())
    outputs.update(outputs_of(tf, folder, nets(tf), images()))
    np.savez(folder + "/outputs.npz", **outputs)
    with tf.Graph().as_default():
        cases = list(optimizers(tf))
    for case in cases:
        train(tf, folder, case)


if __name__ == "__main__":
    main(sys.argv[1])
