"""State keeps the plain optimizer's names: a stock Saver takes it from one to the other."""

import numpy as np
import pytest

from training_cases import CORE, same_bits

WRAPPERS = {
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {"w": 1, "net/b": 1.0}),
    "freeze": lambda t, o: t.FreezeOptimizer(o, {"w": np.zeros([2, 3], bool)}),
    "freeze-around-rates": lambda t, o: t.FreezeOptimizer(
        t.LRMultiplierOptimizer(o, {"w": 1}), {"net/b": False}
    ),
}


def model(v1, tf):
    w = v1.get_variable("w", initializer=np.arange(6, dtype=np.float32).reshape(2, 3) - 2)
    b = v1.get_variable("net/b", initializer=np.ones(3, np.float32))
    return tf.reduce_sum(tf.sin(w) * b * b)


def three_steps(v1, run, step):
    """The values of all variables, by name, after three more steps."""
    for _ in range(3):
        run.run(step)
    return {v.op.name: run.run(v) for v in v1.global_variables()}


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("case", ["adam", "rmsprop-centered", "ftrl", "adagrad-da"])
def test_a_plain_checkpoint_goes_on_bit_equal(case, wrapper, variables, v1, tf, training, tmp_path):
    build = CORE[case].build
    prefix = str(tmp_path / "model.ckpt")
    with v1.Graph().as_default(), v1.Session() as run:
        step = build(v1.train, 0.1).minimize(model(v1, tf))
        run.run(v1.global_variables_initializer())
        saved = three_steps(v1, run, step)
        v1.train.Saver().save(run, prefix)
        wanted = three_steps(v1, run, step)
    with v1.Graph().as_default() as graph, v1.Session() as run:
        optimizer = WRAPPERS[wrapper](training, build(v1.train, 0.1))
        step = optimizer.minimize(model(v1, tf))
        saver = v1.train.Saver()
        graph.finalize()
        saver.restore(run, prefix)
        found = three_steps(v1, run, step)
    assert sorted(found) == sorted(wanted)
    for name in wanted:
        assert same_bits(found[name], wanted[name]), name
    assert not same_bits(saved["w"], wanted["w"])
