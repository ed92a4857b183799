"""Public functions x kinds of argument: the right result, or an error of ours that names it."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, TfgraphtoolsError

A = np.float32([[1.5, -2.0], [0.25, 4.0]])


def _variable(v1, value, **options):
    return v1.get_variable("v", initializer=value, **options)


def _partitioned(tf, v1):
    ones, partitioner = v1.ones_initializer(), v1.fixed_size_partitioner(2)
    return v1.get_variable("p", [4, 2], initializer=ones, partitioner=partitioner)


def _mirrored(tf, v1):
    with tf.distribute.MirroredStrategy(["/cpu:0"]).scope():
        return _variable(v1, A)


KINDS = {
    "variable": lambda tf, v1: _variable(v1, A),
    "partitioned": _partitioned,
    "slice": lambda tf, v1: list(_partitioned(tf, v1))[0],
    "int": lambda tf, v1: _variable(v1, np.int32([[1, 2], [3, 4]])),
    "bool": lambda tf, v1: _variable(v1, np.array([[True, False], [True, True]])),
    "string": lambda tf, v1: _variable(v1, tf.constant([["a", "b"]])),
    "complex64": lambda tf, v1: _variable(v1, A.astype(np.complex64)),
    "bfloat16": lambda tf, v1: _variable(v1, tf.cast(A, tf.bfloat16)),
    "float16": lambda tf, v1: _variable(v1, A.astype(np.float16)),
    "float64": lambda tf, v1: _variable(v1, A.astype(np.float64)),
    "scalar": lambda tf, v1: _variable(v1, np.float32(1.5)),
    "empty": lambda tf, v1: _variable(v1, np.zeros([0, 3], np.float32)),
    "mirrored": _mirrored,
    "list": lambda tf, v1: [_variable(v1, A), v1.get_variable("b", initializer=A[0])],
    "dict": lambda tf, v1: {"a": _variable(v1, A)},
    "tensor": lambda tf, v1: tf.identity(tf.constant(A)),
    "constant": lambda tf, v1: tf.constant(A),
    "none": lambda tf, v1: None,
    "array": lambda tf, v1: A,
    "keras": lambda tf, v1: tf.keras.backend.variable(A),
    "unknown shape": lambda tf, v1: v1.placeholder_with_default(A, None),
    "sparse": lambda tf, v1: tf.SparseTensor([[0, 0]], [1.0], [2, 2]),
    "slices": lambda tf, v1: tf.IndexedSlices(
        tf.constant(A), tf.constant([0, 1]), tf.constant([2, 2])
    ),
    "name": lambda tf, v1: "v",
    "op": lambda tf, v1: tf.constant(A).op,
}


def _square(tf, x):
    """Returns the sum of squares of what has one, else 1."""
    try:
        x = tf.convert_to_tensor(x)
    except (TypeError, ValueError, NotImplementedError):
        return tf.constant(1.0)
    if x.dtype.is_complex:
        return tf.reduce_sum(tf.math.real(x * x))
    if x.dtype.is_floating:
        return tf.reduce_sum(x * x)
    return tf.constant(1.0) if x.dtype == tf.string else tf.reduce_sum(tf.cast(x, tf.float32))


def _loss(tf, x):
    if isinstance(x, (list, dict)):
        return tf.add_n(
            [_square(tf, value) for value in (x.values() if hasattr(x, "values") else x)]
        )
    return _square(tf, x.outputs[0] if isinstance(x, tf.Operation) else x)


def _losses(tf, v1, x):
    loss = _loss(tf, x)
    return tf.cast(v1.placeholder_with_default(np.float32([1, 2, 3]), [None]), loss.dtype) * loss


def _probed(g, tf, v1, x):
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        return g.GradientProbe(session, _loss(tf, x), x).run()


def _rule(op, grad):
    return grad


ONES = np.ones([2, 2], np.float32)
#: what is called: (g, tf, v1, x) -> anything
CALLS = {
    "check_gradients xs": lambda g, tf, v1, x: g.check_gradients(_loss(tf, x), x),
    "check_gradients y": lambda g, tf, v1, x: g.check_gradients(x, x),
    "explain_gradient xs": lambda g, tf, v1, x: str(g.explain_gradient(_loss(tf, x), x)),
    "explain_gradient y": lambda g, tf, v1, x: str(g.explain_gradient(x, x)),
    "effects": lambda g, tf, v1, x: str(g.effects(x)),
    "effects graph": lambda g, tf, v1, x: g.effects([], x),
    "graph_replace": lambda g, tf, v1, x: g.graph_replace(x, {v1.placeholder(tf.float32): 1.0}),
    "vjp xs": lambda g, tf, v1, x: g.vjp(_loss(tf, x), x, 1.0),
    "vjp ys": lambda g, tf, v1, x: g.vjp(x, tf.constant(1.0), x),
    "vjp us": lambda g, tf, v1, x: g.vjp(tf.constant(A), tf.constant(1.0), x),
    "jvp xs": lambda g, tf, v1, x: g.jvp(_loss(tf, x), x, x),
    "jvp vs": lambda g, tf, v1, x: g.jvp(tf.constant(1.0), tf.constant(A), x),
    "hvp xs": lambda g, tf, v1, x: g.hvp(_loss(tf, x), x, x),
    "hvp loss": lambda g, tf, v1, x: g.hvp(x, tf.constant(A), ONES),
    "hessian xs": lambda g, tf, v1, x: g.hessian(_loss(tf, x), x),
    "hessian_norm": lambda g, tf, v1, x: g.hessian_norm(_loss(tf, x), x, samples=1),
    "GradientProbe": _probed,
    "recompute ys": lambda g, tf, v1, x: g.recompute_gradients(x, x),
    "recompute xs": lambda g, tf, v1, x: g.recompute_gradients(_loss(tf, x), x),
    "recompute checkpoints": lambda g, tf, v1, x: g.recompute_gradients(
        _loss(tf, x), x, checkpoints=[x]
    ),
    "per_example xs": lambda g, tf, v1, x: g.per_example_gradients(_losses(tf, v1, x), x),
    "per_example losses": lambda g, tf, v1, x: g.per_example_gradients(x, tf.constant(1.0)),
    "private clip_norm": lambda g, tf, v1, x: g.private_gradients(
        _losses(tf, v1, tf.constant(A)), tf.constant(1.0), x, 0.0
    ),
    "private noise": lambda g, tf, v1, x: g.private_gradients(
        _losses(tf, v1, tf.constant(A)), tf.constant(1.0), 1.0, x
    ),
    "project": lambda g, tf, v1, x: g.project_conflicting([[(x, x)], [(x, x)]]),
    "project tasks": lambda g, tf, v1, x: g.project_conflicting([x]),
    "first_nonfinite ys": lambda g, tf, v1, x: g.first_nonfinite(x, x),
    "first_nonfinite xs": lambda g, tf, v1, x: g.first_nonfinite(_loss(tf, x), x),
    "scale": lambda g, tf, v1, x: g.scale_gradient(x, 2.0),
    "scale k": lambda g, tf, v1, x: g.scale_gradient(tf.constant(A), x),
    "reverse": lambda g, tf, v1, x: g.reverse_gradient(x),
    "clip": lambda g, tf, v1, x: g.clip_gradient(x, -1.0, 1.0),
    "clip lo": lambda g, tf, v1, x: g.clip_gradient(tf.constant(A), x, x),
    "clip norm": lambda g, tf, v1, x: g.clip_gradient(tf.constant(A), norm=x),
    "mask": lambda g, tf, v1, x: g.mask_gradient(x, False),
    "mask frozen": lambda g, tf, v1, x: g.mask_gradient(tf.constant(A), x),
    "floor": lambda g, tf, v1, x: g.floor(x),
    "round": lambda g, tf, v1, x: g.round(x),
    "sign": lambda g, tf, v1, x: g.sign(x),
    "clip_sign": lambda g, tf, v1, x: g.clip_sign(x),
    "to_integer": lambda g, tf, v1, x: g.to_integer(x),
    "to_integer dtype": lambda g, tf, v1, x: g.to_integer(tf.constant(A), x),
    "straight_through": lambda g, tf, v1, x: g.straight_through(lambda _: x, tf.constant(A)),
    "soft_step": lambda g, tf, v1, x: g.soft_step(x),
    "soft_step sharpness": lambda g, tf, v1, x: g.soft_step(tf.constant(A), x),
    "linear_ramp": lambda g, tf, v1, x: g.linear_ramp(x),
    "soft_floor": lambda g, tf, v1, x: g.soft_floor(x),
    "smooth": lambda g, tf, v1, x: g.smooth(x),
    "set_gradient": lambda g, tf, v1, x: g.set_gradient(x, _rule),
    "set_gradient fn": lambda g, tf, v1, x: g.set_gradient(tf.identity(tf.constant(1.0)), x),
    "set_gradient graph": lambda g, tf, v1, x: g.set_gradient("v", _rule, graph=x),
    "clear_gradient": lambda g, tf, v1, x: g.clear_gradient(x),
    "require_gradients": lambda g, tf, v1, x: g.require_gradients(x),
    "register_gradient": lambda g, tf, v1, x: g.register_gradient(x),
    "override": lambda g, tf, v1, x: g.override_gradient(x).__enter__(),
    "override fn": lambda g, tf, v1, x: g.override_gradient({"Floor": x}).__enter__(),
}


@pytest.mark.costly(in_ci=20)
@pytest.mark.parametrize("name", CALLS)
def test_no_raw_error(tf, v1, graph, variables, gradients, name):
    raw = {}
    for kind, make in KINDS.items():
        with v1.Graph().as_default():
            x = make(tf, v1)
            try:
                CALLS[name](gradients, tf, v1, x)
            except TfgraphtoolsError as error:
                assert str(error)
            except Exception as error:  # pylint: disable=broad-except
                raw[kind] = f"{type(error).__name__}: {error}"[:200]
    assert raw == {}


FLOATS = [
    "variable",
    "slice",
    "bfloat16",
    "float16",
    "float64",
    "scalar",
    "empty",
    "mirrored",
    "tensor",
]
FLOATS += ["keras", "unknown shape", "complex64"]


@pytest.mark.parametrize("kind", FLOATS)
def test_derivatives_of_every_kind(tf, v1, graph, variables, gradients, evaluate, kind):
    """The loss is the sum of squares: the gradient is 2 x, the Hessian 2 times the identity."""
    x = KINDS[kind](tf, v1)
    loss = _loss(tf, tf.convert_to_tensor(x) if kind == "mirrored" else x)
    is_half = kind in ("bfloat16", "float16")
    results = [gradients.vjp(loss, x, 1.0), gradients.hvp(loss, x, x)]
    results += [gradients.recompute_gradients(loss, x)[0], v1.gradients(loss, x)[0]]
    value, *results = evaluate(
        [tf.cast(tf.convert_to_tensor(t), "complex128") for t in [x, *results]]
    )
    for result in results:
        np.testing.assert_allclose(result, 2 * value, rtol=1e-2 if is_half else 1e-6)
    assert gradients.first_nonfinite(loss, x) is None
    assert gradients.check_gradients(loss, x).ok


@pytest.mark.parametrize(
    "call",
    ["vjp xs", "jvp xs", "hvp xs", "hessian xs", "hessian_norm", "GradientProbe", "recompute xs"],
)
def test_a_partitioned_variable_is_refused_by_name(tf, v1, graph, variables, gradients, call):
    with pytest.raises(ArgumentError, match=r"partitioned variable 'p'.*2 slices: list\(v\)"):
        CALLS[call](gradients, tf, v1, _partitioned(tf, v1))


def test_the_slices_of_a_partitioned_variable_are_checked(tf, v1, graph, variables, gradients):
    p = _partitioned(tf, v1)
    report = gradients.check_gradients(_loss(tf, p), p)
    assert [result.name.split(":")[0] for result in report.results] == ["p/part_0", "p/part_1"]
    assert report.ok and gradients.first_nonfinite(_loss(tf, p), p) is None


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_clip_sign_outside_its_range(tf, v1, graph, gradients, evaluate, dtype, bad):
    if dtype == "complex64":
        with pytest.raises(ArgumentError, match="real float dtype"):
            gradients.clip_sign(tf.constant([1j]))
        return
    x, upstream = (
        tf.cast(np.array(v), dtype) for v in ([2.0, -1.5, 0.5, 1.0], [bad, -bad, 3.0, 4.0])
    )
    gradient = v1.gradients(gradients.clip_sign(x), x, upstream)[0]
    np.testing.assert_array_equal(evaluate(tf.cast(gradient, "float64")), [0, 0, 3, 4])
