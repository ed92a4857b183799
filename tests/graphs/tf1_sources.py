"""Small graphs of public kinds that TF 1.15 builds and saves, to be written as source.

python tf1_sources.py FOLDER [CASE ...]

For each case: FOLDER/NAME/model, a checkpoint with its .meta, and FOLDER/NAME.npz with inputs of
two sizes ("0/in/NAME", "1/in/NAME"), the outputs ("0/out/NAME") and, of the first, the gradients of
all variables ("grad/VARIABLE") of the sum of all outputs times cos(0), cos(1), ...
"""

import os
import sys
import traceback

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import gen_array_ops

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tf1_source_kinds  # noqa: E402
import tf1_source_loops  # noqa: E402
from tf1_source_inputs import R, floats, ids, images, mode, rows, weights  # noqa: E402

v1 = tf.compat.v1
slim = tf.contrib.slim
layers = tf.layers
CASES = {**tf1_source_loops.CASES, **tf1_source_kinds.CASES}


def case(function):
    CASES[function.__name__] = function
    return function


@case
def perceptron():
    x, feed = rows(8)
    with v1.variable_scope("net"):
        h = layers.dense(x, 6, tf.nn.relu, name="hidden")
        h = layers.dense(h, 4, name="scores")
    tf.nn.softmax(h, name="y")
    return feed, ["y"]


@case
def without_scopes():
    x, feed = rows(8)

    def made(*shape):
        return v1.Variable(tf.random_normal(shape))

    h = tf.nn.relu(tf.matmul(x, made(8, 6)) + made(6))
    tf.add(tf.matmul(h, made(6, 3)), made(3), name="y")
    return feed, ["y"]


@case
def tied_autoencoder():
    x, feed = rows(12)
    w, b, c = weights("w", 12, 5), weights("b", 5), weights("c", 12)
    h = tf.nn.sigmoid(tf.matmul(x, w) + b)
    tf.nn.sigmoid(tf.matmul(h, w, transpose_b=True) + c, name="y")
    return feed, ["y"]


@case
def variational_autoencoder():
    x, feed = rows(12)
    with v1.variable_scope("encoder"):
        h = layers.dense(x, 9, tf.nn.relu)
        mean, logvar = layers.dense(h, 3, name="mean"), layers.dense(h, 3, name="logvar")
    with v1.variable_scope("decoder"):
        h = layers.dense(layers.dense(mean, 9, tf.nn.relu), 12, tf.sigmoid)
    tf.identity(h, "y")
    tf.identity(-0.5 * tf.reduce_sum(1 + logvar - tf.square(mean) - tf.exp(logvar), 1), "kl")
    return feed, ["y", "kl"]


@case
def dueling_network():
    x, feed = images(20, 4)
    h = x / 255.0
    with v1.variable_scope("q"):
        h = slim.conv2d(h, 8, 8, 4, padding="VALID")
        h = slim.flatten(slim.conv2d(h, 8, 3, 1, padding="VALID"))
        value = slim.fully_connected(h, 1, activation_fn=None)
        advantage = slim.fully_connected(h, 4, activation_fn=None)
        q = value + (advantage - tf.reduce_mean(advantage, 1, keepdims=True))
    tf.identity(q, "y")
    tf.argmax(q, 1, name="action")
    return feed, ["y", "action"]


@case
def skip_gram():
    center, context = ids("center", None), ids("context", None)
    e, w = v1.Variable(tf.random_uniform([30, 6])), v1.Variable(tf.random_uniform([30, 6]))
    b = v1.Variable(tf.random_uniform([30]))
    score = tf.reduce_sum(tf.nn.embedding_lookup(e, center) * tf.nn.embedding_lookup(w, context), 1)
    tf.add(score, tf.gather(b, context), name="y")
    return lambda b, t: {"center": R.randint(0, 30, b), "context": R.randint(0, 30, b)}, ["y"]


@case
def siamese():
    a, b = floats("a", None, 8), floats("b", None, 8)

    def tower(x):
        with v1.variable_scope("tower", reuse=v1.AUTO_REUSE):
            h = layers.dense(x, 6, tf.nn.relu, name="hidden")
            return tf.nn.l2_normalize(layers.dense(h, 4, name="code"), 1)

    left, right = tower(a), tower(b)
    tf.reduce_sum(tf.squared_difference(left, right), 1, name="y")
    return lambda b, t: {"a": R.randn(b, 8), "b": R.randn(b, 8)}, ["y"]


