"""XLNet of zihangdai/xlnet: the pretrained models, and the classifier of run_classifier.py."""

from tfgraphtools.checkpoints.families.family import Family, Target
from tfgraphtools.checkpoints.families.settings import ABSENT, If, Layers, Own, Size

_TABLE = "model/transformer/word_embedding/lookup_table"
_LAYER = "model/transformer/layer_0/"
_PARTS = ("q", "k", "v", "o", "r", "r_w_bias", "r_r_bias", "r_s_bias", "seg_embed", "mask_emb")

_ENTRIES = [
    "transformer.word_embedding.weight",
    "?transformer.mask_emb",
    "transformer.layer.#.rel_attn.{q,k,v,o,r,r_w_bias,r_r_bias,r_s_bias,seg_embed}",
    "transformer.layer.#.ff.{layer_1,layer_2}.{weight,bias}",
    "transformer.layer.#.{rel_attn,ff}.layer_norm.{weight,bias}",
]

FAMILY = Family(
    name="XLNet",
    marks=[_TABLE, _LAYER + "rel_attn/q/kernel"],
    files=["xlnet_config.json"],
    targets=[
        Target(
            to="hf",
            heads=[
                (
                    r"model/(classification|regression)_\w+/logit/kernel",
                    "XLNetForSequenceClassification",
                ),
                (r"", "XLNetLMHeadModel"),
            ],
            renames=[
                (
                    r"model/transformer/(r_[wrs]_bias|seg_embed)",
                    r"transformer/layer/{}/rel_attn/\1",
                ),
                (r"model/transformer/mask_emb/mask_emb", "transformer/mask_emb"),
                (
                    _TABLE,
                    "transformer/word_embedding/weight",
                ),
                (r"model/transformer/layer_(\d+)/(.*)", r"transformer/layer/\1/\2"),
                (r"(.*/rel_attn/[qkvor])/kernel", r"\1"),
                (r"(.*)/LayerNorm/(.*)", r"\1/layer_norm/\2"),
                (r"model/lm_loss/weight", "lm_loss/weight"),
                (r"model/lm_loss/bias", "lm_loss/bias"),
                (r"model/sequnece_summary/(summary/.*)", r"sequence_summary/\1"),
                (r"model/(classification|regression)_\w+/logit/(.*)", r"logits_proj/\2"),
            ],
            leaves=dict(
                {name: (name, "same") for name in _PARTS},
                kernel=("weight", "transposed"),
                gamma=("weight", "same"),
                beta=("bias", "same"),
                bias=("bias", "same"),
                weight=("weight", "same"),
            ),
            stacked=[r"model/transformer/(r_[wrs]_bias|seg_embed)"],
            # Biases of position that all layers share, as untie_r=False has them, are of rank 2.
            requires=[
                (
                    _LAYER + "rel_attn/q/kernel",
                    2,
                    Size(_TABLE, 1, Size(_LAYER + "rel_attn/q/kernel", 1)),
                ),
                (r"model/transformer/r_w_bias", 2, Size(_LAYER + "rel_attn/q/kernel", 2)),
            ],
            entries={
                "XLNetLMHeadModel": _ENTRIES
                + ["lm_loss.bias", If(r"lm_loss\.weight", "lm_loss.weight", ABSENT)],
                "XLNetForSequenceClassification": (
                    _ENTRIES
                    + ["sequence_summary.summary.{weight,bias}", "logits_proj.{weight,bias}"]
                ),
            },
            settings={
                "model_type": "xlnet",
                "vocab_size": Size(_TABLE, 0),
                "d_model": Size(_TABLE, 1),
                "n_layer": Layers(r"model/transformer/layer_(\d+)/.*"),
                "n_head": Size(_LAYER + "rel_attn/q/kernel", 1),
                "d_head": Size(_LAYER + "rel_attn/q/kernel", 2),
                "d_inner": Size(_LAYER + "ff/layer_1/kernel", 1),
                "ff_activation": Own("ff_activation", "gelu_new", {"gelu": "gelu_new"}),
                "untie_r": Own("untie_r", True),
                "layer_norm_eps": 1e-12,
                "num_labels": Size(r"model/\w+_\w+/logit/bias", 0, optional=True),
                "tie_word_embeddings": If("model/lm_loss/weight", False, True),
                "bi_data": Own("bi_data", ABSENT),
            },
            copies={r"spiece\.model": None},
        )
    ],
)
