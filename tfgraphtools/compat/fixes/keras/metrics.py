"""``tf.keras.losses`` and ``metrics``: the sign of the cosine, and names in eager execution.

1.15 names ``metrics=["accuracy", "mae"]`` ``acc`` and ``mean_absolute_error`` unless TF 2 behavior
is on (``training_utils.get_metric_name``); a name that is taken gets a number
(``training.Model._add_unique_metric_name``). History, logs and monitored values go by them.
tf_keras keeps these rules for graphs only.
"""

from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_COSINE = Fix(
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


_NAMES = Fix(
    "tensorflow.keras.metrics",
    "TF 2.0",
    "metrics=['accuracy', 'mae'] are acc and mean_absolute_error in logs and history with eager "
    "execution too, as in graphs; a name that is taken gets a number",
)
_CONTAINER = "tf_keras.src.engine.compile_utils:MetricsContainer."


@replaces(_CONTAINER + "_get_metric_object", row=_NAMES)
def _get_metric_object(original, self, metric, y_t, y_p):
    from tf_keras.src.engine import training_utils_v1 as rules

    result = original(self, metric, y_t, y_p)
    if result is not None and result is not metric:
        name = rules.get_metric_name(metric)
        if name != result._name:
            _get_metric_object.used()
            result._name = name
    return result


@replaces(_CONTAINER + "_set_metric_names", row=_NAMES)
def _set_metric_names(original, self):
    from tfgraphtools._tf import tf

    outputs = self._output_names
    taken = {"loss"}
    if len(outputs) > 1:
        taken.update(name + "_loss" for name in outputs)
    prefix = "" if tf.__internal__.tf2.enabled() else "weighted_"
    for output, unweighted, weighted in zip(outputs, self._metrics, self._weighted_metrics):
        first = output + "_" if len(outputs) > 1 else ""
        for metrics, before in ((unweighted, first), (weighted, first + prefix)):
            metrics[:] = _last_of_each_name(metrics)
            for metric in metrics:
                metric._name = _free(before + metric._name, taken)
                taken.add(metric._name)


def _last_of_each_name(metrics):
    """Returns the last metric of each name: 1.15 kept those of an output in a dictionary."""
    return list({metric._name: metric for metric in metrics if metric is not None}.values())


def _free(name, taken):
    number, free_name = 1, name
    while free_name in taken:
        free_name = f"{name}_{number}"
        number += 1
    return free_name


REPLACEMENTS = (
    _cosine_similarity,
    _loss,
    _metric,
    _get_metric_object,
    _set_metric_names,
)
