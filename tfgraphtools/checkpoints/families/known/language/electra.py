"""ELECTRA of google-research/electra: the discriminator."""

from tfgraphtools.checkpoints.families.family import LEAVES, Family, Target
from tfgraphtools.checkpoints.families.known.language.bert import ENCODER, SAME
from tfgraphtools.checkpoints.families.known.language.electra_generator import PROJECTION
from tfgraphtools.checkpoints.families.settings import Layers, Own, Size

_ENTRIES = ["electra." + entry for entry in ENCODER]
_ENTRIES += [PROJECTION]
_HEAD = ["discriminator_predictions.{dense,dense_prediction}.{weight,bias}"]
_QUERY = "electra/encoder/layer_0/attention/self/query/kernel"

FAMILY = Family(
    name="ELECTRA",
    marks=[r"electra/embeddings/word_embeddings", _QUERY],
    files=["electra_config.json", "config.json"],
    targets=[
        Target(
            to="hf",
            heads=[
                (r"discriminator_predictions/dense/kernel", "ElectraForPreTraining"),
                (r"", "ElectraModel"),
            ],
            renames=[
                (r"generator(_predictions)?/.*", None),
                (r"(electra/embeddings/\w+_embeddings)", r"\1/weight"),
                (r"(.*/layer)_(\d+)(/.*)", r"\1/\2\3"),
                (
                    r"discriminator_predictions/dense_1/(.*)",
                    r"discriminator_predictions/dense_prediction/\1",
                ),
            ],
            leaves=LEAVES,
            entries={"ElectraModel": _ENTRIES, "ElectraForPreTraining": _ENTRIES + _HEAD},
            settings=dict(
                SAME,
                model_type="electra",
                hidden_act=Own("hidden_act", "gelu"),
                # Its heads have 64 units each, unless its settings say more.
                num_attention_heads=Own("num_attention_heads", Size(_QUERY, 1, 64)),
                vocab_size=Size("electra/embeddings/word_embeddings", 0),
                embedding_size=Size("electra/embeddings/word_embeddings", 1),
                hidden_size=Size(_QUERY, 0),
                max_position_embeddings=Size("electra/embeddings/position_embeddings", 0),
                type_vocab_size=Size("electra/embeddings/token_type_embeddings", 0),
                intermediate_size=Size("electra/encoder/layer_0/intermediate/dense/kernel", 1),
                num_hidden_layers=Layers(r"electra/encoder/layer_(\d+)/.*"),
                layer_norm_eps=1e-12,
            ),
            copies={r"vocab\.txt": None},
        )
    ],
)
