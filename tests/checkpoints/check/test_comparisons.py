"""The proof of a conversion: what is the same, what is not, and what was not compared."""

import numpy as np
import pytest
from checkpoint_files import write_first

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints import verify_against
from tfgraphtools.errors import NothingMatchedError, PlanError

pytestmark = pytest.mark.quick

W = np.arange(6, dtype=np.float32).reshape(2, 3)
NAN = np.float32([np.nan, 1.0])
VELOCITY = {"optimizer": "Momentum", "slot": "momentum", "hyper": {"learning_rate": 0.5}}
WORDS = np.array([b"a", b"b\0"], object)
TO_N = {"map": [("(.*)", r"n/\1")]}

#: (id, a, b, arguments, (same, changed, missing, extra, left out))
CASES = [
    ("same-names", {"w": W}, {"w": W}, {}, (1, 0, 0, 0, 0)),
    ("a-map", {"w": W}, {"net/w": W}, {"map": {"w": "net/w"}}, (1, 0, 0, 0, 0)),
    (
        "rules",
        {"w": W, "v": W},
        {"n/w": W, "n/v": W},
        {"map": [("(.*)", r"n/\1")]},
        (2, 0, 0, 0, 0),
    ),
    ("nan-is-nan", {"w": NAN}, {"w": NAN}, {}, (1, 0, 0, 0, 0)),
    ("minus-zero-is-not-zero", {"w": np.zeros(1)}, {"w": -np.zeros(1)}, {}, (0, 1, 0, 0, 0)),
    ("a-bit-more", {"w": W}, {"w": np.nextafter(W, np.float32(9))}, {}, (0, 1, 0, 0, 0)),
    (
        "within-the-tolerance",
        {"w": W},
        {"w": np.nextafter(W, np.float32(9))},
        {"tolerance": 1e-6},
        (1, 0, 0, 0, 0),
    ),
    ("beyond-the-tolerance", {"w": W}, {"w": W + 1}, {"tolerance": 0.5}, (0, 1, 0, 0, 0)),
    (
        "not-finite-is-beyond",
        {"w": W},
        {"w": np.full_like(W, np.inf)},
        {"tolerance": 9.0},
        (0, 1, 0, 0, 0),
    ),
    (
        "strings-are-never-within-a-tolerance",
        {"w": WORDS},
        {"w": np.array([b"a", b"c"], object)},
        {"tolerance": 0.001},
        (0, 1, 0, 0, 0),
    ),
    (
        "booleans-that-differ",
        {"w": np.array([True, False])},
        {"w": np.array([True, True])},
        {"tolerance": 0.001},
        (0, 1, 0, 0, 0),
    ),
    ("another-shape", {"w": W}, {"w": W.T}, {}, (0, 1, 0, 0, 0)),
    ("another-type", {"w": W}, {"w": W.astype(np.float64)}, {}, (0, 1, 0, 0, 0)),
    ("missing", {"w": W, "v": W}, {"w": W}, {}, (1, 0, 1, 0, 0)),
    ("extra", {"w": W}, {"w": W, "v": W}, {}, (1, 0, 0, 1, 0)),
    ("ignored", {"w": W, "x": W}, {"w": W, "v": W}, {"ignore": ["v", "x"]}, (1, 0, 0, 0, 0)),
    ("left-out", {"w": W, "v": W}, {"w": W}, {"map": {"v": None}}, (1, 0, 0, 0, 1)),
    ("two-places", {"w": W}, {"a": W, "b": W}, {"map": {"w": ["a", "b"]}}, (2, 0, 0, 0, 0)),
    (
        "transposed",
        {"w": W},
        {"t": W.T},
        {"map": {"w": {"to": "t", "transpose": [1, 0]}}},
        (1, 0, 0, 0, 0),
    ),
    ("a-factor", {"w": W}, {"t": W * 3}, {"map": {"w": {"to": "t", "factor": 3}}}, (1, 0, 0, 0, 0)),
    (
        "a-velocity",
        {"w": W},
        {"t": W * np.float32(-0.5)},
        {"map": {"w": {"to": "t", **VELOCITY}}},
        (1, 0, 0, 0, 0),
    ),
    (
        "a-plain-copy-of-the-accumulator",
        {"w": W},
        {"t": W},
        {"map": {"w": {"to": "t", **VELOCITY}}},
        (0, 1, 0, 0, 0),
    ),
    (
        "a-slot-that-is-the-same",
        {"w": W},
        {"t": W},
        {"map": {"w": {"to": "t", "optimizer": "Adam", "slot": "v"}}},
        (1, 0, 0, 0, 0),
    ),
    (
        "strings",
        {"w": np.array([b"a"], object)},
        {"w": np.array([b"a"], object)},
        {},
        (1, 0, 0, 0, 0),
    ),
    ("empty", {"w": np.zeros((0, 3))}, {"w": np.zeros((0, 3))}, {}, (1, 0, 0, 0, 0)),
]


@pytest.mark.parametrize(
    "a, b, arguments, counts", [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_compared(a, b, arguments, counts):
    comparison = verify_against(a, b, **arguments)
    kinds = (
        comparison.same,
        comparison.changed,
        comparison.missing,
        comparison.extra,
        comparison.left_out,
    )
    assert tuple(map(len, kinds)) == counts
    assert comparison.ok == (counts[1:4] == (0, 0, 0))


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"map": {"x": "w"}}, NothingMatchedError, "'x'"),
        ({"map": [("x", "w")]}, NothingMatchedError, "'x'"),
        ({"ignore": "x"}, NothingMatchedError, "ignore="),
        ({"map": {"w": 3}}, PlanError, "a name, null"),
        ({"map": {"w": {"too": "w"}}}, PlanError, "a name, null"),
        ({"map": {"w": {"to": "w", "times": 3}}}, PlanError, "times"),
        ({"map": {"w": {"to": "w", "optimizer": "Adam", "slot": "x"}}}, PlanError, "Adam m, v"),
    ],
)
def test_a_bad_map(arguments, error, words):
    with pytest.raises(error, match=words):
        verify_against({"w": W}, {"w": W}, **arguments)


def test_checkpoints_by_path(tmp_path):
    """An object-based one by its keys, its paths, or names: what is no tensor of a is not asked."""
    seed = write_first(tmp_path / "seed")
    hyper = {"learning_rate": 0.5, "momentum": 0.9}
    tensors = {"w": W, "w/Momentum": W + 1, "global_step": np.int64(3)}
    with checkpoints.open_checkpoint(seed) as ckpt:
        checkpoints.plan(ckpt, drop="first", add=tensors).apply(tmp_path / "a")
    with checkpoints.open_checkpoint(tmp_path / "a") as ckpt:
        plan = checkpoints.plan_object_based(ckpt, rules={"w": "net/w"}, hyper=hyper)
        plan.apply(tmp_path / "b")
        renames = checkpoints.map_of(plan)
    assert verify_against(tmp_path / "a", tmp_path / "b", renames).ok
    velocity = {"to": "net/w/.OPTIMIZER_SLOT/optimizer/momentum/.ATTRIBUTES/VARIABLE_VALUE"}
    by_hand = {
        "w": "net/w",
        "global_step": "optimizer/iter",
        "w/Momentum": [dict(velocity, factor=-0.5), "w/Momentum"],
    }
    assert verify_against(tmp_path / "a", tmp_path / "b", by_hand).ok
    wrong = dict(by_hand, **{"w/Momentum": [velocity, "w/Momentum"]})
    comparison = verify_against(tmp_path / "a", tmp_path / "b", wrong)
    assert [change.name for change in comparison.changed] == ["w/Momentum"]
