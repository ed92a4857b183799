"""Gradients of each example against a loop over the examples; clipping, noise, projection."""

import itertools

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

BATCH = 6
LOOPS = {"LoopCond", "While", "StatelessWhile"}


def _draw(seed, *shape):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype(np.float32)


def _fed(v1, value):
    return v1.placeholder_with_default(value, [None] + list(value.shape[1:]))


def _weights(v1, *shapes):
    return [v1.get_variable(f"w{i}", initializer=_draw(i, *s)) for i, s in enumerate(shapes)]


def _dense(tf, v1):
    x, target = _fed(v1, _draw(7, BATCH, 5)), _fed(v1, _draw(8, BATCH, 3))
    w, b = _weights(v1, [5, 3], [3])
    return tf.reduce_sum(tf.square(tf.tanh(tf.matmul(x, w) + b) - target), 1), [w, b]


def _conv(tf, v1):
    first, second = _weights(v1, [3, 3, 3, 4], [3, 3, 4, 2])
    h = tf.nn.conv2d(
        _fed(v1, _draw(7, BATCH, 8, 8, 3)), first, strides=[1, 1, 1, 1], padding="SAME"
    )
    h = tf.nn.max_pool2d(tf.nn.relu(h), 2, 2, "SAME")
    h = tf.nn.relu(tf.nn.conv2d(h, second, strides=[1, 1, 1, 1], padding="SAME"))
    return tf.reduce_mean(h, [1, 2, 3]), [first, second]


def _strided_conv(tf, v1):
    first, second = _weights(v1, [3, 2, 3, 4], [2, 3, 4, 2])
    images = _fed(v1, _draw(7, BATCH, 9, 8, 3))
    h = tf.nn.relu(tf.nn.conv2d(images, first, strides=[1, 2, 1, 1], padding="VALID"))
    rate = 1 if tf.__version__.startswith("1") else 2  # TF 1.15 has no dilated gradients on CPUs
    h = tf.nn.conv2d(h, second, strides=[1] * 4, padding="SAME", dilations=[1, rate, rate, 1])
    return tf.reduce_mean(tf.square(h), [1, 2, 3]), [first, second]


def _embedding(tf, v1):
    ids = _fed(v1, np.random.RandomState(0).randint(0, 9, [BATCH, 4]))
    (table,) = _weights(v1, [9, 5])
    return tf.reduce_sum(tf.sin(3 * tf.nn.embedding_lookup(table, ids)), [1, 2]), [table]


def _lstm(tf, v1, unrolled=False):
    x = _fed(v1, _draw(7, BATCH, 5, 4))
    (kernel,) = _weights(v1, [7, 12])
    zeros = tf.zeros([tf.shape(x)[0], 3])

    def step(t, h, c):
        i, j, f, o = tf.split(tf.matmul(tf.concat([x[:, t], h], -1), kernel), 4, axis=-1)
        c = c * tf.sigmoid(f + 1) + tf.sigmoid(i) * tf.tanh(j)
        return t + 1, tf.tanh(c) * tf.sigmoid(o), c

    if unrolled:
        t, h, c = 0, zeros, zeros
        while t < 5:
            t, h, c = step(t, h, c)
    else:
        v1.disable_control_flow_v2()
        h = v1.while_loop(lambda t, *_: t < 5, step, (tf.constant(0), zeros, zeros))[1]
    return tf.reduce_sum(tf.square(h), 1), [kernel]


def _loop_v2(tf, v1):
    """Slow to build: pfor vectorises the bodies of both passes."""
    (w,) = _weights(v1, [4, 4])
    h = _fed(v1, _draw(7, BATCH, 4))
    h = v1.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.sin(tf.matmul(h, w))), (0, h))[1]
    return tf.reduce_sum(h, 1), [w]


def _unrolled_lstm(tf, v1):
    return _lstm(tf, v1, unrolled=True)


