"""Several threads on one session: frozen elements stay, and no update is lost."""

import threading

import numpy as np
import pytest

pytestmark = pytest.mark.quick

THREADS, RUNS = 4, 25
SHAPE = (64, 20)
MASK = np.random.RandomState(0).rand(*SHAPE) < 0.5
ROWS = np.arange(64)[:, None] % 3 == 0
FEW = np.arange(1280).reshape(SHAPE) == 77

#: id: (our optimizer around another, frozen elements)
CASES = {
    "copy": (lambda t, o: t.FreezeOptimizer(o, {"w": as_tensor(MASK)}), MASK),
    "rows": (lambda t, o: t.FreezeOptimizer(o, {"w": as_tensor(ROWS)}), ROWS),
    "few-frozen": (lambda t, o: t.FreezeOptimizer(o, {"w": FEW}), FEW),
    "few-trainable": (lambda t, o: t.FreezeOptimizer(o, {"w": ~FEW}), ~FEW),
    "compact-slots": (lambda t, o: t.FreezeOptimizer(o, {"w": MASK}, slots="compact"), MASK),
    "two-masks": (
        lambda t, o: t.FreezeOptimizer(t.FreezeOptimizer(o, {"w": MASK}), {"w": as_tensor(ROWS)}),
        MASK | ROWS,
    ),
    "accumulation": (
        lambda t, o: t.GradientAccumulationOptimizer(t.FreezeOptimizer(o, {"w": MASK}), 5),
        MASK,
    ),
}


def as_tensor(mask):
    import tensorflow as tf

    return tf.compat.v1.placeholder_with_default(mask, mask.shape)


def in_threads(run, step):
    errors = []

    def work():
        try:
            for _ in range(RUNS):
                run.run(step)
        except Exception as error:  # pylint: disable=broad-except  # told to the test
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not errors and not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["sgd", "adam"])
def test_all_steps_count(kind, case, variables, graph, v1, tf, training, session):
    """SGD adds up exactly: 1 for each run. Adam, on a gradient of 1, moves by its rate."""
    w = v1.get_variable("w", initializer=np.zeros(SHAPE, np.float32))
    build, frozen = CASES[case]
    inner = v1.train.GradientDescentOptimizer(1.0) if kind == "sgd" else v1.train.AdamOptimizer(1.0)
    step = build(training, inner).apply_gradients([(tf.ones(SHAPE), w)])
    run = session()
    in_threads(run, step)
    value = run.run(w)
    frozen = np.broadcast_to(frozen, SHAPE)
    assert not value[frozen].any()
    taken = THREADS * RUNS / (5 if case == "accumulation" else 1)
    np.testing.assert_allclose(value[~frozen], -taken, rtol=0 if kind == "sgd" else 1e-3)


def test_two_steps_that_share_a_variable_exclude_one_another(
    variables, graph, v1, tf, training, session
):
    a, b = (v1.get_variable(n, initializer=np.zeros(SHAPE, np.float32)) for n in "ab")
    sgd = v1.train.GradientDescentOptimizer(1.0)
    freezer_of_a = training.FreezeOptimizer(sgd, {"a": as_tensor(MASK)})
    freezer_of_both = training.FreezeOptimizer(sgd, {".": as_tensor(MASK)}, name="Both")
    steps = [
        freezer_of_a.apply_gradients([(tf.ones(SHAPE), a)]),
        freezer_of_both.apply_gradients([(tf.ones(SHAPE), a), (tf.ones(SHAPE), b)]),
    ]
    run = session()
    threads = [threading.Thread(target=in_threads, args=(run, step)) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    runs = THREADS * RUNS
    for value, taken in zip(run.run([a, b]), (2 * runs, runs)):
        assert np.array_equal(value, np.where(MASK, 0, -taken))


def test_a_whole_variable_needs_no_lock(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    mask = v1.placeholder(tf.bool, [])
    training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": mask}).minimize(tf.reduce_sum(w * w))
    assert not [op for op in graph.get_operations() if op.type == "MutexLock"]
