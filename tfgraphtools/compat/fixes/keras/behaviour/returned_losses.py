"""Losses that ``evaluate`` and the methods for one batch return in eager execution."""

import functools
import inspect

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.fixes.keras.behaviour import batches


def _tell_callers(training):
    """Makes `evaluate` and the methods for one batch return the losses of 1.15."""
    _wrap(training.Model, "evaluate", _mean_of_batches)
    for name, kind in (("fit", "train"), ("evaluate", "test"), ("predict", "predict")):
        _wrap(training.Model, name, _running(kind))
    for name in ("train_on_batch", "test_on_batch"):
        _wrap(training.Model, name, _loss_of_batch)


def _wrap(kind, name, change):
    plain = vars(kind)[name]

    @functools.wraps(plain)
    def method(self, *arguments, **options):
        return change(plain, self, *arguments, **options)

    state.set_attribute(kind, name, method)


def _running(kind):
    def run(plain, model, *arguments, **options):
        validates = options.get("validation_data") is not None or options.get("validation_split")
        running = batches.running_methods()
        running.append(batches.Run(kind, model, bool(validates)))
        try:
            return plain(model, *arguments, **options)
        finally:
            running.pop()

    return run


def _mean_of_batches(plain, model, *arguments, **options):
    """Where rows are not counted, as of a dataset, each batch counts as one."""
    found = plain(model, *arguments, **options)
    (adapter, size), last = batches.batch_size(model, "test"), batches.last(model)
    if last is None or adapter is None or size is not None or not last.steps.numpy():
        return found
    return _with_loss(found, float(last.sum.numpy() / last.steps.numpy()))


def _loss_of_batch(plain, model, *arguments, **options):
    """Its own loss; metrics are reset after the batch, where tf_keras does it before."""
    given = inspect.signature(plain).bind(model, *arguments, **options)
    is_reset = given.arguments.get("reset_metrics", True)
    given.arguments["reset_metrics"] = False
    found, last = plain(*given.args, **given.kwargs), batches.last(model)
    found = found if last is None else _with_loss(found, float(last.loss.numpy()))
    if is_reset:
        model.reset_metrics()
    return found


def _with_loss(found, loss):
    if isinstance(found, dict):
        return dict(found, loss=loss)
    return [loss, *found[1:]] if isinstance(found, list) else loss


CHANGES = ((batches.LOGS, "engine.training", _tell_callers),)
