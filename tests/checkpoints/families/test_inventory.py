"""A checkpoint has every tensor of its model and no other one, or it is refused by name."""

import re
import shlex

import numpy as np
import pytest
from language_models import save_bert, tiny_bert

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.families import family_registry, inventory, settings
from tfgraphtools.cli import main
from tfgraphtools.errors import PlanError


@pytest.fixture(scope="module")
def transformers():
    pytest.importorskip("torch")
    return pytest.importorskip("transformers")


def test_the_entries_of_a_model_are_those_of_transformers(transformers):
    """What the data say that a model has, against the state dict of Transformers' own class."""
    sizes = dict(vocab_size=9, hidden_size=8, num_attention_heads=2, intermediate_size=8)
    sizes.update(embedding_size=4, num_hidden_layers=2, num_layers=2, n_layer=2, n_embd=8, n_head=2)
    sizes.update(d_model=8, d_kv=4, d_ff=8, num_heads=2, d_inner=8, num_hidden_groups=1)
    sizes.update(encoder_attention_heads=2, decoder_attention_heads=2, encoder_layers=2)
    sizes.update(decoder_layers=2)
    heads = r"(cls\.predictions|predictions|lm_head|lm_loss|generator_lm_head)"
    tied = heads + r"\.(decoder\.)?(weight|bias)"
    for family in family_registry.FAMILIES:
        for target in [target for target in family.targets if target.to == "hf"]:
            for model, templates in target.entries.items():
                kind = transformers.AutoConfig.for_model(target.settings["model_type"], **sizes)
                module = getattr(transformers, model)(kind)
                own, base = set(module.state_dict()), module.base_model_prefix + "."
                if templates[0].startswith(base) and module.base_model is module:
                    own = {base + name for name in own}
                needed, optional = inventory.expanded(templates, own)
                assert needed <= own, (model, needed - own)
                more = {name for name in own - needed - optional if "position_ids" not in name}
                more = {
                    n
                    for n in more
                    if not re.search(r"token_type_ids|embed_tokens|final_logits_bias", n)
                }
                assert not {name for name in more if not re.fullmatch(tied, name)}, (model, more)


@pytest.mark.parametrize(
    "without, more, message",
    [
        pytest.param(
            (),
            {"bert/encoder/layer_0/bottleneck/input/dense/kernel": np.ones((4, 4), np.float32)},
            "'bert/encoder/layer_0/bottleneck/input/dense/kernel'.*--drop PATTERN",
            id="a layer that BERT does not have, as MobileBERT's",
        ),
        pytest.param(
            ["bert/embeddings/position_embeddings"],
            {},
            "position_embeddings.weight', as every BertModel has it.*no such tensor",
            id="no positions, as NEZHA",
        ),
        pytest.param(
            ["bert/encoder/layer_0/output/LayerNorm/beta"],
            {"bert/encoder/layer_1/output/LayerNorm/beta": np.ones(4, np.float32)},
            "and 15 more are missing",
            id="a layer in parts",
        ),
    ],
)
def test_another_model_is_refused(tmp_path, capsys, without, more, message):
    prefix = save_bert(tmp_path, without, **more)
    assert main(["ckpt", "families", prefix]) == 0
    assert re.search(message, capsys.readouterr().err)  # said there as well
    config = {"num_attention_heads": 2, "hidden_size": 4, "num_hidden_layers": 1}
    if "LayerNorm" in str(more):
        config["num_hidden_layers"] = 2
    with pytest.raises(PlanError, match=message):
        checkpoints.to_hugging_face(prefix, tmp_path / "hf", config)
    assert not (tmp_path / "hf").exists()


def test_what_the_settings_do_not_say_is_as_in_tf1(tmp_path):
    """BERT's own default of hidden_act is gelu, computed by tanh; Transformers' is by erf."""
    plan = checkpoints.to_hugging_face(
        save_bert(tmp_path), tmp_path / "hf", {"num_attention_heads": 2}
    )
    assert plan.config["hidden_act"] == "gelu_new"
    for (
        family
    ) in family_registry.FAMILIES:  # no default is a word of TF1's that has another meaning
        for value in [value for target in family.targets for value in target.settings.values()]:
            assert not isinstance(value, settings.Own) or value.default not in value.words


