"""What a plan refuses, and that a refusal changes nothing; maps, kept weights, other models."""

import numpy as np
import pytest
from checkpoint_files import REAL, write_first

from tfgraphtools import checkpoints
from tfgraphtools.errors import (
    CastError,
    DamagedCheckpointError,
    DestinationError,
    MatchedTwiceError,
    ModelError,
    NothingMatchedError,
    PlanError,
    UnmatchedError,
)

pytestmark = pytest.mark.quick


def write(folder, arrays):
    """A checkpoint with these tensors."""
    seed = write_first(folder / "seed")
    with checkpoints.open_checkpoint(seed) as ckpt:
        checkpoints.plan(ckpt, drop=".*", add=arrays).apply(folder / "old")
    return str(folder / "old")


def arrays(**types):
    random = np.random.RandomState(0)
    shapes = {"w1": (4, 4), "b1": (4,), "w2": (4, 4), "b2": (4,)}
    return {
        name: random.randn(*shape).astype(types.get(name, np.float32))
        for name, shape in shapes.items()
    }


@pytest.fixture
def model(keras3):
    layers = keras3.layers
    parts = layers.Dense(4, name="first"), layers.Dense(4, name="second")
    return keras3.Sequential([keras3.Input((4,)), *parts])


BY_TENSOR = {"w1": "first/kernel", "b1": "first/bias", "w2": "second/kernel", "b2": "second/bias"}


@pytest.mark.parametrize(
    "rules",
    [
        BY_TENSOR,
        {name: "sequential/" + path for name, path in BY_TENSOR.items()},
        [("w1", "first/kernel"), ("b1", "first/bias"), ("(w|b)2", r"second/\1")]
        + [("second/w", "second/kernel"), ("second/b", "second/bias")],
    ],
    ids=["short", "whole", "patterns"],
)
def test_a_map_of_tensors(model, tmp_path, rules):
    top = model.weights[0].path.partition("/")[0]
    if isinstance(rules, dict):
        rules = {old: new.replace("sequential", top) for old, new in rules.items()}
    held = arrays()
    plan = checkpoints.to_keras(write(tmp_path, held), model, rules=rules)
    for weight, name in zip(model.get_weights(), ["w1", "b1", "w2", "b2"]):
        np.testing.assert_array_equal(weight, held[name])
    assert {row.how for row in plan.rows()} == {"map"}


@pytest.mark.parametrize(
    "rules, error, says",
    [
        ({"w3": "first/kernel"}, NothingMatchedError, "'w3'"),
        ({"w1": "frist/kernel"}, NothingMatchedError, "first/kernel'"),
        ({"w1": "first/bias"}, PlanError, "has the shape [4, 4], not [4]"),
        ({"w1": "first/kernel", "w2": "first/kernel"}, MatchedTwiceError, "first/kernel"),
        ([("w.", "first/kernel")], MatchedTwiceError, "first/kernel"),
        ({"w1": "first/kernel"}, UnmatchedError, "no tensors for Dense"),
        ([("(w", "first")], PlanError, "a regular expression"),
    ],
    ids=["no-tensor", "no-weight", "shape", "twice", "pattern-twice", "not-all", "no-pattern"],
)
def test_wrong_maps(model, tmp_path, rules, error, says):
    before = model.get_weights()
    prefix = write(tmp_path, arrays())
    with pytest.raises(error) as raised:
        checkpoints.to_keras(prefix, model, tmp_path / "new.keras", rules=rules)
    assert says in str(raised.value)
    assert not (tmp_path / "new.keras").exists()
    for weight, other in zip(before, model.get_weights()):
        np.testing.assert_array_equal(weight, other)


def test_kept_and_dropped(model, tmp_path):
    before = model.get_weights()
    rules = {"w1": "first/kernel", "b1": "first/bias"}
    options = {"keep": [".*/second/.*"], "drop": [".2"], "rules": rules}
    plan = checkpoints.to_keras(write(tmp_path, arrays()), model, **options)
    assert [row.how for row in plan.rows()] == ["map", "map", "kept", "kept"]
    np.testing.assert_array_equal(model.get_weights()[2], before[2])
    with pytest.raises(NothingMatchedError):
        checkpoints.to_keras(tmp_path / "old", model, **dict(options, keep=["second"]))


@pytest.mark.parametrize(
    "value, is_exact",
    [("float16", True), ("float64", False), ("int32", False)],
)
def test_types(model, tmp_path, value, is_exact):
    prefix = write(tmp_path, arrays(w1=value))
    if is_exact:
        checkpoints.to_keras(prefix, model, rules=BY_TENSOR)
        return
    with pytest.raises(CastError, match="ckpt cast --to float32"):
        checkpoints.to_keras(prefix, model, rules=BY_TENSOR)


