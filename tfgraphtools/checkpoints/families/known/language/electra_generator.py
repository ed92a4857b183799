"""The generator of google-research/electra: the small masked language model beside ELECTRA."""

from tfgraphtools.checkpoints.families.family import LEAVES, Family, Target
from tfgraphtools.checkpoints.families.known.language.bert import ENCODER, SAME
from tfgraphtools.checkpoints.families.settings import ABSENT, If, Layers, Own, Size

_LAYER = "generator/encoder/layer_0/"
_QUERY = _LAYER + "attention/self/query/kernel"

#: Of a model whose embeddings are narrower than its layers.
PROJECTION = If(
    r"electra\.embeddings_project\..*", "electra.embeddings_project.{weight,bias}", ABSENT
)

FAMILY = Family(
    name="ELECTRA's generator",
    marks=[r"electra/embeddings/word_embeddings", _QUERY, r"generator_predictions/dense/kernel"],
    targets=[
        Target(
            to="hf",
            heads=[(r"", "ElectraForMaskedLM")],
            renames=[
                (r"(electra/(encoder|embeddings_project)|discriminator_predictions)/.*", None),
                (r"generator/(encoder|embeddings_project)/(.*)", r"electra/\1/\2"),
                (r"(electra/embeddings/\w+_embeddings)", r"\1/weight"),
                (r"(.*/layer)_(\d+)(/.*)", r"\1/\2\3"),
                (r"generator_predictions/output_bias", "generator_lm_head/bias"),
            ],
            leaves=LEAVES,
            entries={
                "ElectraForMaskedLM": ["electra." + entry for entry in ENCODER]
                + [
                    PROJECTION,
                    "generator_predictions.{dense,LayerNorm}.{weight,bias}",
                    "generator_lm_head.bias",
                ]
            },
            settings=dict(
                SAME,
                model_type="electra",
                hidden_act=Own("hidden_act", "gelu"),
                # What is beside it are the discriminator's settings; these follow from sizes.
                num_attention_heads=Size(_QUERY, 1, 64),
                vocab_size=Size("electra/embeddings/word_embeddings", 0),
                embedding_size=Size("electra/embeddings/word_embeddings", 1),
                hidden_size=Size(_QUERY, 0),
                max_position_embeddings=Size("electra/embeddings/position_embeddings", 0),
                type_vocab_size=Size("electra/embeddings/token_type_embeddings", 0),
                intermediate_size=Size(_LAYER + "intermediate/dense/kernel", 1),
                num_hidden_layers=Layers(r"generator/encoder/layer_(\d+)/.*"),
                layer_norm_eps=1e-12,
            ),
            copies={r"vocab\.txt": None},
            notes=[
                "num_attention_heads is hidden_size / 64, as in the published models: "
                "electra_config.json has the discriminator's"
            ],
        )
    ],
)
