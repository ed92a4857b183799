"""T5 of google-research, as Mesh TensorFlow names it: versions 1.0 and 1.1."""

from tfgraphtools.checkpoints.families.family import Family, Target
from tfgraphtools.checkpoints.families.settings import ABSENT, If, Layers, Size

_BIAS = "encoder/block_000/layer_000/SelfAttention/relative_attention_bias"
_BLOCK = r"(encoder|decoder)/block_0*(\d+)/layer_0*(\d+)/(.*)"

_FEED = "{{encoder.block.#.layer.1,decoder.block.#.layer.2}}.DenseReluDense.{}.weight"
_WI_0 = r".*\.wi_0\.weight"
_ENTRIES = [
    "shared.weight",
    If(r"lm_head\.weight", "lm_head.weight", ABSENT),
    "{encoder,decoder}.block.#.layer.0.SelfAttention.{q,k,v,o}.weight",
    "{encoder,decoder}.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
    "{encoder,decoder}.block.#.layer.{0,1}.layer_norm.weight",
    "decoder.block.#.layer.1.EncDecAttention.{q,k,v,o}.weight",
    "decoder.block.#.layer.2.layer_norm.weight",
    "{encoder,decoder}.final_layer_norm.weight",
    If(_WI_0, _FEED.format("{wi_0,wi_1,wo}"), _FEED.format("{wi,wo}")),
]

FAMILY = Family(
    name="T5",
    marks=[r"shared/embedding", _BIAS, r"decoder/block_000/layer_001/EncDecAttention/q"],
    targets=[
        Target(
            to="hf",
            heads=[(r"", "T5ForConditionalGeneration")],
            renames=[
                (_BLOCK, r"\1/block/\2/layer/\3/\4"),
                (
                    r"(encoder|decoder)/(final_layer_norm|rms_norm)/scale",
                    r"\1/final_layer_norm/scale",
                ),
                (r"(.*)/rms_norm/scale", r"\1/layer_norm/scale"),
                (r"(.*Attention/[qkvo])", r"\1/kernel"),
                (r"(.*/relative_attention_bias)", r"\1/kernel"),
                (r"decoder/logits/kernel", "lm_head/kernel"),
            ],
            entries={"T5ForConditionalGeneration": _ENTRIES},
            leaves={
                "kernel": ("weight", "transposed"),
                "scale": ("weight", "same"),
                "embedding": ("weight", "same"),
            },
            settings={
                "model_type": "t5",
                "vocab_size": Size("shared/embedding", 0),
                "d_model": Size("shared/embedding", 1),
                "num_heads": Size(_BIAS, 0),
                "relative_attention_num_buckets": Size(_BIAS, 1),
                "relative_attention_max_distance": 128,
                "d_kv": Size("encoder/block_000/layer_000/SelfAttention/q", 1, Size(_BIAS, 0)),
                "d_ff": Size(r"encoder/block_000/layer_001/DenseReluDense/wi(_0)?/kernel", 1),
                "num_layers": Layers(r"encoder/block_(\d+)/.*"),
                "num_decoder_layers": Layers(r"decoder/block_(\d+)/.*"),
                "feed_forward_proj": If(r".*/wi_0/kernel", "gated-gelu", "relu"),
                "tie_word_embeddings": If("decoder/logits/kernel", False, True),
                "layer_norm_epsilon": 1e-6,
                "is_encoder_decoder": True,
                "decoder_start_token_id": 0,
                "pad_token_id": 0,
                "eos_token_id": 1,
            },
            notes=[
                "feed_forward_proj and relative_attention_max_distance are those of the released "
                "models (relu, or gelu with a gate; 128): operative_config.gin says what yours are"
            ],
            copies={r".*\.model": "spiece.model"},
        )
    ],
)
