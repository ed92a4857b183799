"""ALBERT of google-research/albert: one group of layers, shared by all."""

from tfgraphtools.checkpoints.families.family import LEAVES, Family, Target
from tfgraphtools.checkpoints.families.known.language.bert import SAME
from tfgraphtools.checkpoints.families.settings import Layers, Own, Size

_LAYER = "bert/encoder/transformer/group_0/inner_group_0/"
_GROUP = "albert.encoder.albert_layer_groups.#.albert_layers.#."
_ENCODER = [
    "albert.embeddings.{word,position,token_type}_embeddings.weight",
    "albert.embeddings.LayerNorm.{weight,bias}",
    "albert.encoder.embedding_hidden_mapping_in.{weight,bias}",
    _GROUP + "attention.{query,key,value,dense,LayerNorm}.{weight,bias}",
    _GROUP + "{ffn,ffn_output,full_layer_layer_norm}.{weight,bias}",
]
_POOLER = ["albert.pooler.{weight,bias}"]
_WORDS = ["predictions.bias", "predictions.{dense,LayerNorm}.{weight,bias}"]
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
                (r"cls/squad/output_weights", "AlbertForQuestionAnswering"),
                (r"cls/seq_relationship/output_weights", "AlbertForPreTraining"),
                (r"cls/predictions/output_bias", "AlbertForMaskedLM"),
                (r"output_weights", "AlbertForSequenceClassification"),
                (r"", "AlbertModel"),
            ],
            entries={
                "AlbertModel": _ENCODER + ["?" + entry for entry in _POOLER],
                "AlbertForMaskedLM": _ENCODER + _WORDS,
                "AlbertForPreTraining": (
                    _ENCODER + _POOLER + _WORDS + ["sop_classifier.classifier.{weight,bias}"]
                ),
                "AlbertForQuestionAnswering": _ENCODER + ["qa_outputs.{weight,bias}"],
                "AlbertForSequenceClassification": (
                    _ENCODER + _POOLER + ["classifier.{weight,bias}"]
                ),
                "AlbertForTokenClassification": _ENCODER + ["classifier.{weight,bias}"],
            },
            likewise={"AlbertForSequenceClassification": ["AlbertForTokenClassification"]},
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
                (r"cls/squad/output_weights", "qa_outputs/weight"),
                (r"cls/squad/output_bias", "qa_outputs/bias"),
                (r"output_weights", "classifier/weight"),
                (r"output_bias", "classifier/bias"),
            ],
            leaves=LEAVES,
            # How often the layers run is in the model's own file alone.
            settings=dict(
                SAME,
                model_type="albert",
                hidden_act=Own("hidden_act", "gelu_new", {"gelu": "gelu_new"}),
                num_hidden_layers=Own("num_hidden_layers"),
                num_attention_heads=Own("num_attention_heads"),
                num_hidden_groups=Layers(r"bert/encoder/transformer/group_(\d+)/.*"),
                inner_group_num=Layers(r"bert/encoder/transformer/group_\d+/inner_group_(\d+)/.*"),
                vocab_size=Size("bert/embeddings/word_embeddings", 0),
                embedding_size=Size("bert/embeddings/word_embeddings", 1),
                hidden_size=Size(_LAYER + "attention_1/self/query/kernel", 0),
                intermediate_size=Size(_LAYER + "ffn_1/intermediate/dense/kernel", 1),
                max_position_embeddings=Size("bert/embeddings/position_embeddings", 0),
                type_vocab_size=Size("bert/embeddings/token_type_embeddings", 0),
                layer_norm_eps=1e-12,
                num_labels=Size("output_bias", 0, optional=True),
            ),
            copies={r".*\.model": "spiece.model"},
        )
    ],
)
