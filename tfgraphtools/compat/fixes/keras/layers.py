"""``tf.keras.layers``: methods that layers had, what their ``call`` gets, Lambda and normalization.

TF 1.15 kept the variables that the function of a Lambda layer creates by name, among its weights.
tf_keras normalizes layers with the fused kernel of batch normalization, in which one NaN of a
batch makes every row NaN.
"""

from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import adds, replaces

METHODS = Fix(
    "tensorflow.keras.layers.Layer.apply",
    "TF 2.10",
    "layer.apply(x), add_update(op, inputs), get_updates_for(inputs), get_losses_for(inputs) and "
    "_layers, of models, too",
)
_LAYER = "tf_keras.src.engine.base_layer:Layer."


@adds(_LAYER + "apply", row=METHODS)
def _apply(self, inputs, *args, **kwargs):
    _apply.used()
    return self(inputs, *args, **kwargs)


@adds(_LAYER + "get_updates_for", row=METHODS)
def _get_updates_for(self, inputs):
    _get_updates_for.used()
    return _reached(self.updates, "_unconditional_update", inputs)


@adds(_LAYER + "get_losses_for", row=METHODS)
def _get_losses_for(self, inputs):
    _get_losses_for.used()
    return _reached(self.losses, "_unconditional_loss", inputs)


def _get_layers(layer):
    """Returns the list of 1.15 that subclasses appended to: what they append is tracked."""
    _layers.used()
    return layer._self_tracked_trackables


def _set_layers(layer, value):
    _layers.used()
    layer._self_tracked_trackables = value


_layers = adds(_LAYER + "_layers", row=METHODS)(property(_get_layers, _set_layers))


def _reached(tensors, mark, inputs):
    """Returns the `tensors` that depend on `inputs`, or on no input if it is None."""
    from tf_keras.src.utils import tf_utils

    if inputs is None:
        return [each for each in tensors if getattr(each, mark, False)]
    conditional = [each for each in tensors if not getattr(each, mark, False)]
    reachable = tf_utils.get_reachable_from_inputs(inputs, conditional)
    return [each for each in conditional if each in reachable]


def _add_update(original, self, updates, inputs=None):
    """Adds an update as 1.15 did, which itself found what an update depends on."""
    if inputs is not None:
        _apply.used()
    return original(self, updates)


@replaces(
    "tf_keras.src.utils.layer_utils:CallFunctionSpec.set_arg_value",
    name="tensorflow.keras.layers.Layer.call",
    since="TF 2.2",
    why="**kwargs of a layer's call does not contain training=None unless the caller passed it",
)
def _set_arg_value(original, self, arg_name, new_value, args, kwargs, *more, **options):
    is_known = arg_name in self.arg_names or arg_name in kwargs  # if the caller passed it
    if new_value is None and not is_known:
        _set_arg_value.used()
        return args, kwargs
    return original(self, arg_name, new_value, args, kwargs, *more, **options)


@replaces(
    "tf_keras.src.layers.core.lambda_layer:Lambda.call",
    name="tensorflow.keras.layers.Lambda.call",
    since="TF 2.1",
    why="a Lambda layer whose function creates variables has them as weights, and uses them "
    "again at its next call; in 2.x that is an error",
)
def _call_lambda(original, self, inputs, mask=None, training=None):
    from tf_keras.src import backend

    from tfgraphtools._tf import v1

    arguments = dict(self.arguments)
    if self._fn_expects_mask_arg:
        arguments["mask"] = mask
    if self._fn_expects_training_arg:
        arguments["training"] = training

    def create(next_creator, **options):
        return _created(self, backend, next_creator, options)

    with v1.variable_creator_scope(create):
        return self.function(inputs, **arguments)


def _created(layer, backend, next_creator, options):
    """Returns the layer's variable of this name: a new one where it has none."""
    _call_lambda.used()
    known = layer.__dict__.setdefault("_variables_by_name", {})
    name = options.get("name")
    if name not in known:
        variable = known[name] = next_creator(**options)
        weights = layer._trainable_weights if variable.trainable else layer._non_trainable_weights
        weights.append(variable)
        backend.track_variable(variable)
    return known[name]


_DTYPE = Fix(
    "tensorflow.keras.layers.BatchNormalization.call",
    "TF 2.4",
    "batch normalization returns the dtype of its input, even if its variables have another one",
)
_NORMALIZATION = "tf_keras.src.layers.normalization."
_BATCH = _NORMALIZATION + "batch_normalization:BatchNormalizationBase."


@replaces(
    _NORMALIZATION + "layer_normalization:LayerNormalization._fused_can_be_used",
    name="tensorflow.keras.layers.LayerNormalization.call",
    since="TF 2.2",
    why="layer normalization uses moments and batch_normalization: NaN stays in its row; in 2.x "
    "the fused kernel makes all rows NaN",
)
def _fused_can_be_used(original, self, ndims):
    if original(self, ndims):
        _fused_can_be_used.used()
    return False


@replaces(_BATCH + "call", row=_DTYPE)
def _call_normalization(original, self, inputs, *arguments, **options):
    """Makes `compute_dtype`, to which a call casts its input, the dtype of this input."""
    if not _is_of_another_dtype(self, inputs):
        return original(self, inputs, *arguments, **options)
    _call_normalization.used()
    self.__dict__["_dtype_of_input"] = inputs.dtype.base_dtype.name
    try:
        return original(self, inputs, *arguments, **options)
    finally:
        del self.__dict__["_dtype_of_input"]


@replaces(_BATCH + "compute_dtype", row=_DTYPE)
def _compute_dtype(original, self):
    return self.__dict__.get("_dtype_of_input") or original(self)


def _is_of_another_dtype(layer, inputs):
    from tfgraphtools._tf import v1

    if not v1.is_tensor(inputs) or not (inputs.dtype.is_floating or inputs.dtype.is_complex):
        return False
    if layer.compute_dtype != layer.variable_dtype:  # mixed precision
        return False
    if layer.fused and inputs.dtype.size > 4:  # the kernel does not take it
        return False
    return inputs.dtype.base_dtype.name != layer.compute_dtype


REPLACEMENTS = (
    _apply,
    _get_updates_for,
    _get_losses_for,
    _layers,
    replaces(_LAYER + "add_update", row=METHODS)(_add_update),
    replaces("tf_keras.src.engine.base_layer_v1:Layer.add_update", row=METHODS)(_add_update),
    _set_arg_value,
    _call_lambda,
    _fused_can_be_used,
    _call_normalization,
    _compute_dtype,
)
