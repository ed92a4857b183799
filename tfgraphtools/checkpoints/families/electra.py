"""ELECTRA of google-research/electra: the discriminator."""

from tfgraphtools.checkpoints.families.bert import SAME
from tfgraphtools.checkpoints.families.family import LEAVES, Family, layers


def settings(own, shapes):
    """Transformers' settings. ELECTRA's heads have 64 units each, unless its settings say more."""
    embeddings = "electra/embeddings/{}_embeddings"
    query = shapes["electra/encoder/layer_0/attention/self/query/kernel"]
    found = {"hidden_act": "gelu"}
    found.update({name: own[name] for name in SAME if name in own})
    found.update(
        num_attention_heads=own.get("num_attention_heads") or query[1] // 64,
        vocab_size=shapes[embeddings.format("word")][0],
        embedding_size=shapes[embeddings.format("word")][1],
        hidden_size=query[0],
        max_position_embeddings=shapes[embeddings.format("position")][0],
        type_vocab_size=shapes[embeddings.format("token_type")][0],
        intermediate_size=shapes["electra/encoder/layer_0/intermediate/dense/kernel"][1],
        num_hidden_layers=layers(shapes, r"electra/encoder/layer_(\d+)/.*"),
        layer_norm_eps=1e-12,
        model_type="electra",
    )
    if not found["num_attention_heads"]:
        raise KeyError("num_attention_heads")
    return found


FAMILY = Family(
    name="ELECTRA",
    marks=[
        r"electra/embeddings/word_embeddings",
        r"electra/encoder/layer_0/attention/self/query/kernel",
    ],
    heads=[
        (r"discriminator_predictions/dense/kernel", "ElectraForPreTraining"),
        (r"", "ElectraModel"),
    ],
    unused={},
    renames=[
        (r"generator(_predictions)?/.*", None),
        (r"(electra/embeddings/\w+_embeddings)", r"\1/weight"),
        (r"(.*/layer)_(\d+)(/.*)", r"\1/\2\3"),
        (
            r"discriminator_predictions/dense_1/(.*)",
            r"discriminator_predictions/dense_prediction/\1",
        ),
    ],
    leaves=LEAVES,
    settings=settings,
    files=["electra_config.json", "config.json"],
    copies=[r"vocab\.txt"],
    notes=[],
)
