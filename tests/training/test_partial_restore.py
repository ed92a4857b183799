"""The next phase of a training: what a checkpoint has is restored, and the rest starts."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, NothingMatchedError
from training_cases import same_bits

#: {id: wrap(training, optimizer)}
WRAPPERS = {
    "none": lambda t, o: o,
    "freeze": lambda t, o: t.FreezeOptimizer(o, {".*": False}),
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {".*": 1.0}),
    "transform": lambda t, o: t.GradientTransformOptimizer(o, t.transforms.scale(1.0)),
    "decay": lambda t, o: t.DecoupledWeightDecayOptimizer(o, {".*": 0.0}),
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 1),
    "partition": lambda t, o: t.PartitionOptimizer([t.Group("all", ".*", o)]),
    "lookahead": lambda t, o: t.LookaheadOptimizer(o, 2),
    "weight-average": lambda t, o: t.WeightAverageOptimizer(o),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "skip": lambda t, o: t.SkipNonFiniteOptimizer(o),
    "scale": lambda t, o: t.LossScaleOptimizer(o, 8.0),
}


def save(v1, tf, path, wrap):
    """Saves `old` as 7, after two steps that move nothing."""
    with v1.Graph().as_default(), v1.Session() as session:
        old = v1.get_variable("old", initializer=np.full([4, 2], 7, np.float32))
        v1.get_variable("gone", initializer=1.0)
        v1.get_variable("shape", initializer=[1.0])
        v1.get_variable("kind", initializer=np.float64(1.0))
        step = wrap(v1.train.MomentumOptimizer(0.5, 0.5)).apply_gradients([(tf.zeros([4, 2]), old)])
        session.run(v1.global_variables_initializer())
        for _ in range(2):
            session.run(step)
        v1.train.Saver().save(session, path)


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("before", ["none", "same"])
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_head_and_a_wrapper_join(wrapper, before, variables, v1, tf, training, tmp_path):
    path, wrap = str(tmp_path / "model"), WRAPPERS[wrapper]
    save(v1, tf, path, lambda o: wrap(training, o) if before == "same" else o)
    with v1.Graph().as_default() as graph, v1.Session() as session:
        start = np.full([4, 2], -100, np.float32)
        old = v1.get_variable("old", initializer=start)
        head = v1.get_variable("head", initializer=np.full([3], 7, np.float32))
        v1.get_variable("shape", initializer=[1.0, 2.0])
        v1.get_variable("kind", initializer=np.float32(3.0))
        optimizer = wrap(training, v1.train.MomentumOptimizer(0.5, 0.5))
        step = optimizer.apply_gradients([(tf.zeros([4, 2]), old), (tf.zeros([3]), head)])
        graph.finalize()
        result = training.restore_what_fits(session, path)
        for _ in range(4):
            session.run(step)
        values = {v.op.name: session.run(v) for v in v1.global_variables()}
    assert {"old", "old/Momentum"} <= set(result.restored)
    assert result.started["head"] == "not in the checkpoint"
    assert result.started["shape"] == "its shape is (2,), in the checkpoint (1,)"
    assert result.started["kind"] == "it is float32, in the checkpoint float64"
    assert "gone" in result.unused and "head: not in the checkpoint" in repr(result)
    assert sorted([*result.restored, *result.started]) == sorted(values)
    assert values["kind"] == 3 and values["shape"].tolist() == [1, 2]
    for name, value in values.items():
        kept = name.split("/")[0] in ("old", "head")
        if kept and name.split("/")[-1] not in ("Momentum", "gradient_sum"):
            assert np.all(value == 7), name


def test_slices(variables, v1, tf, training, tmp_path):
    """A partitioned variable, of other slices than in the checkpoint."""
    path = str(tmp_path / "model")
    table = np.arange(12, dtype=np.float32).reshape(6, 2)
    for parts in (2, 3):
        with v1.Graph().as_default(), v1.Session() as session:
            w = v1.get_variable(
                "w",
                [6, 2],
                initializer=v1.zeros_initializer(),
                partitioner=v1.fixed_size_partitioner(parts),
            )
            value = tf.convert_to_tensor(w)
            session.run(v1.global_variables_initializer())
            if parts == 2:
                for index, part in enumerate(w):
                    part.load(table[3 * index : 3 * index + 3], session)
                v1.train.Saver().save(session, path)
            else:
                assert training.restore_what_fits(session, str(tmp_path)).restored == ["w"]
                assert same_bits(session.run(value), table)


def test_mistakes(v1, training, tmp_path):
    path = str(tmp_path / "model")
    with v1.Graph().as_default(), v1.Session() as session:
        v1.get_variable("w", initializer=1.0)
        with pytest.raises(ArgumentError, match="folder with one.*Saver.save"):
            training.restore_what_fits(session, str(tmp_path))
        with pytest.raises(ArgumentError, match="a checkpoint"):
            training.restore_what_fits(session, path)
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, path)
    with v1.Graph().as_default(), v1.Session() as session:
        v1.get_variable("u", initializer=1.0)
        with pytest.raises(NothingMatchedError, match="'u'.*'w'"):
            training.restore_what_fits(session, path)
