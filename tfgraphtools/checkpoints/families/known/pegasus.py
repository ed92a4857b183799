"""PEGASUS of google-research/pegasus."""

from tfgraphtools.checkpoints.families.family import LEAVES, Family, Sines, Target
from tfgraphtools.checkpoints.families.settings import Layers, Own, Size

_QUERY = "encoder/layer_0/self_attention/q_proj/kernel"
_LAYER = r"(model/(?:en|de)coder/layers/\d+)/"
_NORMS = {
    "self_attention": "self_attn_layer_norm",
    "memory_attention": "encoder_attn_layer_norm",
    "ffn": "final_layer_norm",
}

FAMILY = Family(
    name="PEGASUS",
    marks=[
        r"embeddings/weights",
        _QUERY,
        r"decoder/layer_0/memory_attention/q_proj/kernel",
    ],
    files=["config.json"],
    targets=[
        Target(
            to="hf",
            heads=[(r"", "PegasusForConditionalGeneration")],
            renames=[
                (r"embeddings/weights", "model/shared/words"),
                (r"(encoder|decoder)/LayerNorm/(.*)", r"model/\1/layer_norm/\2"),
                (r"(encoder|decoder)/(positions)", r"model/\1/embed_positions/\2"),
                (r"(encoder|decoder)/layer_(\d+)/(.*)", r"model/\1/layers/\2/\3"),
            ]
            + [(_LAYER + f"{old}/LayerNorm/(.*)", rf"\1/{new}/\2") for old, new in _NORMS.items()]
            + [
                (_LAYER + "self_attention/(.*)", r"\1/self_attn/\2"),
                (_LAYER + "memory_attention/(.*)", r"\1/encoder_attn/\2"),
                (_LAYER + "ffn/dense/(.*)", r"\1/fc1/\2"),
                (_LAYER + "ffn/dense_1/(.*)", r"\1/fc2/\2"),
                (r"(.*)/output_proj/(.*)", r"\1/out_proj/\2"),
            ],
            leaves=dict(LEAVES, words=("weight", "unpadded"), positions=("weight", "same")),
            # TF1's attention has no biases, and its positions are computed.
            constants=[
                (r"(.*_attention)/LayerNorm/beta", rf"\1/{part}_proj/bias", 0)
                for part in ("q", "k", "v", "output")
            ]
            + [(r"(encoder|decoder)/LayerNorm/beta", r"\1/positions", Sines(1024))],
            entries={
                "PegasusForConditionalGeneration": [
                    "model.shared.weight",
                    "model.{encoder,decoder}.embed_positions.weight",
                    "model.{encoder,decoder}.layer_norm.{weight,bias}",
                    "model.encoder.layers.#.self_attn.{q,k,v,out}_proj.{weight,bias}",
                    "model.decoder.layers.#.{self,encoder}_attn.{q,k,v,out}_proj.{weight,bias}",
                    "model.encoder.layers.#.{self_attn,final}_layer_norm.{weight,bias}",
                    "model.decoder.layers.#.{self_attn,encoder_attn,final}_layer_norm."
                    "{weight,bias}",
                    "model.encoder.layers.#.{fc1,fc2}.{weight,bias}",
                    "model.decoder.layers.#.{fc1,fc2}.{weight,bias}",
                ]
            },
            settings={
                "model_type": "pegasus",
                "vocab_size": Size("embeddings/weights", 0),
                "d_model": Size("embeddings/weights", 1),
                "encoder_layers": Layers(r"encoder/layer_(\d+)/.*"),
                "decoder_layers": Layers(r"decoder/layer_(\d+)/.*"),
                "encoder_ffn_dim": Size("encoder/layer_0/ffn/dense/kernel", 1),
                "decoder_ffn_dim": Size("decoder/layer_0/ffn/dense/kernel", 1),
                "encoder_attention_heads": Own("num_heads", Size("embeddings/weights", 1, 64)),
                "decoder_attention_heads": Own("num_heads", Size("embeddings/weights", 1, 64)),
                "max_position_embeddings": 1024,
                "activation_function": "relu",
                "scale_embedding": True,
                "decoder_start_token_id": 0,
                "pad_token_id": 0,
                "eos_token_id": 1,
                "forced_eos_token_id": 1,
                "tie_word_embeddings": True,
            },
            copies={r".*\.model": "spiece.model"},
            notes=[
                "Transformers' layer normalisation adds 1e-5 to the variance, TF1's 1e-12: outputs "
                "differ by about 1e-5",
                "positions are stored as TF1 computes them, for 1,024 tokens",
                "the row of the padding is zeros, with which TF1's decoder begins: the logit of "
                "the padding, token 0, is 0",
            ],
        )
    ],
)