def _arrays(tf, v1):
    """As dynamic_rnn: a v1 loop that reads and writes TensorArrays."""
    v1.disable_control_flow_v2()
    (kernel,) = _weights(v1, [7, 3])
    x = tf.transpose(_fed(v1, _draw(7, BATCH, 5, 4)), [1, 0, 2])
    zeros = tf.zeros([tf.shape(x)[1], 3])
    step = lambda h, e: tf.tanh(tf.matmul(tf.concat([e, h], 1), kernel))  # noqa: E731
    return tf.reduce_sum(tf.square(tf.scan(step, x, zeros)), [0, 2]), [kernel]


def _layer_norm(tf, v1):
    w, gamma, unused = _weights(v1, [5, 4], [4], [2])
    h = tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w)
    mean, variance = tf.nn.moments(h, [-1], keepdims=True)
    h = (h - mean) * tf.math.rsqrt(variance + 1e-5) * gamma
    return tf.reduce_sum(tf.nn.softplus(h) * [1.0, 2, 3, 4], 1), [w, unused, gamma]


def _dropout(tf, v1):
    (w,) = _weights(v1, [5, 4])
    h = v1.nn.dropout(tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w), rate=0.5)
    return tf.reduce_sum(tf.square(h), 1), [w]


def _fixed_batch(tf, v1):
    x = v1.placeholder_with_default(_draw(7, BATCH, 5), [BATCH, 5])
    labels = v1.placeholder_with_default(np.int32([0, 3, 1, 1, 2, 0]), [BATCH])
    (w,) = _weights(v1, [5, 4])
    logits = tf.matmul(x, w)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits), [w]


MODELS = [
    _dense, _conv, _strided_conv, _lstm, _arrays, _loop_v2, _embedding, _unrolled_lstm, _layer_norm,
    _dropout, _fixed_batch,
]  # fmt: skip


#: What reads variables in a way of its own: once, by rows, in a loop, not at all.
READS = (_dense, _embedding, _lstm, _layer_norm)


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__.strip("_"))
def test_equal_to_a_loop(tf, v1, graph, variables, gradients, model):
    is_tf1 = tf.__version__.startswith("1")
    if model not in READS and variables != ("ref" if is_tf1 else "resource"):
        pytest.skip("reads its variables as another model")
    if model is _loop_v2 and is_tf1:
        pytest.skip("TF 1 builds its loop with control flow v1")
    losses, xs = model(tf, v1)
    ours = gradients.per_example_gradients(losses, xs)
    norms = gradients.per_example_gradient_norms(losses, xs)
    loops = {op.type for op in losses.graph.get_operations()} & LOOPS
    assert not (loops and model in (_conv, _strided_conv))
    present = [i for i, grads in enumerate(ours) if grads is not None]
    assert all(ours[i].shape[1:].as_list() == xs[i].shape.as_list() for i in present)
    assert len(present) == len(xs) - (model is _layer_norm)
    one_by_one = [v1.gradients(losses[i], [xs[k] for k in present]) for i in range(BATCH)]
    one_by_one = [[tf.convert_to_tensor(grad) for grad in grads] for grads in one_by_one]
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        results = session.run([[ours[k] for k in present], one_by_one, norms])
    for grads, rows in zip(results[0], zip(*results[1])):
        np.testing.assert_allclose(grads, np.stack(rows), rtol=1e-6, atol=1e-6)
    squares = [sum(np.square(grad).sum() for grad in row) for row in results[1]]
    np.testing.assert_allclose(results[2], np.sqrt(squares), rtol=1e-5)


