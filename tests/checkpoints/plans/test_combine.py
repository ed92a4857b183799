"""Strip, merge, average, split."""

import numpy as np
import pytest
from checkpoint_files import big_endian_copy, make_checkpoints

from tfgraphtools import checkpoints
from tfgraphtools.errors import ArgumentError, CollisionError, NothingMatchedError, PlanError

CONTENTS = make_checkpoints.contents("v2")


@pytest.fixture
def write(model, tmp_path):
    """A function that writes a checkpoint of the given tensors and opens it."""
    opened = []

    def run(name, **tensors):
        with checkpoints.open_checkpoint(model) as ckpt:
            checkpoints.plan(ckpt, drop=".*", add=tensors).apply(tmp_path / name)
        opened.append(checkpoints.open_checkpoint(tmp_path / name))
        return opened[-1]

    yield run
    for ckpt in opened:
        ckpt.close()


def result(plan, tmp_path):
    plan.apply(tmp_path / "result", overwrite=True)
    assert checkpoints.verify(tmp_path / "result").ok
    with checkpoints.open_checkpoint(tmp_path / "result") as ckpt:
        return {name: np.array(ckpt[name]) for name in ckpt}


@pytest.mark.parametrize("global_step", [False, True])
def test_strip_of_a_trained_model(tf, v1, tmp_path, global_step):
    with v1.Graph().as_default(), v1.Session() as session:
        weights = v1.get_variable("net/w", (3, 4))
        step = v1.train.get_or_create_global_step()
        averages = v1.train.ExponentialMovingAverage(0.9)
        train = v1.train.AdamOptimizer().minimize(tf.reduce_sum(weights**2), step)
        with tf.control_dependencies([train]):
            train = averages.apply([weights])
        session.run(v1.global_variables_initializer())
        session.run(train)
        v1.train.Saver().save(session, str(tmp_path / "m"))
    with checkpoints.open_checkpoint(tmp_path / "m") as ckpt:
        assert "net/w/Adam" in ckpt and "beta1_power" in ckpt
        arrays = result(checkpoints.strip(ckpt, global_step), tmp_path)
        kept = {"net/w", "net/w/ExponentialMovingAverage"} | (
            set() if global_step else {"global_step"}
        )
        assert set(arrays) == kept
        # The moving averages become the weights.
        plan = checkpoints.plan(
            checkpoints.open_checkpoint(tmp_path / "result"),
            alias=[("(.*)/ExponentialMovingAverage", r"\1")],
            drop=".*/ExponentialMovingAverage",
        )
        plan.apply(tmp_path / "ema")
        with checkpoints.open_checkpoint(tmp_path / "ema") as ema:
            assert np.array_equal(ema["net/w"], ckpt["net/w/ExponentialMovingAverage"])
            assert "net/w/ExponentialMovingAverage" not in ema


def test_nothing_to_strip(write):
    with pytest.raises(NothingMatchedError):
        checkpoints.strip(write("a", w=[1.0]))


def test_merge(write, tmp_path):
    first, second = write("a", x=[1.0, 2.0], s=["x"]), write("b", y=np.int8([3]))
    arrays = result(checkpoints.merge([first, second]), tmp_path)
    assert sorted(arrays) == ["s", "x", "y"] and arrays["y"][0] == 3 and arrays["x"][1] == 2


def test_merge_with_prefixes(write, tmp_path):
    first, second = write("a", **{"net/w": [1.0]}), write("b", **{"net/w": [2.0], "s": ["x"]})
    arrays = result(checkpoints.merge([first, second], ["teacher/", ""]), tmp_path)
    assert {name: array[0] for name, array in arrays.items()} == {
        "teacher/net/w": 1.0,
        "net/w": 2.0,
        "s": b"x",
    }
    with pytest.raises(ArgumentError, match="one for each checkpoint"):
        checkpoints.merge([first, second], ["a/"])


def test_merge_with_v1(this_tf, write, tmp_path):
    with checkpoints.open_checkpoint(this_tf / make_checkpoints.CASES["v1_sliced"]) as old:
        arrays = result(checkpoints.merge([write("a", x=[1.0]), old]), tmp_path)
        assert np.array_equal(arrays["part/float16"], old["part/float16"])
        arrays = result(checkpoints.merge([old, write("b", x=[1.0])]), tmp_path)
        assert np.array_equal(arrays["part/string"], old["part/string"])


def test_merge_with_another_byte_order(this_tf, write, tmp_path):
    big_endian_copy(this_tf / make_checkpoints.CASES["v2"], str(tmp_path / "big"))
    with checkpoints.open_checkpoint(tmp_path / "big") as big:
        for order in ([write("a", x=[1.0, 2.0]), big], [big, write("b", x=[1.0, 2.0])]):
            arrays = result(checkpoints.merge(order), tmp_path)
            assert np.array_equal(arrays["int64/cube"], CONTENTS["int64/cube"])
            assert arrays["string/vector"].tolist() == CONTENTS["string/vector"].tolist()
            assert arrays["x"].tolist() == [1.0, 2.0]
        arrays = result(
            checkpoints.plan(big, cast={"int32/cube": "float64"}, add={"y": [1.5]}), tmp_path
        )
        assert np.array_equal(arrays["int32/cube"], CONTENTS["int32/cube"]) and arrays["y"] == [1.5]


