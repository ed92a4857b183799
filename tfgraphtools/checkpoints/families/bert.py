"""BERT of google-research/bert: the models, and those fine-tuned by its scripts."""

from tfgraphtools.checkpoints.families.family import LEAVES, Family, layers

#: Its settings that Transformers calls the same.
SAME = (
    "hidden_size",
    "num_attention_heads",
    "intermediate_size",
    "hidden_act",
    "hidden_dropout_prob",
    "attention_probs_dropout_prob",
    "initializer_range",
)

GELU = (
    "hidden_act is gelu_new: TF1's code computes gelu by tanh. Its first release computed it by "
    "erf; if yours does, set hidden_act to gelu in config.json"
)


def settings(own, shapes):
    """Transformers' settings; sizes are read from the tensors themselves."""
    found = {name: own[name] for name in SAME if name in own}
    found["num_attention_heads"] = own["num_attention_heads"]
    if found.get("hidden_act", "gelu") == "gelu":
        found["hidden_act"] = "gelu_new"
    embeddings = "bert/embeddings/{}_embeddings"
    found.update(
        vocab_size=shapes[embeddings.format("word")][0],
        hidden_size=shapes[embeddings.format("word")][1],
        max_position_embeddings=shapes[embeddings.format("position")][0],
        type_vocab_size=shapes[embeddings.format("token_type")][0],
        intermediate_size=shapes["bert/encoder/layer_0/intermediate/dense/kernel"][1],
        num_hidden_layers=layers(shapes, r"bert/encoder/layer_(\d+)/.*"),
        layer_norm_eps=1e-12,
        model_type="bert",
    )
    if "output_bias" in shapes:
        found["num_labels"] = shapes["output_bias"][0]
    return found


FAMILY = Family(
    name="BERT",
    marks=[r"bert/embeddings/word_embeddings", r"bert/encoder/layer_0/attention/self/query/kernel"],
    heads=[
        (r"cls/squad/output_weights", "BertForQuestionAnswering"),
        (r"output_weights", "BertForSequenceClassification"),
        (r"cls/seq_relationship/output_weights", "BertForPreTraining"),
        (r"cls/predictions/output_bias", "BertForMaskedLM"),
        (r"", "BertModel"),
    ],
    unused={"BertForQuestionAnswering": r"bert/pooler/.*", "BertForMaskedLM": r"bert/pooler/.*"},
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
    settings=settings,
    files=["bert_config.json"],
    copies=[r"vocab\.txt"],
    notes=[GELU],
)
