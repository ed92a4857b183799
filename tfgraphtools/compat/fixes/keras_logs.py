"""What callbacks and callers are told of a batch in eager execution.

In 1.15 the logs of a batch hold its number, its size and its own loss; in tf_keras they hold the
mean loss of the epoch so far. The loss of each output was a mean over batches there, and so was
the loss of ``evaluate(dataset)``; in tf_keras batches count by their sizes (``training_v2.py``,
``training_utils.MetricsAggregator`` of 1.15).
"""

import functools
import inspect
import threading
import weakref

from tfgraphtools.compat.engine import state

_now = threading.local()  # `handlers`: those of the data of the methods that run, outermost first


class _Batch:
    """The loss and size of the last batch of a model, and the sum of losses since a reset.

    They are variables, because a `tf.function` sets them, but none of the model's.
    """

    def __init__(self, tf):
        self._tf = tf
        with tf.init_scope():
            self.loss, self.size, self.sum, self.steps = (
                tf.Variable(0.0, trainable=False, name="batch") for _ in range(4)
            )

    def note(self, loss, size):
        """Sets them in the running step."""
        tf = self._tf
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
    """Has a model's container of losses keep the loss and size of each batch."""
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
    """Has callbacks of a model in eager execution get the logs of 1.15."""
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
        running = getattr(_now, "running", None)
        if "samples" not in params and running:
            handler = _handlers(self.model).get(running[-1])
            params = dict(params, **_params_of_data(handler))
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
        size = _size_of_batch(_handlers(model).get(kind), batch)
    else:
        size = int(last.size.numpy())
        logs["loss"] = last.loss.numpy()
    return dict(batch=batch, size=size, **logs)


def _params_of_data(handler):
    adapter = getattr(handler, "_adapter", None)
    size = adapter.batch_size() if adapter is not None else None
    steps = adapter.get_size() if size is not None else None
    samples = None if steps is None else (steps - 1) * size + _size_of_batch(handler, steps - 1)
    return {
        "batch_size": size,
        "samples": samples,
        "do_validation": getattr(_now, "validates", False),
    }


def _size_of_batch(handler, batch):
    """The rows of a batch, where the data has a known size; otherwise 1, as in 1.15."""
    adapter = getattr(handler, "_adapter", None)
    size = adapter.batch_size() if adapter is not None else None
    if size is None:
        return 1
    steps = adapter.get_size()
    is_partial = steps is not None and batch == steps - 1 and adapter.has_partial_batch()
    return adapter.partial_batch_size() if is_partial else size


_all_handlers = weakref.WeakKeyDictionary()


def _handlers(model):
    return _all_handlers.setdefault(model, {})


def note_data(data_adapter):
    """Has the data of a running `fit`, `evaluate` or `predict` be known."""
    plain = data_adapter.get_data_handler

    @functools.wraps(plain)
    def get_data_handler(*arguments, **options):
        handler = plain(*arguments, **options)
        model, running = options.get("model"), getattr(_now, "running", None)
        if model is not None and running:
            of_model = _handlers(model)
            # What `fit` asks for after its own data is that of its validation.
            kind = "test" if running[-1] == "train" and running[-1] in of_model else running[-1]
            of_model[kind] = handler
        return handler

    state.set_attribute(data_adapter, "get_data_handler", get_data_handler)


def tell_callers(training):
    """Has `evaluate` and the methods for one batch return the losses of 1.15."""
    for name, kind in (("fit", "train"), ("evaluate", "test"), ("predict", "predict")):
        _wrap(training.Model, name, _running(kind))
    _wrap(training.Model, "evaluate", _mean_of_batches)
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
        running = vars(_now).setdefault("running", [])
        running.append(kind)
        if kind == "train":
            _handlers(model).clear()
            _now.validates = bool(options.get("validation_split")) or (
                options.get("validation_data") is not None
            )
        try:
            return plain(model, *arguments, **options)
        finally:
            running.pop()

    return run


def _mean_of_batches(plain, model, *arguments, **options):
    """Where rows are not counted, as of a dataset, each batch counts as one."""
    found = plain(model, *arguments, **options)
    handler, last = _handlers(model).get("test"), _last(model)
    if last is None or getattr(handler, "_adapter", None) is None:
        return found
    if handler._adapter.batch_size() is not None or not last.steps.numpy():
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