def _filters(tf, v1, x):
    """``{name: what a filter makes of the images}``, the filter is the variable of that name."""
    conv, ones = tf.nn.conv2d, [1, 1, 1, 1]
    explicit = [[0, 0], [1, 2], [0, 3], [0, 0]]
    x = tf.pad(x[:, 1:], [[0, 0], [1, 0], [0, 0], [0, 0]], constant_values=0.5)
    rows, boxes = tf.reshape(x, [-1, 90, 3]), tf.reshape(x, [-1, 3, 3, 10, 3])

    def of(name, *shape):
        start = np.random.RandomState(len(name)).uniform(-1, 1, shape)
        return v1.get_variable(name, initializer=start.astype(np.float32))

    # On CPUs, TF 1.15 has no gradients of groups, and of dilations by SpaceToBatchND alone.
    features = {
        "explicit": conv(x, of("explicit", 3, 2, 3, 4), strides=[1, 2, 1, 1], padding=explicit),
        "wide stride": conv(x, of("wide_stride", 2, 1, 3, 2), strides=[1, 3, 2, 1], padding="SAME"),
        "large": conv(x, of("large", 9, 8, 3, 2), strides=[1, 1, 2, 1], padding="SAME"),
        "depthwise": v1.nn.depthwise_conv2d(x, of("depthwise", 3, 2, 3, 2), [1, 2, 2, 1], "SAME"),
        "atrous": tf.nn.atrous_conv2d(x, of("atrous", 3, 3, 3, 2), 2, "SAME"),
        "long": tf.nn.conv1d(rows, of("long", 70, 3, 2), stride=2, padding="SAME"),
        "volume": tf.nn.conv3d(boxes, of("volume", 2, 1, 3, 3, 2), [1, 1, 1, 2, 1], "SAME"),
    }
    if not tf.__version__.startswith("1"):
        features["dilated"] = conv(
            x, of("dilated", 2, 3, 3, 2), ones, "VALID", dilations=[1, 2, 3, 1]
        )
        wide = tf.concat([x, x * x], -1)
        features["groups"] = conv(wide, of("groups", 3, 2, 2, 6), strides=ones, padding="SAME")
        features["large groups"] = conv(wide, of("large_groups", 9, 9, 2, 6), ones, "SAME")
        turned = tf.transpose(x, [0, 3, 1, 2])
        features["channels first"] = conv(
            turned, of("channels_first", 3, 2, 3, 4), [1, 1, 2, 1], "VALID", data_format="NCHW"
        )
    return features


def test_filters_of_every_kind(tf, v1, graph, gradients):
    """Strides, dilations, paddings, groups, one to three dimensions: no loop over examples."""
    x = v1.placeholder(tf.float32, [None, 10, 9, 3])
    features = _filters(tf, v1, x)
    losses = sum(
        tf.reduce_mean(tf.square(tf.nn.leaky_relu(h) - 0.1), list(range(1, h.shape.rank)))
        for h in features.values()
    )
    xs = v1.trainable_variables()
    each, of_batch = gradients.per_example_gradients(losses, xs), v1.gradients(losses, xs)
    assert not {op.type for op in graph.get_operations()} & LOOPS
    images = _draw(3, 4, 10, 9, 3)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        stacked = session.run(each, {x: images})
        rows = [session.run(of_batch, {x: image[None]}) for image in images]
    for name, grads, expected in zip(features, stacked, zip(*rows)):
        np.testing.assert_allclose(grads, np.stack(expected), rtol=1e-6, atol=1e-6, err_msg=name)


def _batch_norm(tf, v1, h):
    mean, variance = tf.nn.moments(h, [0])
    return (h - mean) * tf.math.rsqrt(variance + 1e-5)


def _fused(tf, v1, h):
    h = tf.reshape(h, [-1, 1, 1, 4])
    return tf.reshape(v1.nn.fused_batch_norm(h, tf.ones([4]), tf.zeros([4]))[0], [-1, 4])


#: Ops that move rows, which no value shows where a large constant hides the losses.
_MOVING = {
    "cumsum": lambda tf, v1, h: tf.cumsum(h),
    "cumprod": lambda tf, v1, h: v1.cumprod(h),
    "reverse": lambda tf, v1, h: h + tf.reverse(h, [0, 1]),
    "roll": lambda tf, v1, h: 5e6 + tf.roll(h, 1, 0) * 1e-3,
    "shuffle": lambda tf, v1, h: tf.random.shuffle(h),
}
_MIXING = {"moments": _batch_norm, "fused": _fused, "no vector": None, **_MOVING}


