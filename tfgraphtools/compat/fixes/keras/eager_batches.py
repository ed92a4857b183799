"""Batches of a running ``fit``, ``evaluate`` or ``predict`` in eager code, and their losses.

In 1.15 the logs of a batch hold its number, its size and its own loss; in tf_keras they hold the
mean loss of the epoch so far. The loss of each output was a mean over batches there, and so was
the loss of ``evaluate(dataset)``; in tf_keras batches count by their sizes. Methods for one batch
return its own loss (``training_v2.py``, ``training_utils.MetricsAggregator`` of 1.15).
"""

import inspect
import threading

from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

LOGS = Fix(
    "tensorflow.keras.callbacks.Callback",
    "TF 2.2",
    "with eager execution the logs of a batch hold batch, size and the loss of this batch; in 2.x "
    "the mean loss of the epoch. Losses of outputs and of evaluate(dataset) are means over "
    "batches, and ModelCheckpoint(save_freq=N) counts samples",
)

_now = threading.local()  # `running`: a Run for each method that runs, outermost first


class Run:
    """A running `fit`, `evaluate` or `predict`; it forgets the data when it ends."""

    def __init__(self, kind, model, validates):
        self.kind, self.model, self.validates = kind, model, validates
        self.handlers = {}  # "train", "test" or "predict" -> the handler of its data

    def note(self, handler):
        """Notes a handler of data; after its own data, `fit` asks for that of its validation."""
        is_validation = self.kind == "train" and "train" in self.handlers
        self.handlers["test" if is_validation else self.kind] = handler


def running_methods():
    """Returns the `Run`s of this thread, outermost first."""
    return vars(_now).setdefault("running", [])


def batch_size(model, kind):
    """Returns (adapter, rows of a batch) of a running method's data; None for what is not known."""
    for run in reversed(running_methods()):
        if run.model is model and kind in run.handlers:
            adapter = getattr(run.handlers[kind], "_adapter", None)
            return adapter, None if adapter is None else adapter.batch_size()
    return None, None


class _Batch:
    """The loss and size of the last batch of a model, and the sum of losses since a reset.

    They are variables, because a `tf.function` sets them, but none of the model's.
    """

    def __init__(self, tf):
        with tf.init_scope():
            self.loss, self.size, self.sum, self.steps = (
                tf.Variable(0.0, trainable=False, name="batch") for _ in range(4)
            )

    def note(self, loss, size):
        """Sets them in the running step."""
        from tfgraphtools._tf import tf

        loss = tf.cast(loss, tf.float32)
        self.loss.assign(loss)
        self.size.assign(tf.cast(1 if size is None else size, tf.float32))
        self.sum.assign_add(loss)
        self.steps.assign_add(1.0)

    def forget(self):
        """Starts another mean."""
        self.sum.assign(0.0)
        self.steps.assign(0.0)


@replaces("tf_keras.src.engine.compile_utils:LossesContainer._create_metrics", row=LOGS)
def _create_metrics(original, self):
    """Makes a model's container of losses keep the loss and size of each batch."""
    from tfgraphtools._tf import tf

    original(self)
    if tf.distribute.get_strategy().num_replicas_in_sync > 1:
        return  # a batch is in parts there
    _create_metrics.used()
    mean, batch = self._total_loss_mean, _Batch(tf)
    self._last_batch = batch
    update, reset = mean.update_state, mean.reset_state

    def update_and_note(value, sample_weight=None):
        batch.note(value, sample_weight)
        return update(value, sample_weight=sample_weight)

    def reset_and_forget():
        batch.forget()
        reset()

    mean.update_state, mean.reset_state = update_and_note, reset_and_forget
    for metric in self._per_output_metrics:
        if metric is not None:
            metric.update_state = _without_weights(metric.update_state)


def _without_weights(update):
    return lambda value, sample_weight=None: update(value)


def last_batch(model):
    """Returns the last batch of a model, or None."""
    return getattr(getattr(model, "compiled_loss", None), "_last_batch", None)


def size_of(model, kind, batch):
    """Returns the rows of a batch, where the data has a known size; otherwise 1, as in 1.15."""
    adapter, size = batch_size(model, kind)
    if size is None:
        return 1
    is_partial = adapter.has_partial_batch() and batch + 1 == adapter.get_size()
    return adapter.partial_batch_size() if is_partial else size


@replaces("tf_keras.src.engine.data_adapter:get_data_handler", row=LOGS)
def _get_data_handler(original, *arguments, **options):
    """Records the data of a running `fit`, `evaluate` or `predict`."""
    handler, running = original(*arguments, **options), running_methods()
    if running and running[-1].model is options.get("model"):
        running[-1].note(handler)
    return handler


def _running(kind):
    def run(original, model, *arguments, **options):
        validates = options.get("validation_data") is not None or options.get("validation_split")
        running = running_methods()
        running.append(Run(kind, model, bool(validates)))
        try:
            return original(model, *arguments, **options)
        finally:
            running.pop()

    return run


def _mean_of_batches(original, model, *arguments, **options):
    """Counts each batch as one where rows are not counted, as of a dataset."""
    results = original(model, *arguments, **options)
    (adapter, size), last = batch_size(model, "test"), last_batch(model)
    if last is None or adapter is None or size is not None or not last.steps.numpy():
        return results
    return _with_loss(results, float(last.sum.numpy() / last.steps.numpy()))


def _loss_of_batch(original, model, *arguments, **options):
    """Returns the batch's own loss; metrics are reset after it, where tf_keras does it before."""
    bound = inspect.signature(original).bind(model, *arguments, **options)
    is_reset = bound.arguments.get("reset_metrics", True)
    bound.arguments["reset_metrics"] = False
    results, last = original(*bound.args, **bound.kwargs), last_batch(model)
    results = results if last is None else _with_loss(results, float(last.loss.numpy()))
    if is_reset:
        model.reset_metrics()
    return results


def _with_loss(results, loss):
    if isinstance(results, dict):
        return dict(results, loss=loss)
    return [loss, *results[1:]] if isinstance(results, list) else loss


def _of_model(name, function):
    return replaces("tf_keras.src.engine.training:Model." + name, row=LOGS)(function)


REPLACEMENTS = (
    _create_metrics,
    _get_data_handler,
    _of_model("evaluate", _mean_of_batches),
    _of_model("fit", _running("train")),
    _of_model("evaluate", _running("test")),
    _of_model("predict", _running("predict")),
    _of_model("train_on_batch", _loss_of_batch),
    _of_model("test_on_batch", _loss_of_batch),
)
