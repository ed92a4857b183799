"""ALBERT of google-research/albert: one group of layers, shared by all."""

from tfgraphtools.checkpoints.families.bert import SAME
from tfgraphtools.checkpoints.families.family import LEAVES, Family

_LAYER = "bert/encoder/transformer/group_0/inner_group_0/"
_NEW = r"albert/encoder/albert_layer_groups/\1/albert_layers/\2/"
_OLD = r"bert/encoder/transformer/group_(\d+)/inner_group_(\d+)/"


def settings(own, shapes):
    """Transformers' settings; how often the layers run is in the model's own file alone."""
    embeddings = "bert/embeddings/{}_embeddings"
    found = {name: own[name] for name in SAME if name in own}
    if found.get("hidden_act", "gelu") == "gelu":
        found["hidden_act"] = "gelu_new"
    found.update(
        num_hidden_layers=own["num_hidden_layers"],
        num_attention_heads=own["num_attention_heads"],
        num_hidden_groups=own.get("num_hidden_groups", 1),
        inner_group_num=own.get("inner_group_num", 1),
        vocab_size=shapes[embeddings.format("word")][0],
        embedding_size=shapes[embeddings.format("word")][1],
        hidden_size=shapes[_LAYER + "attention_1/self/query/kernel"][0],
        intermediate_size=shapes[_LAYER + "ffn_1/intermediate/dense/kernel"][1],
        max_position_embeddings=shapes[embeddings.format("position")][0],
        type_vocab_size=shapes[embeddings.format("token_type")][0],
        layer_norm_eps=1e-12,
        model_type="albert",
    )
    return found


FAMILY = Family(
    name="ALBERT",
    marks=[r"bert/embeddings/word_embeddings", _LAYER + "attention_1/self/query/kernel"],
    heads=[
        (r"cls/seq_relationship/output_weights", "AlbertForPreTraining"),
        (r"cls/predictions/output_bias", "AlbertForMaskedLM"),
        (r"", "AlbertModel"),
    ],
    unused={"AlbertForMaskedLM": r"bert/pooler/.*"},
    renames=[
        (_OLD + r"attention_1/self/(.*)", _NEW + r"attention/\3"),
        (_OLD + r"attention_1/output/dense/(.*)", _NEW + r"attention/dense/\3"),
        (_OLD + r"LayerNorm/(.*)", _NEW + r"attention/LayerNorm/\3"),
        (_OLD + r"LayerNorm_1/(.*)", _NEW + r"full_layer_layer_norm/\3"),
        (_OLD + r"ffn_1/intermediate/dense/(.*)", _NEW + r"ffn/\3"),
        (_OLD + r"ffn_1/intermediate/output/dense/(.*)", _NEW + r"ffn_output/\3"),
        (r"bert/pooler/dense/(.*)", r"albert/pooler/\1"),
        (r"bert/(embeddings/\w+_embeddings)", r"albert/\1/weight"),
        (r"bert/(.*)", r"albert/\1"),
        (r"cls/predictions/transform/(.*)", r"predictions/\1"),
        (r"cls/predictions/output_bias", "predictions/bias"),
        (r"cls/seq_relationship/output_weights", "sop_classifier/classifier/weight"),
        (r"cls/seq_relationship/output_bias", "sop_classifier/classifier/bias"),
    ],
    leaves=LEAVES,
    settings=settings,
    files=["albert_config.json"],
    copies=[r".*\.model", r".*\.vocab"],
    notes=[],
)
