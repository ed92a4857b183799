"""Models of further public kinds of TF 1.15, as source: further cases of `tf1_sources`."""

import numpy as np
import tensorflow as tf
from tf1_source_inputs import R, floats, ids, images, rows, v1, weights

layers = tf.layers
contrib = tf.contrib.layers
cells = tf.nn.rnn_cell
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def sequences(width):
    x = floats("x", None, None, width)
    return x, lambda b, t: {"x": R.randn(b, t, width)}


def moved(name, size, start=1.0):
    initial = start + 0.1 * np.arange(size, dtype=np.float32)
    return v1.get_variable(name, initializer=tf.constant(initial))


@case
def group_normalization():
    x, feed = images(8)
    h = layers.conv2d(x, 6, 3, padding="same", name="first")
    h = tf.nn.relu(contrib.group_norm(h, groups=3, scope="norm"))
    tf.identity(layers.conv2d(h, 2, 1, name="last"), "y")
    return feed, ["y"]


@case
def instance_normalization():
    x, feed = images(8)
    h = tf.pad(x, [[0, 0], [2, 2], [1, 1], [0, 0]], "REFLECT")
    h = layers.conv2d(h, 6, 3, name="first")
    h = tf.nn.relu(contrib.instance_norm(h, scope="norm"))
    h = tf.pad(h, [[0, 0], [1, 1], [1, 0], [0, 0]], "SYMMETRIC")
    tf.identity(layers.conv2d(h, 2, 3, name="last"), "y")
    return feed, ["y"]


@case
def instance_normalization_by_formula():
    """CycleGAN's."""
    x, feed = images(8)
    h = layers.conv2d(x, 6, 3, padding="same", name="first")
    with v1.variable_scope("norm"):
        scale, offset = moved("scale", 6), moved("offset", 6, 0.0)
        mean, variance = tf.nn.moments(h, axes=[1, 2], keep_dims=True)
        h = scale * ((h - mean) * tf.rsqrt(variance + 1e-5)) + offset
    tf.tanh(layers.conv2d(h, 2, 1, name="last"), "y")
    return feed, ["y"]


@case
def parametric_relu():
    x, feed = rows(8)
    h = layers.dense(x, 6, name="first")
    alpha = moved("alpha", 6, 0.1)
    h = tf.nn.relu(h) + alpha * (h - tf.abs(h)) * 0.5
    tf.identity(layers.dense(h, 3, name="last"), "y")
    return feed, ["y"]


@case
def resized_images():
    x, feed = images(6)
    h = layers.conv2d(x, 4, 3, padding="same", name="first")
    image = tf.compat.v1.image
    tf.identity(image.resize_nearest_neighbor(h, [12, 9]), "nearest")
    tf.identity(image.resize_nearest_neighbor(h, [12, 11], align_corners=True), "aligned_nearest")
    tf.identity(image.resize_bilinear(h, [11, 11], align_corners=True), "aligned")
    tf.identity(image.resize_bilinear(h, [12, 9]), "old")
    tf.identity(tf.compat.v2.image.resize(h, [12, 9]), "new")
    return feed, ["nearest", "aligned_nearest", "aligned", "old", "new"]


@case
def upsampling_by_size():
    x = floats("image", None, None, None, 3)
    h = layers.conv2d(x, 4, 3, 2, padding="same", activation=tf.nn.relu, name="down")
    size = tf.shape(x)[1:3]
    h = tf.compat.v1.image.resize_bilinear(h, size, align_corners=True)
    tf.identity(layers.conv2d(h, 2, 1, name="last"), "y")
    return lambda b, t: {"image": R.randn(b, 2 * t, 2 * t + 2, 3)}, ["y"]


@case
def dense_block():
    x, feed = images(8)
    features = layers.conv2d(x, 4, 3, padding="same", name="stem")
    for k in range(3):
        with v1.variable_scope(f"layer_{k}"):
            h = layers.conv2d(tf.nn.relu(features), 8, 1, name="bottleneck")
            h = layers.conv2d(tf.nn.relu(h), 4, 3, padding="same", name="conv")
            features = tf.concat([features, h], 3)
    h = layers.average_pooling2d(features, 2, 2)
    tf.identity(layers.dense(tf.reduce_mean(h, [1, 2]), 3, name="logits"), "y")
    return feed, ["y"]


