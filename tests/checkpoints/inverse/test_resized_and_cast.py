"""The way back of a model whose vocabulary grew or shrank, or that has other types than TF1's."""

import json

import numpy as np
import pytest
from language_models import tiny_bert

from tfgraphtools import checkpoints, cli
from tfgraphtools.errors import ArgumentError, CastError, NothingMatchedError, PlanError

pytestmark = pytest.mark.quick

TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)
KERNEL = np.float32([[1, 2], [3, 4], [5, 6]])
MODEL = {
    "words/embeddings": TABLE,
    "words/embeddings/ExponentialMovingAverage": TABLE,
    "words/embeddings/Adam": TABLE,
    "words/embeddings/Adam_1": TABLE,
    "dense/kernel": KERNEL,
    "dense/bias": np.float32([7, 8]),
    "global_step": np.int64(5),
}
RULES = {"words/embeddings": "words", "dense": "dense"}


def save(path, arrays):
    np.savez(str(path) + ".npz", **arrays)
    checkpoints.from_npz(str(path) + ".npz", str(path), overwrite=True)
    return str(path)


def state_dict(table, dtype=np.float32):
    """What a PyTorch model of `MODEL` holds."""
    arrays = {"words.weight": table, "dense.weight": KERNEL.T, "dense.bias": np.float32([7, 8])}
    return {name: np.ascontiguousarray(array, dtype) for name, array in arrays.items()}


@pytest.mark.parametrize("rows", [6, 2], ids=["grown", "shrunk"])
def test_rows_that_the_caller_names(tmp_path, rows):
    table = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3) + 0.5
    like, back = save(tmp_path / "like", MODEL), str(tmp_path / "back")
    options = {"like": like, "rules": RULES, "use_ema": True}
    with pytest.raises(PlanError) as refused:
        checkpoints.to_tf1(state_dict(table), back, **options)
    assert "[4, 3]" in str(refused.value)
    plan = checkpoints.to_tf1(state_dict(table), back, resize={"words/embeddings": rows}, **options)
    assert f"'words/embeddings' has {rows} rows, and 4 in {like}" in "\n".join(plan.notes)
    with checkpoints.open_checkpoint(back) as written:
        assert written["words/embeddings"].tobytes() == table.tobytes()
        assert written["words/embeddings/ExponentialMovingAverage"].tobytes() == table.tobytes()
        assert written["dense/kernel"].tobytes() == KERNEL.tobytes() and written["global_step"] == 5
        assert len(written) == 5  # no slots


def test_a_pattern_and_a_number_are_checked(tmp_path):
    like, back = save(tmp_path / "like", MODEL), str(tmp_path / "back")
    for resize, error in (
        ({"none": 5}, NothingMatchedError),
        ({"words/embeddings": 0}, ArgumentError),
        ({"words/embeddings": True}, ArgumentError),
        ({"words/embeddings": "6"}, ArgumentError),
        ({"global_step": 2}, PlanError),
    ):
        with pytest.raises(error):
            checkpoints.to_tf1(state_dict(TABLE), back, like=like, rules=RULES, resize=resize)
    assert not list(tmp_path.glob("back*"))


@pytest.mark.parametrize("change", [4, -4])
def test_a_vocabulary_of_bert(tmp_path, capsys, change):
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tensors = tiny_bert()
    (name,) = [name for name in tensors if name.endswith("word_embeddings")]
    rows = len(tensors[name]) + change
    source = save(tmp_path / "bert.ckpt", dict(tensors, global_step=np.int64(3)))
    (tmp_path / "bert_config.json").write_text(json.dumps({"num_attention_heads": 2}))
    folder, back = str(tmp_path / "hf"), str(tmp_path / "back")
    checkpoints.to_hugging_face(source, folder)
    config = transformers.AutoConfig.from_pretrained(folder)
    model = getattr(transformers, config.architectures[0]).from_pretrained(folder)
    model.resize_token_embeddings(rows, mean_resizing=False)
    model.save_pretrained(folder)
    embedding = model.get_input_embeddings().weight.detach().numpy()
    command = ["ckpt", "convert", folder, back, "--to", "tf1", "--like", source]
    assert cli.main(command) == 2
    message = capsys.readouterr().err
    assert f"{name!r}: kernel has the shape" in message and "--resize TENSOR ROWS" in message
    assert cli.main([*command, "--resize", name, str(rows)]) == 0
    with checkpoints.open_checkpoint(back) as written:
        assert sorted(written) == sorted([*tensors, "global_step"])
        assert written[name].tobytes() == embedding.tobytes()
        for other in set(tensors) - {name}:
            assert written[other].tobytes() == tensors[other].tobytes()