def test_a_damaged_tensor_changes_nothing(model, tmp_path):
    prefix = write(tmp_path, arrays())
    with checkpoints.open_checkpoint(prefix) as ckpt:
        info = ckpt.info("b2")
        path = ckpt.store.path(info.shard)
    with open(path, "r+b") as file:
        file.seek(info.offset)
        file.write(b"\xff")
    before = model.get_weights()
    with pytest.raises(DamagedCheckpointError, match="b2"):
        checkpoints.to_keras(prefix, model, tmp_path / "new.keras", rules=BY_TENSOR)
    for weight, other in zip(before, model.get_weights()):
        np.testing.assert_array_equal(weight, other)
    assert not (tmp_path / "new.keras").exists()


def test_moving_averages_are_named(model, tmp_path):
    held = dict(arrays(), **{"w1/ExponentialMovingAverage": np.zeros((4, 4), np.float32)})
    with pytest.raises(UnmatchedError, match="is a moving average"):
        checkpoints.to_keras(write(tmp_path, held), model, rules=BY_TENSOR)


def test_models_that_are_none(keras3, tmp_path):
    prefix = write(tmp_path, arrays())
    for model, says in [(3, "builtins.int"), (keras3.Sequential(), "not built")]:
        with pytest.raises(ModelError, match=says):
            checkpoints.to_keras(prefix, model)


def test_graph_mode_is_refused(model, tmp_path):
    import tensorflow as tf

    prefix = write(tmp_path, arrays())
    with tf.Graph().as_default(), pytest.raises(ModelError, match="eager execution disabled"):
        checkpoints.to_keras(prefix, model, rules=BY_TENSOR)


def test_models_from_files(keras, tmp_path):
    layers = keras.layers
    parts = layers.Dense(4, name="first"), layers.Dense(4, name="second")
    model = keras.Sequential([keras.Input((4,)), *parts])
    model.save(str(tmp_path / "empty.keras"))
    (tmp_path / "config.json").write_text(model.to_json())
    prefix, held = write(tmp_path, arrays()), arrays()
    for name in ("empty.keras", "config.json"):
        plan = checkpoints.to_keras(prefix, tmp_path / name, rules=BY_TENSOR)
        assert type(plan.model).__module__.startswith(keras.__name__ + ".")
        np.testing.assert_array_equal(plan.model.get_weights()[0], held["w1"])


@pytest.mark.skipif(not REAL.exists(), reason="no real checkpoints beside the project")
def test_a_character_model_of_tf_0(keras3, tmp_path):
    """V1, named as before TF 1.0, with Adam and no global_step."""
    layers, units = keras3.layers, 128
    stack = [layers.LSTM(units, return_sequences=True) for _ in range(2)]
    parts = layers.Embedding(99, units), *stack, layers.Dense(99)
    model = keras3.Sequential([keras3.Input((None,)), *parts])
    model.compile(keras3.optimizers.Adam(0.002, epsilon=1e-8), "mse")
    prefix = str(REAL / "v1_charrnn" / "model.ckpt-8000")
    options = {"drop": ["Variable"], "sparse_gradients": [], "forget_bias": 1.0}
    plan = checkpoints.to_keras(prefix, model, tmp_path / "new.keras", **options)
    assert [row.how for row in plan.rows()] == ["the only fit"] + 6 * ["order"] + 2 * [
        "the only fit"
    ]
    assert int(model.optimizer.iterations) in (8000, 8001)  # rounded powers
    with checkpoints.open_checkpoint(prefix) as ckpt:
        cell = "rnnlm/MultiRNNCell/Cell1/BasicLSTMCell/Linear/"
        i, c, f, o = np.split(ckpt[cell + "Bias"], 4)
        j = [np.split(ckpt[cell + "Matrix/Adam"], 4, 1)[gate] for gate in (0, 2, 1, 3)]
    np.testing.assert_array_equal(model.layers[2].get_weights()[2], np.r_[i, f + 1, c, o])
    moments = model.optimizer._momentums[4].numpy()
    np.testing.assert_array_equal(moments, np.concatenate(j, 1)[:units])


def test_a_write_that_fails_leaves_what_was_there(model, tmp_path, monkeypatch):
    import errno

    prefix, destination = write(tmp_path, arrays()), tmp_path / "new.keras"
    destination.write_bytes(b"mine")
    before = sorted(path.name for path in tmp_path.iterdir())

    def save(path):
        with open(path, "wb") as file:
            file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(model, "save", save)
    with pytest.raises(DestinationError, match="No space left"):
        checkpoints.to_keras(prefix, model, destination, overwrite=True, rules=BY_TENSOR)
    assert destination.read_bytes() == b"mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == before
