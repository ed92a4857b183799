"""Steps that are built again, of whatever TensorFlow takes, and of arguments that are mistaken."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, OptimizerKindError, SelectorError
from training_cases import same_bits

#: {id: wrap(training, optimizer)} of what keeps something of its own in the graph.
NAMED = {
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 2),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "weight-average": lambda t, o: t.WeightAverageOptimizer(o),
    "lookahead": lambda t, o: t.LookaheadOptimizer(o, 2),
    "partition": lambda t, o: t.PartitionOptimizer([t.Group("all", ".*", o)]),
    "skip": lambda t, o: t.SkipNonFiniteOptimizer(o),
    "scale": lambda t, o: t.LossScaleOptimizer(o),
}


@pytest.mark.parametrize("wrapper", sorted(NAMED))
def test_a_build_that_failed_can_be_tried_again(
    wrapper, variables, graph, v1, tf, training, session
):
    """By a new optimizer, as in a notebook; two steps of one name are refused all the same."""
    w = v1.get_variable("w", initializer=1.0)
    wrap = NAMED[wrapper]

    class Failing(v1.train.GradientDescentOptimizer):
        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            raise RuntimeError("not yet")

    with pytest.raises(RuntimeError, match="not yet"):
        wrap(training, Failing(1.0)).minimize(w)
    step = wrap(training, v1.train.GradientDescentOptimizer(1.0)).minimize(w)
    with pytest.raises(ArgumentError, match="in use"):
        wrap(training, v1.train.GradientDescentOptimizer(1.0)).minimize(w)
    run = session()
    for _ in range(2):
        run.run(step)
    assert run.run(w) == {"accumulation": 0.0, "lookahead": 0.0}.get(wrapper, -1.0)
    names = [v.op.name for v in v1.global_variables()]
    assert not any(name.endswith(("runs_1", "weight_1", "steps_1", "scale_1")) for name in names)


@pytest.mark.costly(in_ci=16)
@pytest.mark.parametrize(
    "gradient",
    [
        lambda tf, v1, u: u,
        lambda tf, v1, u: tf.IndexedSlices([[1.0, 2.0]], [1], [2, 2]),
        lambda tf, v1, u: tf.IndexedSlices(np.ones([1, 2], np.float32), np.array([1]), [2, 2]),
        lambda tf, v1, u: tf.IndexedSlices(tf.ones([1, 2]), [0], None),
        lambda tf, v1, u: [[1.0, 2.0], [3.0, 4.0]],
    ],
    ids=["variable", "slices-of-lists", "slices-of-arrays", "slices-without-shape", "list"],
)
@pytest.mark.parametrize("wrapper", ["freeze", "rates", *sorted(NAMED)])
def test_gradients_as_tensorflow_takes_them(
    wrapper, gradient, variables, graph, v1, tf, training, session
):
    w, v, u = (v1.get_variable(n, initializer=np.ones([2, 2], np.float32)) for n in "wvu")
    kinds = dict(
        NAMED,
        freeze=lambda t, o: t.FreezeOptimizer(o, {"w": [False, False]}),
        rates=lambda t, o: t.LRMultiplierOptimizer(o, {"w": 1.0}),
        accumulation=lambda t, o: t.GradientAccumulationOptimizer(o, 1),
        lookahead=lambda t, o: t.LookaheadOptimizer(o, 9),
    )
    grad = gradient(tf, v1, u)
    step = kinds[wrapper](training, v1.train.MomentumOptimizer(0.5, 0.9)).apply_gradients(
        [(grad, w)]
    )
    if isinstance(grad, list):
        grad = tf.constant(grad)
    elif isinstance(grad, tf.IndexedSlices):
        grad = tf.IndexedSlices(
            tf.convert_to_tensor(grad.values), tf.convert_to_tensor(grad.indices), [2, 2]
        )
    reference = v1.train.MomentumOptimizer(0.5, 0.9)
    plain_step = reference.apply_gradients([(u.read_value() if grad is u else grad, v)])
    run = session()
    for _ in range(2):
        run.run([step, plain_step])
    assert same_bits(*run.run([w, v]))


def test_variables_of_another_graph(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=1.0)
    with v1.Graph().as_default():
        other = v1.get_variable("other", initializer=1.0)
    sgd = v1.train.GradientDescentOptimizer(1.0)
    rates = training.LRMultiplierOptimizer(sgd, [(other, 0.5)])
    with pytest.raises(SelectorError, match="'other:0' of another graph.*tf.Graph"):
        rates.minimize(w)
    with pytest.raises(ArgumentError, match="'other:0' of another graph.*tf.Graph"):
        training.LRMultiplierOptimizer(sgd, {"w": 1}).apply_gradients([(tf.constant(1.0), other)])


def test_arguments_in_another_order(graph, v1, tf, training):
    sgd = v1.train.GradientDescentOptimizer(1.0)
    with pytest.raises(OptimizerKindError, match="first argument"):
        training.LRMultiplierOptimizer({"w": 1}, sgd)
    with pytest.raises(OptimizerKindError, match="'adam'.*AdamOptimizer"):
        training.FreezeOptimizer("adam", {"w": True})
    w = v1.get_variable("w", initializer=1.0)
    partition = training.PartitionOptimizer([training.Group("all", "w", sgd)])
    assert len(partition.compute_gradients(w * w, var_list=w)) == 1
    with pytest.raises(ArgumentError, match="the tf.function 'loss'.*Call it"):

        @tf.function
        def loss():
            return w * w

        partition.minimize(loss)


def test_a_mask_that_is_changed_later(variables, graph, v1, training, session):
    w = v1.get_variable("w", initializer=np.ones(2, np.float32))
    mask = np.array([True, False])
    optimizer = training.FreezeOptimizer(v1.train.GradientDescentOptimizer(1.0), {"w": mask})
    mask[:] = [False, True]
    step = optimizer.apply_gradients([(v1.ones([2]), w)])
    run = session()
    run.run(step)
    assert list(run.run(w)) == [1.0, 0.0]


def test_an_optimizer_without_the_update(contrib, graph, v1, training):
    """Of a resource variable, on TF 1.15."""
    w = v1.get_variable("w", initializer=[1.0, 2.0], use_resource=True)
    inner = contrib.opt.AddSignOptimizer(0.1)

    def missing(*arguments):
        raise NotImplementedError

    type(inner)._resource_apply_dense, before = missing, type(inner)._resource_apply_dense
    try:
        with pytest.raises(OptimizerKindError, match="AddSignOptimizer.*use_resource=False"):
            training.FreezeOptimizer(inner, {"w": True}).apply_gradients([(v1.ones([2]), w)])
    finally:
        type(inner)._resource_apply_dense = before


def test_variable_clipping_in_a_group(contrib, graph, v1, training, session):
    """Its compute_gradients is the wrapped optimizer's."""
    w = v1.get_variable("w", initializer=[[3.0, 4.0]], use_resource=False)
    sgd = v1.train.GradientDescentOptimizer(0.0)
    clipping = contrib.opt.VariableClippingOptimizer(sgd, {w: [1]}, 1.0)
    step = training.PartitionOptimizer([training.Group("all", "w", clipping)]).minimize(
        v1.reduce_sum(w)
    )
    run = session()
    run.run(step)
    np.testing.assert_allclose(run.run(w), [[0.6, 0.8]], rtol=1e-5)


@pytest.mark.parametrize(
    "wrapper", ["accumulation", "average", "weight-average", "lookahead", "skip"]
)
def test_in_a_scope_that_reuses(wrapper, variables, graph, v1, training):
    """State is not made there: TensorFlow's error, as of its own optimizers."""
    w = v1.get_variable("w", initializer=1.0)
    optimizer = NAMED[wrapper](training, v1.train.GradientDescentOptimizer(1.0))
    with v1.variable_scope(v1.get_variable_scope(), reuse=True):
        with pytest.raises(ValueError, match="Did you mean to set reuse="):
            optimizer.minimize(w)
    assert [v.op.name for v in v1.global_variables()] == ["w"]
    optimizer.minimize(w)