@pytest.mark.parametrize("move", ["roll", "reverse", "cumsum"])
def test_columns_may_move(move, tf, v1, graph, gradients):
    (w,) = _weights(v1, [5, 4])
    h = tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w)
    moved = {"roll": tf.roll(h, 1, 1), "reverse": tf.reverse(h, [1]), "cumsum": tf.cumsum(h, 1)}
    assert gradients.per_example_gradients(tf.reduce_sum(tf.square(moved[move]), 1), [w])


@pytest.mark.parametrize("mix", _MIXING.values(), ids=_MIXING)
def test_refused_when_built(tf, v1, graph, gradients, mix):
    (w,) = _weights(v1, [5, 4])
    h = tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w)
    losses = tf.reduce_sum(tf.square(mix(tf, v1, h) - 0.1), 1) if mix else tf.reduce_sum(h)
    with pytest.raises(ArgumentError, match="which mixes the examples" if mix else "a vector"):
        gradients.per_example_gradients(losses, [w])


def _a_cond(tf, h):
    return tf.cond(tf.reduce_sum(h[:1]) > 0, lambda: tf.tanh(h), lambda: h)


def _a_loop_in_a_loop(tf, h):
    def again(i, h):
        return i + 1, tf.while_loop(lambda j, h: j < 2, lambda j, h: (j + 1, tf.tanh(h)), [0, h])[1]

    return tf.while_loop(lambda i, h: i < 2, again, [0, h])[1]


def _a_draw(tf, h):
    step = lambda i, h: (i + 1, h * tf.random.uniform([4]))  # noqa: E731
    return tf.while_loop(lambda i, h: i < 2, step, [0, h])[1]


@pytest.mark.parametrize("model,named", [
    (_a_cond, "a cond of control flow v1"), (_a_loop_in_a_loop, "a v1 loop inside another"),
    (_a_draw, "a random draw in a loop"),
], ids=["cond", "nested", "draw"])  # fmt: skip
def test_control_flow_that_is_refused(tf, v1, graph, gradients, model, named):
    """Vectorised, some of these would give wrong numbers."""
    v1.disable_control_flow_v2()
    (w,) = _weights(v1, [5, 4])
    h = model(tf, tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w))
    with pytest.raises(ArgumentError, match=named):
        gradients.per_example_gradients(tf.reduce_sum(h, 1), [w])


def test_a_loop_that_runs_longer_for_some_examples(tf, v1, graph, gradients):
    v1.disable_control_flow_v2()
    (w,) = _weights(v1, [5, 4])
    h, turns = tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w), _fed(v1, np.int32([1, 3, 2, 1, 1, 1]))
    step = lambda i, h: (i + 1, tf.tanh(h))  # noqa: E731
    h = tf.while_loop(lambda i, h: i < turns[0], step, [0, h])[1]
    with pytest.raises(ArgumentError, match="runs longer for some examples"):
        gradients.per_example_gradients(tf.reduce_sum(h, 1), [w])


def test_refused_when_run(tf, v1, graph, gradients):
    """A softmax over the batch: no op of it says so."""
    (w,) = _weights(v1, [5, 4])
    h = tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w)
    h = tf.transpose(tf.nn.softmax(tf.transpose(h)))
    losses = tf.reduce_sum(tf.square(h - 0.1), 1)
    grads = gradients.per_example_gradients(losses, [w])
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="the losses mix examples"):
            session.run(grads)


def _scaled_by_size(tf, h):
    return tf.reduce_sum(tf.square(h - 0.1), 1) / tf.cast(tf.shape(h)[0], h.dtype)


def _in_batch_negatives(tf, h):
    """Each example's own score against those of the others, as contrastive losses have it."""
    scores = 20.0 * tf.matmul(h, h, transpose_b=True)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.range(tf.shape(h)[0]), logits=scores
    )


def _softmax_over_the_batch(tf, h):
    return tf.reduce_sum(tf.transpose(tf.nn.softmax(tf.transpose(h))), 1)


