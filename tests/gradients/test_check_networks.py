"""check_gradients on random networks: a right one is never blamed, a planted error is found.

The networks have kinks, pools, sorts, norms and products, 10 to 100,000 inputs, and three
precisions. ``TFGRAPHTOOLS_NETWORKS=200`` draws as many, which takes ten minutes.
"""

import os

import numpy as np

COUNT = int(os.environ.get("TFGRAPHTOOLS_NETWORKS", "9"))
SIZES = (10, 100, 600, 3000, 100000, 20, 200, 1000, 5000, 40)
DTYPES = ("float32", "float64", "float16")


def _matmul(tf, h, random):
    columns = int(h.shape[-1])
    w = tf.constant(random.normal(size=[columns, columns]) / np.sqrt(columns), h.dtype)
    return tf.matmul(h, w)


def _norm(tf, h, random):
    return h / (tf.norm(h, axis=-1, keepdims=True) + 0.1)


def _layer_norm(tf, h, random):
    mean, variance = tf.nn.moments(h, [-1], keepdims=True)
    return (h - mean) * tf.math.rsqrt(variance + 1e-2)


def _pool(tf, h, random):
    images = tf.reshape(h, [h.shape[0], 1, h.shape[1], 1])
    pooled = tf.nn.max_pool2d(images, [1, 2], [1, 1], "SAME")
    return tf.reshape(pooled, h.shape)


def _scaled(function):
    return lambda tf, h, random: function(tf, h) * random.uniform(0.5, 2.0)


LAYERS = {
    "matmul": _matmul,
    "norm": _norm,
    "layer norm": _layer_norm,
    "max_pool": _pool,
    "relu": _scaled(lambda tf, h: tf.nn.relu(h)),
    "leaky_relu": _scaled(lambda tf, h: tf.nn.leaky_relu(h)),
    "abs": _scaled(lambda tf, h: tf.abs(h)),
    "softsign": _scaled(lambda tf, h: tf.nn.softsign(h)),
    "relu squared": _scaled(lambda tf, h: tf.nn.relu(h) ** 2),
    "elu": _scaled(lambda tf, h: tf.nn.elu(h)),
    "tanh": _scaled(lambda tf, h: tf.tanh(h)),
    "sin": _scaled(lambda tf, h: tf.sin(3 * h)),
    "sort": _scaled(lambda tf, h: tf.sort(h, axis=-1)),
    "top": _scaled(lambda tf, h: tf.concat([tf.nn.top_k(h, 2)[0], h[:, 2:]], 1)),
    "maximum": _scaled(lambda tf, h: tf.maximum(h, h[:, ::-1])),
    "clip": _scaled(lambda tf, h: tf.clip_by_value(h, -0.7, 0.9) + 0.1 * h),
    "softmax": _scaled(lambda tf, h: tf.nn.softmax(h) * h),
    "max": _scaled(lambda tf, h: h - tf.reduce_max(h, -1, keepdims=True)),
}
#: How a planted error changes the gradient of one layer.
ERRORS = ("percent", "sign", "missing term", "wrong element")


def _planted(tf, error, shape, random):
    """The identity, with a wrong gradient."""
    even = np.arange(shape[1]) % 2 == 0

    @tf.custom_gradient
    def wrong(h):
        def gradient(upstream):
            return {
                "percent": lambda: upstream * tf.cast(1.01, h.dtype),
                "sign": lambda: -upstream,
                "missing term": lambda: upstream * tf.constant(even, h.dtype),
                "wrong element": lambda: upstream + 2 * _largest(tf, upstream),
            }[error]()

        return tf.identity(h), gradient

    return wrong


def _largest(tf, values):
    """The values with zeros in place of all but the largest."""
    size = tf.abs(values)
    return tf.where(tf.equal(size, tf.reduce_max(size)), values, tf.zeros_like(values))


def _network(tf, v1, number, error=None):
    """(y, x, a description) of one random network."""
    random = np.random.RandomState(number)
    dtype, size = DTYPES[number % 3], SIZES[(number // 3) % len(SIZES)]
    columns = 10 if size > 600 else (5 if size < 100 else 20)
    value = random.normal(size=[size // columns, columns])
    if random.rand() < 0.3:
        value.flat[random.randint(size, size=max(1, size // 10))] = 0.0
    x = v1.placeholder_with_default(value.astype(dtype), value.shape)
    chosen = list(random.choice(list(LAYERS), random.randint(1, 4)))
    h = x
    if error:
        h = _planted(tf, error, value.shape, random)(h)
        h = h * tf.constant(random.uniform(0.5, 1.5, value.shape), h.dtype) + 0.05 * h
    for name in chosen:
        h = LAYERS[name](tf, h, random)
    reduce = random.choice(["none", "mean", "sum of squares"])
    if reduce == "mean" and dtype != "float16":
        h = tf.reduce_mean(h * tf.constant(random.uniform(-1, 1, value.shape), h.dtype))
    elif reduce == "sum of squares" and dtype != "float16":
        h = tf.reduce_sum((h - 0.1) ** 2)
    return h, x, (number, dtype, size, chosen, reduce, error)


def _check(tf, v1, gradients, number, error=None):
    with v1.Graph().as_default():
        y, x, description = _network(tf, v1, number, error)
        return description, gradients.check_gradients(y, x, max_elements=50).result(x)


def _blamed(tf, v1, gradients, numbers):
    results = [_check(tf, v1, gradients, number) for number in numbers]
    return [(description, r.verdict, r.found()) for description, r in results if r.wrong]


def _missed(tf, v1, gradients, numbers):
    results = [
        _check(tf, v1, gradients, number, ERRORS[number % len(ERRORS)]) for number in numbers
    ]
    return [
        (description, r.verdict, r.found()) for description, r in results if r.verdict != "mismatch"
    ]


def test_right_networks_are_not_blamed(tf, v1, gradients):
    assert not _blamed(tf, v1, gradients, range(COUNT))


def test_planted_errors_are_found(tf, v1, gradients):
    assert not _missed(tf, v1, gradients, range(COUNT))