@case
def factorization_machine():
    field = ids("fields", None, 5)
    first = tf.reduce_sum(tf.gather(weights("first", 20, 1), field), [1, 2])
    v = tf.gather(weights("vectors", 20, 4), field)
    second = 0.5 * tf.reduce_sum(tf.square(tf.reduce_sum(v, 1)) - tf.reduce_sum(tf.square(v), 1), 1)
    deep = tf.reshape(v, [-1, 20])
    with v1.variable_scope("deep"):
        deep = layers.dense(layers.dense(deep, 8, tf.nn.relu), 1)
    tf.sigmoid(first + second + tf.squeeze(deep, 1), name="y")
    return lambda b, t: {"fields": R.randint(0, 20, [b, 5])}, ["y"]


@case
def partitioned():
    x, feed = rows(8)
    with v1.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        w = weights("w", 8, 6)
        b = v1.get_variable("b", [6], partitioner=None)
    tf.nn.relu(tf.matmul(x, w) + b, name="y")
    return feed, ["y"]


@case
def highway():
    x, feed = rows(6)
    for k in range(3):
        with v1.variable_scope(f"highway_{k}"):
            t = layers.dense(x, 6, tf.sigmoid, name="gate")
            h = layers.dense(x, 6, tf.nn.elu, name="transform")
            x = t * h + (1 - t) * x
    tf.identity(x, "y")
    return feed, ["y"]


def encoder_layer(x, mask, batch, time, width, heads):
    size = width // heads

    def split(name):
        h = tf.reshape(layers.dense(x, width, name=name), [batch, time, heads, size])
        return tf.transpose(h, [0, 2, 1, 3])

    with v1.variable_scope("attention"):
        q, k, v = split("query"), split("key"), split("value")
        scores = tf.matmul(q, k, transpose_b=True) * (1.0 / np.sqrt(size))
        scores += (1.0 - mask[:, None, None, :]) * -10000.0
        h = tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])
        h = layers.dense(tf.reshape(h, [batch, time, width]), width, name="output")
        x = tf.contrib.layers.layer_norm(x + h, begin_norm_axis=-1)
    with v1.variable_scope("feed_forward"):
        h = layers.dense(x, 2 * width, name="inner")
        h *= 0.5 * (1.0 + tf.erf(h / np.sqrt(2.0)))
        return tf.contrib.layers.layer_norm(
            x + layers.dense(h, width, name="outer"), begin_norm_axis=-1
        )


@case
def encoder():
    tokens, mask = ids("ids", None, None), floats("mask", None, None)
    batch, time = tf.shape(tokens)[0], tf.shape(tokens)[1]
    with v1.variable_scope("embeddings"):
        x = tf.gather(weights("words", 30, 16), tokens)
        x += weights("positions", 40, 16)[:time]
    for k in range(3):
        with v1.variable_scope(f"layer_{k}"):
            x = encoder_layer(x, mask, batch, time, 16, 4)
    with v1.variable_scope("pooler"):
        pooled = layers.dense(x[:, 0], 16, tf.tanh, name="dense")
    tf.identity(x, "y")
    tf.identity(pooled, "pooled")

    def feed(b, t):
        lengths = R.randint(1, t + 1, b)
        return {
            "ids": R.randint(0, 30, [b, t]),
            "mask": (np.arange(t) < lengths[:, None]).astype("f"),
        }

    return feed, ["y", "pooled"]


def norm(x, scope):
    with v1.variable_scope(scope):
        width = x.shape[-1].value
        g, b = v1.get_variable("g", [width], initializer=tf.ones_initializer()), weights("b", width)
        mean = tf.reduce_mean(x, -1, keepdims=True)
        variance = tf.reduce_mean(tf.square(x - mean), -1, keepdims=True)
        return (x - mean) * tf.rsqrt(variance + 1e-5) * g + b


def projection(x, width, scope):
    with v1.variable_scope(scope):
        size = x.shape[-1].value
        w, b, shape = weights("w", 1, size, width), weights("b", width), tf.shape(x)
        h = tf.matmul(tf.reshape(x, [-1, size]), tf.reshape(w, [-1, width])) + b
        return tf.reshape(h, [shape[0], shape[1], width])


