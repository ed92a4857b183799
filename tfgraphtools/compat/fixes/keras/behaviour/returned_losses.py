"""Losses that ``evaluate`` and the methods for one batch return in eager execution."""

import inspect

from tfgraphtools.compat.fixes.keras.behaviour import batches
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


def _running(kind):
    def run(original, model, *arguments, **options):
        validates = options.get("validation_data") is not None or options.get("validation_split")
        running = batches.running_methods()
        running.append(batches.Run(kind, model, bool(validates)))
        try:
            return original(model, *arguments, **options)
        finally:
            running.pop()

    return run


def _mean_of_batches(original, model, *arguments, **options):
    """Counts each batch as one where rows are not counted, as of a dataset."""
    results = original(model, *arguments, **options)
    (adapter, size), last = batches.batch_size(model, "test"), batches.last(model)
    if last is None or adapter is None or size is not None or not last.steps.numpy():
        return results
    return _with_loss(results, float(last.sum.numpy() / last.steps.numpy()))


def _loss_of_batch(original, model, *arguments, **options):
    """Returns the batch's own loss; metrics are reset after it, where tf_keras does it before."""
    bound = inspect.signature(original).bind(model, *arguments, **options)
    is_reset = bound.arguments.get("reset_metrics", True)
    bound.arguments["reset_metrics"] = False
    results, last = original(*bound.args, **bound.kwargs), batches.last(model)
    results = results if last is None else _with_loss(results, float(last.loss.numpy()))
    if is_reset:
        model.reset_metrics()
    return results


def _with_loss(results, loss):
    if isinstance(results, dict):
        return dict(results, loss=loss)
    return [loss, *results[1:]] if isinstance(results, list) else loss


def _of_model(name, function):
    return replaces("tf_keras.src.engine.training:Model." + name, row=batches.LOGS)(function)


REPLACEMENTS = (
    _of_model("evaluate", _mean_of_batches),
    _of_model("fit", _running("train")),
    _of_model("evaluate", _running("test")),
    _of_model("predict", _running("predict")),
    _of_model("train_on_batch", _loss_of_batch),
    _of_model("test_on_batch", _loss_of_batch),
)
