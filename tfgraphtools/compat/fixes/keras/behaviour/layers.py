"""Methods that layers of Keras had, and what their ``call`` gets."""

from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.ownership import adds, replaces

METHODS = Row(
    "tensorflow.keras.layers.Layer.apply",
    "TF 2.10",
    "layer.apply(x), add_update(op, inputs), get_updates_for(inputs), get_losses_for(inputs) and "
    "_layers, of models, too; model.get_output_at(0) is the model's output, and model.inputs is "
    "[] before they are known",
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


REPLACEMENTS = (
    _apply,
    _get_updates_for,
    _get_losses_for,
    _layers,
    replaces(_LAYER + "add_update", row=METHODS)(_add_update),
    replaces("tf_keras.src.engine.base_layer_v1:Layer.add_update", row=METHODS)(_add_update),
    _set_arg_value,
)
