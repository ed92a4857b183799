"""State keeps the plain optimizer's names: a stock Saver takes it from one to the other."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
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
        values = three_steps(v1, run, step)
    assert sorted(values) == sorted(wanted)
    for name in wanted:
        assert same_bits(values[name], wanted[name]), name
    assert not same_bits(saved["w"], wanted["w"])


def step_of(v1, tf, training, grouped):
    """One Adam, or two of the same settings in groups: the same training."""
    loss = model(v1, tf)
    if not grouped:
        return None, v1.train.AdamOptimizer(0.1).minimize(loss)
    optimizer = training.PartitionOptimizer(
        [
            training.Group("w", "w", v1.train.AdamOptimizer(0.1)),
            training.Group("b", "net/b", v1.train.AdamOptimizer(0.1)),
        ]
    )
    return optimizer, optimizer.minimize(loss)


@pytest.mark.parametrize("grouped", [False, True], ids=["one-to-groups", "groups-to-one"])
def test_a_checkpoint_from_one_optimizer_to_several_and_back(
    grouped, variables, v1, tf, training, tmp_path
):
    """The beta powers come along: without them Adam's steps would start anew."""
    prefix, mapped = str(tmp_path / "a.ckpt"), str(tmp_path / "b.ckpt")
    values, rules = [], []
    for here in (grouped, not grouped):
        with v1.Graph().as_default(), v1.Session() as run:
            optimizer, step = step_of(v1, tf, training, here)
            rules = optimizer.checkpoint_rules() if optimizer else rules
            run.run(v1.global_variables_initializer())
            if here == grouped:
                three_steps(v1, run, step)
                v1.train.Saver().save(run, prefix)
            else:
                if grouped:
                    rename = {own: plain_name for plain_name, own in rules if "/w/" in own}
                    drop = [own for _, own in rules if "/w/" not in own]
                    how = {"rename": rename, "drop": drop}
                else:
                    how = {"alias": rules, "drop": ["beta1_power", "beta2_power"]}
                with checkpoints.open_checkpoint(prefix) as ckpt:
                    checkpoints.plan(ckpt, **how).apply(mapped)
                v1.train.Saver().restore(run, mapped)
            after = three_steps(v1, run, step)
            values.append({name: after[name] for name in ("w", "w/Adam", "w/Adam_1", "net/b")})
    for name in values[0]:
        assert same_bits(values[0][name], values[1][name]), name