@case
def language_model():
    tokens = ids("ids", None, None)
    words, positions = weights("model/wte", 30, 16), weights("model/wpe", 40, 16)
    s = tf.shape(tokens)
    places = tf.tile(tf.expand_dims(tf.range(s[1]), 0), [s[0], 1])
    x = tf.gather(words, tokens) + tf.gather(positions, places)
    with v1.variable_scope("model"):
        for k in range(2):
            with v1.variable_scope(f"h{k}"):
                with v1.variable_scope("attn"):
                    c = projection(norm(x, "ln_1"), 48, "c_attn")
                    q, kk, v = [
                        tf.transpose(tf.reshape(z, [s[0], s[1], 4, 4]), [0, 2, 1, 3])
                        for z in tf.split(c, 3, 2)
                    ]
                    w = tf.matmul(q, kk, transpose_b=True) * tf.rsqrt(4.0)
                    i = tf.range(s[1])[:, None]
                    m = tf.reshape(tf.cast(i >= tf.range(s[1]), tf.float32), [1, 1, s[1], s[1]])
                    a = tf.matmul(tf.nn.softmax(w * m - 1e10 * (1 - m)), v)
                    a = tf.reshape(tf.transpose(a, [0, 2, 1, 3]), [s[0], s[1], 16])
                    x += projection(a, 16, "c_proj")
                with v1.variable_scope("mlp"):
                    z = projection(norm(x, "ln_2"), 64, "c_fc")
                    gate = tf.tanh(np.sqrt(2 / np.pi).astype("f") * (z + 0.044715 * tf.pow(z, 3)))
                    x += projection(0.5 * z * (1 + gate), 16, "c_proj")
        x = norm(x, "ln_f")
        y = tf.matmul(tf.reshape(x, [s[0] * s[1], 16]), words, transpose_b=True)
        y = tf.reshape(y, [s[0], s[1], 30])
    tf.identity(y, "y")
    return lambda b, t: {"ids": R.randint(0, 30, [b, t])}, ["y"]


@case
def dense_on_sequences():
    x = floats("x", None, None, 6)
    h = layers.dense(x, 5, tf.nn.relu, name="first")
    tf.identity(layers.dense(h, 3, use_bias=False, name="second"), "y")
    return lambda b, t: {"x": R.randn(b, t, 6)}, ["y"]


@case
def convolutions():
    x, feed = images(12)
    h = layers.conv2d(x, 6, 3, 2, "same", activation=tf.nn.relu, name="strided")
    h = layers.conv2d(h, 5, 2, 1, "same", name="even")
    h = layers.separable_conv2d(h, 7, 3, padding="same", name="separable")
    h = layers.conv2d(h, 4, 3, padding="same", dilation_rate=2, name="dilated")
    h = layers.conv2d(h, 4, (3, 1), padding="valid", name="valid")
    tf.reduce_mean(h, [1, 2], name="y")
    return feed, ["y"]


@case
def paddings():
    x, feed = images(9)
    h = tf.pad(x, [[0, 0], [0, 1], [0, 1], [0, 0]])
    h = layers.conv2d(h, 4, 3, 2, "valid", activation=tf.nn.relu, name="one_side")
    h = tf.pad(h, [[0, 0], [1, 1], [2, 2], [0, 0]])
    h = layers.conv2d(h, 4, 3, 1, "valid", name="both_sides")
    h = tf.pad(h * weights("scale", 4), [[0, 0], [1, 0], [0, 2], [0, 0]], constant_values=1.0)
    h = layers.average_pooling2d(h, 2, 2, "same")
    tf.identity(layers.max_pooling2d(h, 3, 2, "same"), "y")
    return feed, ["y"]


@case
def images_of_any_size():
    x = floats("image", None, None, None, 3)
    h = layers.conv2d(x, 6, 3, 2, "same", activation=tf.nn.relu)
    h = layers.max_pooling2d(h, 3, 2, "same")
    tf.identity(layers.conv2d(h, 4, 5, 1, "same"), "y")
    return lambda b, t: {"image": R.randn(b, 2 * t + 6, 3 * t + 6, 3)}, ["y"]


