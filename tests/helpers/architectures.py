"""Models to differentiate: ``ARCHITECTURES[name](tf, v1)`` -> (ys, xs, grad_ys).

Small, with as many blocks as it takes for checkpoints to be chosen.
"""

import numpy as np

ARCHITECTURES = {}


def architecture(function):
    ARCHITECTURES[function.__name__.strip("_").replace("_", "-")] = function
    return function


def _data(*shape, seed=0):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32)


def _input(v1, *shape, seed=0):
    return v1.placeholder_with_default(_data(*shape, seed=seed), [None] + list(shape[1:]))


def _weight(v1, name, *shape):
    fan = int(np.prod(shape[:-1])) or 1
    start = np.random.RandomState(len(name) + fan).normal(0, fan**-0.5, shape)
    return v1.get_variable(name, initializer=start.astype(np.float32))


def _dense(tf, v1, h, units, name, activation=None):
    with v1.variable_scope(name, reuse=v1.AUTO_REUSE):
        h = tf.matmul(h, _weight(v1, "kernel", h.shape[-1], units))
        h = h + v1.get_variable("bias", [units], initializer=v1.zeros_initializer())
    return h if activation is None else activation(h)


def _conv(tf, v1, h, channels, name, size=3, stride=1):
    with v1.variable_scope(name):
        kernel = _weight(v1, "kernel", size, size, int(h.shape[-1]), channels)
    return tf.nn.conv2d(h, kernel, strides=[1, stride, stride, 1], padding="SAME")


def _batch_norm(tf, v1, h, name):
    """Fused, with moving averages; the update of each counts itself."""
    channels = int(h.shape[-1])
    with v1.variable_scope(name):
        gamma = v1.get_variable("gamma", [channels], initializer=v1.ones_initializer())
        beta = v1.get_variable("beta", [channels], initializer=v1.zeros_initializer())
        moving = v1.get_variable("moving", [channels], trainable=False)
        h, mean, _ = v1.nn.fused_batch_norm(h, gamma, beta)[:3]
        v1.add_to_collection(v1.GraphKeys.UPDATE_OPS, v1.assign_add(moving, mean * 0.1))
    return h


def _layer_norm(tf, v1, h, name):
    with v1.variable_scope(name):
        gamma = v1.get_variable("gamma", [int(h.shape[-1])], initializer=v1.ones_initializer())
    mean, variance = tf.nn.moments(h, [-1], keepdims=True)
    return (h - mean) * tf.math.rsqrt(variance + 1e-6) * gamma


def _trained(tf, v1, loss):
    return [loss], v1.trainable_variables(), None


def _mean_square(tf, h):
    return tf.reduce_mean(tf.square(h - 0.3))


def residual(tf, v1, blocks, channels=4, side=8, batch=2):
    h = _conv(tf, v1, _input(v1, batch, side, side, 3), channels, "stem")
    for i in range(blocks):
        inner = h
        for j in "ab":
            inner = _conv(tf, v1, inner, channels, f"block{i}{j}")
            inner = tf.nn.relu(_batch_norm(tf, v1, inner, f"norm{i}{j}"))
        h = h + inner
        v1.add_to_collection("blocks", h)
    return _mean_square(tf, _dense(tf, v1, tf.reduce_mean(h, [1, 2]), 3, "top"))


def transformer(tf, v1, layers, width=8, length=6, batch=2, heads=2, rate=0.1, words=11):
    ids = np.random.RandomState(0).randint(0, words, [batch, length])
    h = tf.nn.embedding_lookup(_weight(v1, "words", words, width), tf.constant(ids))
    h = h + _weight(v1, "positions", length, width)
    for i in range(layers):
        with v1.variable_scope(f"layer{i}"):
            n = tf.reshape(_layer_norm(tf, v1, h, "norm1"), [-1, width])
            q, k, v = (
                tf.transpose(
                    tf.reshape(_dense(tf, v1, n, width, one), [batch, length, heads, -1]),
                    [0, 2, 1, 3],
                )
                for one in "qkv"
            )
            scores = tf.matmul(q, k, transpose_b=True) * (width / heads) ** -0.5
            scores = v1.nn.dropout(tf.nn.softmax(scores), rate=rate, seed=i)
            mixed = tf.reshape(tf.transpose(tf.matmul(scores, v), [0, 2, 1, 3]), [-1, width])
            mixed = tf.reshape(_dense(tf, v1, mixed, width, "o"), [batch, length, width])
            h = h + v1.nn.dropout(mixed, rate=rate, seed=i)
            n = tf.reshape(_layer_norm(tf, v1, h, "norm2"), [-1, width])
            n = _dense(tf, v1, n, 4 * width, "up", lambda a: a * tf.sigmoid(1.7 * a))
            n = tf.reshape(_dense(tf, v1, n, width, "down"), [batch, length, width])
            h = h + v1.nn.dropout(n, rate=rate, seed=i)
            v1.add_to_collection("blocks", h)
    logits = _dense(tf, v1, tf.reshape(h, [-1, width]), words, "top")
    return tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.constant(ids.reshape(-1)), logits=logits
        )
    )


