"""The rules of all patterns, in stages: a later one reads what an earlier one has made."""

from tfgraphtools.graphs.source_code.passes import rewriting
from tfgraphtools.graphs.source_code.patterns import (
    activations,
    attentions,
    batch_normalizations,
    convolution_layers,
    cross_entropies,
    embeddings,
    feature_columns,
    layer_normalizations,
    linear_layers,
    log_sums,
    recurrent_layers,
)

STAGES = [
    rewriting.joined(
        batch_normalizations.RULES,
        linear_layers.RULES,
        convolution_layers.RULES,
        embeddings.RULES,
        cross_entropies.RULES,
    ),
    rewriting.joined(
        layer_normalizations.RULES, activations.RULES, feature_columns.RULES, log_sums.RULES
    ),
    attentions.RULES,
    recurrent_layers.RULES,
]
