"""What callbacks and callers are told of a batch in eager execution.

In 1.15 the logs of a batch hold its number, its size and its own loss; in tf_keras they hold the
mean loss of the epoch so far. The loss of each output was a mean over batches there, and so was
the loss of ``evaluate(dataset)``; in tf_keras batches count by their sizes (``training_v2.py``,
``training_utils.MetricsAggregator`` of 1.15). Callbacks that count samples are told of them again.
"""

import functools
import inspect
import threading

from tfgraphtools.compat.engine import state

_now = threading.local()  # `running`: a _Run for each method that runs, outermost first


class _Run:
    """A running `fit`, `evaluate` or `predict`; it forgets the data when it ends."""

    def __init__(self, kind, model, validates):
        self.kind, self.model, self.validates = kind, model, validates
        self.handlers = {}  # "train", "test" or "predict" -> the handler of its data

    def note(self, handler):
        """What `fit` asks for after its own data is that of its validation."""
        is_validation = self.kind == "train" and "train" in self.handlers
        self.handlers["test" if is_validation else self.kind] = handler


def _running_methods():
    return vars(_now).setdefault("running", [])


def _batch_size(model, kind):
    """(adapter, rows of a batch) of a running method's data; None for what is not known."""
    for run in reversed(_running_methods()):
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


def note_losses(compile_utils, used):
    """Makes a model's container of losses keep the loss and size of each batch."""
    container = compile_utils.LossesContainer
    create = container._create_metrics

    @functools.wraps(create)
    def _create_metrics(self):
        from tfgraphtools._tf import tf

        create(self)
        if tf.distribute.get_strategy().num_replicas_in_sync > 1:
            return  # a batch is in parts there
        used()
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

    state.set_attribute(container, "_create_metrics", _create_metrics)


def _without_weights(update):
    return lambda value, sample_weight=None: update(value)


def _last(model):
    return getattr(getattr(model, "compiled_loss", None), "_last_batch", None)


def tell_callbacks(callbacks):
    """Makes callbacks of a model in eager execution get the logs of 1.15."""
    plain = callbacks.CallbackList._call_batch_hook_helper

    @functools.wraps(plain)
    def _call_batch_hook_helper(self, hook_name, batch, logs):
        if logs is None or "size" not in logs:  # training in graphs says it
            logs = _logs_of_batch(self.model, hook_name, batch, dict(logs or {}))
        return plain(self, hook_name, batch, logs)

    state.set_attribute(callbacks.CallbackList, "_call_batch_hook_helper", _call_batch_hook_helper)
    set_params = callbacks.CallbackList.set_params

    @functools.wraps(set_params)
    def set_params_of_data(self, params):
        running = _running_methods()
        if "samples" not in params and running:
            params = dict(params, **_params_of_data(running[-1]))
        set_params(self, params)

    state.set_attribute(callbacks.CallbackList, "set_params", set_params_of_data)
    progress = callbacks.ProgbarLogger._batch_update_progbar

    @functools.wraps(progress)
    def _batch_update_progbar(self, batch, logs=None):
        return progress(self, batch, {k: v for k, v in (logs or {}).items() if k != "batch"})

    state.set_attribute(callbacks.ProgbarLogger, "_batch_update_progbar", _batch_update_progbar)


def _logs_of_batch(model, hook_name, batch, logs):
    last = _last(model)
    _, kind, _, when = hook_name.split("_")  # on_train_batch_end
    if kind == "predict" or when == "begin" or last is None:
        size = _size_of_batch(model, kind, batch)
    else:
        size = int(last.size.numpy())
        logs["loss"] = last.loss.numpy()
    return dict(batch=batch, size=size, **logs)


def _params_of_data(run):
    adapter, size = _batch_size(run.model, run.kind)
    steps = adapter.get_size() if size is not None else None
    samples = steps and (steps - 1) * size + _size_of_batch(run.model, run.kind, steps - 1)
    return {"batch_size": size, "samples": samples, "do_validation": run.validates}