@case
def residual_network():
    x, feed = images(16)
    bn = {"is_training": False}
    with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, normalizer_params=bn):
        with v1.variable_scope("net"):
            x = slim.conv2d(x, 8, 3, scope="root")
            for k, (width, stride) in enumerate([(8, 1), (16, 2), (16, 1)]):
                with v1.variable_scope(f"block_{k}"):
                    s = x
                    if width != x.shape[-1].value:
                        s = slim.conv2d(x, width, 1, stride, activation_fn=None, scope="shortcut")
                    h = slim.conv2d(x, width, 3, stride, scope="conv1")
                    h = slim.conv2d(h, width, 3, activation_fn=None, scope="conv2")
                    x = tf.nn.relu(s + h)
            x = tf.reduce_mean(x, [1, 2])
            x = slim.fully_connected(x, 5, activation_fn=None, scope="logits")
    tf.identity(x, "y")
    return feed, ["y"]


@case
def mobile_network():
    x, feed = images(17)
    t = mode()
    with slim.arg_scope([slim.batch_norm], is_training=t, scale=True, decay=0.9):
        with slim.arg_scope(
            [slim.conv2d, slim.separable_conv2d],
            normalizer_fn=slim.batch_norm,
            activation_fn=tf.nn.relu6,
        ):
            with v1.variable_scope("Mobilenet"):
                y = slim.conv2d(x, 8, 3, 2, scope="Conv2d_0")
                for k, (n, s) in enumerate([(16, 1), (16, 2)]):
                    scope = f"Conv2d_{k + 1}_"
                    y = slim.separable_conv2d(y, None, 3, 1, s, scope=scope + "depthwise")
                    y = slim.conv2d(y, n, 1, scope=scope + "pointwise")
                y = slim.avg_pool2d(y, y.shape[1:3].as_list())
                y = slim.conv2d(y, 5, 1, activation_fn=None, normalizer_fn=None, scope="Logits")
    tf.squeeze(y, [1, 2], name="y")
    return feed, ["y"]


@case
def segmentation():
    x, feed = images(16)
    down = layers.conv2d(x, 6, 3, padding="same", activation=tf.nn.relu, name="down1")
    h = layers.max_pooling2d(down, 2, 2)
    h = layers.conv2d(h, 8, 3, padding="same", activation=tf.nn.relu, name="bottom")
    h = layers.conv2d_transpose(h, 6, 2, 2, name="up1")
    h = layers.conv2d(tf.concat([down, h], 3), 6, 3, padding="same", name="merge")
    tf.nn.softmax(layers.conv2d(h, 3, 1, name="classes"), name="y")
    return feed, ["y"]


@case
def generator_and_critic():
    z = floats("z", None, 10)
    with v1.variable_scope("gen"):
        h = tf.reshape(layers.dense(z, 4 * 4 * 8), [-1, 4, 4, 8])
        h = tf.nn.relu(layers.batch_normalization(h))
        h = tf.nn.relu(layers.conv2d_transpose(h, 6, 5, 2, "same"))
        h = tf.tanh(layers.conv2d_transpose(h, 3, 4, 2, "same"))
    with v1.variable_scope("disc"):
        d = layers.conv2d(h, 6, 5, 2, "same", activation=tf.nn.leaky_relu)
        d = layers.conv2d(d, 8, 5, 2, "same", activation=tf.nn.leaky_relu)
        d = layers.dense(layers.flatten(d), 1)
    tf.identity(h, "fake")
    tf.identity(d, "y")
    return lambda b, t: {"z": R.randn(b, 10)}, ["fake", "y"]


@case
def inception():
    x, feed = images(12)

    def module(x, scope):
        with v1.variable_scope(scope):
            a = slim.conv2d(x, 4, 1, scope="Branch_0")
            b = slim.conv2d(slim.conv2d(x, 3, 1, scope="Branch_1a"), 4, 3, scope="Branch_1b")
            c = slim.conv2d(slim.avg_pool2d(x, 3, 1, "SAME"), 4, 1, scope="Branch_2")
            return tf.concat([a, b, c], 3)

    with v1.variable_scope("Inception"):
        x = module(module(x, "Mixed_a"), "Mixed_b")
        x = slim.max_pool2d(x, 3, 2, "SAME")
        x = tf.reduce_mean(x, [1, 2])
        x = slim.fully_connected(x, 4, activation_fn=None, scope="Logits")
    tf.identity(x, "y")
    return feed, ["y"]


