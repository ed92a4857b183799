"""``--seeds=tf1``: the op seeds, and with them the random numbers, of TF 1.15.

A script that sets the graph's seed (`tf.set_random_seed`) and none for its ops
prints other numbers on TF 2.x, as default op seeds are derived in another way.
Here they are derived as TF 1.15 did, from the number of ops created so far, and
rows correct that number where TF 1.15 made other ops. What no row covers is
named when it first matters. Nothing changes for ops with a seed of their own.
"""

from tfgraphtools.compat.seeds import (
    array_ops,
    corrections,
    counting,
    gradients,
    layers,
    math_ops,
    random_ops,
    training,
)

#: What ``run --list-fixes`` shows; the rows act only under ``--seeds=tf1``.
TABLES = (
    random_ops.TABLE,
    array_ops.TABLE,
    math_ops.TABLE,
    layers.TABLE,
    training.TABLE,
    gradients.TABLE,
)


def activate():
    """Derives default op seeds as TF 1.15 does, until `state.restore`."""
    changes = corrections.Changes()
    for original, replacement in counting.install().items():
        changes.replace(original, replacement)
    for table in TABLES:
        for row in table.on():
            row.provide(row, changes)
    changes.apply()
