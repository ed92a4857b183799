"""Models of TF1's own packages, converted and loaded by Transformers: the same outputs."""

import json
import pathlib
import re
import shlex
import shutil

import numpy as np
import pytest
from language_models import ASKED_FOR, MODELS, outputs, pairs, save_bert

from tfgraphtools import checkpoints
from tfgraphtools.cli import main
from tfgraphtools.errors import DestinationError, PlanError

MAKER = pathlib.Path(__file__).with_name("tf1_families.py")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent


@pytest.fixture(scope="session")
def tf1_models(tmp_path_factory, tf1_server):
    """A function of a model's name that gives (its folder, {name: array})."""
    folder = tmp_path_factory.mktemp("families")
    tf1_server.run(folder, MAKER, folder).checked()

    def of(name):
        if not (folder / name).exists():
            pytest.skip(f"the package of {name} is not installed beside TF 1.15")
        with np.load(str(folder / name / "arrays.npz")) as arrays:
            return folder / name, dict(arrays)

    return of


@pytest.fixture(scope="session")
def transformers():
    pytest.importorskip("torch")
    return pytest.importorskip("transformers")


def dropped(name):
    """What a model does not have; BertForQuestionAnswering has no pooler."""
    pooler = ["bert/pooler/dense/bias", "bert/pooler/dense/kernel"]
    without = name in ("bert_squad", "bert_masked", "bert_tokens", "albert_squad")
    return sorted(["global_step"] + (pooler if without else []))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MODELS))
def test_outputs_are_those_of_tf1(transformers, tf1_models, tmp_path, name):
    source, arrays = tf1_models(name)
    family, architecture, _ = MODELS[name]
    asked = architecture if name in ASKED_FOR else None
    if not asked:
        assert checkpoints.family_of(str(source)) == (family, architecture)
    plan = checkpoints.to_hugging_face(str(source), tmp_path / "new", architecture=asked)
    if name != "electra_generator":  # a checkpoint of both models
        assert plan.dropped == dropped(name)
    if family == "ELECTRA":
        is_said = "num_attention_heads" in (source / "electra_config.json").read_text()
        assert is_said != any("num_attention_heads is" in note for note in plan.notes)
    assert plan.architecture == architecture
    values, loading = outputs(transformers, tmp_path / "new", architecture, arrays)
    assert not set(loading["missing_keys"]) - {"transformer.mask_emb"}
    assert not loading["unexpected_keys"] and not loading["mismatched_keys"]
    for value, expected in pairs(name, values, arrays):
        np.testing.assert_allclose(value, expected, atol=1e-4 * max(1, np.abs(expected).max()))


