"""Keras: tf_keras as ``tf.keras`` of TF 1.15, and Keras 2 as a library of its own.

layers, models, metrics, ...
                   what is still there and means something else, each with `REPLACEMENTS`
keras2             modules and names of Keras 2
dropped            what tf_keras has no more, such as ``multi_gpu_model``
standalone         ``import keras`` of Keras 2.2.4
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.keras import (
    callbacks,
    configs,
    dropped,
    eager_batches,
    keras2,
    layer_names,
    layers,
    lstm_states,
    metrics,
    models,
    optimizers,
    preprocessing,
    standalone,
    training_argument,
    yaml_models,
)

#: No file can disable the rows of kind "listed" for itself.
OF_PROCESS = True

#: In the order in which they are applied.
_REPLACEMENTS = [
    replacement
    for subject in (
        optimizers,
        preprocessing,
        layers,
        models,
        training_argument,
        metrics,
        eager_batches,
        callbacks,
        configs,
        yaml_models,
        layer_names,
        lstm_states,
    )
    for replacement in subject.REPLACEMENTS
]

TABLES = (
    *keras2.TABLES,
    replacing.table("tf.keras where 1.15 computed something else", *_REPLACEMENTS),
    *dropped.TABLES,
    *standalone.TABLES,
)


def install(options):
    """Makes tf_keras compute as 1.15, and serves Keras 2.2.4 where it is installed."""
    replacing.install_after_import(*_REPLACEMENTS)
    standalone.install(options)
