"""The way back: TF1 -> PyTorch -> TF1 gives the very bits, for every layout; families alike."""

import collections
import json

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from language_models import tiny_bert

from tfgraphtools import checkpoints
from tfgraphtools.cli import main
from tfgraphtools.errors import ModelError, PlanError

pytestmark = pytest.mark.quick

SIZE = st.integers(1, 4)


def save(path, arrays):
    np.savez(str(path) + ".npz", **arrays)
    checkpoints.from_npz(str(path) + ".npz", str(path), overwrite=True)
    return str(path)


def floats(random, *shape):
    """Float32 of all bit patterns that are numbers, -0.0 and denormals among them."""
    bits = random.integers(0, 2**32, shape, np.uint32)
    values = bits.view(np.float32)
    return np.where(np.isfinite(values), values, np.float32(-0.0)).astype(np.float32)


def dense(draw, random):
    i, o = draw(SIZE), draw(SIZE) + 4
    return {"kernel": floats(random, i, o), "bias": floats(random, o)}, {
        "weight": (o, i),
        "bias": (o,),
    }


def conv(draw, random, rank):
    k = [draw(SIZE) for _ in range(rank)]
    i, o = draw(SIZE), draw(SIZE)
    leaves = {"kernel": floats(random, *k, i, o), "bias": floats(random, o)}
    return leaves, {"weight": (o, i, *k), "bias": (o,)}


def depthwise(draw, random):
    h, w, i, m = (draw(SIZE) for _ in range(4))
    return {"depthwise_kernel": floats(random, h, w, i, m)}, {"weight": (i * m, 1, h, w)}


def embedding(draw, random):
    n, d = draw(SIZE) + 4, draw(SIZE)
    return {"embeddings": floats(random, n, d)}, {"weight": (n, d)}


def batch_norm(draw, random):
    n = draw(SIZE)
    names = ("gamma", "beta", "moving_mean", "moving_variance")
    entries = ("weight", "bias", "running_mean", "running_var")
    return {name: floats(random, n) for name in names}, {name: (n,) for name in entries}


def layer_norm(draw, random):
    n = draw(SIZE)
    return {n_: floats(random, n) for n_ in ("gamma", "beta")}, {"weight": (n,), "bias": (n,)}


def _cell(draw, random, gates):
    i, n = draw(SIZE), draw(SIZE)
    leaves = {"kernel": floats(random, i + n, gates * n), "bias": floats(random, gates * n)}
    entries = {"weight_ih_l0": (gates * n, i), "weight_hh_l0": (gates * n, n)}
    entries.update(bias_ih_l0=(gates * n,), bias_hh_l0=(gates * n,))
    return leaves, entries


def cudnn_gru(draw, random):
    i, n = draw(SIZE), draw(SIZE)
    leaves = {
        "gates/kernel": floats(random, i + n, 2 * n),
        "gates/bias": floats(random, 2 * n),
        "candidate/input_projection/kernel": floats(random, i, n),
        "candidate/input_projection/bias": floats(random, n),
        "candidate/hidden_projection/kernel": floats(random, n, n),
        "candidate/hidden_projection/bias": floats(random, n),
    }
    entries = {"weight_ih_l0": (3 * n, i), "weight_hh_l0": (3 * n, n)}
    entries.update(bias_ih_l0=(3 * n,), bias_hh_l0=(3 * n,))
    return leaves, entries


def keras_gru(draw, random):
    i, n = draw(SIZE), draw(SIZE)
    leaves = {
        "kernel": floats(random, i, 3 * n),
        "recurrent_kernel": floats(random, n, 3 * n),
        "bias": floats(random, 2, 3 * n),
    }
    entries = {"weight_ih_l0": (3 * n, i), "weight_hh_l0": (3 * n, n)}
    entries.update(bias_ih_l0=(3 * n,), bias_hh_l0=(3 * n,))
    return leaves, entries


#: kind: (scope below the layer's name, function of draw and random)
KINDS = {
    "dense": ("", dense),
    "conv1d": ("", lambda d, r: conv(d, r, 1)),
    "conv2d": ("", lambda d, r: conv(d, r, 2)),
    "conv3d": ("", lambda d, r: conv(d, r, 3)),
    "depthwise": ("", depthwise),
    "embedding": ("", embedding),
    "batch_norm": ("", batch_norm),
    "layer_norm": ("", layer_norm),
    "lstm": ("/basic_lstm_cell", lambda d, r: _cell(d, r, 4)),
    "rnn": ("/basic_rnn_cell", lambda d, r: _cell(d, r, 1)),
    "gru": ("/cudnn_compatible_gru_cell", cudnn_gru),
    "keras_gru": ("", keras_gru),
}


