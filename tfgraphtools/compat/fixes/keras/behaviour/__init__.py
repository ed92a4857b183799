"""Results of ``tf.keras`` that differed in 1.15, and removed methods of its models.

Each module has `REPLACEMENTS`, in the order in which they are applied.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.keras.behaviour import (
    batches,
    callbacks,
    configs,
    images,
    inputs,
    lambdas,
    layers,
    losses,
    metrics,
    models,
    names,
    new_options,
    normalization,
    optimizers,
    predicting,
    returned_losses,
    training,
    yaml_models,
)

#: In the order in which they are applied.
_REPLACEMENTS = [
    replacement
    for part in (
        optimizers,
        losses,
        images,
        predicting,
        layers,
        lambdas,
        models,
        training,
        inputs,
        metrics,
        batches,
        returned_losses,
        callbacks,
        configs,
        new_options,
        normalization,
        yaml_models,
        names,
    )
    for replacement in part.REPLACEMENTS
]

TABLES = (replacing.table("tf.keras where 1.15 computed something else", *_REPLACEMENTS),)


def install(options):
    """Makes tf_keras compute as 1.15 for user code, once its modules are loaded."""
    replacing.install_after_import(*_REPLACEMENTS)