@case
def keras_network():
    x = tf.keras.Input([8, 8, 3], name="image")
    y = tf.keras.layers.Conv2D(6, 3, strides=2, padding="same", activation="relu")(x)
    y = tf.keras.layers.BatchNormalization()(y)
    y = tf.keras.layers.DepthwiseConv2D(3, padding="same")(y)
    y = tf.keras.layers.AveragePooling2D()(y)
    y = tf.keras.layers.Dropout(0.3)(tf.keras.layers.Flatten()(y))
    tf.identity(tf.keras.layers.Dense(4, activation="softmax")(y), "y")
    return lambda b, t: {"image": R.randn(b, 8, 8, 3)}, ["y"]


@case
def normalized_rows():
    x, feed = rows(6)
    t = mode()
    h = layers.dense(x, 5, name="d1")
    h = tf.nn.relu(layers.batch_normalization(h, training=t, name="bn"))
    h = layers.dropout(h, 0.4, training=t)
    tf.identity(layers.dense(h, 3, name="d2"), "y")
    return feed, ["y"]


@case
def dilated_sequence():
    x = floats("x", None, None, 4)
    h = layers.conv1d(x, 8, 1, name="front")
    skip = 0
    for k in range(3):
        with v1.variable_scope(f"dilated_{k}"):
            d = 2**k
            p = tf.pad(h, [[0, 0], [d, 0], [0, 0]])
            a = layers.conv1d(p, 8, 2, dilation_rate=d, name="filter", activation=tf.tanh)
            b = layers.conv1d(p, 8, 2, dilation_rate=d, name="gate", activation=tf.sigmoid)
            z = a * b
            h = h + layers.conv1d(z, 8, 1, name="residual")
            skip = skip + layers.conv1d(z, 6, 1, name="skip")
    tf.identity(layers.conv1d(tf.nn.relu(skip), 5, 1, name="out"), "y")
    return lambda b, t: {"x": R.randn(b, t + 8, 4)}, ["y"]


@case
def text_convolution():
    tokens = ids("ids", None, 9)
    x = tf.expand_dims(tf.nn.embedding_lookup(weights("embedding", 20, 6), tokens), -1)
    pools = []
    for size in (2, 3):
        with v1.variable_scope(f"conv-maxpool-{size}"):
            w, b = weights("W", size, 6, 1, 4), weights("b", 4)
            h = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, 1, 1, 1], "VALID"), b))
            pools.append(tf.nn.max_pool(h, [1, 10 - size, 1, 1], [1, 1, 1, 1], "VALID"))
    h = tf.reshape(tf.concat(pools, 3), [-1, 8])
    tf.identity(layers.dense(h, 2, name="output"), "y")
    return lambda b, t: {"ids": R.randint(0, 20, [b, 9])}, ["y"]


@case
def capsules():
    x = floats("u", None, 6, 8)
    w = weights("W", 1, 6, 3, 4, 8)
    u = tf.matmul(
        tf.tile(w, [tf.shape(x)[0], 1, 1, 1, 1]), tf.tile(x[:, :, None, :, None], [1, 1, 3, 1, 1])
    )
    u, b = tf.squeeze(u, -1), tf.zeros([tf.shape(x)[0], 6, 3])
    for _ in range(2):
        s = tf.reduce_sum(tf.nn.softmax(b)[..., None] * u, 1)
        q = tf.reduce_sum(tf.square(s), -1, keepdims=True)
        v = q / (1 + q) * s / tf.sqrt(q + 1e-9)
        b = b + tf.reduce_sum(u * v[:, None], -1)
    tf.identity(v, "y")
    return lambda b, t: {"u": R.randn(b, 6, 8)}, ["y"]


@case
def attention_of_graph():
    x, adjacency = floats("x", None, 6), floats("adjacency", None, None)
    with v1.variable_scope("gat"):
        h = layers.dense(x, 5, use_bias=False, name="transform")
        f = layers.dense(h, 1, name="from") + tf.transpose(layers.dense(h, 1, name="to"))
        c = tf.nn.softmax(tf.nn.leaky_relu(f) - 1e9 * (1 - adjacency))
        h = tf.nn.elu(tf.matmul(c, h), name="out")
    tf.identity(h, "y")
    return lambda b, t: {
        "x": R.randn(b, 6),
        "adjacency": np.maximum(R.randint(0, 2, [b, b]), np.eye(b)),
    }, ["y"]


