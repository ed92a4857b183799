"""Losses and metrics of Keras whose values have another sign."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_COSINE = Row(
    "tensorflow.keras.losses.cosine_proximity",
    "TF 2.0",
    "the loss cosine_proximity is the similarity itself, as in 1.15; 2.x negates it",
)


def _keep_the_sign(module):
    plain = module.cosine_similarity

    @functools.wraps(plain)
    def cosine_similarity(y_true, y_pred, axis=-1):
        rows.used(_COSINE)
        return -plain(y_true, y_pred, axis)

    for name, value in list(vars(module).items()):
        if value is plain:
            state.set_attribute(module, name, cosine_similarity)
    # compile() finds it there.
    state.set_attribute(module, "cosine_proximity", cosine_similarity, new=True)


def _name_the_metric(module):
    plain = module.cosine_similarity

    def cosine_proximity(y_true, y_pred, axis=-1):
        return plain(y_true, y_pred, axis)

    state.set_attribute(module, "cosine_proximity", cosine_proximity, new=True)


CHANGES = (
    (_COSINE, "losses", _keep_the_sign),
    (_COSINE, "metrics", _name_the_metric),
)