@pytest.mark.parametrize("scale", [1e-6, 1e-30], ids=str)
@pytest.mark.parametrize("mix", [_scaled_by_size, _in_batch_negatives, _softmax_over_the_batch])
def test_small_losses_that_mix(tf, v1, graph, gradients, mix, scale):
    """However small the losses are, gradients that are wrong are refused; norms of them, too."""
    (w,) = _weights(v1, [5, 4])
    losses = scale * mix(tf, tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w))
    grads = gradients.per_example_gradients(losses, [w])
    norms = gradients.per_example_gradient_norms(losses, [w])
    private = gradients.private_gradients(losses, [w], 1.0, 0.0)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for wrong in (grads, norms, private):
            with pytest.raises(tf.errors.InvalidArgumentError, match="the losses mix examples"):
                session.run(wrong)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("margin", [5.0, 16.0, 200.0], ids=str)
def test_examples_that_are_learnt(tf, v1, graph, gradients, margin, dtype):
    """Cross-entropy near zero is mostly rounding, which is another in a batch and alone."""
    x = np.random.RandomState(3).uniform(0.5, 1.5, [64, 33]).astype(dtype)
    w = v1.get_variable("w", initializer=_draw(1, 33, 10).astype(dtype))
    logits = tf.matmul(v1.placeholder_with_default(x, [None, 33]), w)
    labels = np.argmax(x.dot(_draw(1, 33, 10)), 1).astype(np.int32)
    logits += margin * tf.one_hot(_fed(v1, labels), 10, dtype=dtype)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=_fed(v1, labels), logits=logits)
    (grads,) = gradients.per_example_gradients(losses, [w])
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        assert session.run(grads).shape == (64, 33, 10)


def test_nan_in_one_example_is_that_examples(tf, v1, graph, gradients):
    (w,) = _weights(v1, [5, 4])
    fed = _draw(7, BATCH, 5)
    fed[2] = np.nan
    losses = tf.reduce_sum(tf.square(tf.matmul(_fed(v1, fed), w)), 1)
    (grads,) = gradients.per_example_gradients(losses, [w])
    shares = tf.transpose(tf.nn.softmax(tf.transpose(losses[:, tf.newaxis])))
    (mixed,) = gradients.per_example_gradients(tf.reduce_sum(shares, 1), [w])
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        finite = np.isfinite(session.run(grads)).all((1, 2))
        assert finite.tolist() == [True, True, False, True, True, True]
        with pytest.raises(tf.errors.InvalidArgumentError, match="the losses mix examples"):
            session.run(mixed)


def test_without_inputs(tf, v1, graph, gradients):
    (w,) = _weights(v1, [5, 4])
    x = tf.constant(_draw(7, BATCH, 5))
    losses = tf.reduce_sum(tf.square(tf.matmul(x, w)), 1)
    with pytest.raises(ArgumentError, match="inputs=\\[features, labels\\]"):
        gradients.per_example_gradients(losses, [w])
    (grads,) = gradients.per_example_gradients(losses, [w], inputs=[x])
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        stacked, value = session.run([grads, w])
    h = _draw(7, BATCH, 5).dot(value)
    expected = 2 * np.einsum("bi,bj->bij", _draw(7, BATCH, 5), h)
    np.testing.assert_allclose(stacked, expected, rtol=1e-5, atol=1e-6)


