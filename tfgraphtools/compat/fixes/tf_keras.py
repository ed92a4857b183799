"""Results of ``tf.keras`` that differed in 1.15, and removed methods of its models."""

import functools

from tfgraphtools.compat.engine import after_import, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import (
    keras_inputs,
    keras_logs,
    keras_metrics,
    keras_models,
    keras_names,
    keras_training,
)

_ADAGRAD = Row(
    "tensorflow.keras.optimizers.Adagrad.from_config",
    "TF 2.0",
    "compile('adagrad') starts with accumulators of 0, as in 1.15; 0.1 in 2.x",
)
_COSINE = Row(
    "tensorflow.keras.losses.cosine_proximity",
    "TF 2.0",
    "the loss cosine_proximity is the similarity itself, as in 1.15; 2.x negates it",
)
_IMAGES = Row(
    "tensorflow.keras.preprocessing.image.apply_affine_transform",
    "TF 2.9",
    "rotates, shifts, shears and zooms images as Keras-Preprocessing 1.1 did: rows come first, "
    "and the centre differs",
)
_CLASSES = Row(
    "tensorflow.keras.Sequential.predict_classes",
    "TF 2.6",
    "predict_classes and predict_proba of sequential models",
)

_METHODS = Row(
    "tensorflow.keras.layers.Layer.apply",
    "TF 2.10",
    "layer.apply(x), add_update(op, inputs), get_updates_for(inputs), get_losses_for(inputs) and "
    "_layers, of models, too; model.get_output_at(0) is the model's output, and model.inputs is "
    "[] before they are known",
)
_CALL = Row(
    "tensorflow.keras.layers.Layer.call",
    "TF 2.2",
    "**kwargs of a layer's call does not contain training=None unless the caller passed it",
)
_TRAINING = Row(
    "tensorflow.keras.Model.call",
    "TF 2.2",
    "a functional model that is called without training= passes training=None to its layers; in "
    "2.x the layers use their defaults",
)
_INPUTS = Row(
    "tensorflow.keras.Model.input_spec",
    "TF 2.2",
    "a functional model accepts inputs whose shapes and keys differ from its Input layers; 2.x "
    "refuses them",
)
_COPY = Row(
    "tensorflow.keras.Model.__copy__",
    "TF 2.10",
    "copy.copy(model) shares the layers and weights of the model; 2.x copies the weights too",
)
_DISTRIBUTE = Row(
    "tensorflow.keras.Model.compile",
    "TF 2.2",
    "compile(distribute=) accepts a strategy of one replica in eager execution; 2.x refuses it",
)
_QUIET = Row(
    "tensorflow.keras.Model.predict",
    "TF 2.9",
    "predict prints no progress bar by default; in eager execution 2.x prints one",
)

_METRICS = Row(
    "tensorflow.keras.metrics",
    "TF 2.0",
    "metrics=['accuracy', 'mae'] are acc and mean_absolute_error in logs and history with eager "
    "execution too, as in graphs; a name that is taken gets a number",
)
_LOGS = Row(
    "tensorflow.keras.callbacks.Callback",
    "TF 2.2",
    "with eager execution the logs of a batch hold batch, size and the loss of this batch; in 2.x "
    "the mean loss of the epoch. Losses of outputs and of evaluate(dataset) are means over "
    "batches, ModelCheckpoint(save_freq=N) counts samples, and TensorBoard is the callback of 1.x",
)

TABLES = (
    Table(
        "tf.keras where 1.15 computed something else",
        "listed",
        [
            _ADAGRAD,
            _COSINE,
            _IMAGES,
            _CLASSES,
            _METHODS,
            _CALL,
            _TRAINING,
            _INPUTS,
            _COPY,
            _DISTRIBUTE,
            _QUIET,
            _METRICS,
            _LOGS,
        ],
    ),
    keras_names.TABLE,
)


