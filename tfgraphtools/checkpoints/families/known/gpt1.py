"""GPT of openai/finetune-transformer-lm: the arrays of its folder ``model``."""

from tfgraphtools.checkpoints.families.family import Family, Target
from tfgraphtools.checkpoints.families.settings import Layers, Own, Size

FAMILY = Family(
    name="GPT-1",
    marks=[r"model/we", r"model/pe", r"model/h0/attn/c_attn/w"],
    files=["hparams.json"],
    targets=[
        Target(
            to="hf",
            heads=[(r"", "OpenAIGPTLMHeadModel")],
            renames=[
                (r"model/we", "transformer/tokens_embed/weight"),
                (r"model/pe", "transformer/positions_embed/weight"),
                (r"model/h(\d+)/(.*)", r"transformer/h/\1/\2"),
            ],
            leaves={
                "w": ("weight", "squeezed"),
                "b": ("bias", "same"),
                "g": ("weight", "same"),
                "weight": ("weight", "same"),
            },
            entries={
                "OpenAIGPTLMHeadModel": [
                    "transformer.{tokens,positions}_embed.weight",
                    "transformer.h.#.attn.{c_attn,c_proj}.{weight,bias}",
                    "transformer.h.#.mlp.{c_fc,c_proj}.{weight,bias}",
                    "transformer.h.#.{ln_1,ln_2}.{weight,bias}",
                ]
            },
            settings={
                "model_type": "openai-gpt",
                "vocab_size": Size("model/we", 0),
                "n_positions": Size("model/pe", 0),
                "n_embd": Size("model/we", 1),
                "n_layer": Layers(r"model/h(\d+)/.*"),
                "n_head": Own("n_head", Size("model/we", 1, 64)),
                "afn": Own("afn", "gelu"),
                "layer_norm_epsilon": 1e-5,
            },
            copies={r"encoder_bpe_\d+\.json": "vocab.json", r"vocab_\d+\.bpe": "merges.txt"},
        )
    ],
)
