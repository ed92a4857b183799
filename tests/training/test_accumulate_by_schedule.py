"""How many runs make a step follows a tensor, a variable, or the global step."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError
from training_cases import same_bits


def by_step(step):
    """Steps of one run, then of three, then of two: the reference of the test below."""
    return [1, 3, 2][min(int(step), 2)]


#: {id: steps(tf, v1, global_step)}, all of them `by_step`.
KINDS = {
    "function": lambda tf, v1, count: lambda step: tf.gather([1, 3, 2], tf.minimum(step, 2)),
    "tensor": lambda tf, v1, count: tf.gather(
        tf.constant([1, 3, 2], tf.int64), tf.minimum(count.read_value(), 2)
    ),
    "piecewise": lambda tf, v1, count: (
        lambda step: v1.train.piecewise_constant(step, [0, 1], [1, 3, 2])
    ),
}


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("around", [False, True], ids=["outermost", "inside"])
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_as_the_plain_optimizer_on_the_means(
    kind, around, sparse, variables, graph, v1, tf, training, session
):
    w, reference = (v1.get_variable(name, initializer=np.ones([2, 2], np.float32)) for name in "wv")
    grad = v1.placeholder(tf.float32, [2, 2])
    gradient = tf.IndexedSlices(grad, tf.range(2), tf.constant([2, 2])) if sparse else grad
    count = v1.train.get_or_create_global_step()
    optimizer = training.GradientAccumulationOptimizer(
        v1.train.AdamOptimizer(0.1), KINDS[kind](tf, v1, count)
    )
    if around:
        optimizer = training.LRMultiplierOptimizer(optimizer, {"w": 1.0})
    step = optimizer.apply_gradients([(gradient, w)], global_step=count)
    plain_step = v1.train.AdamOptimizer(0.1).apply_gradients([(gradient, reference)])
    run = session()
    random, waiting, taken = np.random.RandomState(0), [], 0
    for _ in range(9):
        waiting.append(random.normal(size=[2, 2]).astype(np.float32))
        run.run(step, {grad: waiting[-1]})
        if len(waiting) == by_step(taken):
            total = sum(waiting[1:], waiting[0])
            run.run(plain_step, {grad: total * np.float32(1 / len(waiting))})
            waiting, taken = [], taken + 1
        assert run.run(count) == taken
        assert same_bits(*run.run([w, reference]))
    assert taken == 4  # of 1, 3, 2 and 2 runs; the ninth waits


def test_a_variable_that_is_loaded(variables, graph, v1, tf, training, session):
    """Fewer than there are: the next run takes the step; below 1 every run does."""
    w = v1.get_variable("w", initializer=0.0)
    steps = v1.get_variable("steps", initializer=4, trainable=False)
    new = v1.placeholder(tf.int32, [])
    load = v1.assign(steps, new)
    optimizer = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(1.0), steps
    )
    step, flush = optimizer.minimize(-w), optimizer.flush()
    run, seen = session(), []
    for value in (4, 4, 4, 2, 0, 3, 3):
        run.run(load, {new: value})
        run.run(step)
        seen.append(run.run(w))
    run.run(flush)
    assert seen == [0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0] and run.run(w) == 3.0


@pytest.mark.parametrize(
    "steps, words",
    [
        (lambda tf: tf.constant(2.0), "scalar integer tensor.*float32.*tf.cast"),
        (lambda tf: tf.constant([2]), r"scalar integer tensor.*\(1,\)"),
        (lambda tf: lambda step: 2.5, "int of at least 1"),
        (lambda tf: lambda step: tf.cast(step, tf.float32), "scalar integer tensor"),
        (lambda tf: 0, "int of at least 1"),
    ],
    ids=["float", "vector", "function-of-a-float", "function-of-a-float-tensor", "none"],
)
def test_mistakes(steps, words, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=1.0)
    sgd = v1.train.GradientDescentOptimizer(1.0)
    with pytest.raises(ArgumentError, match=words):
        training.GradientAccumulationOptimizer(sgd, steps(tf)).minimize(
            w, global_step=v1.train.get_or_create_global_step()
        )


def test_a_function_without_a_global_step(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=1.0)
    optimizer = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(1.0), lambda step: step + 1
    )
    with pytest.raises(ArgumentError, match="global step to call the function.*minimize"):
        optimizer.minimize(w)