@case
def squeeze_and_excite():
    x, feed = images(8)
    h = layers.conv2d(x, 8, 1, name="expand")
    h = tf.nn.swish(h)
    with v1.variable_scope("se"):
        s = tf.reduce_mean(h, [1, 2], keepdims=True)
        s = layers.conv2d(tf.nn.swish(layers.conv2d(s, 2, 1, name="reduce")), 8, 1, name="expand")
        h = tf.sigmoid(s) * h
    tf.identity(layers.conv2d(h, 3, 1, name="project") + x, "y")
    return feed, ["y"]


@case
def pixel_shuffle():
    x, feed = images(6)
    h = layers.conv2d(x, 12, 3, padding="same", name="first")
    h = tf.depth_to_space(h, 2)
    tf.identity(h, "large")
    tf.identity(tf.space_to_depth(h, 3), "y")
    return feed, ["large", "y"]


@case
def detection_heads():
    x, feed = images(8)
    boxes, scores = [], []
    h = x
    for k, anchors in enumerate([2, 3]):
        h = layers.conv2d(h, 6, 3, 2, "same", activation=tf.nn.relu, name=f"features_{k}")
        b = layers.conv2d(h, anchors * 4, 3, padding="same", name=f"boxes_{k}")
        s = layers.conv2d(h, anchors * 5, 3, padding="same", name=f"scores_{k}")
        boxes.append(tf.reshape(b, [tf.shape(b)[0], -1, 4]))
        scores.append(tf.reshape(s, [tf.shape(s)[0], -1, 5]))
    tf.concat(boxes, 1, name="boxes")
    tf.nn.softmax(tf.concat(scores, 1), name="scores")
    return feed, ["boxes", "scores"]


@case
def style_mapping():
    z, feed = rows(8)
    with v1.variable_scope("mapping"):
        h = z * tf.rsqrt(tf.reduce_mean(tf.square(z), axis=1, keepdims=True) + 1e-8)
        for k in range(3):
            with v1.variable_scope(f"Dense{k}"):
                w, b = weights("weight", 8, 8), moved("bias", 8, 0.0)
                h = tf.nn.leaky_relu(tf.matmul(h, w * 0.5) + b * 0.01)
    tf.tile(h[:, None], [1, 4, 1], name="y")
    return feed, ["y"]


@case
def gradient_penalty():
    x, feed = rows(6)
    with v1.variable_scope("critic"):
        w, b, v = weights("w", 6, 8), moved("b", 8, 0.0), weights("v", 8, 1)
        h = tf.tanh(tf.matmul(x, w) + b)
        score = tf.matmul(h, v)
    (gradient,) = tf.gradients(score, [x])
    norm = tf.sqrt(tf.reduce_sum(tf.square(gradient), 1) + 1e-8)
    tf.reduce_mean(tf.square(norm - 1.0), name="penalty")
    tf.identity(score, "y")
    return feed, ["y", "penalty"]


@case
def flow():
    x, feed = rows(6)
    logdet = 0.0
    for k in range(2):
        with v1.variable_scope(f"coupling_{k}"):
            a, b = tf.split(x, 2, 1)
            h = layers.dense(a, 8, tf.nn.relu, name="hidden")
            shift, scale = tf.split(layers.dense(h, 6, name="both"), 2, 1)
            scale = tf.tanh(scale)
            x = tf.concat([b * tf.exp(scale) + shift, a], 1)
            logdet += tf.reduce_sum(scale, 1)
    tf.identity(x, "y")
    tf.identity(logdet, "logdet")
    return feed, ["y", "logdet"]


@case
def actor_and_critic_of_states():
    """DDPG's."""
    s, a = floats("s", None, 5), floats("a", None, 2)
    with v1.variable_scope("actor"):
        h = layers.dense(s, 8, tf.nn.relu, name="l1")
        action = layers.dense(h, 2, tf.nn.tanh, name="a") * tf.constant([2.0, 3.0])
    with v1.variable_scope("critic"):
        w, v, b = weights("w1_s", 5, 8), weights("w1_a", 2, 8), moved("b1", 8, 0.0)
        q = layers.dense(tf.nn.relu(tf.matmul(s, w) + tf.matmul(a, v) + b), 1, name="q")
    tf.identity(action, "action")
    tf.identity(q, "q")
    return lambda b, t: {"s": R.randn(b, 5), "a": R.randn(b, 2)}, ["action", "q"]


