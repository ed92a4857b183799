"""Language models of TF 1.15 and of Transformers: which are compared, and how.

`tests/checkpoints/families/tf1_families.py` makes them; its test and `scripts/bench/families.py`
compare them here.
"""

import json

import numpy as np

#: name: (family, class in Transformers, {output of TF1: attribute of Transformers' output})
MODELS = {
    "bert": ("BERT", "BertModel", {"hidden": "last_hidden_state", "pooled": "pooler_output"}),
    "bert_pretraining": (
        "BERT",
        "BertForPreTraining",
        {"prediction_logits": "prediction_logits", "following": "seq_relationship_logits"},
    ),
    "bert_classifier": ("BERT", "BertForSequenceClassification", {"logits": "logits"}),
    "bert_tokens": ("BERT", "BertForTokenClassification", {"logits": "logits"}),
    "bert_squad": ("BERT", "BertForQuestionAnswering", {"logits": ("start_logits", "end_logits")}),
    "bert_masked": ("BERT", "BertForMaskedLM", {"prediction_logits": "logits"}),
    "albert": (
        "ALBERT",
        "AlbertModel",
        {"hidden": "last_hidden_state", "pooled": "pooler_output"},
    ),
    "albert_groups": (
        "ALBERT",
        "AlbertModel",
        {"hidden": "last_hidden_state", "pooled": "pooler_output"},
    ),
    "albert_pretraining": (
        "ALBERT",
        "AlbertForPreTraining",
        {"prediction_logits": "prediction_logits", "following": "sop_logits"},
    ),
    "albert_classifier": ("ALBERT", "AlbertForSequenceClassification", {"logits": "logits"}),
    "albert_squad": (
        "ALBERT",
        "AlbertForQuestionAnswering",
        {"logits": ("start_logits", "end_logits")},
    ),
    "gpt1": ("GPT-1", "OpenAIGPTLMHeadModel", {"logits": "logits"}),
    "pegasus": ("PEGASUS", "PegasusForConditionalGeneration", {"logits": "logits"}),
    "big_bird": (
        "BigBird",
        "BigBirdModel",
        {"hidden": "last_hidden_state", "pooled": "pooler_output"},
    ),
    "big_bird_pretraining": (
        "BigBird",
        "BigBirdForPreTraining",
        {"prediction_logits": "prediction_logits", "following": "seq_relationship_logits"},
    ),
    "gpt2": ("GPT-2", "GPT2LMHeadModel", {"logits": "logits"}),
    "electra": ("ELECTRA", "ElectraForPreTraining", {"logits": "logits"}),
    "electra_generator": ("ELECTRA", "ElectraForMaskedLM", {"logits": "logits"}),
    "t5": ("T5", "T5ForConditionalGeneration", {"logits": "logits"}),
    "t5_1.1": ("T5", "T5ForConditionalGeneration", {"logits": "logits"}),
    "xlnet": ("XLNet", "XLNetLMHeadModel", {"logits": "logits"}),
    "xlnet_classifier": ("XLNet", "XLNetForSequenceClassification", {"logits": "logits"}),
}

#: Models that a checkpoint does not say by itself: they are asked for by their class.
ASKED_FOR = ("electra_generator", "bert_tokens")


def outputs(transformers, folder, architecture, arrays):
    """(what the model computes, what `from_pretrained` found missing or too much)."""
    import torch

    model, said = getattr(transformers, architecture).from_pretrained(
        str(folder), output_loading_info=True
    )
    inputs = {"input_ids": torch.from_numpy(arrays["ids"])}
    if "T5" in architecture:
        first = np.zeros_like(arrays["others"][:, :1])
        decoder_ids = np.concatenate([first, arrays["others"][:, :-1]], 1)
        inputs["decoder_input_ids"] = torch.from_numpy(decoder_ids)
    elif "Pegasus" in architecture:
        inputs["input_ids"] = torch.from_numpy(arrays["ids"] * arrays["mask"])
        inputs["attention_mask"] = torch.from_numpy(arrays["mask"])
        inputs["labels"] = torch.from_numpy(arrays["others"])
    elif "GPT" not in architecture:
        inputs["attention_mask"] = torch.from_numpy(arrays["mask"])
        inputs["token_type_ids"] = torch.from_numpy(arrays["types"])
    with torch.no_grad():
        return model.eval()(**inputs), said


def pairs(name, found, arrays):
    """[(what Transformers' model computes, what TF 1's did)] of every output of a model."""
    family, _, attributes = MODELS[name]
    whole = family in ("GPT-1", "GPT-2", "T5", "PEGASUS")
    used = np.ones(arrays["ids"].shape, bool) if whole else arrays["mask"] > 0
    done = []
    for ours, theirs in attributes.items():
        if isinstance(theirs, tuple):
            value = np.stack([found[one].numpy() for one in theirs], -1)
        else:
            value = found[theirs].numpy()
        expected = arrays[ours]
        if expected.shape[:2] == used.shape:  # padded positions are nobody's concern
            value, expected = value[used], expected[used]
        if family == "PEGASUS":  # whose padding, token 0, has no logit in Transformers
            value, expected = value[..., 1:], expected[..., 1:]
        done.append((value, expected))
    return done


def tiny_bert(width=4):
    """{name: array} of a BERT of one layer."""
    layer, wide, random = "bert/encoder/layer_0/", 2 * width, np.random.RandomState(4)
    dense = {layer + f"attention/self/{part}": (width, width) for part in ("query", "key", "value")}
    dense[layer + "attention/output/dense"] = dense["bert/pooler/dense"] = (width, width)
    dense[layer + "intermediate/dense"] = (width, wide)
    dense[layer + "output/dense"] = (wide, width)
    shapes = {"bert/embeddings/word_embeddings": (9, width)}
    shapes["bert/embeddings/position_embeddings"] = (6, width)
    shapes["bert/embeddings/token_type_embeddings"] = (2, width)
    for scope, shape in dense.items():
        shapes.update({scope + "/kernel": shape, scope + "/bias": shape[1:]})
    for scope in ("bert/embeddings", layer + "attention/output", layer + "output"):
        shapes.update({scope + f"/LayerNorm/{leaf}": (width,) for leaf in ("gamma", "beta")})
    return {name: random.randn(*shape).astype(np.float32) for name, shape in shapes.items()}


def save_bert(tmp_path, without=(), **more):
    """The path of such a checkpoint, without some tensors and with more."""
    arrays = tiny_bert()
    arrays["bert/encoder/layer_0/attention/self/query/kernel"] = np.arange(16.0).reshape(4, 4)
    arrays["global_step"] = np.int64(7)
    arrays.update(more)
    for name in without:
        del arrays[name]
    from tfgraphtools import checkpoints

    np.savez(str(tmp_path / "in.npz"), **arrays)
    checkpoints.from_npz(str(tmp_path / "in.npz"), str(tmp_path / "bert.ckpt"), overwrite=True)
    (tmp_path / "bert_config.json").write_text(
        json.dumps({"num_attention_heads": 2, "hidden_act": "relu"})
    )
    (tmp_path / "vocab.txt").write_text("a\nb\n")
    return str(tmp_path / "bert.ckpt")