def _size_of_batch(model, kind, batch):
    """The rows of a batch, where the data has a known size; otherwise 1, as in 1.15."""
    adapter, size = _batch_size(model, kind)
    if size is None:
        return 1
    is_partial = adapter.has_partial_batch() and batch + 1 == adapter.get_size()
    return adapter.partial_batch_size() if is_partial else size


def note_data(data_adapter):
    """Records the data of a running `fit`, `evaluate` or `predict`."""
    plain = data_adapter.get_data_handler

    @functools.wraps(plain)
    def get_data_handler(*arguments, **options):
        handler, running = plain(*arguments, **options), _running_methods()
        if running and running[-1].model is options.get("model"):
            running[-1].note(handler)
        return handler

    state.set_attribute(data_adapter, "get_data_handler", get_data_handler)


def tell_callers(training):
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
        running = _running_methods()
        running.append(_Run(kind, model, bool(validates)))
        try:
            return plain(model, *arguments, **options)
        finally:
            running.pop()

    return run


def _mean_of_batches(plain, model, *arguments, **options):
    """Where rows are not counted, as of a dataset, each batch counts as one."""
    found = plain(model, *arguments, **options)
    (adapter, size), last = _batch_size(model, "test"), _last(model)
    if last is None or adapter is None or size is not None or not last.steps.numpy():
        return found
    return _with_loss(found, float(last.sum.numpy() / last.steps.numpy()))


def _loss_of_batch(plain, model, *arguments, **options):
    """Its own loss; metrics are reset after the batch, where tf_keras does it before."""
    given = inspect.signature(plain).bind(model, *arguments, **options)
    is_reset = given.arguments.get("reset_metrics", True)
    given.arguments["reset_metrics"] = False
    found, last = plain(*given.args, **given.kwargs), _last(model)
    found = found if last is None else _with_loss(found, float(last.loss.numpy()))
    if is_reset:
        model.reset_metrics()
    return found


def _with_loss(found, loss):
    if isinstance(found, dict):
        return dict(found, loss=loss)
    return [loss, *found[1:]] if isinstance(found, list) else loss


def save_after_samples(module, used):
    """Makes ModelCheckpoint(save_freq=N) count samples, as 1.15; in 2.x it counts batches."""
    plain = module.ModelCheckpoint.on_train_batch_end

    @functools.wraps(plain)
    def on_train_batch_end(self, batch, logs=None):
        if not isinstance(self.save_freq, int):
            return plain(self, batch, logs)
        used()
        seen = vars(self).get("_samples_since_last_saving", 0) + (logs or {}).get("size", 1)
        if seen >= self.save_freq:
            self._save_model(epoch=self._current_epoch, batch=batch, logs=logs)
            seen = 0
        self._samples_since_last_saving = seen

    state.set_attribute(module.ModelCheckpoint, "on_train_batch_end", on_train_batch_end)


def stay_of_v1(module, used):
    """Prevents the replacement of 1.x's TensorBoard() by that of 2.x in eager execution."""

    def __new__(cls, *arguments, **options):
        used()
        return object.__new__(cls)

    state.set_attribute(module.TensorBoard, "__new__", __new__)
    state.set_attribute(module.TensorBoard, "_should_trace", True)  # it counts every batch
    plain = module.TensorBoard._write_custom_summaries

    @functools.wraps(plain)
    def _write_custom_summaries(self, step, logs=None):
        from tensorflow.python.ops import summary_ops_v2

        from tfgraphtools._tf import tf

        if not tf.executing_eagerly():
            return plain(self, step, logs)
        # What tf.summary.scalar writes needs TensorBoard's package, and has another form.
        with self.writer.as_default(), summary_ops_v2.record_if(True):
            for name, value in (logs or {}).items():
                value = value.item() if isinstance(value, module.np.ndarray) else value
                summary_ops_v2.scalar(name, value, step=step)
        self.writer.flush()

    state.set_attribute(module.TensorBoard, "_write_custom_summaries", _write_custom_summaries)