@case
def gaussian_policy():
    """PPO's."""
    s, a, old = floats("s", None, 5), floats("a", None, 2), floats("old", None)
    advantage = floats("advantage", None)
    mean = layers.dense(layers.dense(s, 8, tf.tanh, name="hidden"), 2, name="mean")
    logstd = moved("logstd", 2, -0.5)
    z = (a - mean) / tf.exp(logstd)
    logp = -0.5 * tf.reduce_sum(tf.square(z), 1) - tf.reduce_sum(logstd) - np.log(2 * np.pi)
    ratio = tf.exp(logp - old)
    clipped = tf.clip_by_value(ratio, 0.8, 1.2) * advantage
    tf.negative(tf.reduce_mean(tf.minimum(ratio * advantage, clipped)), name="loss")
    tf.identity(logp, "logp")

    def feed(b, t):
        values = {"s": R.randn(b, 5), "a": R.randn(b, 2)}
        return {**values, "old": R.randn(b) - 2, "advantage": R.randn(b)}

    return feed, ["logp", "loss"]


@case
def graph_sage():
    nodes = ids("nodes", None)
    neighbours = ids("neighbours", None, 3)
    table = v1.get_variable("features", [20, 6], trainable=False)
    own, around = tf.gather(table, nodes), tf.gather(table, neighbours)
    h = tf.concat([layers.dense(own, 4, name="own"),
                   layers.dense(tf.reduce_mean(around, 1), 4, name="around")], 1)  # fmt: skip
    tf.nn.l2_normalize(tf.nn.relu(h), 1, name="y")
    return lambda b, t: {
        "nodes": R.randint(0, 20, b),
        "neighbours": R.randint(0, 20, [b, 3]),
    }, ["y"]


@case
def triplet():
    anchor, near, far = (floats(n, None, 8) for n in ("anchor", "near", "far"))

    def tower(x):
        with v1.variable_scope("tower", reuse=v1.AUTO_REUSE):
            h = layers.dense(x, 6, tf.nn.relu, name="hidden")
            return layers.dense(h, 4, name="code")

    a, p, n = tower(anchor), tower(near), tower(far)
    distance = lambda u, v: tf.reduce_sum(tf.square(u - v), 1)  # noqa: E731
    tf.maximum(distance(a, p) - distance(a, n) + 0.2, 0.0, name="y")
    return lambda b, t: {n: R.randn(b, 8) for n in ("anchor", "near", "far")}, ["y"]


@case
def memory_network():
    story, query = ids("story", None, None, 4), ids("query", None, 4)
    a, c = weights("A", 15, 6), weights("C", 15, 6)
    u = tf.reduce_sum(tf.nn.embedding_lookup(a, query), 1)
    for _ in range(2):
        m = tf.reduce_sum(tf.nn.embedding_lookup(a, story), 2)
        p = tf.nn.softmax(tf.reduce_sum(m * tf.expand_dims(u, 1), 2))
        o = tf.reduce_sum(tf.nn.embedding_lookup(c, story), 2)
        u += tf.reduce_sum(o * tf.expand_dims(p, -1), 1)
    tf.identity(layers.dense(u, 15, use_bias=False, name="answer"), "y")
    return lambda b, t: {
        "story": R.randint(0, 15, [b, t, 4]),
        "query": R.randint(0, 15, [b, 4]),
    }, ["y"]


@case
def addressing():
    """A neural Turing machine's read."""
    key, memory = floats("key", None, 4), floats("memory", None, 6, 4)
    strength = tf.nn.softplus(layers.dense(key, 1, name="strength"))
    k = tf.nn.l2_normalize(key, 1)[:, :, None]
    m = tf.nn.l2_normalize(memory, 2)
    content = tf.nn.softmax(strength * tf.squeeze(tf.matmul(m, k), 2))
    shift = tf.nn.softmax(layers.dense(key, 3, name="shift"))
    rolled = tf.stack([tf.roll(content, n - 1, 1) for n in range(3)], 2)
    w = tf.reduce_sum(rolled * shift[:, None, :], 2)
    w = tf.pow(w, 2.5)
    w = w / (tf.reduce_sum(w, 1, keepdims=True) + 1e-6)
    tf.identity(tf.squeeze(tf.matmul(w[:, None], memory), 1), "y")
    return lambda b, t: {"key": R.randn(b, 4), "memory": R.randn(b, 6, 4)}, ["y"]


