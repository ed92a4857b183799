"""Differences: by checksum, by value, renamed, and between formats."""

import numpy as np
import pytest
from checkpoint_files import copy_checkpoint, make_checkpoints

from tfgraphtools import checkpoints

CONTENTS = make_checkpoints.contents("v2")


@pytest.fixture
def ckpt(model):
    with checkpoints.open_checkpoint(model) as opened:
        yield opened


def changed_copy(ckpt, prefix, **arguments):
    checkpoints.plan(ckpt, **arguments).apply(prefix)
    return str(prefix)


@pytest.mark.parametrize("deep", [False, True])
def test_no_difference(ckpt, model, deep, tmp_path):
    difference = checkpoints.diff(model, changed_copy(ckpt, tmp_path / "b"), deep)
    assert not difference and sorted(difference.same) == sorted(CONTENTS)


@pytest.mark.parametrize("deep", [False, True])
def test_every_kind_of_difference(ckpt, model, deep, tmp_path):
    values = CONTENTS["float32/matrix"].copy()
    values[1, 2] += 0.5
    other = changed_copy(
        ckpt,
        tmp_path / "b",
        drop=["float32/matrix", "int8/cube"],
        add={"float32/matrix": values, "new": np.arange(9)},
        rename={"int16/matrix": "renamed"},
        cast={"int32/matrix": "int64"},
        reshape={"int64/matrix": [24]},
    )
    difference = checkpoints.diff(model, other, deep)
    assert difference.missing == ["int8/cube"] and difference.extra == ["new"]
    assert difference.renamed == [("int16/matrix", "renamed")]
    changes = {change.name: change for change in difference.changed}
    assert sorted(changes) == ["float32/matrix", "int32/matrix", "int64/matrix"]
    assert changes["int32/matrix"][1:4] == ("dtype", "int32", "int64")
    assert changes["int64/matrix"][1:4] == ("shape", [4, 6], [24])
    change = changes["float32/matrix"]
    assert change.what == "values" and (change.elements == 1 if deep else change.elements is None)
    if deep:
        assert change.max_abs == pytest.approx(0.5, rel=1e-6)
        largest = max(abs(values[1, 2]), abs(values[1, 2] - 0.5))
        assert change.max_rel == pytest.approx(0.5 / largest, rel=1e-5)


VALUES = [  # (a, b, elements that differ, by how much)
    ([0.0, np.nan], [-0.0, np.nan], 0, None),
    ([1.0, np.nan], [1.0, 2.0], 1, np.inf),
    ([np.inf], [-np.inf], 1, np.inf),
    ([np.inf], [np.inf], 0, None),
    ([1 + 1j], [1 - 1j], 1, 2.0),
    (np.array([2**63 - 1]), np.array([2**63 - 2]), 1, 1.0),
    (np.array([250], np.uint8), np.array([5], np.uint8), 1, 245.0),
    ([True, False], [True, True], 1, 1.0),
]


@pytest.mark.parametrize("a, b, count, amount", VALUES, ids=[str(i) for i in range(len(VALUES))])
def test_values(ckpt, tmp_path, a, b, count, amount):
    left = changed_copy(ckpt, tmp_path / "a", add={"x": a}, drop=".*")
    two = changed_copy(ckpt, tmp_path / "b", add={"x": b}, drop=".*")
    difference = checkpoints.diff(left, two, deep=True)
    if not count:
        assert not difference
    else:
        (change,) = difference.changed
        assert (change.elements, change.max_abs) == (count, amount)


def test_strings(ckpt, tmp_path):
    left = changed_copy(ckpt, tmp_path / "a", add={"x": ["a", "b"]}, drop=".*")
    two = changed_copy(ckpt, tmp_path / "b", add={"x": ["a", "c"]}, drop=".*")
    (change,) = checkpoints.diff(left, two, deep=True).changed
    assert change.elements == 1 and change.max_abs is None


@pytest.mark.parametrize(
    "arguments",
    [{"partition": {"float32/matrix": (2, 0)}}, {"partition": {"float32/matrix": (3, 1)}}],
)
def test_another_partitioning_is_no_difference(ckpt, model, tmp_path, arguments):
    assert not checkpoints.diff(model, changed_copy(ckpt, tmp_path / "b", **arguments))


def test_v1_against_v2(this_tf):
    difference = checkpoints.diff(
        this_tf / make_checkpoints.CASES["v1"], this_tf / make_checkpoints.CASES["v2"]
    )
    assert not difference.changed and not difference.missing
    assert sorted(difference.extra) == sorted(
        n for n in CONTENTS if n.startswith("uint32") or "uint64" in n
    )


def test_equal_tensors_are_paired_only_if_there_is_one_way(ckpt, tmp_path):
    ones = np.ones(3)
    left = changed_copy(ckpt, tmp_path / "a", add={"a": ones, "b": ones, "c": ones * 2}, drop=".*")
    two = changed_copy(ckpt, tmp_path / "b", add={"d": ones, "e": ones, "f": ones * 2}, drop=".*")
    difference = checkpoints.diff(left, two)
    assert (
        difference.renamed == [("c", "f")]
        and difference.missing == ["a", "b"]
        and difference.extra == ["d", "e"]
    )


# Damaged data ---------------------------------------------------------------------------


def flipped_copy(model, prefix, name):
    """A copy of a checkpoint in which one byte of a tensor's data differs."""
    copy_checkpoint(model, prefix)
    with checkpoints.open_checkpoint(prefix) as opened:
        part = opened.tensor(name).parts[0]
        path = opened.store.path(part.shard)
    with open(path, "r+b") as file:
        file.seek(part.offset)
        byte = file.read(1)[0]
        file.seek(part.offset)
        file.write(bytes([byte ^ 1]))
    return str(prefix)


def test_recorded_checksums_do_not_see_damage(model, tmp_path):
    difference = checkpoints.diff(model, flipped_copy(model, tmp_path / "b", "float32/matrix"))
    assert not difference and difference.unread == len(CONTENTS) and difference.damaged == []


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("side", ["a", "b", "both"])
def test_verify_names_the_damaged_tensor(side, deep, model, tmp_path):
    copy = flipped_copy(model, tmp_path / "b", "float32/matrix")
    pair = {"a": (copy, model), "b": (model, copy), "both": (copy, copy)}[side]
    difference = checkpoints.diff(*pair, deep=deep, verify=True)
    assert difference and difference.unread == 0
    expected = [(s, "float32/matrix") for s in ("a", "b") if side in (s, "both")]
    assert [(tensor.side, tensor.name) for tensor in difference.damaged] == expected
    assert "float32/matrix" not in difference.same and len(difference.same) == len(CONTENTS) - 1


def test_verify_of_intact_data(model, tmp_path):
    difference = checkpoints.diff(model, copy_checkpoint(model, tmp_path / "b"), verify=True)
    assert not difference and len(difference.same) == len(CONTENTS)


def test_values_that_are_read_are_not_unread(model, tmp_path):
    with checkpoints.open_checkpoint(model) as opened:
        checkpoints.to_npz(opened, tmp_path / "b.npz")
    difference = checkpoints.diff(model, tmp_path / "b.npz")
    assert not difference and difference.unread == 0