@case
def mixture_density():
    x, feed = rows(4)
    h = layers.dense(x, 8, tf.nn.softplus, name="hidden")
    logits, mean, scale = tf.split(layers.dense(h, 9, name="parameters"), 3, 1)
    terms = tf.nn.log_softmax(logits) - tf.square(mean) * tf.exp(-scale)
    tf.identity(tf.reduce_logsumexp(terms, axis=1), "y")
    return feed, ["y"]


@case
def policy_and_value():
    x, feed = rows(5)
    with v1.variable_scope("pi"):
        h = layers.dense(layers.dense(x, 6, tf.tanh), 6, tf.tanh)
        mean = layers.dense(h, 2)
        std = tf.exp(v1.get_variable("log_std", [2], initializer=tf.zeros_initializer()))
        tf.add(mean, std, name="act")
    with v1.variable_scope("v"):
        tf.squeeze(layers.dense(layers.dense(x, 6, tf.tanh), 1), 1, name="v")
    return feed, ["pi/act", "v/v"]


@case
def activations():
    x, feed = rows(7)
    parts = [
        x * tf.sigmoid(x), tf.nn.selu(x), tf.nn.softsign(x), tf.nn.leaky_relu(x, 0.1),
        x * tf.nn.relu6(x + 3) / 6, x * tf.tanh(tf.nn.softplus(x)), tf.maximum(x, 0.3 * x),
        tf.nn.crelu(x), 0.5 * x * (1 + tf.erf(x / np.sqrt(2.0))), tf.clip_by_value(x, -1, 1),
    ]  # fmt: skip
    tf.identity(layers.dense(tf.concat(parts, 1), 3), "y")
    return feed, ["y"]


@case
def integers():
    a, b = ids("a", None), ids("b", None)
    q = tf.floordiv(a, tf.maximum(b, 1)) + a % tf.maximum(b, 1)
    tf.identity(q, "quotient")
    tf.one_hot(a, 5, name="rows")
    tf.cumsum(tf.where(a > b, a, -b), name="total")
    tf.cast(tf.reduce_sum(a), tf.float32, name="y")
    return lambda b, t: {"a": R.randint(0, 9, b), "b": R.randint(1, 9, b)}, [
        "quotient", "rows", "total", "y"
    ]  # fmt: skip


@case
def awkward_names():
    x = floats("in/put", None, 6)
    with v1.variable_scope("class"):
        h = layers.dense(x, 5, tf.nn.relu, name="self")
    with v1.variable_scope("training"):
        with v1.variable_scope("1x.y-z"):
            h = layers.dense(h, 5, tf.nn.relu, name="forward")
            h *= weights("torch", 5)
        h = layers.dense(h, 5, name="x")
    with v1.variable_scope("Model"):
        h = layers.dense(h, 3, name="weight") + weights("F", 3)
    tf.identity(h, "y/out")
    return lambda b, t: {"in/put": R.randn(b, 6)}, ["y/out"]


@case
def frozen_table():
    tokens = ids("ids", None, None)
    table = v1.get_variable("table", [9, 4], trainable=False)
    scale = v1.get_variable("scale", [4], trainable=False)
    h = tf.reduce_mean(tf.nn.embedding_lookup(table, tokens) * scale, 1)
    tf.identity(layers.dense(h, 3, name="dense"), "y")
    return lambda b, t: {"ids": R.randint(0, 9, [b, t])}, ["y"]


@case
def layer_in_two_scopes():
    x, feed = rows(4)
    shared = layers.Dense(4, tf.tanh, name="shared")
    with v1.variable_scope("left"):
        a = shared(layers.dense(x, 4, name="own"))
    with v1.variable_scope("right"):
        b = layers.dense(shared(x), 4, name="own")
    tf.add(a, b, name="y")
    return feed, ["y"]


@case
def sizes_as_numbers():
    x = floats("x", None, None, 3)
    shape = tf.shape(x)
    h = tf.reduce_sum(x, 1) / tf.cast(shape[1], tf.float32)
    h = tf.concat([h, tf.fill([shape[0], 2], 0.5), tf.zeros([shape[0], shape[1]])[:, :2]], 1)
    tf.identity(h, "y")
    tf.identity(shape[0] * shape[1], "count")
    return lambda b, t: {"x": R.randn(b, t, 3)}, ["y", "count"]


