"""What callbacks of Keras are told of a batch in eager execution, as in 1.15: see `batches`."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.fixes.keras.behaviour import batches
from tfgraphtools.compat.fixes.keras.behaviour.batches import LOGS


def _tell_callbacks(callbacks):
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
        running = batches.running_methods()
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
    last = batches.last(model)
    _, kind, _, when = hook_name.split("_")  # on_train_batch_end
    if kind == "predict" or when == "begin" or last is None:
        size = batches.size_of(model, kind, batch)
    else:
        size = int(last.size.numpy())
        logs["loss"] = last.loss.numpy()
    return dict(batch=batch, size=size, **logs)


def _params_of_data(run):
    adapter, size = batches.batch_size(run.model, run.kind)
    steps = adapter.get_size() if size is not None else None
    samples = steps and (steps - 1) * size + batches.size_of(run.model, run.kind, steps - 1)
    return {"batch_size": size, "samples": samples, "do_validation": run.validates}


def _save_after_samples(module):
    """Makes ModelCheckpoint(save_freq=N) count samples, as 1.15; in 2.x it counts batches."""
    plain = module.ModelCheckpoint.on_train_batch_end

    @functools.wraps(plain)
    def on_train_batch_end(self, batch, logs=None):
        if not isinstance(self.save_freq, int):
            return plain(self, batch, logs)
        rows.used(LOGS)
        seen = vars(self).get("_samples_since_last_saving", 0) + (logs or {}).get("size", 1)
        if seen >= self.save_freq:
            self._save_model(epoch=self._current_epoch, batch=batch, logs=logs)
            seen = 0
        self._samples_since_last_saving = seen

    state.set_attribute(module.ModelCheckpoint, "on_train_batch_end", on_train_batch_end)


def _stay_of_v1(module):
    """Prevents the replacement of 1.x's TensorBoard() by that of 2.x in eager execution."""

    def __new__(cls, *arguments, **options):
        rows.used(LOGS)
        return object.__new__(cls)

    state.set_attribute(module.TensorBoard, "__new__", __new__)
    # It counts every batch.
    state.set_attribute(module.TensorBoard, "_should_trace", True, new=True)
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


CHANGES = (
    (LOGS, "callbacks_v1", _stay_of_v1),
    (LOGS, "callbacks", _tell_callbacks),
    (LOGS, "callbacks", _save_after_samples),
)
