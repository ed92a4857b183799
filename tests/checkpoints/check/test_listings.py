"""Slots, trees and statistics."""

import numpy as np
import pytest
from checkpoint_files import make_checkpoints

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.check.listings import tree
from tfgraphtools.checkpoints.optimizers import optimizer_slots

pytestmark = pytest.mark.quick

SLOTS = [  # (names and shapes, the slots among them)
    ({"w": (2,), "w/Adam": (2,)}, {}),  # Adam has two
    ({"w": (2,), "w/Momentum": (2,)}, {"w/Momentum": ("w", "Momentum")}),
    ({"w": (2,), "w/my_slot": (2,)}, {}),
    ({"w": (2,), "w/b": (3,)}, {}),
    ({"w": (2, 3), "w/vr": (2,)}, {}),
    (
        {"w": (2, 3), "w/vr": (2,), "w/vc": (3,)},
        {"w/vr": ("w", "vr"), "w/vc": ("w", "vc")},
    ),
    ({"a/w": (2,), "opt/a/w/Momentum_1": (2,)}, {"opt/a/w/Momentum_1": ("a/w", "Momentum_1")}),
    ({"w": (2,), "x/w": (2,)}, {}),
    ({"w/Adam": (2,)}, {}),
    ({"": (2,), "/Adam": (2,)}, {}),
]


@pytest.mark.parametrize("shapes, expected", SLOTS, ids=[str(sorted(s[0])) for s in SLOTS])
def test_slots(shapes, expected):
    assert optimizer_slots.find(shapes) == expected


@pytest.mark.parametrize("name", ["Momentum", "RMSProp", "Adagrad", "Adadelta", "Ftrl"])
def test_the_slots_of_tf_optimizers(tf, v1, name, tmp_path, variables):
    optimizers = {
        "Momentum": lambda: v1.train.MomentumOptimizer(0.1, 0.9),
        "RMSProp": lambda: v1.train.RMSPropOptimizer(0.1, centered=True),
        "Adagrad": lambda: v1.train.AdagradOptimizer(0.1),
        "Adadelta": lambda: v1.train.AdadeltaOptimizer(0.1),
        "Ftrl": lambda: v1.train.FtrlOptimizer(0.1),
    }
    with v1.Graph().as_default(), v1.Session() as session:
        weights = v1.get_variable("net/w", (3, 4))
        with v1.variable_scope("outer"):
            optimizer = optimizers[name]()
            optimizer.minimize(tf.reduce_sum(weights**2))
        session.run(v1.global_variables_initializer())
        prefix = v1.train.Saver().save(session, str(tmp_path / "m"))
    with checkpoints.open_checkpoint(prefix) as ckpt:
        rows = {row.name: row for row in checkpoints.listing(ckpt)}
    assert len(rows) >= 2 and rows["net/w"].owner is None
    assert all(row.owner == "net/w" for name, row in rows.items() if name != "net/w")


def test_the_tree_adds_up(this_tf):
    with checkpoints.open_checkpoint(this_tf / make_checkpoints.CASES["v2"]) as ckpt:
        rows = checkpoints.listing(ckpt)
    root = tree(rows)
    assert (root.tensors, root.bytes) == (len(rows), sum(row.bytes for row in rows))
    assert root.children["float64"].tensors == len(make_checkpoints.SHAPES)
    assert root.children["float64"].children["cube"].row.shape == (2, 3, 4)


ARRAYS = {
    "floats": np.random.RandomState(0).randn(1000, 7),
    "with-nan": np.array([1.0, np.nan, -np.inf, 0.0, 3.0], np.float32),
    "integers": np.arange(-5, 100, dtype=np.int16),
    "constant": np.full(9, 2.5),
    "bool": np.array([True, False, True]),
    "one": np.array(3.0),
    "half": np.float16([1, 2, 60000]),
}


@pytest.mark.parametrize("name", sorted(ARRAYS))
def test_statistics(name, monkeypatch):
    from tfgraphtools.checkpoints.check import statistics as module

    monkeypatch.setattr(module, "_BLOCK", 64)
    array = ARRAYS[name]
    finite = array[np.isfinite(array)].astype(np.float64)
    statistics = checkpoints.statistics(array, bins=8)
    assert (statistics.minimum, statistics.maximum) == (finite.min(), finite.max())
    assert np.allclose([statistics.mean, statistics.std], [finite.mean(), finite.std()])
    assert statistics.nan == np.isnan(array.astype(np.float64)).sum()
    assert (
        statistics.zeros == (array == 0).sum()
        and sum(statistics.counts) == statistics.finite == finite.size
    )
    counts, edges = np.histogram(finite, 8)
    assert np.allclose(statistics.edges, edges) and statistics.counts == counts.tolist()


@pytest.mark.parametrize(
    "array, mean, std",
    [
        ([1.7e308, -1.7e308], 0.0, 1.7e308),
        ([1.7e308, 1.7e308], 1.7e308, 0.0),
        ([1e200, 3e200], 2e200, 1e200),
        ([1e15, 1e15 + 2], 1e15 + 1, 1.0),
        ([2**62, 2**62], 2.0**62, 0.0),
        ([5e-324, 0.0], 0.0, 0.0),
    ],
)
def test_statistics_at_the_ends_of_the_numbers(array, mean, std):
    statistics = checkpoints.statistics(np.array(array))
    assert statistics.mean == pytest.approx(mean) and statistics.std == pytest.approx(
        std, abs=1e-300
    )
    assert sum(statistics.counts) == 2 and np.isfinite(statistics.edges).all()


@pytest.mark.parametrize("array", [np.zeros((0, 3)), np.array([b"a"], object), np.array([np.nan])])
def test_statistics_of_nothing(array):
    statistics = checkpoints.statistics(array)
    assert (
        statistics.elements == array.size and statistics.minimum is None and statistics.counts == []
    )
