"""``tf.keras.callbacks``: logs of a batch in eager execution as in 1.15; see `eager_batches`."""

from tfgraphtools.compat.fixes.keras import eager_batches
from tfgraphtools.compat.fixes.keras.eager_batches import LOGS
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_CALLBACKS = "tf_keras.src.callbacks:"


@replaces(_CALLBACKS + "CallbackList._call_batch_hook_helper", row=LOGS)
def _call_batch_hook_helper(original, self, hook_name, batch, logs):
    """Gives callbacks of a model in eager execution the logs of 1.15."""
    if logs is None or "size" not in logs:  # training in graphs says it
        logs = _logs_of_batch(self.model, hook_name, batch, dict(logs or {}))
    return original(self, hook_name, batch, logs)


@replaces(_CALLBACKS + "CallbackList.set_params", row=LOGS)
def _set_params(original, self, params):
    running = eager_batches.running_methods()
    if "samples" not in params and running:
        params = dict(params, **_params_of_data(running[-1]))
    original(self, params)


@replaces(_CALLBACKS + "ProgbarLogger._batch_update_progbar", row=LOGS)
def _batch_update_progbar(original, self, batch, logs=None):
    return original(self, batch, {k: v for k, v in (logs or {}).items() if k != "batch"})


def _logs_of_batch(model, hook_name, batch, logs):
    last = eager_batches.last_batch(model)
    _, kind, _, when = hook_name.split("_")  # on_train_batch_end
    if kind == "predict" or when == "begin" or last is None:
        size = eager_batches.size_of(model, kind, batch)
    else:
        size = int(last.size.numpy())
        logs["loss"] = last.loss.numpy()
    return dict(batch=batch, size=size, **logs)


def _params_of_data(run):
    adapter, size = eager_batches.batch_size(run.model, run.kind)
    steps = adapter.get_size() if size is not None else None
    samples = steps and (steps - 1) * size + eager_batches.size_of(run.model, run.kind, steps - 1)
    return {"batch_size": size, "samples": samples, "do_validation": run.validates}


@replaces(_CALLBACKS + "ModelCheckpoint.on_train_batch_end", row=LOGS)
def _save_after_samples(original, self, batch, logs=None):
    """Makes ModelCheckpoint(save_freq=N) count samples, as 1.15; in 2.x it counts batches."""
    if not isinstance(self.save_freq, int):
        return original(self, batch, logs)
    _save_after_samples.used()
    seen = vars(self).get("_samples_since_last_saving", 0) + (logs or {}).get("size", 1)
    if seen >= self.save_freq:
        self._save_model(epoch=self._current_epoch, batch=batch, logs=logs)
        seen = 0
    self._samples_since_last_saving = seen


REPLACEMENTS = (
    _call_batch_hook_helper,
    _set_params,
    _batch_update_progbar,
    _save_after_samples,
)
