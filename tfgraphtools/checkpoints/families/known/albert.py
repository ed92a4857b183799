"""ALBERT of google-research/albert: one group of layers, shared by all."""

from tfgraphtools.checkpoints.families.family import LEAVES, Family, Target
from tfgraphtools.checkpoints.families.known.bert import SAME
from tfgraphtools.checkpoints.families.settings import ABSENT, Own, Size

_LAYER = "bert/encoder/transformer/group_0/inner_group_0/"
_NEW = r"albert/encoder/albert_layer_groups/\1/albert_layers/\2/"
_OLD = r"bert/encoder/transformer/group_(\d+)/inner_group_(\d+)/"

FAMILY = Family(
    name="ALBERT",
    marks=[r"bert/embeddings/word_embeddings", _LAYER + "attention_1/self/query/kernel"],
    files=["albert_config.json"],
    targets=[
        Target(
            to="hf",
            heads=[
                (r"cls/seq_relationship/output_weights", "AlbertForPreTraining"),
                (r"cls/predictions/output_bias", "AlbertForMaskedLM"),
                (r"output_weights", "AlbertForSequenceClassification"),
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
                (r"output_weights", "classifier/weight"),
                (r"output_bias", "classifier/bias"),
            ],
            leaves=LEAVES,
            # How often the layers run is in the model's own file alone.
            settings=dict(
                SAME,
                model_type="albert",
                hidden_act=Own("hidden_act", ABSENT, {"gelu": "gelu_new"}),
                num_hidden_layers=Own("num_hidden_layers"),
                num_attention_heads=Own("num_attention_heads"),
                num_hidden_groups=Own("num_hidden_groups", 1),
                inner_group_num=Own("inner_group_num", 1),
                vocab_size=Size("bert/embeddings/word_embeddings", 0),
                embedding_size=Size("bert/embeddings/word_embeddings", 1),
                hidden_size=Size(_LAYER + "attention_1/self/query/kernel", 0),
                intermediate_size=Size(_LAYER + "ffn_1/intermediate/dense/kernel", 1),
                max_position_embeddings=Size("bert/embeddings/position_embeddings", 0),
                type_vocab_size=Size("bert/embeddings/token_type_embeddings", 0),
                layer_norm_eps=1e-12,
                num_labels=Size("output_bias", 0, optional=True),
            ),
            copies=[r".*\.model", r".*\.vocab"],
        )
    ],
)
