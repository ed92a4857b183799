"""Results of ``tf.keras`` that differed in 1.15, and removed methods of its models.

Each module has `CHANGES`: (row, module below ``tf_keras.src``, what changes it there).
"""

from tfgraphtools.compat.engine import after_import, rows
from tfgraphtools.compat.engine.rows import Table
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

#: In the order in which they change a module.
_CHANGES = [
    change
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
    )
    for change in part.CHANGES
]

TABLES = (
    Table(
        "tf.keras where 1.15 computed something else",
        "listed",
        dict.fromkeys(row for row, *_ in _CHANGES),
    ),
    names.TABLE,
)


def install(options):
    """Makes tf_keras compute as 1.15, once its modules are loaded."""
    for row, module, change in (*_CHANGES, *names.CHANGES):
        if not rows.is_off(row.name):
            after_import.call("tf_keras.src." + module, change, row.name)