def test_a_partitioned_embedding(tmp_path):
    prefix, parts = save_bert(tmp_path), str(tmp_path / "parts.ckpt")
    table = "bert/embeddings/word_embeddings"
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt, partition={table: (3, 0)}).apply(parts)
        checkpoints.to_hugging_face(parts, tmp_path / "hf")
        with checkpoints.open_archive(str(tmp_path / "hf" / "model.safetensors")) as archive:
            assert np.array_equal(archive["bert.embeddings.word_embeddings.weight"], ckpt[table])


def test_settings_of_another_model(tmp_path):
    prefix = save_bert(tmp_path)
    config = {"num_attention_heads": 2, "hidden_size": 8, "vocab_size": 16}
    with pytest.raises(PlanError, match="expected hidden_size 4.*got hidden_size 8 in the config"):
        checkpoints.to_hugging_face(prefix, tmp_path / "hf", config)
    checkpoints.to_hugging_face(prefix, tmp_path / "hf", dict(config, hidden_size=4))


def test_rules_and_drop(tmp_path, capsys):
    """A family below another scope says so; --rule, --drop, --use-ema and --cast make it one."""
    arrays = {"module/" + name: array for name, array in tiny_bert().items()}
    name = "module/bert/pooler/dense/bias"
    arrays[name + "/ExponentialMovingAverage"] = arrays[name] + 1
    arrays.update({"module/bert/odd/kernel": np.ones((2, 2)), "global_step": np.int64(3)})
    np.savez(str(tmp_path / "in.npz"), **arrays)
    checkpoints.from_npz(str(tmp_path / "in.npz"), str(tmp_path / "in.ckpt"))
    (tmp_path / "bert_config.json").write_text('{"num_attention_heads": 2}')
    folder = tmp_path / "hf"
    command = ["ckpt", "convert", str(tmp_path / "in.ckpt"), str(folder), "--to", "hf"]
    assert main(["ckpt", "families", command[2]]) == 1
    assert "Below 'module/' it is a BERT" in capsys.readouterr().err
    assert main(command) == 2
    error = capsys.readouterr().err
    rule = re.search(r"Below 'module/' it is a BERT: .* (--rule .*)\.$", error).group(1)
    command += shlex.split(rule)
    assert main(command) == 2 and "'bert/odd/kernel'" in capsys.readouterr().err
    assert main([*command, "--drop", ".*/odd/.*", "--use-ema", "--cast", ".*", "bfloat16"]) == 0
    with checkpoints.open_archive(str(folder / "model.safetensors")) as archive:
        bias = np.asarray(archive["bert.pooler.dense.bias"], np.float32)
        assert np.allclose(bias, arrays[name] + 1, rtol=2**-8)
        assert archive.store.summary("bert.pooler.dense.bias")[0] == "bfloat16"


def test_a_model_with_the_same_tensors_is_named(tmp_path, capsys):
    head = {"output_weights": np.ones((3, 4), np.float32), "output_bias": np.ones(3, np.float32)}
    prefix, folder = save_bert(tmp_path, **head), str(tmp_path / "hf")
    command = ["ckpt", "convert", prefix, folder, "--to", "hf"]
    assert main(command) == 0
    assert "BertForTokenClassification, too: architecture=" in capsys.readouterr().err
    assert main([*command, "--force", "--architecture", "BertForTokenClassification"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"- +bert/pooler/dense/kernel +dropped", shown)
    folder_back = str(tmp_path / "back")
    assert main(["ckpt", "convert", folder, folder_back, "--to", "tf1", "--like", prefix]) == 0
    opened = checkpoints.open_checkpoint
    with opened(prefix) as old, opened(folder_back) as back:
        assert sorted(old) == sorted(back)
        assert all(old[name].tobytes() == back[name].tobytes() for name in old)
