"""Steps inside a branch, and inside a loss scale that takes them in one: as outside of it."""

import numpy as np
import pytest

START = np.array([1.0, 2.0, 3.0], np.float32)
MASK = np.array([True, False, True])


def fed(v1, tf):
    return v1.placeholder_with_default(MASK, [3])


#: id: our optimizer around another one; the loss is the sum of the squares of w
CASES = {
    "fed-mask": lambda t, o, v1, tf: t.FreezeOptimizer(o, {"w": fed(v1, tf)}),
    "array": lambda t, o, v1, tf: t.FreezeOptimizer(o, {"w": MASK}),
    "fed-scalar": lambda t, o, v1, tf: t.FreezeOptimizer(
        o, {"w": v1.placeholder_with_default(False, [])}
    ),
    "reset": lambda t, o, v1, tf: t.FreezeOptimizer(o, {"w": fed(v1, tf)}, slots="reset"),
    "compact": lambda t, o, v1, tf: t.FreezeOptimizer(o, {"w": MASK}, slots="compact"),
    "trust": lambda t, o, v1, tf: t.TrustRatioOptimizer(o),
    "multiplier": lambda t, o, v1, tf: t.LRMultiplierOptimizer(
        o, {"w": v1.placeholder_with_default(0.5, [])}
    ),
    "decay-and-groups": lambda t, o, v1, tf: t.DecoupledWeightDecayOptimizer(
        t.PartitionOptimizer([t.Group("all", "w", o)]), {"w": 0.25}
    ),
    "clip": lambda t, o, v1, tf: t.GradientTransformOptimizer(
        o, t.transforms.clip_by_global_norm(1.0)
    ),
    "skips": lambda t, o, v1, tf: t.SkipNonFiniteOptimizer(o),
    "skips-inside-decay": lambda t, o, v1, tf: t.DecoupledWeightDecayOptimizer(
        t.SkipNonFiniteOptimizer(t.FreezeOptimizer(o, {"w": fed(v1, tf)})), {"w": 0.25}
    ),
    "accumulation": lambda t, o, v1, tf: t.GradientAccumulationOptimizer(o, 2),
    "accumulation-of-frozen": lambda t, o, v1, tf: t.GradientAccumulationOptimizer(
        t.FreezeOptimizer(o, {"w": fed(v1, tf)}), 2
    ),
}


def after_steps(v1, tf, training, case, build, resource, runs=4, adam=None):
    """w after some runs of the step that ``build(optimizer, loss)`` makes."""
    with v1.Graph().as_default() as graph:
        w = v1.get_variable("w", initializer=START, use_resource=resource)
        optimizer = CASES[case](training, (adam or v1.train.AdamOptimizer)(0.1), v1, tf)
        step = build(optimizer, tf.reduce_sum(w * w))
        initialize = v1.global_variables_initializer()
        with v1.Session(graph=graph) as run:
            graph.finalize()
            run.run(initialize)
            for _ in range(runs):
                run.run(step)
            return run.run(w)


@pytest.mark.parametrize("case", CASES)
def test_in_a_branch(case, control_flow, v1, tf, training):
    def build(optimizer, loss):
        pairs = optimizer.compute_gradients(loss)
        always = v1.placeholder_with_default(True, [])
        return v1.cond(always, lambda: tf.group(optimizer.apply_gradients(pairs)), tf.no_op)

    # A branch of control flow v2 is a function: no ref variable goes into one.
    for resource in (True,) if control_flow == "v2" else (True, False):
        expected = after_steps(v1, tf, training, case, lambda o, loss: o.minimize(loss), resource)
        inside = after_steps(v1, tf, training, case, build, resource)
        np.testing.assert_allclose(inside, expected, rtol=1e-6)
        assert not np.array_equal(inside, START)


@pytest.mark.parametrize("case", CASES)
def test_in_a_loop(case, control_flow, v1, tf, training):
    """Two runs of a loop that takes the step twice."""

    def build(optimizer, loss):
        (w,) = v1.trainable_variables()

        def body(i):
            # The gradient of the loss at the value that this round finds.
            step = optimizer.apply_gradients([(2 * w.read_value(), w)])
            with v1.control_dependencies([step]):
                return i + 1

        return v1.while_loop(
            lambda i: i < 2, body, [tf.constant(0)], parallel_iterations=1, back_prop=False
        ).op

    for resource in (True,) if control_flow == "v2" else (True, False):
        expected = after_steps(
            v1, tf, training, case, lambda o, loss: o.minimize(loss), resource, 4
        )
        inside = after_steps(v1, tf, training, case, build, resource, 2)
        np.testing.assert_allclose(inside, expected, rtol=1e-6)
        assert not np.array_equal(inside, START)


def adam_of_a_quarter(v1, quarter):
    """Adam of a function of the gradient that is a part of the update of each variable."""

    class Quarter(v1.train.AdamOptimizer):
        def _apply_dense(self, grad, var):
            return super()._apply_dense(quarter(grad), var)

        def _resource_apply_dense(self, grad, var):
            return super()._resource_apply_dense(quarter(grad), var)

    return Quarter


