"""Other threads that read and save while steps run: no frozen element moved, one step's state.

``TFGRAPHTOOLS_WHOLE=1`` saves 300 checkpoints in each case.
"""

import numpy as np
import pytest
from stepping_threads import CHECKPOINTS, stepping

from tfgraphtools.errors import OptimizerKindError
from training_cases import same_bits

SHAPE = (200, 100)
START = np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)
MASKS = {
    "elements": np.random.RandomState(1).rand(*SHAPE) < 0.5,
    "few": np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE) % 1000 == 7,
    "many": np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE) % 1000 != 7,
    "rows": np.broadcast_to(np.arange(SHAPE[0])[:, None] % 4 == 0, SHAPE),
    "most-rows": np.broadcast_to(np.arange(SHAPE[0])[:, None] % 100 != 0, SHAPE),
}

#: id: wrappers around, or inside of, the one that freezes
AROUND = {
    "alone": lambda t, freeze, o: freeze(o),
    "decay": lambda t, freeze, o: t.DecoupledWeightDecayOptimizer(freeze(o), {"w": 0.1}),
    "decay-inside": lambda t, freeze, o: freeze(t.DecoupledWeightDecayOptimizer(o, {"w": 0.1})),
    "rates": lambda t, freeze, o: freeze(t.LRMultiplierOptimizer(o, {"w": 0.5})),
    "trust": lambda t, freeze, o: freeze(t.TrustRatioOptimizer(o)),
    "lookahead": lambda t, freeze, o: t.LookaheadOptimizer(freeze(o), 2),
    "accumulation": lambda t, freeze, o: t.GradientAccumulationOptimizer(freeze(o), 2),
    "average": lambda t, freeze, o: t.ExponentialAverageOptimizer(freeze(o), 0.5),
    "skip": lambda t, freeze, o: t.SkipNonFiniteOptimizer(freeze(o)),
}


def built(mask, around, kind, v1, tf, training, **how):
    """(w, the step, the optimizer) with a mask that is an array or a variable."""
    w = v1.get_variable("w", initializer=START)
    count = v1.train.get_or_create_global_step()
    frozen = MASKS[mask]
    if kind == "variable":
        unit = frozen[:, :1] if "rows" in mask else frozen
        frozen = v1.get_variable("frozen", initializer=unit, trainable=False)
    optimizer = AROUND[around](
        training,
        lambda inner: training.FreezeOptimizer(inner, {"w": frozen}, **how),
        v1.train.AdamOptimizer(0.1),
    )
    return w, optimizer.apply_gradients([(tf.sin(w), w)], global_step=count), optimizer


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("kind", ["array", "variable"])
@pytest.mark.parametrize("mask", sorted(MASKS))
def test_any_reader(mask, kind, variables, graph, v1, tf, training, session):
    """A plain fetch and a stock Saver's reads, at any time of a step."""
    w, step, _ = built(mask, "alone", kind, v1, tf, training, readers="any")
    values = [w, w.read_value(), tf.identity(w)]
    run = session()
    frozen = MASKS[mask]
    with stepping(run, step):
        for _ in range(CHECKPOINTS * 3):
            for value in run.run(values):
                assert same_bits(value[frozen], START[frozen])


@pytest.mark.parametrize("around", sorted(set(AROUND) - {"alone"}))
def test_any_reader_of_wrappers(around, variables, graph, v1, tf, training, session):
    """No wrapper around, or inside, writes a frozen element; or the pair is refused."""
    try:
        w, step, _ = built("elements", around, "array", v1, tf, training, readers="any")
    except OptimizerKindError as error:
        assert around in ("decay-inside", "trust"), error
        return
    run = session()
    frozen = MASKS["elements"]
    with stepping(run, step):
        for _ in range(CHECKPOINTS * 2):
            assert same_bits(run.run(w)[frozen], START[frozen])


@pytest.mark.parametrize("around", sorted(AROUND))
@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("mask", ["elements", "few", "rows"])
def test_checkpoints(mask, around, variables, graph, v1, tf, training, session, tmp_path):
    """By a `ConsistentSaver`, of the ways that write frozen elements and put them back."""
    w, step, optimizer = built(mask, around, "array", v1, tf, training)
    saver = training.ConsistentSaver(max_to_keep=2)
    stock, set_anew = v1.train.Saver(), v1.variables_initializer([w])
    run = session()
    frozen = MASKS[mask]
    with stepping(run, step):
        for number in range(CHECKPOINTS):
            path = saver.save(run, str(tmp_path / "model"), number, write_meta_graph=False)
            reader = v1.train.NewCheckpointReader(path)
            saved = reader.get_tensor("w")
            assert same_bits(saved[frozen], START[frozen])
    run.run(set_anew)
    stock.restore(run, path)
    assert same_bits(run.run(w), saved)


def test_refusals(graph, v1, tf, training):
    with pytest.raises(OptimizerKindError, match="readers='any' for 'w'.*ConsistentSaver"):
        built("elements", "alone", "array", v1, tf, training, readers="any", slots="reset")