def install(options):
    """Makes tf_keras compute as 1.15, once its modules are loaded."""
    for row, module, change in (
        (_ADAGRAD, "optimizers.legacy.adagrad", _begin_adagrad_with_zero),
        (_COSINE, "losses", _keep_the_sign),
        (_COSINE, "metrics", _name_the_metric),
        (_IMAGES, "preprocessing.image", _move_images_as_before),
        (_CLASSES, "engine.sequential", _predict_classes),
        (_METHODS, "engine.base_layer", _methods_of_layers),
        (_METHODS, "engine.base_layer", _telling(_METHODS, keras_models.take_inputs_of_updates)),
        (_METHODS, "engine.base_layer_v1", _telling(_METHODS, keras_models.take_inputs_of_updates)),
        (_METHODS, "engine.functional", _telling(_METHODS, keras_models.begin_with_own_node)),
        (_METHODS, "engine.training", _telling(_METHODS, keras_models.know_nothing_before)),
        (_CALL, "utils.layer_utils", _pass_what_is_known),
        (_TRAINING, "engine.functional", _telling(_TRAINING, keras_training.hand_on)),
        (_INPUTS, "engine.functional", _telling(_INPUTS, keras_inputs.ask_as_layers)),
        (_COPY, "engine.training", _share_what_is_copied),
        (_DISTRIBUTE, "engine.training", _compile_for_one_replica),
        (_QUIET, "engine.training", _predict_quietly),
        (_LOGS, "callbacks_v1", _telling(_LOGS, keras_logs.stay_of_v1)),
        (_METRICS, "engine.compile_utils", _telling(_METRICS, keras_metrics.name_as_before)),
        (_LOGS, "engine.compile_utils", _telling(_LOGS, keras_logs.note_losses)),
        (_LOGS, "engine.data_adapter", keras_logs.note_data),
        (_LOGS, "engine.training", keras_logs.tell_callers),
        (_LOGS, "callbacks", keras_logs.tell_callbacks),
        (_LOGS, "callbacks", _telling(_LOGS, keras_logs.save_after_samples)),
        *keras_names.CHANGES,
    ):
        if not rows.is_off(row.name):
            after_import.call("tf_keras.src." + module, change)


def _telling(row, change):
    """A change that says by a call where it makes a difference."""
    return lambda module: change(module, lambda: rows.used(row))


def _begin_adagrad_with_zero(module):
    plain = module.Adagrad.from_config.__func__

    @classmethod
    @functools.wraps(plain)
    def from_config(cls, config, custom_objects=None):
        if "initial_accumulator_value" not in config:
            rows.used(_ADAGRAD)
            config = dict(config, initial_accumulator_value=0.0)
        return plain(cls, config, custom_objects)

    state.set_attribute(module.Adagrad, "from_config", from_config)


def _keep_the_sign(module):
    plain = module.cosine_similarity

    @functools.wraps(plain)
    def cosine_similarity(y_true, y_pred, axis=-1):
        rows.used(_COSINE)
        return -plain(y_true, y_pred, axis)

    for name, value in list(vars(module).items()):
        if value is plain:
            state.set_attribute(module, name, cosine_similarity)
    state.set_attribute(module, "cosine_proximity", cosine_similarity)  # found by compile()


def _name_the_metric(module):
    plain = module.cosine_similarity

    def cosine_proximity(y_true, y_pred, axis=-1):
        return plain(y_true, y_pred, axis)

    state.set_attribute(module, "cosine_proximity", cosine_proximity)


def _move_images_as_before(module):
    def apply_affine_transform(
        x, theta=0, tx=0, ty=0, shear=0, zx=1, zy=1, row_axis=0, col_axis=1, channel_axis=2,
        fill_mode="nearest", cval=0.0, order=1
    ):  # fmt: skip
        import numpy as np

        if (theta, tx, ty, shear, zx, zy) == (0, 0, 0, 0, 1, 1):
            return x
        rows.used(_IMAGES)
        turn, lean = np.deg2rad([theta, shear])
        turned = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        leaning = [[1, -np.sin(lean)], [0, np.cos(lean)]]
        matrix = np.dot(turned, leaning) @ np.diag([zx, zy])
        centre = np.array([x.shape[row_axis], x.shape[col_axis]]) / 2 + 0.5
        offset = np.dot(turned, [tx, ty]) + centre - matrix @ centre
        moved = [
            module.ndimage.affine_transform(
                channel, matrix, offset, order=order, mode=fill_mode, cval=cval
            )
            for channel in np.rollaxis(x, channel_axis, 0)
        ]
        return np.rollaxis(np.stack(moved, axis=0), 0, channel_axis + 1)

    state.set_attribute(module, "apply_affine_transform", apply_affine_transform)


