"""GPT-2 of openai/gpt-2."""

from tfgraphtools.checkpoints.families.family import Family, Target
from tfgraphtools.checkpoints.families.settings import Layers, Own, Size

FAMILY = Family(
    name="GPT-2",
    marks=[r"model/wte", r"model/h0/attn/c_attn/w"],
    files=["hparams.json"],
    targets=[
        Target(
            to="hf",
            heads=[(r"", "GPT2LMHeadModel")],
            renames=[
                (r"model/(wte|wpe)", r"transformer/\1/weight"),
                (r"model/h(\d+)/(.*)", r"transformer/h/\1/\2"),
                (r"model/(ln_f/.*)", r"transformer/\1"),
            ],
            leaves={
                "w": ("weight", "squeezed"),
                "b": ("bias", "same"),
                "g": ("weight", "same"),
                "weight": ("weight", "same"),
            },
            entries={
                "GPT2LMHeadModel": [
                    "transformer.{wte,wpe}.weight",
                    "transformer.h.#.attn.{c_attn,c_proj}.{weight,bias}",
                    "transformer.h.#.mlp.{c_fc,c_proj}.{weight,bias}",
                    "transformer.h.#.{ln_1,ln_2}.{weight,bias}",
                    "transformer.ln_f.{weight,bias}",
                ]
            },
            settings={
                "model_type": "gpt2",
                "vocab_size": Size("model/wte", 0),
                "n_positions": Size("model/wpe", 0),
                "n_embd": Size("model/wte", 1),
                "n_layer": Layers(r"model/h(\d+)/.*"),
                "n_head": Own("n_head"),
                "activation_function": "gelu_new",
                "layer_norm_epsilon": 1e-5,
            },
            copies={r"encoder\.json": "vocab.json", r"vocab\.bpe": "merges.txt"},
        )
    ],
)