def squash(s):
    norm = tf.reduce_sum(tf.square(s), -1, keepdims=True)
    return norm / (1.0 + norm) * s / tf.sqrt(norm + 1e-9)


@case
def capsules():
    x = floats("x", None, 6, 4)
    w = weights("W", 1, 6, 3, 5, 4)
    u = tf.tile(x[:, :, None, :, None], [1, 1, 3, 1, 1])
    u = tf.squeeze(tf.matmul(tf.tile(w, [tf.shape(x)[0], 1, 1, 1, 1]), u), 4)
    b = tf.zeros([tf.shape(x)[0], 6, 3])
    for k in range(3):
        c = tf.nn.softmax(b, axis=2)
        v = squash(tf.reduce_sum(c[..., None] * u, 1, keepdims=True))
        if k < 2:
            b += tf.reduce_sum(u * v, -1)
    tf.sqrt(tf.reduce_sum(tf.square(tf.squeeze(v, 1)), -1) + 1e-9, name="y")
    return lambda b, t: {"x": R.randn(b, 6, 4)}, ["y"]


@case
def dilated_waves():
    """WaveNet's blocks."""
    x, feed = sequences(4)
    h, skips = layers.conv1d(x, 6, 1, name="input"), 0
    for k in range(3):
        with v1.variable_scope(f"block_{k}"):
            padded = tf.pad(h, [[0, 0], [2**k, 0], [0, 0]])
            f = layers.conv1d(padded, 6, 2, dilation_rate=2**k, name="filter")
            g = layers.conv1d(padded, 6, 2, dilation_rate=2**k, name="gate")
            z = tf.tanh(f) * tf.sigmoid(g)
            skips += layers.conv1d(z, 5, 1, name="skip")
            h += layers.conv1d(z, 6, 1, name="residual")
    tf.identity(layers.conv1d(tf.nn.relu(skips), 3, 1, name="output"), "y")
    return feed, ["y"]


def attend(q, m, mask, width, heads):
    def split(x, name):
        x = layers.dense(x, width, use_bias=False, name=name)
        return tf.concat(tf.split(x, heads, axis=2), axis=0)

    q, k, v = split(q, "q"), split(m, "k"), split(m, "v")
    scores = tf.matmul(q, tf.transpose(k, [0, 2, 1])) / (width // heads) ** 0.5
    weights_ = tf.nn.softmax(scores + mask)
    out = tf.concat(tf.split(tf.matmul(weights_, v), heads, axis=0), axis=2)
    return layers.dense(out, width, name="o")


@case
def transformer():
    source, target = ids("source", None, None), ids("target", None, None)
    table = weights("embedding", 20, 8)
    x, y = tf.gather(table, source) * 8**0.5, tf.gather(table, target) * 8**0.5
    length = tf.shape(target)[1]
    causal = (1.0 - tf.linalg.band_part(tf.ones([length, length]), -1, 0))[None] * -1e9
    with v1.variable_scope("encoder"), v1.variable_scope("attention"):
        x = contrib.layer_norm(x + attend(x, x, 0.0, 8, 2), begin_norm_axis=-1)
    with v1.variable_scope("decoder"):
        with v1.variable_scope("own"):
            y = contrib.layer_norm(y + attend(y, y, causal, 8, 2), begin_norm_axis=-1)
        with v1.variable_scope("other"):
            y = contrib.layer_norm(y + attend(y, x, 0.0, 8, 2), begin_norm_axis=-1)
        with v1.variable_scope("ffn"):
            y += layers.dense(layers.dense(y, 16, tf.nn.relu, name="inner"), 8, name="outer")
    tf.identity(tf.einsum("bti,vi->btv", y, table), "y")
    return lambda b, t: {
        "source": R.randint(0, 20, [b, t]),
        "target": R.randint(0, 20, [b, t + 1]),
    }, ["y"]


@case
def shared_layers():
    """ALBERT's: one layer, called several times, with einsum."""
    tokens = ids("ids", None, None)
    x = tf.gather(weights("words", 20, 4), tokens)
    x = layers.dense(x, 8, name="project")
    for _ in range(3):
        with v1.variable_scope("shared", reuse=v1.AUTO_REUSE):
            w = weights("kernel", 8, 2, 4)
            q = tf.einsum("BFH,HND->BFND", x, w) + moved("bias", 8, 0.0).read_value()[None, :4]
            scores = tf.einsum("BTNH,BFNH->BNFT", q, q) * 0.5
            context = tf.einsum("BNFT,BTNH->BFNH", tf.nn.softmax(scores), q)
            out = tf.einsum("BFND,NDH->BFH", context, weights("out", 2, 4, 8))
            x = contrib.layer_norm(x + out, begin_norm_axis=-1, scope="norm")
    tf.identity(x, "y")
    return lambda b, t: {"ids": R.randint(0, 20, [b, t])}, ["y"]


@case
def relative_positions():
    """T5's block: no means, a table of distances."""
    x, feed = sequences(8)
    time = tf.shape(x)[1]
    with v1.variable_scope("norm"):
        variance = tf.reduce_mean(tf.square(x), -1, keepdims=True)
        h = x * tf.rsqrt(variance + 1e-6) * moved("scale", 8)
    places = tf.range(time)
    distance = tf.clip_by_value(places[None, :] - places[:, None], -3, 3) + 3
    bias = tf.transpose(tf.gather(weights("bias", 7, 2), distance), [2, 0, 1])
    split = lambda name: tf.transpose(  # noqa: E731
        tf.reshape(layers.dense(h, 8, use_bias=False, name=name), [-1, time, 2, 4]), [0, 2, 1, 3]
    )
    q, k, v = split("q"), split("k"), split("v")
    w = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) + bias)
    out = tf.reshape(tf.transpose(tf.matmul(w, v), [0, 2, 1, 3]), [-1, time, 8])
    tf.add(x, layers.dense(out, 8, use_bias=False, name="o"), "y")
    return feed, ["y"]


