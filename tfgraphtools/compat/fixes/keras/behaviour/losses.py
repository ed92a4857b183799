"""Losses and metrics of Keras whose values have another sign."""

from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_COSINE = Row(
    "tensorflow.keras.losses.cosine_proximity",
    "TF 2.0",
    "the loss cosine_proximity is the similarity itself, as in 1.15; 2.x negates it",
)


@replaces("tf_keras.src.losses:cosine_similarity", row=_COSINE)
def _cosine_similarity(original, y_true, y_pred, axis=-1):
    _cosine_similarity.used()
    return -original(y_true, y_pred, axis)


@replaces("tf_keras.src.losses:deserialize", row=_COSINE)
def _loss(original, name, *arguments, **options):
    """Finds the loss by its old name, for ``compile``."""
    from tf_keras.src import losses

    is_old = name == "cosine_proximity"
    return losses.cosine_similarity if is_old else original(name, *arguments, **options)


@replaces("tf_keras.src.metrics:deserialize", row=_COSINE)
def _metric(original, config, *arguments, **options):
    from tf_keras.src import metrics

    if config != "cosine_proximity":
        return original(config, *arguments, **options)

    def cosine_proximity(y_true, y_pred, axis=-1):
        return metrics.cosine_similarity(y_true, y_pred, axis)

    return cosine_proximity


REPLACEMENTS = (_cosine_similarity, _loss, _metric)
