"""Run by TF 1.15: small models with random weights, their outputs, and trained optimizers.

    python tf1_models.py FOLDER

Each model writes NAME/model.ckpt-20 and NAME/arrays.npz: inputs, outputs, and of a
trained one the weights after 20 more steps.
"""

import os
import sys

import numpy as np
import tensorflow as tf

L = tf.layers
RANDOM = np.random.RandomState(7)


def feed(*shape):
    return RANDOM.randn(*shape).astype(np.float32)


def cnn():
    x = tf.constant(feed(3, 12, 10, 2))
    h = L.conv2d(x, 5, 3, padding="same", activation=tf.nn.relu, name="conv1")
    h = L.batch_normalization(h, training=False, name="bn1")
    h = tf.nn.max_pool2d(h, 2, 2, "VALID")
    h = L.conv2d(h, 4, 3, padding="valid", activation=tf.nn.relu, name="conv2")
    h = L.dense(L.flatten(h), 7, activation=tf.nn.relu, name="fc1")
    return x, L.dense(h, 3, name="logits")


def slim_like():
    """No gamma, no bias before the normalisation, logits by a 1x1 convolution."""
    x = tf.constant(feed(2, 8, 8, 3))
    with tf.variable_scope("net"):
        h = L.conv2d(x, 6, 3, padding="same", use_bias=False, name="conv1")
        h = tf.nn.relu(L.batch_normalization(h, scale=False, training=False, name="bn"))
        h = tf.reduce_mean(h, [1, 2], keepdims=True)
        h = L.conv2d(h, 4, 1, name="logits")
    return x, tf.squeeze(h, [1, 2])


def convolutions():
    x = tf.constant(feed(2, 9, 9, 4))
    h = tf.nn.depthwise_conv2d(
        x, tf.get_variable("dw/depthwise_kernel", [3, 3, 4, 2]), [1, 1, 1, 1], "SAME"
    )
    h = tf.nn.bias_add(h, tf.get_variable("dw/bias", [8]))
    h = L.conv2d_transpose(h, 6, 3, strides=3, padding="valid", name="up")
    h = tf.reduce_mean(h, 1)  # [2, 27, 6]
    return x, L.conv1d(h, 5, 3, padding="same", name="line")


def lstm():
    x = tf.constant(feed(2, 6, 5))
    cells = [tf.nn.rnn_cell.LSTMCell(4), tf.nn.rnn_cell.LSTMCell(4)]
    out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), x, dtype=tf.float32)
    return x, L.dense(out, 3, name="head")


def gru():
    x = tf.constant(feed(2, 6, 5))
    cell = tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(4)
    out, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    return x, out


def keras_gru():
    """As tf.keras's GRU for cuDNN: the reset gate after the product, two rows of biases."""
    x = tf.constant(feed(2, 6, 5))
    layer = tf.keras.layers.GRU(
        4, reset_after=True, recurrent_activation="sigmoid", return_sequences=True, name="gru"
    )
    return x, layer(x)


def plain_gru():
    x = tf.constant(feed(2, 6, 5))
    out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(4), x, dtype=tf.float32)
    return x, out


def rnn():
    x = tf.constant(feed(2, 6, 5))
    out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32)
    return x, out


def attention():
    """One self-attention block: embedding, fused or separate projections, layer norm."""
    ids = tf.constant(RANDOM.randint(0, 11, [2, 6]).astype(np.int32))
    h = tf.nn.embedding_lookup(tf.get_variable("tokens/embedding", [11, 8]), ids)
    with tf.variable_scope("attention"):
        query, key, value = (L.dense(h, 8, name=name) for name in ("query", "key", "value"))

        def heads(t):
            return tf.transpose(tf.reshape(t, [2, 6, 2, 4]), [0, 2, 1, 3])

        weights = tf.nn.softmax(tf.matmul(heads(query), heads(key), transpose_b=True) / 2.0)
        mixed = tf.reshape(tf.transpose(tf.matmul(weights, heads(value)), [0, 2, 1, 3]), [2, 6, 8])
        h = h + L.dense(mixed, 8, name="out")
    return ids, tf.contrib.layers.layer_norm(h, begin_norm_axis=-1, scope="LayerNorm")