@case
def shifted_positions():
    """XLNet's shift of relative scores."""
    x, feed = sequences(6)
    scores = tf.matmul(layers.dense(x, 6, name="q"), x, transpose_b=True)
    shape = tf.shape(scores)
    padded = tf.pad(scores, [[0, 0], [0, 0], [1, 0]])
    padded = tf.reshape(padded, [shape[0], shape[2] + 1, shape[1]])
    tf.reshape(padded[:, 1:], shape, name="y")
    return feed, ["y"]


@case
def tagger():
    """A CRF's: scores of all paths."""
    x, feed = sequences(5)
    lengths = ids("lengths", None)
    unary = layers.dense(x, 4, name="unary")
    transitions = weights("transitions", 4, 4)
    total = tf.contrib.crf.crf_log_norm(unary, lengths, transitions)
    tf.identity(total, "total")
    tf.identity(unary, "y")

    def feeds(b, t):
        numbers = R.randint(1, t + 1, b)
        numbers[0] = t
        return {**feed(b, t), "lengths": numbers}

    return feeds, ["y", "total"]


@case
def speech():
    """A model for CTC: convolutions over time, both directions, blanks."""
    x, feed = sequences(8)
    lengths = ids("lengths", None)
    h = layers.conv1d(x, 6, 3, padding="same", activation=tf.nn.relu, name="conv")
    y, _ = tf.nn.bidirectional_dynamic_rnn(
        cells.LSTMCell(4), cells.LSTMCell(4), h, lengths, dtype=tf.float32
    )
    logits = layers.dense(tf.concat(y, 2), 7, name="logits")
    tf.nn.log_softmax(tf.transpose(logits, [1, 0, 2]), name="y")
    return lambda b, t: {**feed(b, t), "lengths": np.minimum(R.randint(1, t + 1, b), t - 1)}, ["y"]


@case
def wide_and_deep():
    columns = tf.feature_column
    age, job = floats("age", None, 1), ids("job", None, 1)
    number = columns.numeric_column("age")
    bucket = columns.bucketized_column(number, [-0.5, 0.0, 0.5])
    kind = columns.categorical_column_with_identity("job", 9)
    features = {"age": age, "job": tf.cast(job, tf.int64)}
    deep = columns.input_layer(
        features,
        [number, bucket, columns.embedding_column(kind, 4), columns.indicator_column(kind)],
    )
    deep = layers.dense(layers.dense(deep, 6, tf.nn.relu, name="hidden"), 1, name="deep")
    wide = columns.linear_model(features, [bucket, kind])
    tf.sigmoid(deep + wide, "y")
    return lambda b, t: {"age": R.randn(b, 1), "job": R.randint(0, 9, [b, 1])}, ["y"]


