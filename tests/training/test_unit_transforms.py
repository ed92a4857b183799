"""Adaptive clipping, centralization and the joint norm, against NumPy in float64."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, NothingMatchedError

SHAPES = {
    "dense": [4, 3],
    "conv": [2, 2, 3, 5],
    "bias": [6],
    "scalar": [],
    "row": [1, 5],
    "column": [5, 1],
}
TOLERANCE = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "float64": 1e-13}


def _draw(shape, seed, size=1.0):
    return size * np.random.RandomState(seed).normal(size=shape)


def _is_one_unit(shape):
    return sum(size != 1 for size in shape) < 2


def _norms(values):
    axis = None if _is_one_unit(values.shape) else tuple(range(values.ndim - 1))
    return np.sqrt(np.sum(np.square(values), axis=axis, keepdims=True))


def _adaptively_clipped(grad, value, ratio, epsilon=1e-3):
    """Brock et al., equation 3."""
    limit, norm = ratio * np.maximum(_norms(value), epsilon), _norms(grad)
    return np.where(norm > limit, grad * limit / np.maximum(norm, 1e-300), grad)


def _centralized(grad):
    """Yong et al., equation 1."""
    if grad.ndim < 2 or np.prod(grad.shape[:-1]) == 1:
        return grad
    return grad - grad.mean(axis=tuple(range(grad.ndim - 1)), keepdims=True)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("shape", SHAPES)
def test_against_numpy(tf, v1, graph, variables, training, session, shape, dtype):
    t, sizes = training.transforms, SHAPES[shape]
    values, grads = _draw(sizes, 1), _draw(sizes, 2, 0.1)
    variable = v1.get_variable("v", initializer=tf.cast(values, dtype))
    grad = v1.placeholder_with_default(tf.cast(grads, dtype), sizes)
    results = [
        transform([(grad, variable)])[0][0]
        for transform in (t.clip_adaptively(0.02), t.clip_adaptively(50.0), t.centralize())
    ]
    assert all(result.dtype == dtype and result.shape == grad.shape for result in results)
    casts = [tf.cast(tensor, "float64") for tensor in [variable, grad, *results]]
    value, before, clipped, within, centralized = session().run(casts)
    tolerance = TOLERANCE[dtype]
    expected = _adaptively_clipped(before, value, 0.02)
    np.testing.assert_allclose(clipped, expected, tolerance, 1e-7 if dtype == "float16" else 0)
    assert within.tobytes() == before.tobytes()
    np.testing.assert_allclose(centralized, _centralized(before), tolerance, tolerance / 10)


def test_units_of_zeros_can_begin_to_move(tf, v1, graph, training, session):
    variable, grad = v1.get_variable("v", initializer=tf.zeros([2, 1])), tf.constant([[3.0], [4.0]])
    clipped = training.transforms.clip_adaptively(0.5, epsilon=0.1)([(grad, variable)])[0][0]
    np.testing.assert_allclose(session().run(clipped), [[0.03], [0.04]], rtol=1e-6)


@pytest.mark.parametrize("name", ["clip_adaptively", "centralize"])
def test_a_sparse_gradient_is_the_dense_one(tf, v1, graph, training, session, name):
    transform = getattr(training.transforms, name)()
    variable = v1.get_variable("v", initializer=_draw([4, 2], 1).astype(np.float32))
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), [2, 0, 2], [4, 2])
    dense = tf.constant([[3.0, 4.0], [0, 0], [6, 8], [0, 0]])
    results = [transform([(g, variable)])[0][0] for g in (slices, dense)]
    results = session().run(results)
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("name", ["clip_adaptively", "centralize"])
@pytest.mark.parametrize("axis", [0, 1])
def test_slices(tf, v1, graph, variables, training, session, name, axis):
    """Slices along the last axis have whole units; those along another are refused by name."""
    partitioner = v1.fixed_size_partitioner(2, axis)
    initial = v1.constant_initializer(2.0)
    parts = list(v1.get_variable("p", [4, 4], initializer=initial, partitioner=partitioner))
    grads = _draw([4, 4], 3).astype(np.float32)
    pairs = [(tf.constant(g), p) for g, p in zip(np.split(grads, 2, axis), parts)]
    transform = getattr(training.transforms, name)()
    if axis == 0:
        with pytest.raises(ArgumentError, match="p/part_0"):
            transform(pairs)
        return
    results = [grad for grad, _ in transform(pairs)]
    result = np.concatenate(session().run(results), axis)
    expected = _centralized(grads)
    if name == "clip_adaptively":
        expected = _adaptively_clipped(np.float64(grads), np.full([4, 4], 2.0), 0.01)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


def test_selectors(tf, v1, graph, training, session):
    t = training.transforms
    a, b = (v1.get_variable(n, initializer=np.float32([[1.0], [2.0]])) for n in "ab")
    pairs = [(tf.constant([[5.0], [7.0]]), a), (tf.constant([[5.0], [7.0]]), b), (None, a)]
    clipped, centralized = t.clip_adaptively(exclude="b")(pairs), t.centralize("a")(pairs)
    assert clipped[1][0] is pairs[1][0] is centralized[1][0] and clipped[2][0] is None
    assert session().run(centralized[0][0]).tolist() == [[-1.0], [1.0]]
    for transform in (t.clip_adaptively(exclude="c"), t.centralize("c")):
        with pytest.raises(NothingMatchedError):
            transform(pairs)


@pytest.mark.parametrize("options", [{"ratio": 0}, {"ratio": -1.0}, {"epsilon": 0.0}], ids=str)
def test_arguments_of_adaptive_clipping(training, options):
    with pytest.raises(ArgumentError, match="clip_adaptively"):
        training.transforms.clip_adaptively(**options)


def test_the_norm_before_clipping(tf, v1, graph, variables, training, session):
    """The tensor and the summary have the norm of what came in, the step the clipped gradients."""
    t = training.transforms
    w = v1.get_variable("w", initializer=[0.0, 0.0])
    optimizer = training.GradientTransformOptimizer(
        v1.train.GradientDescentOptimizer(1.0),
        t.chain(t.summarize_global_norm("before"), t.clip_by_global_norm(1.0)),
    )
    pairs = optimizer.compute_gradients(tf.reduce_sum(w * [3.0, 4.0]))
    norm = t.global_norm(pairs)
    step = optimizer.apply_gradients(pairs)
    fetches = [step, v1.summary.merge_all(), norm]
    opened = session()
    _, summary, value = opened.run(fetches)
    (written,) = v1.Summary.FromString(summary).value
    assert value == written.simple_value == 5.0 and "before" in written.tag
    np.testing.assert_allclose(opened.run(w), [-0.6, -0.8], rtol=1e-6)


def test_the_joint_norm(tf, v1, graph, training, session):
    slices = tf.IndexedSlices(tf.constant([[3.0], [1.0], [-3.0]]), tf.constant([4, 1, 4]), [9, 1])
    half = tf.constant([600.0] * 4, tf.float16)
    t = training.transforms
    norms = [t.global_norm([(slices, None), (None, None)]), t.global_norm([(half, None)])]
    norms.append(t.global_norm([]))
    assert session().run(norms) == [1.0, 1200.0, 0.0]
    with pytest.raises(ArgumentError, match="list of"):
        t.global_norm(half)


@pytest.mark.parametrize(
    "make, expected",
    [
        (lambda t: t.scale(0.1), lambda g: g * 0.1),
        (lambda t: t.clip_by_value(-0.1, 0.1), lambda g: np.clip(g, -0.1, 0.1)),
        (lambda t: t.clip_by_norm(0.1), lambda g: g * 0.1 / np.linalg.norm(g)),
        (lambda t: t.clip_by_global_norm(0.1), lambda g: g * 0.1 / np.linalg.norm(g)),
        (lambda t: t.add_weight_decay({".*": 0.1}), lambda g: g + 0.1 * 3.0),
    ],
    ids=["scale", "value", "norm", "global norm", "decay"],
)
def test_numbers_keep_the_precision_of_float64(tf, v1, graph, training, session, make, expected):
    grads = np.array([0.7, -1.3])
    variable = v1.get_variable("v", initializer=np.array([3.0, 3.0]))
    result = make(training.transforms)([(tf.constant(grads), variable)])[0][0]
    np.testing.assert_allclose(session().run(result), expected(grads), rtol=1e-14)