@architecture
def resnet(tf, v1):
    return _trained(tf, v1, residual(tf, v1, 6))


@architecture
def transformer_with_dropout(tf, v1):
    return _trained(tf, v1, transformer(tf, v1, 4))


@architecture
def perceptron(tf, v1):
    h = _input(v1, 5, 6)
    for i in range(12):
        h = _dense(tf, v1, h, 6, f"layer{i}", tf.nn.relu)
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def u_net(tf, v1):
    h, skips = _input(v1, 2, 16, 16, 3), []
    for i in range(3):
        h = tf.nn.relu(_batch_norm(tf, v1, _conv(tf, v1, h, 4, f"down{i}"), f"norm{i}"))
        skips.append(h)
        h = tf.nn.max_pool2d(h, 2, 2, "SAME")
    for i, skip in enumerate(reversed(skips)):
        h = tf.repeat(tf.repeat(h, 2, axis=1), 2, axis=2) if hasattr(tf, "repeat") else h
        h = tf.nn.relu(_conv(tf, v1, tf.concat([h, skip], -1), 4, f"up{i}"))
    return _trained(tf, v1, _mean_square(tf, h))


def _lstm_step(tf, v1, x, h, c, units):
    gates = _dense(tf, v1, tf.concat([x, h], -1), 4 * units, "gates")
    i, j, f, o = tf.split(gates, 4, axis=-1)
    c = c * tf.sigmoid(f + 1) + tf.sigmoid(i) * tf.tanh(j)
    return tf.tanh(c) * tf.sigmoid(o), c


@architecture
def lstm_dynamic_rnn(tf, v1):
    x = tf.constant(_data(3, 7, 4))
    x = _dense(tf, v1, tf.reshape(x, [-1, 4]), 4, "in", tf.tanh)
    x = tf.reshape(x, [3, 7, 4])
    try:
        cell = v1.nn.rnn_cell.BasicLSTMCell(5)
        out, _ = v1.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    except (AttributeError, ImportError, ValueError):  # gone with Keras 3
        kernel, steps = _weight(v1, "cell", 9, 20), v1.TensorArray(tf.float32, 7)

        def body(t, h, c, steps):
            i, j, f, o = tf.split(tf.matmul(tf.concat([x[:, t], h], -1), kernel), 4, axis=-1)
            c = c * tf.sigmoid(f + 1) + tf.sigmoid(i) * tf.tanh(j)
            h = tf.tanh(c) * tf.sigmoid(o)
            return t + 1, h, c, steps.write(t, h)

        zeros = tf.zeros([3, 5])
        start = (tf.constant(0), zeros, zeros, steps)
        out = v1.while_loop(lambda t, *_: t < 7, body, start)[3].stack()
    for _ in range(6):
        out = tf.tanh(out * 1.1) + 0.1 * out
    return _trained(tf, v1, _mean_square(tf, out))


@architecture
def lstm_unrolled(tf, v1):
    x, h = tf.constant(_data(3, 9, 4)), tf.zeros([3, 5])
    c = h
    for t in range(9):
        h, c = _lstm_step(tf, v1, x[:, t], h, c, 5)
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def gan_two_losses(tf, v1):
    def generator(z):
        for i in range(4):
            z = _dense(tf, v1, z, 6, f"generator/layer{i}", tf.nn.leaky_relu)
        return z

    def critic(h):
        for i in range(4):
            h = _dense(tf, v1, h, 6, f"critic/layer{i}", tf.tanh)
        return _dense(tf, v1, h, 1, "critic/top")

    real, fake = critic(_input(v1, 5, 6)), critic(generator(_input(v1, 5, 4, seed=1)))
    losses = [tf.reduce_mean(fake) - tf.reduce_mean(real), -tf.reduce_mean(fake) * 0.7]
    return losses, v1.trainable_variables(), None


