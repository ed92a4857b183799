"""GPT-2 of openai/gpt-2."""

from tfgraphtools.checkpoints.families.family import Family, layers


def settings(own, shapes):
    """Transformers' settings; the number of heads is in hparams.json alone."""
    return {
        "vocab_size": shapes["model/wte"][0],
        "n_positions": shapes["model/wpe"][0],
        "n_embd": shapes["model/wte"][1],
        "n_layer": layers(shapes, r"model/h(\d+)/.*"),
        "n_head": own["n_head"],
        "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5,
        "model_type": "gpt2",
    }


FAMILY = Family(
    name="GPT-2",
    marks=[r"model/wte", r"model/h0/attn/c_attn/w"],
    heads=[(r"", "GPT2LMHeadModel")],
    unused={},
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
    settings=settings,
    files=["hparams.json"],
    copies=[r"encoder\.json", r"vocab\.bpe"],
    notes=[],
)