def test_merge_refuses_a_name_in_both(write):
    with pytest.raises(CollisionError, match="'x'.*/a.*/b"):
        checkpoints.merge([write("a", x=[1.0]), write("b", x=[1.0])])


def test_a_rule_that_names_averages_as_their_variables(write, tmp_path):
    ckpt = write("a", **{"n/w": [1.0], "n/w/ExponentialMovingAverage": [2.0], "n/b": [3.0]})
    rule = [("(.*)/ExponentialMovingAverage", r"\1")]
    plan = checkpoints.plan(ckpt, rename=rule)
    assert plan.dropped == ["n/w"] and "take the place of n/w" in plan.notes[-1]
    plan = checkpoints.plan(ckpt, rename=rule + [("n/(.*)", r"m/\1")])
    arrays = result(plan, tmp_path)
    assert sorted(arrays) == ["m/b", "m/w"] and arrays["m/w"] == [2.0]
    with pytest.raises(CollisionError):  # of no other pair
        checkpoints.plan(ckpt, rename={"n/b": "n/w"})


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16", "complex64"])
@pytest.mark.parametrize("weights", [None, [1, 3]])
def test_average(write, tmp_path, dtype, weights):
    values = [np.random.RandomState(i).randn(5, 3) for i in range(2)]
    if dtype == "complex64":
        values = [v * (1 + 1j) for v in values]
    opened = []
    for i, value in enumerate(values):
        source = write(f"in{i}", w=value, step=np.int64(i), word=f"w{i}")
        checkpoints.plan(source, cast={"w": dtype}).apply(tmp_path / f"x{i}")
        opened.append(checkpoints.open_checkpoint(tmp_path / f"x{i}"))
    arrays = result(checkpoints.average(opened, weights), tmp_path)
    stored = [ckpt["w"].astype(np.complex128) for ckpt in opened]
    mean = np.average(stored, axis=0, weights=weights)
    tolerance = {"float16": 1e-3, "bfloat16": 8e-3, "float64": 1e-15}.get(dtype, 1e-7)
    assert np.allclose(arrays["w"], mean, rtol=tolerance, atol=0)
    assert arrays["step"] == 1 and arrays["word"] == b"w1"  # of the last one


def test_average_of_partitioned_tensors(this_tf, model, tmp_path):
    with checkpoints.open_checkpoint(this_tf / make_checkpoints.CASES["v2_sliced"]) as first:
        checkpoints.plan(first, partition={"part/float64": (2, 1)}).apply(tmp_path / "other")
        with checkpoints.open_checkpoint(tmp_path / "other") as second:
            arrays = result(checkpoints.average([first, second]), tmp_path)
    assert np.array_equal(
        arrays["part/float64"], make_checkpoints.contents("v2_sliced")["part/float64"]
    )


@pytest.mark.parametrize(
    "tensors",
    [{"x": [1.0]}, {"w": [1.0, 2.0]}, {"w": np.float32([1])}],
    ids=["names", "shapes", "types"],
)
def test_average_refuses_other_models(write, tensors):
    with pytest.raises(PlanError):
        checkpoints.average([write("a", w=[1.0]), write("b", **tensors)])


def test_average_by_very_large_weights(write, tmp_path):
    opened = [write("a", w=[1.0]), write("b", w=[4.0])]
    arrays = result(checkpoints.average(opened, [1e308, 5e307]), tmp_path)
    np.testing.assert_allclose(arrays["w"], [2.0])


@pytest.mark.parametrize(
    "weights", [[1], [0, 0], [1, -1], [1, float("nan")], [float("inf"), 1], [1, float("-inf")]]
)
def test_average_refuses_bad_weights(write, weights):
    with pytest.raises(PlanError, match="weights"):
        checkpoints.average([write("a", w=[1.0]), write("b", w=[1.0])], weights)


@pytest.mark.parametrize("function", [checkpoints.merge, checkpoints.average])
def test_one_checkpoint_is_too_few(write, function):
    with pytest.raises(ArgumentError):
        function([write("a", w=[1.0])])


def test_split(write, tmp_path):
    ckpt = write("a", **{"e/x": [1.0], "e/y": [2.0], "d/x": [3.0]})
    taken, others = checkpoints.split(ckpt, "e/.*")
    assert sorted(result(taken, tmp_path)) == ["e/x", "e/y"]
    assert sorted(result(others, tmp_path)) == ["d/x"]
    with pytest.raises(PlanError):
        checkpoints.split(ckpt, ".*")
    with pytest.raises(NothingMatchedError):
        checkpoints.split(ckpt, "f/.*")


def test_exact_names_are_looked_up():
    """Thousands of them, and very long ones: no pattern is compiled."""
    from tfgraphtools.checkpoints.plans import rules

    names = [f"layer_{i}/kernel (a+b)*" for i in range(20000)] + ["a" * 100000]
    pattern_of = rules.matching([rules.exactly(name) for name in names], names, "here")
    assert list(pattern_of) == names
    with pytest.raises(NothingMatchedError, match="Did you mean"):
        rules.matching([rules.exactly("layer_7/kernel (a+b)")], names[:9], "here")