def test_private_gradients(tf, v1, graph, gradients):
    """Clipping against NumPy; the noise has the scale it should, and is new in every run."""
    losses, xs = _dense(tf, v1)
    clip = 0.5
    each = gradients.per_example_gradients(losses, xs)
    quiet = gradients.private_gradients(losses, xs, clip, 0.0)
    noisy = gradients.private_gradients(losses, xs, clip, 1.3, seed=5)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        rows, without = session.run([each, quiet])
        draws = [session.run(noisy) for _ in range(300)]
    norms = np.sqrt(sum(np.square(row).reshape(BATCH, -1).sum(1) for row in rows))
    assert norms.min() < clip < norms.max() or (norms > clip).all()
    factors = np.minimum(1, clip / norms)
    for row, mean in zip(rows, without):
        np.testing.assert_allclose(mean, np.tensordot(factors, row, 1) / BATCH, atol=1e-6)
    noise = [np.stack([d[k] for d in draws]) - without[k] for k in range(len(xs))]
    for differences in noise:
        assert differences.std() == pytest.approx(1.3 * clip / BATCH, rel=0.06)
        assert abs(differences.mean()) < 4 * differences.std() / np.sqrt(differences.size)
    assert abs(np.corrcoef(noise[0][:, 0, 0], noise[1][:, 0])[0, 1]) < 0.3
    for wrong in (
        {"clip_norm": 0.0, "noise_multiplier": 1},
        {"clip_norm": 1, "noise_multiplier": -1},
    ):
        with pytest.raises(ArgumentError):
            gradients.private_gradients(losses, xs, **wrong)


def _scan_v2(tf, v1, x, w):
    step = lambda h, e: tf.tanh(tf.matmul(e + h, w))  # noqa: E731
    return tf.scan(step, tf.transpose(x, [1, 0, 2]), tf.zeros_like(x[:, 0]))[-1], [w]


def _map_v2(tf, v1, x, w):
    return tf.reduce_sum(tf.map_fn(lambda e: tf.tanh(tf.matmul(e, w)), x), 1), [w]


def _map_over_time_v2(tf, v1, x, w):
    steps = tf.transpose(x, [1, 0, 2])
    return tf.reduce_sum(tf.map_fn(lambda e: tf.sin(tf.matmul(e, w)), steps), 0), [w]


def _lstm_v2(tf, v1, x, w):
    layer = tf.keras.layers.LSTM(4)
    return layer(x), layer.trainable_weights


