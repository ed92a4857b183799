"""TF 1.15's models in PyTorch: the same outputs, every tensor accounted for."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.errors import (
    ArgumentError,
    CastError,
    DestinationError,
    MatchedTwiceError,
    ModelError,
    NothingMatchedError,
    PlanError,
    UnmatchedError,
)

RANDOM = np.random.RandomState(3)
FLATTEN = {"flatten": {"fc1": (4, 3, 4)}}
LSTM = {
    "rules": [
        (r"rnn/multi_rnn_cell/cell_(\d)/lstm_cell", r"lstm.l\1"),
    ],
    "forget_bias": 1.0,
}
ATTENTION = {
    "rules": [
        (r"attention/(q|k|v)\w*", r"attention.\1_proj"),
        (r"attention/out", "attention.out_proj"),
    ]
}
#: name: (class of the PyTorch model and its arguments, options of plan_torch)
MODELS = {
    "cnn": (("Cnn",), FLATTEN),
    "slim_like": (("SlimLike",), {}),
    "convolutions": (("Convolutions",), {}),
    "lstm": (("Lstm",), LSTM),
    "gru": (("Recurrent", "GRU"), {}),
    "keras_gru": (
        ("Recurrent", "GRU"),
        {"facts": {"gru": {"recurrent_activation": "sigmoid"}}},
    ),
    "rnn": (("Recurrent", "RNN"), {}),
    "attention": (("Attention",), ATTENTION),
}


def output(net, arrays):
    import torch

    with torch.no_grad():
        return net(torch.from_numpy(arrays["x"])).numpy()


@pytest.mark.parametrize("form", ["live", "safetensors", "pt", "like safetensors"])
@pytest.mark.parametrize("name", sorted(MODELS))
def test_outputs_are_those_of_tf1(build_model, tf1_models, tmp_path, name, form):
    prefix, arrays = tf1_models(name)
    (model, *arguments), options = MODELS[name]
    net = build_model(model, *arguments)
    if form == "live":
        checkpoints.to_torch(prefix, net, **options)
    else:
        model_or_file, path = net, str(tmp_path / ("new.pt" if form == "pt" else "new.safetensors"))
        if form.startswith("like"):
            from safetensors.torch import save_file

            model_or_file = str(tmp_path / "like.safetensors")
            save_file(net.state_dict(), model_or_file)
        checkpoints.to_torch(prefix, model_or_file, path, **options)
        load_into(net, path)
    wanted = arrays["y"]
    np.testing.assert_allclose(output(net, arrays), wanted, atol=1e-5 * np.abs(wanted).max())


def load_into(net, path):
    import torch

    if path.endswith(".pt"):
        state = torch.load(path, weights_only=True)
    else:
        from safetensors.torch import load_file

        state = load_file(path)
    net.load_state_dict(state, strict=True)


def test_another_model_gives_other_outputs(build_model, tf1_models):
    """The comparison can fail: without the order of rows, and with the wrong forget bias."""
    prefix, arrays = tf1_models("cnn")
    net = build_model("Cnn")
    checkpoints.to_torch(prefix, net, flatten={"fc1": False})
    assert np.abs(output(net, arrays) - arrays["y"]).max() > 1e-2
    prefix, arrays = tf1_models("lstm")
    net = build_model("Lstm")
    checkpoints.to_torch(prefix, net, **dict(LSTM, forget_bias=0.0))
    assert np.abs(output(net, arrays) - arrays["y"]).max() > 1e-3


def test_a_flatten_must_be_told(build_model, tf1_models):
    prefix, _ = tf1_models("cnn")
    with pytest.raises(PlanError, match=r"flatten=\{'fc1': \(height, width, 4\)\}"):
        checkpoints.to_torch(prefix, build_model("Cnn"))


def test_rows_say_which_and_how(build_model, tf1_models):
    prefix, _ = tf1_models("cnn")
    with checkpoints.open_checkpoint(prefix) as ckpt:
        plan = checkpoints.plan_torch(ckpt, build_model("Cnn"), **FLATTEN)
    rows = {row.name: row for row in plan.rows()}
    assert rows["conv1.weight"].step == "HWIO -> OIHW"
    assert rows["fc1.weight"].sources == ("fc1/kernel",)
    assert rows["fc1.weight"].step == "transposed; rows 4x3x4 to channels first"
    assert rows["bn1.running_var"].sources == ("bn1/moving_variance",)
    assert rows["bn1.num_batches_tracked"].how == "counter"
    assert "conv1.weight float32 [5, 2, 3, 3] <- conv1/kernel (name, HWIO -> OIHW)" in str(plan)
    assert any("num_batches_tracked is 0" in note for note in plan.notes)


def test_a_missing_gamma_is_ones(build_model, tf1_models):
    prefix, _ = tf1_models("slim_like")
    net = build_model("SlimLike")
    plan = checkpoints.to_torch(prefix, net)
    assert net.norm.weight.tolist() == [1.0] * 6
    (row,) = [row for row in plan.rows() if row.name == "norm.weight"]
    assert row.step == "all 1: TF1's layer has none"


def test_a_gru_with_the_reset_gate_first_is_refused(build_model, tf1_models):
    prefix, _ = tf1_models("plain_gru")
    with pytest.raises(PlanError, match="reset gate comes before"):
        checkpoints.to_torch(
            prefix, build_model("Recurrent", "GRU"), rules={"rnn/gru_cell": "layer"}
        )
    with pytest.raises(UnmatchedError):
        checkpoints.to_torch(prefix, build_model("Recurrent", "GRU"))


def saved(tmp_path, arrays):
    """A name-based checkpoint of the arrays."""
    path = str(tmp_path / "in.npz")
    np.savez(path, **arrays)
    prefix = str(tmp_path / "in.ckpt")
    checkpoints.from_npz(path, prefix)
    return prefix


def floats(*shape):
    return np.random.RandomState(3).randn(*shape).astype(np.float32)


@pytest.mark.parametrize(
    "state, tensors, options, error, message",
    [
        pytest.param(
            {"a.weight": floats(2, 3)}, {"a/kernel": floats(3, 2), "extra": floats(4)}, {},
            UnmatchedError, "no layer for 'extra'", id="a tensor too many",
        ),
        pytest.param(
            {"a.weight": floats(2, 3), "c.weight": floats(7)}, {"a/kernel": floats(3, 2)}, {},
            UnmatchedError, "no tensors for norm 'c'", id="a parameter too many",
        ),
        pytest.param(
            {"a.weight": floats(3, 3)}, {"a": floats(3, 3)}, {},
            UnmatchedError, "square matrix", id="a square matrix",
        ),
        pytest.param(
            {"a.weight": floats(2, 3)}, {"a/kernel": floats(3, 2)}, {"rules": {"a": "b"}},
            NothingMatchedError, "'b', which it does not have", id="a rule to nothing",
        ),
        pytest.param(
            {"a.weight": floats(2, 3)}, {"a/kernel": floats(3, 2), "b/kernel": floats(3, 2)},
            {"rules": {"a": "a", "b": "a"}}, MatchedTwiceError, "several for 'a.weight'",
            id="two sources",
        ),
        pytest.param(
            {"a.weight": floats(2, 3)}, {"a/kernel": floats(3, 2).astype(np.float64)}, {},
            CastError, "--cast .a/kernel. float32", id="another type",
        ),
        pytest.param(
            {"a.weight": floats(2, 3)}, {"a/kernel": floats(3, 2)}, {"flatten": {"a": (2, 2)}},
            UnmatchedError, "not \\[2, 2\\] flattened", id="a flatten that does not fit",
        ),
        pytest.param(
            {"a.weight": floats(2, 3)}, {"a/kernel": floats(3, 2)}, {"flatten": {"a": 7}},
            ArgumentError, "--flatten dense 7,7,64", id="no shape",
        ),
        pytest.param(
            {"a.weight": floats(2, 3)}, {"a/kernel": floats(3, 2)}, {"use_ema": True},
            NothingMatchedError, "ExponentialMovingAverage", id="no averages",
        ),
        pytest.param(
            {"a.weight": floats(2, 3)}, {"a/kernel": floats(3, 2)}, {"drop": ["x"]},
            NothingMatchedError, "'x'", id="a pattern that matches nothing",
        ),
    ],
)  # fmt: skip
def test_refused(tmp_path, state, tensors, options, error, message):
    prefix = saved(tmp_path, tensors)
    with pytest.raises(error, match=message):
        checkpoints.to_torch(prefix, state, str(tmp_path / "x.safetensors"), **options)
    assert sorted(p.name for p in tmp_path.glob("*")) == [
        "in.ckpt.data-00000-of-00001", "in.ckpt.index", "in.npz",
    ] or "checkpoint" in {p.name for p in tmp_path.glob("*")}  # fmt: skip
    assert not list(tmp_path.glob("x.*"))


def test_a_model_that_is_none(tmp_path):
    prefix = saved(tmp_path, {"a": floats(2)})
    with pytest.raises(ModelError, match="torch.nn.Module, a state dict"):
        checkpoints.to_torch(prefix, 7, str(tmp_path / "x.safetensors"))
    with pytest.raises(ArgumentError, match="ends in .safetensors"):
        checkpoints.to_torch(prefix, {"a": floats(2)}, str(tmp_path / "x.zip"))
    with pytest.raises(PlanError, match="a destination"):
        checkpoints.to_torch(prefix, {"a": floats(2)})


def test_a_file_that_is_there_is_not_replaced(tmp_path):
    prefix, path = saved(tmp_path, {"a": floats(2)}), tmp_path / "x.safetensors"
    path.write_bytes(b"mine")
    with pytest.raises(DestinationError):
        checkpoints.to_torch(prefix, {"a": floats(2)}, str(path))
    assert path.read_bytes() == b"mine"


def test_averages_are_taken_as_weights(tmp_path):
    weights = {"a/kernel": floats(3, 2), "a/kernel/ExponentialMovingAverage": floats(3, 2) + 1}
    prefix = saved(tmp_path, weights)
    with checkpoints.open_checkpoint(prefix) as ckpt:
        plan = checkpoints.plan_torch(ckpt, {"a.weight": floats(2, 3)}, use_ema=True)
        assert (plan.arrays()["a.weight"] == (floats(3, 2) + 1).T).all()
        assert plan.rows()[0].sources == ("a/kernel/ExponentialMovingAverage",)


def test_kept_and_tied_entries(torch, tmp_path):
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.wte = torch.nn.Embedding(5, 3)
            self.lm_head = torch.nn.Linear(3, 5, bias=False)
            self.lm_head.weight = self.wte.weight
            self.new = torch.nn.Linear(3, 2)

    net, table = Tied(), floats(5, 3)
    prefix = saved(tmp_path, {"model/wte": table})
    before = net.new.weight.clone()
    plan = checkpoints.to_torch(prefix, net, keep=["new.*"])
    assert (net.lm_head.weight.detach().numpy() == table).all()
    assert torch.equal(net.new.weight, before)
    assert {row.name: row.how for row in plan.rows()} == {
        "wte.weight": "name",
        "lm_head.weight": "tied",
        "new.weight": "kept",
        "new.bias": "kept",
    }


def entries(**shapes):
    return {name.replace("__", "."): np.zeros(s, np.float32) for name, s in shapes.items()}


def test_a_fused_projection_of_both(tmp_path):
    """TF1's one dense layer of query, key and value is the in_proj_weight, transposed."""
    kernel = RANDOM.randn(8, 24).astype(np.float32)
    source = saved(tmp_path, {"attn/qkv/kernel": kernel, "attn/qkv/bias": np.ones(24, np.float32)})
    like = entries(attn__in_proj_weight=(24, 8), attn__in_proj_bias=(24,))
    with checkpoints.open_checkpoint(source) as ckpt:
        assert np.array_equal(
            checkpoints.plan_torch(ckpt, like).arrays()["attn.in_proj_weight"], kernel.T
        )


