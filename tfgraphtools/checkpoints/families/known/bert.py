"""BERT of google-research/bert: the models, and those fine-tuned by its scripts."""

from tfgraphtools.checkpoints.families.family import LEAVES, Family, Target
from tfgraphtools.checkpoints.families.settings import ABSENT, Layers, Own, Size

#: Its settings that Transformers calls the same.
SAME = {
    name: Own(name, ABSENT)
    for name in (
        "intermediate_size",
        "hidden_dropout_prob",
        "attention_probs_dropout_prob",
        "initializer_range",
    )
}

#: The entries of its encoder in Transformers.
ENCODER = [
    "embeddings.{word,position,token_type}_embeddings.weight",
    "embeddings.LayerNorm.{weight,bias}",
    "encoder.layer.#.attention.self.{query,key,value}.{weight,bias}",
    "encoder.layer.#.{attention.output,intermediate,output}.dense.{weight,bias}",
    "encoder.layer.#.{attention.output,output}.LayerNorm.{weight,bias}",
]
_ENCODER = ["bert." + entry for entry in ENCODER]
_POOLER = ["bert.pooler.dense.{weight,bias}"]
_WORDS = ["cls.predictions.bias", "cls.predictions.transform.{dense,LayerNorm}.{weight,bias}"]

GELU = (
    "hidden_act is gelu_new: TF1's code computes gelu by tanh. Its first release computed it by "
    "erf; if yours does, set hidden_act to gelu in config.json"
)

FAMILY = Family(
    name="BERT",
    marks=[r"bert/embeddings/word_embeddings", r"bert/encoder/layer_0/attention/self/query/kernel"],
    files=["bert_config.json"],
    without=[r"bert/encoder/LayerNorm/gamma"],
    targets=[
        Target(
            to="hf",
            heads=[
                (r"cls/squad/output_weights", "BertForQuestionAnswering"),
                (r"output_weights", "BertForSequenceClassification"),
                (r"cls/seq_relationship/output_weights", "BertForPreTraining"),
                (r"cls/predictions/output_bias", "BertForMaskedLM"),
                (r"", "BertModel"),
            ],
            entries={
                "BertModel": _ENCODER + ["?" + entry for entry in _POOLER],
                "BertForMaskedLM": _ENCODER + _WORDS,
                "BertForPreTraining": (
                    _ENCODER + _POOLER + _WORDS + ["cls.seq_relationship.{weight,bias}"]
                ),
                "BertForQuestionAnswering": _ENCODER + ["qa_outputs.{weight,bias}"],
                "BertForSequenceClassification": (
                    _ENCODER + _POOLER + ["classifier.{weight,bias}"]
                ),
                "BertForTokenClassification": _ENCODER + ["classifier.{weight,bias}"],
            },
            likewise={"BertForSequenceClassification": ["BertForTokenClassification"]},
            renames=[
                (r"(bert/embeddings/\w+_embeddings)", r"\1/weight"),
                (r"(.*/layer)_(\d+)(/.*)", r"\1/\2\3"),
                (r"cls/predictions/output_bias", "cls/predictions/bias"),
                (r"(cls/seq_relationship)/output_weights", r"\1/weight"),
                (r"(cls/seq_relationship)/output_bias", r"\1/bias"),
                (r"cls/squad/output_weights", "qa_outputs/weight"),
                (r"cls/squad/output_bias", "qa_outputs/bias"),
                (r"output_weights", "classifier/weight"),
                (r"output_bias", "classifier/bias"),
            ],
            leaves=LEAVES,
            settings=dict(
                SAME,
                model_type="bert",
                hidden_act=Own("hidden_act", "gelu_new", {"gelu": "gelu_new"}),
                num_attention_heads=Own("num_attention_heads"),
                vocab_size=Size("bert/embeddings/word_embeddings", 0),
                hidden_size=Size("bert/embeddings/word_embeddings", 1),
                max_position_embeddings=Size("bert/embeddings/position_embeddings", 0),
                type_vocab_size=Size("bert/embeddings/token_type_embeddings", 0),
                intermediate_size=Size("bert/encoder/layer_0/intermediate/dense/kernel", 1),
                num_hidden_layers=Layers(r"bert/encoder/layer_(\d+)/.*"),
                layer_norm_eps=1e-12,
                num_labels=Size("output_bias", 0, optional=True),
            ),
            copies={r"vocab\.txt": None},
            notes=[GELU],
        )
    ],
)