@pytest.mark.costly(in_ci=2)
@pytest.mark.once
@pytest.mark.parametrize(
    "before", ["", pytest.param("differentiated before", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    "model",
    [
        _scan_v2,
        _map_v2,
        *(pytest.param(m, marks=pytest.mark.slow) for m in (_map_over_time_v2, _lstm_v2)),
    ],
    ids=lambda build: build.__name__[1:],
)
def test_loops_of_control_flow_v2(tf, v1, graph, gradients, model, before):
    x, (w,) = _fed(v1, _draw(7, BATCH, 5, 4)), _weights(v1, [4, 4])
    h, xs = model(tf, v1, x, w)
    losses = tf.reduce_sum(tf.square(h), 1)
    if before:
        v1.gradients(losses, xs)
    each = gradients.per_example_gradients(losses, xs)
    rows = [[tf.convert_to_tensor(g) for g in v1.gradients(losses[i], xs)] for i in range(BATCH)]
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        per_example, expected = session.run([each, rows])
    for grads, row in zip(per_example, zip(*expected)):
        np.testing.assert_allclose(grads, np.stack(row), rtol=1e-5, atol=1e-5)


def _nested_v2(tf, kind):
    def step(i, h):
        inner = {
            "While inside a loop": lambda: tf.map_fn(tf.tanh, h),
            "If inside a loop": lambda: tf.cond(i < 1, lambda: tf.tanh(h), lambda: h),
            "a random draw": lambda: h * tf.random.uniform([4]),
        }
        return i + 1, inner.get(kind, lambda: tf.tanh(h))()

    return lambda h: tf.while_loop(lambda i, h: i < 2, step, [0, h])[1]


@pytest.mark.once
@pytest.mark.parametrize(
    "kind", ["While inside a loop", "If inside a loop", "a random draw", "a loop inside a branch"]
)
def test_what_of_control_flow_v2_is_refused(tf, v1, graph, gradients, kind):
    (w,) = _weights(v1, [5, 4])
    h, loop = tf.matmul(_fed(v1, _draw(7, BATCH, 5)), w), _nested_v2(tf, kind)
    if "branch" in kind:
        h = tf.cond(v1.placeholder_with_default(True, []), lambda: loop(h), lambda: h)
    else:
        h = loop(h)
    with pytest.raises(ArgumentError, match=kind):
        gradients.per_example_gradients(tf.reduce_sum(h, 1), [w])


@pytest.mark.parametrize("groups", [1, 2, 3, 6])
def test_microbatches(tf, v1, graph, gradients, groups):
    losses, xs = _dense(tf, v1)
    each = gradients.per_example_gradients(losses, xs)
    ours = gradients.private_gradients(losses, xs, 0.3, 0.0, microbatches=groups)
    wrong = gradients.private_gradients(losses, xs, 0.3, 0.0, microbatches=4)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        rows, means_of_groups = session.run([each, ours])
        with pytest.raises(tf.errors.InvalidArgumentError, match="microbatches must divide"):
            session.run(wrong)
    means = [row.reshape((groups, BATCH // groups) + row.shape[1:]).mean(1) for row in rows]
    norms = np.sqrt(sum(np.square(row).reshape(groups, -1).sum(1) for row in means))
    for row, got in zip(means, means_of_groups):
        expected = np.tensordot(np.minimum(1, 0.3 / norms), row, 1) / groups
        np.testing.assert_allclose(got, expected, atol=1e-6)


def _projected(grads, orders):
    """Algorithm 1 of arXiv:2001.06782."""
    total = np.zeros_like(grads[0])
    for i, order in enumerate(orders):
        own = grads[i].copy()
        for j in order:
            if j != i and own.dot(grads[j]) < 0:
                own -= own.dot(grads[j]) / grads[j].dot(grads[j]) * grads[j]
        total += own
    return total


@pytest.mark.parametrize("tasks", [1, 2, 3])
def test_project_conflicting(tf, v1, graph, gradients, tasks):
    """One of the outcomes that the random orders allow; all of them come up."""
    draws = np.random.RandomState(4).normal(size=[tasks, 7]).astype(np.float32)
    draws[-1] -= draws[0] * (tasks > 1)
    u, v = _weights(v1, [2, 2], [3])
    pairs = [
        [(tf.constant(drawn[:4].reshape(2, 2)), u), (tf.constant(drawn[4:]), v)] for drawn in draws
    ]
    projected = gradients.project_conflicting(pairs, seed=1)
    assert [
        variable is other for variable, other in zip([u, v], [pair[1] for pair in projected])
    ] == [True] * 2
    orders = itertools.product(itertools.permutations(range(tasks)), repeat=tasks)
    allowed = [_projected(draws, order) for order in orders]
    seen = set()
    with v1.Session() as session:
        for _ in range(60):
            grads = session.run([pair[0] for pair in projected])
            flat = np.concatenate([grad.ravel() for grad in grads])
            distances = [np.abs(flat - outcome).max() for outcome in allowed]
            assert min(distances) < 1e-5
            seen.add(tuple(np.round(allowed[int(np.argmin(distances))], 3)))
    assert len(seen) == len({tuple(np.round(outcome, 3)) for outcome in allowed})


def test_project_tasks_of_other_variables(tf, v1, graph, gradients):
    u, v, w = _weights(v1, [2], [2], [2])
    first_task = [(tf.constant([1.0, 0.0]), u), (None, w), (tf.constant([1.0, 1.0]), v)]
    second_task = [(tf.constant([-1.0, 0.0]), u)]
    projected = gradients.project_conflicting([first_task, second_task])
    assert [pair[1] is x for pair, x in zip(projected, (u, w, v))] == [True] * 3
    assert projected[1][0] is None
    with v1.Session() as session:
        first, last = session.run([projected[0][0], projected[2][0]])
    # Task one loses its part along task two; task two loses a third of its own along task one.
    np.testing.assert_allclose(first, [0.0 - 1 + 1 / 3, 0.0], atol=1e-6)
    np.testing.assert_allclose(last, [1 + 1 / 3, 1 + 1 / 3], atol=1e-6)
    with pytest.raises(ArgumentError):
        gradients.project_conflicting([])
    with pytest.raises(ArgumentError):
        gradients.project_conflicting([first_task[0]])