@pytest.mark.parametrize("case", sorted(set(CASES) - {"compact", "trust"}))
def test_a_loop_in_the_update_of_an_optimizer(case, control_flow, v1, tf, training):
    """As of Shampoo, which computes roots in loops. (The other cases refuse such optimizers.)"""

    def halved_twice(grad):
        return v1.while_loop(lambda i, g: i < 2, lambda i, g: (i + 1, g * 0.5), [0, grad])[1]

    def build(optimizer, loss):
        return optimizer.minimize(loss)

    for resource in (True, False):
        expected, looping = [
            after_steps(
                v1, tf, training, case, build, resource, adam=adam_of_a_quarter(v1, quarter)
            )
            for quarter in (lambda grad: grad * 0.25, halved_twice)
        ]
        assert np.array_equal(looping, expected)
        assert not np.array_equal(looping, START)


@pytest.mark.parametrize("case", CASES)
def test_in_mixed_precision(case, control_flow, v1, tf, training):
    is_tf1 = tf.__version__.startswith("1.")
    home = tf.train.experimental if is_tf1 else v1.mixed_precision

    def build(optimizer, loss):
        return home.enable_mixed_precision_graph_rewrite(optimizer).minimize(loss)

    try:
        inside = after_steps(v1, tf, training, case, build, True)
    finally:
        home.disable_mixed_precision_graph_rewrite()
    expected = after_steps(v1, tf, training, case, lambda o, loss: o.minimize(loss), True)
    np.testing.assert_allclose(inside, expected, rtol=1e-6)


FEW = np.arange(512).reshape(128, 4) >= 64  # the first 16 rows train
LOW = np.broadcast_to(np.arange(128)[:, None] < 8, [128, 4])

#: id: (our optimizers around a loss scale around ours, what is frozen, where the others are)
AROUND_A_SCALE = {
    "rate-around-freeze": (
        lambda t, scaled, o: t.LRMultiplierOptimizer(
            scaled(t.FreezeOptimizer(o, {"w": FEW})), {"w": 0.5}
        ),
        FEW,
        -0.5,
    ),
    "freeze-around-freeze": (
        lambda t, scaled, o: t.FreezeOptimizer(
            scaled(t.FreezeOptimizer(o, {"w": FEW})), {"w": LOW}
        ),
        FEW | LOW,
        -1,
    ),
    "freeze-around-rate": (
        lambda t, scaled, o: t.FreezeOptimizer(
            scaled(t.LRMultiplierOptimizer(o, {"w": 0.5})), {"w": LOW}
        ),
        LOW,
        -0.5,
    ),
}


@pytest.mark.parametrize("case", AROUND_A_SCALE)
def test_around_mixed_precision(case, control_flow, graph, v1, tf, training):
    is_tf1 = tf.__version__.startswith("1.")
    home = tf.train.experimental if is_tf1 else v1.mixed_precision
    build, frozen, moved = AROUND_A_SCALE[case]
    w = v1.get_variable("w", initializer=np.zeros([128, 4], np.float32), use_resource=True)
    try:
        optimizer = build(
            training,
            home.enable_mixed_precision_graph_rewrite,
            v1.train.GradientDescentOptimizer(1.0),
        )
        step = optimizer.minimize(tf.reduce_sum(w + w * w))
    finally:
        home.disable_mixed_precision_graph_rewrite()
    with v1.Session(graph=graph) as run:
        run.run(v1.global_variables_initializer())
        run.run(step)
        np.testing.assert_array_equal(run.run(w), np.where(frozen, 0, moved))


def test_the_process_wide_switch_is_left_alone(control_flow, graph, v1, tf, training):
    """No op of a step is built with the other kind of control flow switched on."""
    w = v1.get_variable("w", initializer=START)
    seen = []

    class Watching(v1.train.GradientDescentOptimizer):
        def _resource_apply_dense(self, grad, handle):
            seen.append(v1.control_flow_v2_enabled())
            return super()._resource_apply_dense(grad, handle)

        def _apply_dense(self, grad, var):
            seen.append(v1.control_flow_v2_enabled())
            return super()._apply_dense(grad, var)

    multiplier = v1.placeholder(tf.float32, [])
    training.LRMultiplierOptimizer(Watching(0.1), {"w": multiplier}).minimize(tf.reduce_sum(w * w))
    assert seen == [control_flow == "v2"]


@pytest.mark.parametrize("control_flow", ["control-flow-v2"], indirect=True)
def test_a_branch_waits_for_the_gradients_that_it_captures(control_flow, v1, tf, training):
    """By an edge within the branch: one that leads to the call is lost when the graph is optimized.

    Without it a variable decayed while its gradient was still being computed outside.
    """
    with v1.Graph().as_default() as graph:
        w = v1.get_variable("w", initializer=START, use_resource=True)
        optimizer = CASES["decay-and-groups"](training, v1.train.AdamOptimizer(0.1), v1, tf)
        pairs = optimizer.compute_gradients(tf.reduce_sum(w * w))
        always = v1.placeholder_with_default(True, [])
        v1.cond(always, lambda: tf.group(optimizer.apply_gradients(pairs)), tf.no_op)
        functions = graph.as_graph_def().library.function
    starts = [node for f in functions for node in f.node_def if node.op == "Timestamp"]
    assert starts and all(any(i.startswith("^") for i in node.input) for node in starts)