def _predict_classes(module):
    def predict_proba(self, x, batch_size=32, verbose=0):
        rows.used(_CLASSES)
        return self.predict(x, batch_size, verbose)

    def predict_classes(self, x, batch_size=32, verbose=0):
        rows.used(_CLASSES)
        found = self.predict(x, batch_size=batch_size, verbose=verbose)
        return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")

    for function in (predict_proba, predict_classes):
        state.set_attribute(module.Sequential, function.__name__, function)


def _share_what_is_copied(module):
    def __copy__(self):
        rows.used(_COPY)
        new = object.__new__(type(self))
        vars(new).update(vars(self))
        return new

    state.set_attribute(module.Model, "__copy__", __copy__)


def _methods_of_layers(module):
    def apply(self, inputs, *args, **kwargs):
        rows.used(_METHODS)
        return self(inputs, *args, **kwargs)

    def get_updates_for(self, inputs):
        rows.used(_METHODS)
        return _reached(module, self.updates, "_unconditional_update", inputs)

    def get_losses_for(self, inputs):
        rows.used(_METHODS)
        return _reached(module, self.losses, "_unconditional_loss", inputs)

    for function in (apply, get_updates_for, get_losses_for):
        state.set_attribute(module.Layer, function.__name__, function)
    state.set_attribute(module.Layer, "_layers", property(_get_layers, _set_layers))


def _get_layers(layer):
    """The list of 1.15 that subclasses appended to: what they append is tracked."""
    rows.used(_METHODS)
    return layer._self_tracked_trackables


def _set_layers(layer, value):
    rows.used(_METHODS)
    layer._self_tracked_trackables = value


def _reached(module, found, mark, inputs):
    """Those of `found` that depend on `inputs`; if it is None, those that depend on no input."""
    if inputs is None:
        return [each for each in found if getattr(each, mark, False)]
    conditional = [each for each in found if not getattr(each, mark, False)]
    reachable = module.tf_utils.get_reachable_from_inputs(inputs, conditional)
    return [each for each in conditional if each in reachable]


def _pass_what_is_known(module):
    plain = module.CallFunctionSpec.set_arg_value

    @functools.wraps(plain)
    def set_arg_value(self, arg_name, new_value, args, kwargs, *more, **options):
        is_known = arg_name in self.arg_names or arg_name in kwargs  # if the caller passed it
        if new_value is None and not is_known:
            rows.used(_CALL)
            return args, kwargs
        return plain(self, arg_name, new_value, args, kwargs, *more, **options)

    state.set_attribute(module.CallFunctionSpec, "set_arg_value", set_arg_value)


def _compile_for_one_replica(module):
    plain = module.Model._validate_compile

    @functools.wraps(plain)
    def _validate_compile(self, optimizer, metrics, **options):
        if getattr(options.get("distribute"), "num_replicas_in_sync", 0) == 1:
            rows.used(_DISTRIBUTE)
            del options["distribute"]  # one replica computes what the model itself does
        return plain(self, optimizer, metrics, **options)

    state.set_attribute(module.Model, "_validate_compile", _validate_compile)


def _predict_quietly(module):
    plain = module.Model.predict

    @functools.wraps(plain)
    def predict(self, *arguments, **options):
        if "verbose" not in options and len(arguments) < 3:  # x, batch_size, verbose
            rows.used(_QUIET)
            options["verbose"] = 0
        return plain(self, *arguments, **options)

    state.set_attribute(module.Model, "predict", predict)