@case
def old_concatenation():
    """The op that graphs before TF 1.0 have, and a scalar that is reshaped."""
    x = floats("x", None, 3)
    h = gen_array_ops.concat(1, [x, x * 2])
    largest = tf.reshape(tf.reduce_max(h, keepdims=True), [])
    tf.identity(layers.dense(h, 2) * largest, "y")
    return lambda b, t: {"x": R.randn(b, 3)}, ["y"]


@case
def double_precision():
    x = v1.placeholder(tf.float64, [None, 4], name="x")
    tf.identity(layers.dense(layers.dense(x, 5, tf.tanh), 2), "y")
    return lambda b, t: {"x": R.randn(b, 4)}, ["y"]


@case
def recurrent_unrolled():
    x = floats("x", None, 4, 3)
    y, _ = tf.nn.static_rnn(tf.nn.rnn_cell.BasicLSTMCell(5), tf.unstack(x, 4, 1), dtype=tf.float32)
    tf.identity(layers.dense(y[-1], 2), "y")
    return lambda b, t: {"x": R.randn(b, 4, 3)}, ["y"]


@case
def branch():
    x, feed = rows(4)
    h = layers.dense(x, 4)
    w = weights("w", 4)

    def inner():
        return tf.cond(tf.reduce_sum(h) > -3, lambda: h * w, lambda: tf.ones_like(h) * 3.0)

    h = tf.cond(tf.reduce_mean(h) > 0, lambda: h * 2, inner)
    scale = tf.cond(h[0, 0] > 0, lambda: 2.0, lambda: tf.constant(3.0) * 5.0)
    tf.multiply(h, scale, name="y")
    return feed, ["y"]


def fill_variables(session):
    """Moves what begins at 0 or 1 off these numbers."""
    for variable in v1.global_variables():
        value = session.run(variable)
        if value.dtype == np.float32 and (value == value.flat[0]).all():
            moved = value + 0.1 * np.abs(R.randn(*value.shape))
            session.run(variable.initializer, {variable.initial_value: moved})


def gradients(names, graph):
    total = 0
    for name in names:
        tensor = graph.get_tensor_by_name(name + ":0")
        if tensor.dtype == tf.float32:
            flat = tf.reshape(tensor, [-1])
            total += tf.reduce_sum(flat * tf.cos(tf.range(tf.cast(tf.size(flat), tf.float32))))
    variables = v1.trainable_variables()
    pairs = zip(variables, tf.gradients(total, variables))
    return {v.op.name: tf.convert_to_tensor(g) for v, g in pairs if g is not None}


def build(name, folder):
    tf.keras.backend.clear_session()
    with tf.Graph().as_default() as graph, v1.Session() as session:
        tf.keras.backend.set_session(session)
        tf.set_random_seed(7)
        R.seed(5)
        feeds, names = CASES[name]()
        variables = v1.global_variables()
        if variables:
            session.run(v1.global_variables_initializer())
            fill_variables(session)
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        prefix = os.path.join(folder, name, "model")
        if variables:
            v1.train.Saver().save(session, prefix)
        else:
            v1.train.export_meta_graph(prefix + ".meta")
        arrays = {}
        for k, (b, t) in enumerate([(3, 5), (2, 7)]):
            fed = {key: _cast(graph, key, value) for key, value in feeds(b, t).items()}
            feed = {key + ":0": value for key, value in fed.items()}
            values = session.run([each + ":0" for each in names], feed)
            arrays.update((f"{k}/in/{key}", value) for key, value in fed.items())
            arrays.update((f"{k}/out/{key}", value) for key, value in zip(names, values))
            if k == 0:
                rows_of = gradients(names, graph)
                values = session.run(rows_of, feed) if rows_of else {}
                arrays.update(("grad/" + key, value) for key, value in values.items())
        np.savez(os.path.join(folder, name + ".npz"), **arrays)


def _cast(graph, name, value):
    return np.asarray(value).astype(graph.get_tensor_by_name(name + ":0").dtype.as_numpy_dtype)


if __name__ == "__main__":
    for case_name in sys.argv[2:] or sorted(CASES):
        try:
            build(case_name, sys.argv[1])
        except Exception:
            print(case_name)
            traceback.print_exc()
            raise