def model(draw, random, kinds):
    """({tensor: array}, {entry: array of zeros}, rules) of one layer for each kind."""
    tensors, entries, rules = {"global_step": np.int64(7)}, collections.OrderedDict(), {}
    for number, kind in enumerate(kinds):
        scope, make = KINDS[kind]
        leaves, shapes = make(draw, random)
        name = f"{kind}_{number}{scope}"
        tensors.update({f"{name}/{leaf}": array for leaf, array in leaves.items()})
        entries.update({f"m{number}.{e}": np.zeros(s, np.float32) for e, s in shapes.items()})
        unit = name + "/embeddings" if kind == "embedding" else name
        rules[unit] = f"m{number}"
    return tensors, entries, rules


@hypothesis.settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[
        hypothesis.HealthCheck.function_scoped_fixture,
        hypothesis.HealthCheck.too_slow,
    ],
)
@hypothesis.given(st.data())
def test_there_and_back_bit_for_bit(tmp_path, data):
    random = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    kinds = data.draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4))
    tensors, entries, rules = model(data.draw, random, kinds)
    source, there = save(tmp_path / "source", tensors), str(tmp_path / "there.safetensors")
    options = {"rules": rules, "flatten": False}
    if "keras_gru" in kinds:
        options["facts"] = {"keras_gru.*": {"recurrent_activation": "sigmoid"}}
    if "lstm" in kinds:
        options["forget_bias"] = 1.0
    checkpoints.to_torch(source, entries, there, overwrite=True, **options)
    back = str(tmp_path / "back")
    checkpoints.to_tf1(there, back, like=source, overwrite=True, **options)
    with checkpoints.open_checkpoint(back) as written:
        assert sorted(written) == sorted(tensors)
        for name, array in tensors.items():
            assert written[name].tobytes() == np.asarray(array).tobytes(), name


def test_the_property_covers_every_kind():
    """A kind without a way back would be refused, not skipped."""
    assert set(KINDS) >= {"dense", "conv2d", "depthwise", "lstm", "gru", "rnn", "batch_norm"}


def test_trained_biases_are_added_up(tmp_path):
    tensors = {
        "rnn/basic_lstm_cell/kernel": np.ones((3, 8), np.float32),
        "rnn/basic_lstm_cell/bias": np.arange(8, dtype=np.float32),
    }
    source = save(tmp_path / "source", tensors)
    like = {"lstm.weight_ih_l0": (8, 1), "lstm.weight_hh_l0": (8, 2)}
    like.update({"lstm.bias_ih_l0": (8,), "lstm.bias_hh_l0": (8,)})
    entries = {name: np.zeros(shape, np.float32) for name, shape in like.items()}
    with checkpoints.open_checkpoint(source) as ckpt:
        state = checkpoints.plan_torch(ckpt, entries, forget_bias=1.0).arrays()
    assert state["lstm.bias_hh_l0"].tolist() == [0, 0, 1, 1, 0, 0, 0, 0]  # TF1 adds it itself
    state["lstm.bias_hh_l0"] = state["lstm.bias_hh_l0"] + np.float32(0.5)
    checkpoints.to_tf1(state, str(tmp_path / "back"), like=source, forget_bias=1.0)
    with checkpoints.open_checkpoint(str(tmp_path / "back")) as written:
        assert np.array_equal(written["rnn/basic_lstm_cell/bias"], np.arange(8) + 0.5)


def test_slots_are_left_out_and_the_step_stays(tmp_path):
    kernel = np.ones((2, 3), np.float32)
    tensors = {"d/kernel": kernel, "d/kernel/Momentum": kernel, "global_step": np.int64(9)}
    source = save(tmp_path / "source", tensors)
    plan = checkpoints.to_tf1({"d.weight": kernel.T * 2}, str(tmp_path / "back"), like=source)
    assert plan.dropped == ["d/kernel/Momentum"]
    with checkpoints.open_checkpoint(str(tmp_path / "back")) as written:
        assert sorted(written) == ["d/kernel", "global_step"] and written["global_step"] == 9
        assert (written["d/kernel"] == 2).all()