@architecture
def weight_sharing(tf, v1):
    h = _input(v1, 4, 6)
    for _ in range(10):
        h = _dense(tf, v1, h, 6, "shared", tf.tanh) + 0.1 * h
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def dropout(tf, v1):
    h = _input(v1, 4, 8)
    for i in range(8):
        h = v1.nn.dropout(_dense(tf, v1, h, 8, f"layer{i}", tf.nn.relu), rate=0.3)
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def batch_norm(tf, v1):
    h = _input(v1, 4, 3, 3, 4)
    for i in range(8):
        h = tf.nn.relu(_batch_norm(tf, v1, h * 1.1, f"norm{i}"))
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def cond(tf, v1):
    h, flag = _input(v1, 4, 6), v1.placeholder_with_default(True, [])
    for i in range(6):
        h = _dense(tf, v1, h, 6, f"layer{i}", tf.tanh)
        h = v1.cond(flag, lambda h=h: tf.sin(h) * 2.0, lambda h=h: tf.square(h))
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def while_loop(tf, v1):
    h = _input(v1, 4, 6)
    for i in range(6):
        h = _dense(tf, v1, h, 6, f"layer{i}", tf.tanh)
        scale = tf.reduce_mean(h)
        h = v1.while_loop(
            lambda n, a: n < 3,
            lambda n, a, scale=scale: (n + 1, tf.sin(a) * scale + a),
            [tf.constant(0), h],
        )[1]
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def loop_that_reads_a_variable(tf, v1):
    h, w = _input(v1, 4, 6), _weight(v1, "w", 6, 6)
    for i in range(5):
        h = _dense(tf, v1, h, 6, f"layer{i}", tf.tanh)
        h = v1.while_loop(
            lambda n, a: n < 2, lambda n, a: (n + 1, tf.tanh(tf.matmul(a, w))), [tf.constant(0), h]
        )[1]
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def embeddings(tf, v1):
    table, ids = _weight(v1, "table", 9, 5), tf.constant([[1, 3, 3], [0, 8, 1]])
    h = tf.reshape(tf.nn.embedding_lookup(table, ids), [2, 15])
    for i in range(6):
        h = _dense(tf, v1, h, 15, f"layer{i}", tf.nn.elu)
        h = h + 0.1 * tf.reshape(tf.nn.embedding_lookup(table, ids + 0), [2, 15])
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def dense_net(tf, v1):
    h = _input(v1, 2, 6, 6, 3)
    for i in range(6):
        h = tf.concat([h, tf.nn.relu(_conv(tf, v1, h, 2, f"conv{i}"))], -1)
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def inception(tf, v1):
    h = _input(v1, 2, 6, 6, 4)
    for i in range(5):
        parts = [_conv(tf, v1, h, 2, f"one{i}", 1), _conv(tf, v1, h, 2, f"three{i}", 3)]
        h = tf.nn.relu(tf.concat(parts + [tf.nn.avg_pool2d(h, 2, 1, "SAME")], -1)) * 0.7
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def auto_encoder(tf, v1):
    h = _input(v1, 2, 8, 8, 3)
    for i in range(3):
        h = tf.nn.relu(_conv(tf, v1, h, 4, f"down{i}", stride=2))
    for i in range(3):
        size = int(h.shape[1]) * 2
        kernel = _weight(v1, f"up{i}", 3, 3, 4, 4)
        h = tf.nn.conv2d_transpose(h, kernel, [2, size, size, 4], strides=[1, 2, 2, 1])
        h = tf.nn.leaky_relu(h)
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def siamese(tf, v1):
    def tower(h):
        for i in range(5):
            h = _dense(tf, v1, h, 6, f"layer{i}", tf.sigmoid)
        return h

    a, b = tower(_input(v1, 3, 6)), tower(_input(v1, 3, 6, seed=2))
    return _trained(tf, v1, tf.reduce_mean(tf.abs(a - b)) + tf.reduce_sum(a * b))


@architecture
def function_calls(tf, v1):
    @tf.function
    def block(a):
        return tf.tanh(a) * tf.sin(a) + a

    h = _input(v1, 3, 6)
    for i in range(6):
        h = block(_dense(tf, v1, h, 6, f"layer{i}"))
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def custom_gradients(tf, v1):
    @tf.custom_gradient
    def clipped(a):
        b = tf.exp(-tf.square(a))
        return a * b, lambda dy: tf.clip_by_value(dy * b, -1.0, 1.0)

    h = _input(v1, 3, 6)
    for i in range(7):
        h = clipped(_dense(tf, v1, h, 6, f"layer{i}"))
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def mixture_of_experts(tf, v1):
    h = _input(v1, 4, 6)
    for i in range(4):
        gates, chosen = tf.math.top_k(tf.nn.softmax(_dense(tf, v1, h, 3, f"gate{i}")), 2)
        experts = tf.stack([_dense(tf, v1, h, 6, f"expert{i}{j}", tf.nn.relu) for j in range(3)], 1)
        picked = tf.gather(experts, chosen, batch_dims=1)
        h = tf.reduce_sum(picked * gates[:, :, None], 1) + h
    return _trained(tf, v1, _mean_square(tf, h))


@architecture
def given_grad_ys(tf, v1):
    h, x = None, v1.placeholder_with_default(_data(3, 6), [3, 6])
    h, ys = x, []
    for i in range(8):
        h = tf.nn.softplus(_dense(tf, v1, h, 6, f"layer{i}"))
        ys += [h] if i % 3 == 1 else []
    grads = [tf.constant(_data(3, 6, seed=5 + i)) for i in range(len(ys))]
    return ys, [x] + v1.trainable_variables(), grads


@architecture
def float64_highway(tf, v1):
    h = v1.placeholder_with_default(_data(3, 6).astype(np.float64), [None, 6])
    for i in range(8):
        start = np.random.RandomState(i).normal(0, 0.4, [6, 6])
        gate = tf.sigmoid(tf.matmul(h, v1.get_variable(f"gate{i}", initializer=start)))
        h = (
            gate * tf.tanh(tf.matmul(h, v1.get_variable(f"w{i}", initializer=start.T)))
            + (1 - gate) * h
        )
    return _trained(tf, v1, _mean_square(tf, h))
