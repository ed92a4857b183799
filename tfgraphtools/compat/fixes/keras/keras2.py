"""Keras 2 under its own name: tf_keras's modules and names, and a notice of what differs there."""

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rewrite_kinds import old_call
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import removed


def _with_notice(row):
    def provide():
        notices.once(
            "keras",
            "import keras imports tf_keras here: lr=, the defaults of optimizers, some "
            "activations and the sign of the loss 'cosine_proximity' differ from Keras 2.2.4,"
            " which 'tfgraphtools legacy install' installs",
        )
        return row.run()

    return row._replace(run=provide) if row.name.partition(".")[0] == "keras" else row


def _cosine_proximity(y_true, y_pred, axis=-1):
    """Returns Keras 2.2's cosine proximity: minus the similarity, which tf.keras of 1.15 had."""
    from tfgraphtools._tf import v1

    y_true, y_pred = (v1.nn.l2_normalize(value, axis=axis) for value in (y_true, y_pred))
    return -v1.reduce_sum(y_true * y_pred, axis=axis)


_COSINES = Table(
    "the cosine of Keras 2 with TensorFlow 1",
    "names",
    [
        Fix(
            name,
            "Keras 3",
            "minus the similarity",
            lambda real: _cosine_proximity,
            old_call(name),
        )
        for name in (
            "keras.losses.cosine",
            "keras.losses.cosine_proximity",
            "keras.metrics.cosine",
            "keras.metrics.cosine_proximity",
        )
    ],
)

_NAMES, _MODULES, _REFUSED = removed.tables_of("Keras")

TABLES = (
    _COSINES,
    _NAMES,
    Table("Keras 2", "modules", [_with_notice(row) for row in _MODULES.rows]),
    _REFUSED,
)