def test_a_vocabulary_of_a_family(tmp_path):
    """The names of the family's own entries: no matching takes place."""
    tensors = tiny_bert()
    source, back = save(tmp_path / "bert.ckpt", tensors), str(tmp_path / "back")
    (tmp_path / "bert_config.json").write_text(json.dumps({"num_attention_heads": 2}))
    checkpoints.to_hugging_face(source, str(tmp_path / "hf"))
    with checkpoints.open_archive(str(tmp_path / "hf" / "model.safetensors")) as archive:
        entries = {name: archive[name] for name in archive}
    name, entry = "bert/embeddings/word_embeddings", "bert.embeddings.word_embeddings.weight"
    entries[entry] = np.concatenate([entries[entry], entries[entry][:3] + 1])
    rows = len(entries[entry])
    with pytest.raises(PlanError, match=f"--resize {name} {rows}"):
        checkpoints.to_tf1(entries, back, like=source)
    checkpoints.to_tf1(entries, back, like=source, resize={name: rows})
    with checkpoints.open_checkpoint(back) as written:
        assert written[name].tobytes() == entries[entry].tobytes()
        assert sorted(written) == sorted(tensors)


def test_a_type_that_the_caller_names(tmp_path, capsys):
    half = {name: np.asarray(array, np.float16) for name, array in MODEL.items() if "/" in name}
    half = {name: array for name, array in half.items() if "Adam" not in name and "Exp" not in name}
    like, back = save(tmp_path / "like", half), str(tmp_path / "back")
    third = state_dict(TABLE / 3)
    with pytest.raises(PlanError, match=r"--cast words/embeddings float32"):
        checkpoints.to_tf1(third, back, like=like, rules=RULES)
    checkpoints.to_tf1(third, back, like=like, rules=RULES, cast={"words/.*": "float32"})
    with checkpoints.open_checkpoint(back) as written:
        assert written["words/embeddings"].tobytes() == (TABLE / np.float32(3)).tobytes()
        assert written["dense/kernel"].dtype == np.float16
    checkpoints.to_tf1(third, back, like=like, rules=RULES, cast={".*": "float16"}, overwrite=True)
    with checkpoints.open_checkpoint(back) as written:
        rounded = (TABLE / np.float32(3)).astype(np.float16)
        assert written["words/embeddings"].tobytes() == rounded.tobytes()
    third["words.weight"] = third["words.weight"] * 1e6
    with pytest.raises(CastError, match="would become infinite"):
        checkpoints.to_tf1(third, back, like=like, rules=RULES, cast={".*": "float16"})
    with pytest.raises(NothingMatchedError):
        checkpoints.to_tf1(third, back, like=like, rules=RULES, cast={"none": "float16"})


def test_the_command_line_says_what_the_options_need(tmp_path, capsys):
    like = save(tmp_path / "like", MODEL)
    for option in (["--resize", "dense/kernel", "9"], ["--cast", ".*", "float16"]):
        assert cli.main(["ckpt", "convert", like, str(tmp_path / "b"), "--to", "tf1", *option]) == 2
        assert "expected --like" in capsys.readouterr().err
    source = str(tmp_path / "net.safetensors")
    with checkpoints.open_checkpoint(like) as ckpt:
        drop = [".*Adam.*", ".*Average", "global_step"]
        checkpoints.to_safetensors(checkpoints.plan(ckpt, drop=drop).view(), source)
    command = ["ckpt", "convert", source, str(tmp_path / "b"), "--to", "tf1", "--like", like]
    assert cli.main([*command, "--resize", "dense/kernel", "many"]) == 2
    assert "PATTERN ROWS" in capsys.readouterr().err


@pytest.mark.parametrize("type_name", ["bfloat16", "float16", "float32"])
def test_a_module_of_half_floats_goes_back(tmp_path, type_name):
    torch = pytest.importorskip("torch")
    arrays = {"dense/kernel": KERNEL / 3, "dense/bias": np.float32([7, 8])}
    like, back = save(tmp_path / "like", arrays), str(tmp_path / "back")
    module = torch.nn.Sequential(torch.nn.Linear(3, 2)).to(getattr(torch, type_name))
    checkpoints.to_tf1(module, back, like=like, rules={"dense": "0"})  # exact in float32
    with checkpoints.open_checkpoint(back) as written:
        weight = module[0].weight.detach().float().numpy()
        assert written["dense/kernel"].tobytes() == np.ascontiguousarray(weight.T).tobytes()
    cast = {".*": "bfloat16"}
    checkpoints.to_tf1(module, back, like=like, rules={"dense": "0"}, cast=cast, overwrite=True)
    with checkpoints.open_checkpoint(back) as written:
        expected = module[0].weight.detach().to(torch.bfloat16).float().numpy().T
        assert np.array_equal(written["dense/kernel"].astype(np.float32), expected)
