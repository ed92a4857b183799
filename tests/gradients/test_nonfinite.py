"""first_nonfinite: the op, the pass and the line of planted NaNs and Infs."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

#: name: (y of x, x, the type of the forward op that is named, is it its gradient)
CASES = {
    "exp overflows": (lambda tf, x: tf.exp(x), [100.0, 1.0], "Exp", False),
    "exp before a product": (lambda tf, x: tf.exp(x * 90) * 0.5, [1.0], "Exp", False),
    "log of 0": (lambda tf, x: tf.math.log(x), [0.0, 1.0], "Log", False),
    "log of a negative": (lambda tf, x: tf.math.log(x), [-1.0], "Log", False),
    "0 / 0": (lambda tf, x: (x - 1.0) / (x - 1.0), [1.0], "RealDiv", False),
    "1 / 0": (lambda tf, x: 1.0 / x, [0.0], "RealDiv", False),
    "sqrt of a negative": (lambda tf, x: tf.sqrt(x - 2.0), [1.0], "Sqrt", False),
    "rsqrt of 0": (lambda tf, x: tf.math.rsqrt(x), [0.0], "Rsqrt", False),
    "power": (lambda tf, x: tf.pow(x, 40.0), [1e3], "Pow", False),
    "square overflows": (lambda tf, x: tf.square(x), [1e30], "Square", False),
    "product overflows": (lambda tf, x: x * x * 3.0, [1e30], "Mul", False),
    "asin outside": (lambda tf, x: tf.asin(x), [2.0], "Asin", False),
    "acosh outside": (lambda tf, x: tf.acosh(x), [0.5], "Acosh", False),
    "log1p": (lambda tf, x: tf.math.log1p(x), [-1.0], "Log1p", False),
    "atanh of 1": (lambda tf, x: tf.atanh(x), [1.0], "Atanh", False),
    "softmax by hand": (
        lambda tf, x: tf.exp(x) / tf.reduce_sum(tf.exp(x)), [200.0, 1.0], "Exp", False,
    ),
    "cross entropy by hand": (
        lambda tf, x: -tf.math.log(tf.nn.softmax(x * 200.0)), [1.0, 0.0], "Log", False,
    ),
    "sum overflows": (lambda tf, x: tf.reduce_sum(x), [3e38, 3e38], "Sum", False),
    "matmul overflows": (
        lambda tf, x: tf.matmul([x], tf.transpose([x])), [1e25, 1.0], "MatMul", False,
    ),
    "mean of nothing": (
        lambda tf, x: tf.reduce_sum(x * 0.0) / tf.reduce_sum(x * 0.0), [1.0], "RealDiv", False,
    ),
    "sqrt at 0, backward": (lambda tf, x: tf.sqrt(x), [0.0, 1.0], "Sqrt", True),
    "norm at 0, backward": (lambda tf, x: tf.norm(x), [0.0, 0.0], "Sqrt", True),
    "norm by hand at 0": (
        lambda tf, x: tf.sqrt(tf.reduce_sum(x * x)), [0.0, 0.0], "Sqrt", True,
    ),
    "where and asin": (
        lambda tf, x: tf.where(x < 1, tf.asin(x), x), [2.0, 0.5], "Asin", True,
    ),
    "where and log": (
        lambda tf, x: tf.where(x > 0, tf.math.log(x), x), [0.0, 1.0], "Log", True,
    ),
    "where and division": (
        lambda tf, x: tf.where(x > 0, 1.0 / x, x), [0.0, 1.0], "RealDiv", True,
    ),
    "where and pow": (
        lambda tf, x: tf.where(x > 0, tf.pow(x, 0.5), x), [0.0, 1.0], "Pow", True,
    ),
    "pow at 0, backward": (lambda tf, x: tf.pow(x, 0.5), [0.0], "Pow", True),
    "acos at 1, backward": (lambda tf, x: tf.acos(x), [1.0], "Acos", True),
    "asin at 1, backward": (lambda tf, x: tf.asin(x), [1.0], "Asin", True),
}  # fmt: skip
DTYPES = ("float32", "float16")
#: float16 is full at 65504; its kernels for these types, or their gradients, are missing.
ONLY_FLOAT32 = {
    "product overflows", "square overflows", "sum overflows", "matmul overflows", "power",
}  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_planted(tf, v1, graph, gradients, name, dtype):
    build, value, kind, backward = CASES[name]
    if dtype == "float16" and name in ONLY_FLOAT32:
        value = [min(number, 300.0) if kind != "Sum" else 60000.0 for number in value]
    x = v1.placeholder(dtype, [len(value)])
    y = build(tf, x + 0 * x)
    before = len(graph.get_operations())
    cause = gradients.first_nonfinite(y, x, {x: value})
    assert len(graph.get_operations()) == before
    assert graph.get_operation_by_name(cause.forward_name).type == kind, str(cause)
    assert cause.backward is backward, str(cause)
    assert "test_nonfinite.py" in cause.line


@pytest.mark.parametrize("bad", [False, True])
def test_a_mask_of_inf_is_passed_over(tf, v1, graph, gradients, bad):
    x = v1.placeholder(tf.float32, [2])
    masked = tf.nn.softmax(tf.where([True, False], x, [-np.inf, -np.inf]))
    y = masked * (tf.math.log(x) if bad else x)
    cause = gradients.first_nonfinite(y, x, {x: [0.0, 1.0]})
    assert cause.op_type == "Log" if bad else cause is None


def test_variables_have_the_values_of_the_session(tf, v1, graph, variables, gradients, session):
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    y = tf.math.log(w)
    assign = w.assign([0.0, 1.0])
    opened = session(finalize=True)
    assert gradients.first_nonfinite(y, w) is None
    assert gradients.first_nonfinite(y, w, session=opened) is None
    opened.run(assign)
    assert gradients.first_nonfinite(y, w, session=opened).op_type == "Log"
    np.testing.assert_array_equal(opened.run(w), [0.0, 1.0])


@pytest.mark.parametrize("kind", ["while", "cond"])
def test_inside_control_flow_the_whole_is_named(tf, v1, graph, control_flow, gradients, kind):
    x = v1.placeholder(tf.float32, [2], name="x")
    if kind == "while":
        step = lambda i, h: (i + 1, tf.exp(h * 10))  # noqa: E731
        y = v1.while_loop(lambda i, h: i < 3, step, [0, x], name="repeat")[1]
    else:
        y = v1.cond(x[0] > 0, lambda: tf.math.log(x), lambda: x, name="repeat")
    cause = gradients.first_nonfinite(y * 1.0, x, {x: [1.0, 0.0]})
    assert cause.inside and "repeat" in cause.op_name, str(cause)


def test_a_fed_nan_and_data_that_is_not_fed(tf, v1, graph, gradients):
    x = v1.placeholder(tf.float32, [1], name="x")
    assert gradients.first_nonfinite(x * 2.0, x, {x: [np.nan]}).op_name == "x"
    batch = v1.data.make_one_shot_iterator(v1.data.Dataset.from_tensors([1.0])).get_next()
    with pytest.raises(ArgumentError, match="none in feed"):
        gradients.first_nonfinite(x * batch, x, {x: [1.0]})
    y = tf.math.log(x * batch)
    assert gradients.first_nonfinite(y, x, {x: [1.0], batch: [0.0]}).op_type == "Log"


@pytest.mark.parametrize("optimizer", ["GradientDescentOptimizer", "AdamOptimizer"])
def test_after_minimize(tf, v1, graph, variables, gradients, optimizer):
    """The graph has backward ops of the names that those of the copy have."""
    w = v1.get_variable("w", initializer=[2.0, 0.5])
    y = tf.reduce_sum(tf.where(w < 1, tf.asin(w), w))
    getattr(v1.train, optimizer)(0.1).minimize(y)
    cause = gradients.first_nonfinite(y, w)
    assert graph.get_operation_by_name(cause.forward_name).type == "Asin" and cause.backward
    assert "test_nonfinite.py" in cause.line
    report = gradients.check_gradients(y, w)
    assert "tf.where differentiates" in str(report), str(report)


def test_a_loss_that_holds_a_gradient(tf, v1, graph, gradients):
    x = v1.placeholder(tf.float32, [1])
    penalty = v1.gradients(tf.sqrt(x), x)[0]
    cause = gradients.first_nonfinite(penalty, x, {x: [0.0]})
    assert not cause.backward and cause.origin == "op"
    assert cause.forward_name in {op.name for op in graph.get_operations()}


def test_a_sum_of_gradients_that_overflows(tf, v1, graph, gradients):
    x = v1.placeholder(tf.float32, [1], name="x")
    h = tf.identity(x, name="h")
    cause = gradients.first_nonfinite(3e38 * h + 3e38 * tf.negative(-h), x, {x: [0.1]})
    assert cause.backward and cause.op_type == "AddN" and cause.forward_name == "x", str(cause)
    assert "test_nonfinite.py" in cause.line


@pytest.mark.parametrize("minimized", [False, True])
@pytest.mark.parametrize("use", ["product", "lookup", "loop", "branch"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_variable_that_holds_it(
    tf, v1, graph, variables, control_flow, gradients, bad, use, minimized
):
    w = v1.get_variable("scope/w", initializer=np.float32([[1, 2], [bad, 3]]))
    y = {
        "product": lambda: tf.exp(w * 0.5),
        "lookup": lambda: tf.nn.embedding_lookup(w, [0, 1]) * 2.0,
        "loop": lambda: v1.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h * w), [0, w])[1],
        "branch": lambda: v1.cond(
            v1.placeholder_with_default(True, []), lambda: w * 2.0, lambda: w + 1.0
        ),
    }[use]()
    y = tf.reduce_sum(y)
    if minimized:
        v1.train.GradientDescentOptimizer(0.1).minimize(y)
    cause = gradients.first_nonfinite(y, w)
    assert (cause.op_name, cause.origin) == ("scope/w", "variable"), str(cause)
    assert "the variable 'scope/w' built at" in str(cause) and "test_nonfinite.py" in cause.line
    assert str(cause).endswith("holds NaN" if np.isnan(bad) else "holds Inf")


def test_a_row_that_is_not_looked_up_does_no_harm(tf, v1, graph, variables, gradients):
    w = v1.get_variable("w", initializer=np.float32([[1], [np.nan]]))
    assert gradients.first_nonfinite(tf.nn.embedding_lookup(w, [0]), w) is None


def test_a_slice_that_holds_it(tf, v1, graph, variables, gradients):
    session = v1.Session()
    partitioner = v1.fixed_size_partitioner(3)
    w = v1.get_variable("w", [3], initializer=v1.ones_initializer(), partitioner=partitioner)
    session.run(v1.global_variables_initializer())
    session.run(list(w)[1].assign([np.nan]))
    cause = gradients.first_nonfinite(tf.reduce_sum(tf.identity(w) * 2.0), w, session=session)
    assert (cause.op_name, cause.origin) == ("w/part_1", "variable")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "complex64"])
def test_a_variable_of_another_dtype(tf, v1, graph, variables, gradients, dtype):
    w = v1.get_variable("w", initializer=tf.cast(np.array([1, np.nan]), dtype))
    cause = gradients.first_nonfinite(tf.square(w), w)
    assert (cause.op_name, cause.origin) == ("w", "variable")


def test_a_fed_value_or_constant_that_holds_it(tf, v1, graph, gradients):
    x = v1.placeholder(tf.float32, [1], name="x")
    h = tf.exp(x, name="h")
    cause = gradients.first_nonfinite(tf.square(h), x, {x: [1.0], h: [np.inf]})
    assert str(cause) == "the value that is fed for 'h' holds Inf"
    cause = gradients.first_nonfinite(x * tf.constant([np.nan], name="c"), x, {x: [1.0]})
    assert (cause.op_name, cause.origin) == ("c", "constant") and "holds NaN" in str(cause)
    cause = gradients.first_nonfinite(tf.square(x), x, {x: [np.nan]})
    assert str(cause) == "the value that is fed for 'x' holds NaN"
