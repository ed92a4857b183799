"""What keeps something of a variable twice has two names, which no order of building changes."""

import itertools

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError
from training_cases import same_bits

#: {id: (wrap(training, optimizer, name, slot_name), the stock name of its slot)}
KEEPERS = {
    "average": (
        lambda t, o, **names: t.ExponentialAverageOptimizer(o, 0.5, **names),
        "ExponentialMovingAverage",
    ),
    "weight-average": (lambda t, o, **names: t.WeightAverageOptimizer(o, **names), "WeightAverage"),
    "lookahead": (lambda t, o, **names: t.LookaheadOptimizer(o, 2, **names), "slow"),
    "accumulation": (
        lambda t, o, **names: t.GradientAccumulationOptimizer(o, 2, **names),
        "gradient_sum",
    ),
}
ALONE = ["Fast", "Slow"]


@pytest.mark.parametrize("kind", ["float32", "float16"])
@pytest.mark.parametrize("keeper", ["average", "weight-average"])
def test_a_second_one_is_refused_without_a_name(keeper, kind, variables, graph, v1, tf, training):
    """With the sentence that says how to name it; ``name=`` is of the ops."""
    w = v1.get_variable("w", initializer=tf.cast([1.0], kind))
    wrap, stock = KEEPERS[keeper]
    optimizer = v1.train.GradientDescentOptimizer(1.0)
    for name in ALONE:
        optimizer = wrap(training, optimizer, name=name)
    with pytest.raises(ArgumentError, match=f"'w/{stock}' in use.*slot_name='Fast'"):
        optimizer.apply_gradients([(tf.ones_like(w), w)])


@pytest.mark.parametrize("keeper", ["lookahead", "accumulation"])
def test_names_of_a_chain(keeper, variables, v1, tf, training):
    """What no other graph asks for by name: ``name=`` is enough, whatever the order."""
    wrap, stock = KEEPERS[keeper]
    for order in itertools.permutations([{}, {"name": "Fast"}, {"name": "Slow"}], 2):
        with v1.Graph().as_default():
            w = v1.get_variable("w", initializer=[1.0])
            inner = wrap(training, v1.train.GradientDescentOptimizer(1.0), **order[0])
            optimizer = wrap(training, inner, **order[1])
            optimizer.apply_gradients([(tf.ones_like(w), w)])
            for keeping, names in zip((inner, optimizer), order):
                slot = f"{stock}_{names['name']}" if names else stock
                own = v1.train.Optimizer.get_slot(keeping, w, slot)
                assert own.op.name == f"w/{slot}"


@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_second_step_is_refused(keeper, variables, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    wrap, stock = KEEPERS[keeper]
    sgd = v1.train.GradientDescentOptimizer
    wrap(training, sgd(1.0), name="Fast").apply_gradients([(tf.ones_like(w), w)])
    with pytest.raises(ArgumentError, match=f"'w/{stock}' in use.*slot_name='Fast'"):
        wrap(training, sgd(1.0), name="Slow").apply_gradients([(tf.ones_like(w), w)])


@pytest.mark.parametrize("keeper", KEEPERS)
def test_names_do_not_depend_on_the_order(keeper, variables, v1, tf, training):
    wrap, stock = KEEPERS[keeper]
    for order in itertools.permutations([None, "Fast", "Slow"]):
        with v1.Graph().as_default():
            w = v1.get_variable("w", initializer=[1.0])
            optimizer, keepers = v1.train.GradientDescentOptimizer(1.0), {}
            for slot_name in order:
                names = {} if slot_name is None else {"name": f"A{slot_name}"}
                optimizer = wrap(training, optimizer, slot_name=slot_name, **names)
                keepers[slot_name] = optimizer
            optimizer.apply_gradients([(tf.ones_like(w), w)])
            for slot_name, keeping in keepers.items():
                slot = stock if slot_name is None else f"{stock}_{slot_name}"
                own = v1.train.Optimizer.get_slot(keeping, w, slot)
                assert own.op.name == f"w/{slot}"


def test_each_average_restores_its_own(variables, v1, tf, training, tmp_path):
    """In a graph without a step, whatever the order of the wrappers."""
    path = str(tmp_path / "model")

    def chain(order):
        optimizer, named = v1.train.GradientDescentOptimizer(1.0), {}
        for slot_name in order:
            decay = {"Fast": 0.25, "Slow": 0.75, None: 0.5}[slot_name]
            named[slot_name] = optimizer = training.ExponentialAverageOptimizer(
                optimizer, decay, slot_name=slot_name, name=f"Average{slot_name}"
            )
        return optimizer, named

    with v1.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("w", initializer=8.0)
        optimizer, named = chain(["Fast", None, "Slow"])
        step = optimizer.minimize(w)
        session.run(v1.global_variables_initializer())
        session.run([step])
        v1.train.Saver().save(session, path)
    for order in itertools.permutations(named):
        with v1.Graph().as_default(), v1.Session() as session:
            w = v1.get_variable("w", initializer=0.0)
            for slot_name, average in chain(order)[1].items():
                v1.train.Saver(average.variables_to_restore()).restore(session, path)
                assert session.run(w) == {"Fast": 7.25, None: 7.5, "Slow": 7.75}[slot_name]


def test_beside_tensorflows_average(variables, graph, v1, tf, training, session):
    """Ours does not take its name; with a name of its own both are what they are alone."""
    if variables == "ref":
        v1.disable_control_flow_v2()
    w = v1.get_variable("w", initializer=4.0)
    ema = v1.train.ExponentialMovingAverage(0.5)
    update = ema.apply([w])
    sgd = v1.train.GradientDescentOptimizer(1.0)
    with pytest.raises(ArgumentError, match="'w/ExponentialMovingAverage' in use"):
        training.ExponentialAverageOptimizer(sgd, 0.75).minimize(w)
    ours = training.ExponentialAverageOptimizer(sgd, 0.75, slot_name="Own", name="Own")
    step = ours.minimize(w)
    run = session()
    run.run(step)
    run.run(update)
    assert ema.average_name(w) == ema.average(w).op.name == "w/ExponentialMovingAverage"
    assert ours.average(w).op.name == "w/ExponentialMovingAverage_Own"
    assert run.run([ema.average(w), ours.average(w)]) == [3.5, 3.75]


@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_build_that_failed_leaves_its_names(keeper, variables, graph, v1, tf, training, session):
    """As in a notebook: the cell runs again, with new optimizers."""
    w = v1.get_variable("w", initializer=np.float32(8.0))
    wrap, stock = KEEPERS[keeper]

    class Failing(v1.train.GradientDescentOptimizer):
        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            raise RuntimeError("not yet")

    for _ in range(2):
        with pytest.raises(RuntimeError, match="not yet"):
            wrap(training, Failing(1.0)).minimize(w)
    optimizer = wrap(training, v1.train.GradientDescentOptimizer(1.0))
    step = optimizer.minimize(w)
    names = [v.op.name for v in v1.global_variables()]
    assert [name for name in names if name.startswith("w/")] == [f"w/{stock}"]
    run = session()
    for _ in range(2):
        run.run(step)
    expected = {"lookahead": 7.0, "accumulation": 7.0}.get(keeper, 6.0)
    assert same_bits(run.run(w), np.float32(expected))


@pytest.mark.parametrize("slot_name", ["1", "", "a/b", 3])
def test_mistakes(slot_name, v1, training):
    with pytest.raises(ArgumentError, match="slot_name.*begins with a letter"):
        training.WeightAverageOptimizer(v1.train.GradientDescentOptimizer(1.0), slot_name=slot_name)
