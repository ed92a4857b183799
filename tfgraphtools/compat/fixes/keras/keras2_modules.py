"""Keras 2 under its own name: the modules of tf_keras, and a notice of what differs there."""

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes import removed


def _with_notice(row):
    def provide():
        notices.once(
            "keras",
            "import keras imports tf_keras here: lr=, the defaults of optimizers, some "
            "activations and the sign of the loss 'cosine_proximity' differ from Keras 2.2.4,"
            " which 'tfgraphtools legacy install' installs",
        )
        return row.provide()

    return row._replace(provide=provide) if row.name.partition(".")[0] == "keras" else row


TABLE = Table(
    "Keras 2", "modules", [_with_notice(removed.row_of(line)) for line in removed.lines_of("Keras")]
)
