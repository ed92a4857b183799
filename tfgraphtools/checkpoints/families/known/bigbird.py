"""BigBird of google-research/bigbird: the encoder that normalises as BERT does."""

from tfgraphtools.checkpoints.families.family import LEAVES, Family, Target
from tfgraphtools.checkpoints.families.known.bert import ENCODER, SAME
from tfgraphtools.checkpoints.families.settings import If, Layers, Own, Size

_TABLE = "bert/embeddings/word_embeddings"
_ENCODER = ["bert." + entry for entry in ENCODER]
_POOLER = ["bert.pooler.{weight,bias}"]
_WORDS = ["cls.predictions.bias", "cls.predictions.transform.{dense,LayerNorm}.{weight,bias}"]

FAMILY = Family(
    name="BigBird",
    marks=[
        _TABLE,
        r"bert/encoder/layer_0/attention/self/query/kernel",
        r"bert/encoder/LayerNorm/gamma",
    ],
    files=["bert_config.json", "config.json"],
    targets=[
        Target(
            to="hf",
            heads=[
                (r"cls/seq_relationship/output_weights", "BigBirdForPreTraining"),
                (r"cls/predictions/output_bias", "BigBirdForMaskedLM"),
                (r"", "BigBirdModel"),
            ],
            entries={
                "BigBirdModel": _ENCODER + ["?" + entry for entry in _POOLER],
                "BigBirdForMaskedLM": _ENCODER + ["?" + entry for entry in _POOLER] + _WORDS,
                "BigBirdForPreTraining": (
                    _ENCODER + _POOLER + _WORDS + ["cls.seq_relationship.{weight,bias}"]
                ),
            },
            renames=[
                (r"(bert/embeddings/\w+_embeddings)", r"\1/weight"),
                (r"bert/encoder/LayerNorm/(.*)", r"bert/embeddings/LayerNorm/\1"),
                (r"bert/pooler/dense/(.*)", r"bert/pooler/\1"),
                (r"(.*/layer)_(\d+)(/.*)", r"\1/\2\3"),
                (
                    r"(?:cls/predictions/)?transform/(kernel|bias)",
                    r"cls/predictions/transform/dense/\1",
                ),
                (
                    r"(?:cls/predictions/)?transform/(gamma|beta)",
                    r"cls/predictions/transform/LayerNorm/\1",
                ),
                (r"cls/predictions/output_bias", "cls/predictions/bias"),
                (r"(cls/seq_relationship)/output_weights", r"\1/weight"),
                (r"(cls/seq_relationship)/output_bias", r"\1/bias"),
            ],
            leaves=LEAVES,
            settings=dict(
                SAME,
                model_type="big_bird",
                hidden_act=Own("hidden_act", "gelu_new", {"gelu": "gelu_new"}),
                num_attention_heads=Own("num_attention_heads", Size(_TABLE, 1, 64)),
                vocab_size=Size(_TABLE, 0),
                hidden_size=Size(_TABLE, 1),
                max_position_embeddings=Size("bert/embeddings/position_embeddings", 0),
                type_vocab_size=Size("bert/embeddings/token_type_embeddings", 0),
                intermediate_size=Size("bert/encoder/layer_0/intermediate/dense/kernel", 1),
                num_hidden_layers=Layers(r"bert/encoder/layer_(\d+)/.*"),
                use_bias=If("bert/encoder/layer_0/attention/self/query/bias", True, False),
                rescale_embeddings=Own("rescale_embedding", False),
                attention_type=Own(
                    "attention_type", "block_sparse", {"simulated_sparse": "block_sparse"}
                ),
                block_size=Own("block_size", 64),
                num_random_blocks=Own("num_rand_blocks", 3),
                layer_norm_eps=1e-12,
            ),
            copies={r".*\.model": "spiece.model"},
            notes=[
                "with up to 512 tokens both attend to all of them. With more, TF1's block_sparse "
                "attends to random blocks, and Transformers to none outside training: pass "
                "attention_type original_full (--config) for what does not depend on them"
            ],
        )
    ],
)