def test_separate_projections_into_one_linear_and_back(tmp_path):
    names, parts = ("query", "key", "value"), ("q_proj", "k_proj", "v_proj")
    arrays = {f"attn/{name}/kernel": RANDOM.randn(8, 8).astype(np.float32) for name in names}
    source, rules = (
        saved(tmp_path, arrays),
        dict(zip([f"attn/{name}" for name in names], [f"attn.qkv.{part}" for part in parts])),
    )
    there, back = str(tmp_path / "there.safetensors"), str(tmp_path / "back")
    checkpoints.to_torch(source, entries(attn__qkv__weight=(24, 8)), there, rules=rules)
    with checkpoints.open_archive(there) as written:
        whole = np.concatenate([arrays[f"attn/{name}/kernel"].T for name in names])
        assert np.array_equal(written["attn.qkv.weight"], whole)
    checkpoints.to_tf1(there, back, like=source, rules=rules)
    with checkpoints.open_checkpoint(back) as written:
        assert all(written[name].tobytes() == array.tobytes() for name, array in arrays.items())


def test_a_transposition_comes_first(tmp_path):
    kernel = RANDOM.randn(4, 3).astype(np.float32)
    source = saved(tmp_path, {"a/kernel": kernel, "a/bias": np.ones(4, np.float32)})
    with checkpoints.open_checkpoint(source) as ckpt:
        plan = checkpoints.plan_torch(
            ckpt, entries(a__weight=(4, 3), a__bias=(4,)), transpose={"a/kernel": [1, 0]}
        )
        assert np.array_equal(plan.arrays()["a.weight"], kernel)


def test_a_cast_reaches_the_moving_average_that_is_read(tmp_path):
    kernel = np.ones((3, 4), np.float32)
    arrays = {"a/kernel": kernel, "a/kernel/ExponentialMovingAverage": kernel * 7e4}
    source, like = saved(tmp_path, arrays), entries(a__weight=(4, 3))
    options = {"use_ema": True, "cast": {"a/kernel": "float16"}}
    with pytest.raises(CastError, match="would become infinite"):
        checkpoints.to_torch(source, like, tmp_path / "new.safetensors", **options)
    assert not (tmp_path / "new.safetensors").exists()
    options["cast"] = {"a/.*": "bfloat16"}
    checkpoints.to_torch(source, like, tmp_path / "new.safetensors", **options)
    with checkpoints.open_archive(tmp_path / "new.safetensors") as archive:
        assert archive.info("a.weight").dtype == "bfloat16" and archive["a.weight"].min() > 6.9e4