@pytest.mark.slow
def test_the_guide_in_one_command(transformers, tf1_models, tmp_path, monkeypatch, capsys):
    """The commands of docs/guides/families.md, on a tiny model under the names that it uses."""
    source, arrays = tf1_models("bert_pretraining")
    text = (ROOT / "docs" / "guides" / "families.md").read_text(encoding="utf-8")
    section = text.split("## A TF1 BERT in Hugging Face in one command")[1].split("\n## ")[0]
    (block,) = re.findall(r"^```console\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    folder = tmp_path / "uncased_L-12_H-768_A-12"
    folder.mkdir()
    for path in source.iterdir():
        shutil.copy(str(path), str(folder / path.name.replace("model.ckpt", "bert_model.ckpt")))
    monkeypatch.chdir(tmp_path)
    for part in re.split(r"^\$ tfgraphtools ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        assert main(shlex.split(command)) == 0
        assert capsys.readouterr().out.startswith(shown)
    values, loading = outputs(transformers, tmp_path / "bert", "BertForPreTraining", arrays)
    assert not loading["missing_keys"] and (tmp_path / "bert" / "vocab.txt").exists()
    used = arrays["mask"] > 0
    expected = arrays["prediction_logits"][used]
    np.testing.assert_allclose(values["prediction_logits"].numpy()[used], expected, atol=1e-4)


@pytest.mark.slow
def test_the_comparison_can_fail(transformers, tf1_models, tmp_path):
    """With gelu by erf, BERT's outputs are others than TF1's."""
    source, arrays = tf1_models("bert")
    checkpoints.to_hugging_face(str(source), tmp_path / "new")
    config = json.loads((tmp_path / "new" / "config.json").read_text())
    config["hidden_act"] = "relu"
    (tmp_path / "new" / "config.json").write_text(json.dumps(config))
    values, _ = outputs(transformers, tmp_path / "new", "BertModel", arrays)
    used = arrays["mask"] > 0
    assert np.abs(values["last_hidden_state"].numpy() - arrays["hidden"])[used].max() > 1e-2


# Without TF 1.15, PyTorch or Transformers: made-up tensors -------------------------


def test_command(tmp_path, capsys):
    prefix, folder = save_bert(tmp_path), tmp_path / "hf"
    assert main(["ckpt", "families", prefix]) == 0
    assert capsys.readouterr().out == "BERT: BertModel (--to hf)\n"
    assert main(["ckpt", "convert", prefix, str(folder), "--to", "hf"]) == 0
    shown, noted = capsys.readouterr()
    assert "bert.encoder.layer.0.attention.self.query.weight" in shown and "transposed" in shown
    assert sorted(p.name for p in folder.iterdir()) == [
        "config.json",
        "model.safetensors",
        "vocab.txt",
    ]
    config = json.loads((folder / "config.json").read_text())
    assert config["num_hidden_layers"] == 1 and config["hidden_act"] == "relu"
    with checkpoints.open_archive(str(folder / "model.safetensors")) as archive:
        query = archive["bert.encoder.layer.0.attention.self.query.weight"]
        assert (query == np.arange(16.0).reshape(4, 4).T).all()
        assert len(archive) == 23


def test_a_hub_module_has_its_vocabulary_among_its_assets(tmp_path, capsys):
    save_bert(tmp_path)
    module = tmp_path / "module"
    (module / "variables").mkdir(parents=True)
    (module / "assets").mkdir()
    for path in tmp_path.glob("bert.ckpt.*"):
        path.rename(module / "variables" / path.name.replace("bert.ckpt", "variables"))
    (tmp_path / "vocab.txt").rename(module / "assets" / "vocab.txt")
    (module / "saved_model.pb").write_bytes(b"")
    config = ["--config", str(tmp_path / "bert_config.json")]
    command = ["ckpt", "convert", str(module), str(tmp_path / "hf"), "--to", "hf"]
    assert main(command) == 2 and "num_attention_heads" in capsys.readouterr().err
    assert main([*command, *config]) == 0
    assert (tmp_path / "hf" / "vocab.txt").read_text() == "a\nb\n"


def test_shards(tmp_path, capsys):
    prefix, folder = save_bert(tmp_path), tmp_path / "hf"
    command = ["ckpt", "convert", prefix, str(folder), "--to", "hf", "--max-shard-size"]
    assert main([*command, "200B"]) == 0
    capsys.readouterr()
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    files = sorted(set(index["weight_map"].values()))
    assert files[0] == f"model-00001-of-{len(files):05d}.safetensors" and len(files) > 1
    assert not (folder / "model.safetensors").exists()
    size = 0
    with checkpoints.open_checkpoint(prefix) as ckpt:
        for file in files:
            with checkpoints.open_archive(str(folder / file)) as archive:
                names = sorted(n for n, where in index["weight_map"].items() if where == file)
                assert sorted(archive) == names
                size += sum(array.nbytes for array in archive.values())
                name = "bert.embeddings.word_embeddings.weight"
                if name in archive:
                    assert np.array_equal(archive[name], ckpt["bert/embeddings/word_embeddings"])
    assert index["metadata"]["total_size"] == size
    assert main([*command, "many", "--force"]) == 2
    assert "Write 500MB." in capsys.readouterr().err


@pytest.mark.parametrize(
    "options, message",
    [
        ([], "is taken"),
        (["--config", "none.json"], "none.json"),
        (["--config", "list.json"], "a JSON object"),
        (["--config", "empty.json"], "num_attention_heads, which no tensor tells"),
    ],
)
def test_mistakes(tmp_path, monkeypatch, capsys, options, message):
    monkeypatch.chdir(tmp_path)
    prefix = save_bert(tmp_path)
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "empty.json").write_text("{}")
    destination = "taken" if not options else "hf"
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine").write_text("")
    assert main(["ckpt", "convert", prefix, destination, "--to", "hf", *options]) == 2
    shown, error = capsys.readouterr()
    assert error.count("\n") == 1 and (message in error or not options)
    assert not (tmp_path / "hf").exists() and (tmp_path / "taken" / "mine").exists()


def test_refused(tmp_path):
    with pytest.raises(PlanError, match="'bert/odd'"):
        checkpoints.to_hugging_face(save_bert(tmp_path, **{"bert/odd": np.ones(3)}), tmp_path / "x")
    np.savez(str(tmp_path / "other.npz"), a=np.ones(3))
    checkpoints.from_npz(str(tmp_path / "other.npz"), str(tmp_path / "other.ckpt"))
    assert checkpoints.family_of(str(tmp_path / "other.ckpt")) is None
    with pytest.raises(PlanError, match="a model of a known family: ALBERT, BERT"):
        checkpoints.to_hugging_face(str(tmp_path / "other.ckpt"), tmp_path / "x")
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(DestinationError):
        checkpoints.to_hugging_face(save_bert(tmp_path), tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine" and not (tmp_path / "x").exists()