def test_what_cannot_go_back_is_refused(tmp_path):
    norm = {"n/beta": np.ones(3, np.float32)}
    norm.update({f"n/moving_{k}": np.ones(3, np.float32) for k in ("mean", "variance")})
    source = save(tmp_path / "source", norm)
    state = {e: np.ones(3, np.float32) for e in ("bias", "running_mean", "running_var")}
    state = {f"n.{name}": array for name, array in dict(state, weight=np.full(3, 2.0)).items()}
    state["n.weight"] = state["n.weight"].astype(np.float32)
    with pytest.raises(PlanError, match="has no gamma"):
        checkpoints.to_tf1(state, str(tmp_path / "back"), like=source)
    with pytest.raises(PlanError, match="float32 of the shape"):
        checkpoints.to_tf1(
            {
                n.replace("weight", "w"): a.astype(np.float64)
                for n, a in {"t": np.full(3, 0.1)}.items()
            },
            str(tmp_path / "back"),
            like=save(tmp_path / "other", {"t": np.ones(3, np.float32)}),
        )
    assert not list(tmp_path.glob("back*"))


@pytest.mark.parametrize("shard", [None, 100])
def test_a_hugging_face_folder_goes_back(tmp_path, capsys, shard):
    tensors = tiny_bert()
    source = save(tmp_path / "bert.ckpt", dict(tensors, global_step=np.int64(3)))
    (tmp_path / "bert_config.json").write_text(json.dumps({"num_attention_heads": 2}))
    folder, back = str(tmp_path / "hf"), str(tmp_path / "back")
    checkpoints.to_hugging_face(source, folder, max_shard_size=shard)
    assert main(["ckpt", "convert", folder, back, "--to", "tf1", "--like", source]) == 0
    capsys.readouterr()
    with checkpoints.open_checkpoint(back) as written:
        assert sorted(written) == sorted([*tensors, "global_step"])
        for name, array in tensors.items():
            assert written[name].tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "name, data, message",
    [
        ("m.safetensors", b"\xff" * 40, "well-formed data"),
        ("m.safetensors", b"", "well-formed data"),
        ("m.weights.h5", b"\x89HDF", "which model it is of"),
        ("model.safetensors.index.json", b"{", "the JSON of a sharded model"),
        ("model.safetensors.index.json", b"\xff\xfe", "the JSON of a sharded model"),
        ("model.safetensors.index.json", b'{"weight_map": [1]}', "the JSON of a sharded model"),
        (
            "model.safetensors.index.json",
            b'{"weight_map": {"a": 1}}',
            "the JSON of a sharded model",
        ),
        ("model.safetensors.index.json", b"[" * 100000, "the JSON of a sharded model"),
    ],
)
def test_a_damaged_source_is_one_line(tmp_path, capsys, name, data, message):
    like = save(tmp_path / "like", {"dense/kernel": np.ones((2, 3), np.float32)})
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(data)
    source = tmp_path / "in" if name.endswith(".json") else tmp_path / "in" / name
    command = ["ckpt", "convert", str(source), str(tmp_path / "out"), "--to", "tf1", "--like", like]
    assert main(command) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1 and not list(tmp_path.glob("out*"))


@pytest.mark.parametrize("is_sharded", [False, True])
def test_a_folder_with_pytorch_model_bin_alone(tmp_path, is_sharded):
    torch = pytest.importorskip("torch")
    source = save(tmp_path / "source", {"fc/kernel": np.ones((2, 3), np.float32)})
    folder = tmp_path / "hf"
    folder.mkdir()
    with pytest.raises(ModelError, match="model.safetensors or pytorch_model.bin"):
        checkpoints.to_tf1(str(folder), str(tmp_path / "back"), like=source)
    name = "pytorch_model-00001-of-00001.bin" if is_sharded else "pytorch_model.bin"
    torch.save({"fc.weight": torch.full((3, 2), 2.0)}, str(folder / name))
    if is_sharded:
        index = {"metadata": {}, "weight_map": {"fc.weight": name}}
        (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    checkpoints.to_tf1(str(folder), str(tmp_path / "back"), like=source)
    with checkpoints.open_checkpoint(str(tmp_path / "back")) as ckpt:
        assert (ckpt["fc/kernel"] == 2).all()