@case
def columns_of_several_ids():
    """Ids that are missing, and rows without any."""
    columns = tf.feature_column
    words = columns.categorical_column_with_identity("words", 9)
    features = {"words": tf.cast(ids("words", None, 3), tf.int64)}
    h = columns.input_layer(
        features, [columns.embedding_column(words, 4), columns.indicator_column(words)]
    )
    total = columns.linear_model(features, [words], sparse_combiner="mean")
    tf.add(layers.dense(h, 1, name="deep"), total, "y")

    def feed(b, t):
        numbers = R.randint(0, 9, [b, 3])
        numbers[0], numbers[1, 1:] = -1, -1
        return {"words": numbers}

    return feed, ["y"]


@case
def rows_by_a_mask():
    x, feed = rows(6)
    h = layers.dense(x, 4, name="dense")
    kept = tf.boolean_mask(h, tf.reduce_sum(tf.abs(x), 1) > 0.1)
    tf.reduce_sum(kept, 0, name="total")
    tf.gather_nd(h, [[0, 1], [1, 2]], name="y")
    return feed, ["total", "y"]


@case
def half_precision():
    x = v1.placeholder(tf.float16, [None, 8], name="x")
    h = tf.nn.relu(layers.dense(tf.cast(x, tf.float32), 6, name="first"))
    tf.identity(layers.dense(h, 3, name="last"), "y")
    return lambda b, t: {"x": R.randn(b, 8)}, ["y"]


@case
def volumes():
    x = floats("x", None, 4, 6, 6, 2)
    h = layers.conv3d(x, 4, 3, padding="same", activation=tf.nn.relu, name="first")
    h = layers.max_pooling3d(h, 2, 2)
    tf.reduce_mean(layers.conv3d(h, 3, 2, name="last"), [1, 2, 3], name="y")
    return lambda b, t: {"x": R.randn(b, 4, 6, 6, 2)}, ["y"]


@case
def dilated_images():
    x = floats("image", None, None, None, 3)
    h = tf.nn.atrous_conv2d(x, weights("w", 3, 3, 3, 5), 2, "SAME")
    h = layers.conv2d(h, 4, 3, padding="same", dilation_rate=3, name="same_dilated")
    h = layers.conv2d_transpose(h, 4, 3, 2, "valid", name="up")
    tf.identity(layers.conv2d_transpose(h, 3, 3, 1, "same", name="same"), "y")
    return lambda b, t: {"image": R.randn(b, 2 * t, 2 * t + 2, 3)}, ["y"]


@case
def local_responses():
    """AlexNet's, in two groups."""
    x, feed = images(12)
    h = tf.nn.lrn(
        layers.conv2d(x, 6, 3, 2, activation=tf.nn.relu, name="conv1"), 2, 2.0, 1e-2, 0.75
    )
    h = layers.max_pooling2d(h, 3, 2)
    parts, kernels = tf.split(h, 2, 3), tf.split(weights("w", 3, 3, 3, 8), 2, 3)
    convolved = [tf.nn.conv2d(p, k, 1, "SAME") for p, k in zip(parts, kernels)]
    h = tf.nn.bias_add(tf.concat(convolved, 3), moved("b", 8, 0.0))
    tf.identity(layers.dense(layers.flatten(h), 4, name="logits"), "y")
    return feed, ["y"]


@case
def without_names():
    """A frozen graph whose ops are called n0, n1, ..."""
    with tf.Graph().as_default() as graph, v1.Session() as session:
        tf.set_random_seed(3)
        x = floats("x", None, None, 6)
        h = layers.dense(x, 8)
        h = contrib.layer_norm(h * 0.5 * (1.0 + tf.erf(h / np.sqrt(2.0))), begin_norm_axis=-1)
        y = tf.nn.softmax(layers.dense(h, 3))
        session.run(v1.global_variables_initializer())
        frozen = v1.graph_util.convert_variables_to_constants(
            session, graph.as_graph_def(), [y.op.name]
        )
    names = {node.name: f"n{i}" for i, node in enumerate(frozen.node)}
    names.update({"x": "x", y.op.name: "y"})
    for node in frozen.node:
        node.attr.pop("_class", None)
        node.name = names[node.name]
        for i, name in enumerate(node.input):
            start, colon, rest = name.partition(":")
            node.input[i] = names[start] + colon + rest
    tf.import_graph_def(frozen, name="")
    return lambda b, t: {"x": R.randn(b, t, 6)}, ["y"]
