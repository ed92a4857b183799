"""Names of the metrics of Keras models in eager execution, as 1.15 gave them.

1.15 names ``metrics=["accuracy", "mae"]`` ``acc`` and ``mean_absolute_error`` unless TF 2 behavior
is on (``training_utils.get_metric_name``); a name that is taken gets a number
(``training.Model._add_unique_metric_name``). History, logs and monitored values go by them.
tf_keras keeps these rules for graphs only.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_ROW = Row(
    "tensorflow.keras.metrics",
    "TF 2.0",
    "metrics=['accuracy', 'mae'] are acc and mean_absolute_error in logs and history with eager "
    "execution too, as in graphs; a name that is taken gets a number",
)


def _name_as_before(compile_utils):
    """Makes tf_keras name metrics as 1.15."""
    container = compile_utils.MetricsContainer
    get_object = container._get_metric_object

    @functools.wraps(get_object)
    def _get_metric_object(self, metric, y_t, y_p):
        from tf_keras.src.engine import training_utils_v1 as rules

        found = get_object(self, metric, y_t, y_p)
        if found is not None and found is not metric:
            name = rules.get_metric_name(metric)
            if name != found._name:
                rows.used(_ROW)
                found._name = name
        return found

    def _set_metric_names(self):
        from tfgraphtools._tf import tf

        outputs = self._output_names
        taken = {"loss"}
        if len(outputs) > 1:
            taken.update(name + "_loss" for name in outputs)
        prefix = "" if tf.__internal__.tf2.enabled() else "weighted_"
        for output, plain, weighted in zip(outputs, self._metrics, self._weighted_metrics):
            first = output + "_" if len(outputs) > 1 else ""
            for metrics, before in ((plain, first), (weighted, first + prefix)):
                metrics[:] = _last_of_each_name(metrics)
                for metric in metrics:
                    metric._name = _free(before + metric._name, taken)
                    taken.add(metric._name)

    state.set_attribute(container, "_get_metric_object", _get_metric_object)
    state.set_attribute(container, "_set_metric_names", _set_metric_names)


def _last_of_each_name(metrics):
    """1.15 kept the metrics of an output in a dictionary."""
    return list({metric._name: metric for metric in metrics if metric is not None}.values())


def _free(name, taken):
    number, found = 1, name
    while found in taken:
        found = f"{name}_{number}"
        number += 1
    return found


CHANGES = ((_ROW, "engine.compile_utils", _name_as_before),)