MODELS = [cnn, slim_like, convolutions, lstm, gru, keras_gru, plain_gru, rnn, attention]
T = tf.train
OPTIMIZERS = {
    "Adam": lambda: T.AdamOptimizer(0.01),
    "Momentum": lambda: T.MomentumOptimizer(0.01, 0.9),
    "Nesterov": lambda: T.MomentumOptimizer(0.01, 0.9, use_nesterov=True),
    "RMSProp": lambda: T.RMSPropOptimizer(0.01),
    "RMSPropMomentum": lambda: T.RMSPropOptimizer(0.01, momentum=0.8),
    "CenteredRMSProp": lambda: T.RMSPropOptimizer(0.01, momentum=0.8, centered=True),
    "Adagrad": lambda: T.AdagradOptimizer(0.05),
    "Adadelta": lambda: T.AdadeltaOptimizer(1.0),
    "GradientDescent": lambda: T.GradientDescentOptimizer(0.05),
    # Its decay waits for no gradient: only a resource variable is read before it decays.
    "AdamW": lambda: tf.contrib.opt.AdamWOptimizer(weight_decay=0.002, learning_rate=0.01),
    "AdamWeightDecay": lambda: bert_optimizer(),
}
#: Those that train a table of which each step looks up some rows.
SPARSE = ("Adam", "AdamW", "AdamWeightDecay", "Adagrad", "GradientDescent", "Momentum")


def bert_optimizer():
    """BERT's own: its package is there where the families are tested."""
    from bert.optimization import AdamWeightDecayOptimizer

    class WithStep(AdamWeightDecayOptimizer):  # BERT's create_optimizer counts beside it
        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            applied = super().apply_gradients(grads_and_vars, global_step, name)
            return tf.group(applied, global_step.assign_add(1))

    return WithStep(0.01, weight_decay_rate=0.1, exclude_from_weight_decay=["bias"])


def trained(make):
    """(inputs, outputs, train op) of a small regression, full batch."""
    x = tf.constant(feed(16, 5))
    h = L.dense(x, 8, activation=tf.nn.tanh, name="hidden")
    y = L.dense(h, 2, name="out")
    target = tf.constant(feed(16, 2))
    loss = tf.reduce_mean(tf.square(y - target))
    step = tf.train.get_or_create_global_step()
    return x, target, make().minimize(loss, step)


def looked_up(make):
    """The same with a table; the last steps look up other rows than the first ones."""
    first = tf.constant([[0, 6, 6], [5, 0, 1]], tf.int32)
    last = tf.constant([[0, 3, 3], [5, 0, 1]], tf.int32)
    step = tf.train.get_or_create_global_step()
    ids = tf.cond(step < 20, lambda: first, lambda: last)
    table = tf.get_variable("table/embedding", [8, 4], initializer=tf.random_normal_initializer())
    y = L.dense(tf.reduce_mean(tf.nn.embedding_lookup(table, ids), 1), 2, name="out")
    target = tf.constant(feed(2, 2))
    loss = tf.reduce_mean(tf.square(y - target))
    return last, target, make().minimize(loss, step)


def randomised(session):
    """Random weights, biases and statistics: zeros and ones would hide mistakes."""
    for variable in tf.global_variables():
        value = RANDOM.uniform(0.2, 1.0, variable.shape.as_list()).astype(np.float32)
        if "variance" not in variable.op.name:
            value *= RANDOM.choice([-1, 1], value.shape)
        variable.load(value * 0.5, session)


def write(folder, name, build, train):
    place = os.path.join(folder, name)
    with tf.Graph().as_default():
        tf.get_variable_scope().set_use_resource("AdamW" in name)
        try:
            built = build()
        except ImportError:
            return
        os.makedirs(place)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            saver, arrays = tf.train.Saver(), {}
            if not train:
                randomised(session)
                arrays["x"], arrays["y"] = session.run(built)
            else:
                arrays["x"], arrays["y"] = session.run(built[:2])
                for _ in range(20):
                    session.run(built[2])
            saver.save(
                session, os.path.join(place, "model.ckpt"), 20, write_meta_graph="AdamW" in name
            )
            if train:
                for _ in range(20):
                    session.run(built[2])
                for variable in tf.trainable_variables():
                    arrays[variable.op.name] = session.run(variable)
        np.savez(os.path.join(place, "arrays.npz"), **arrays)


def main(folder):
    for build in MODELS:
        write(folder, build.__name__, build, False)
    for name, make in OPTIMIZERS.items():
        write(folder, name, lambda make=make: trained(make), True)
        if name in SPARSE:
            write(folder, "rows_" + name, lambda make=make: looked_up(make), True)


if __name__ == "__main__":
    main(sys.argv[1])
