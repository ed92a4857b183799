"""Methods that layers of Keras had, and what their ``call`` gets."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

METHODS = Row(
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


def _methods_of_layers(module):
    def apply(self, inputs, *args, **kwargs):
        rows.used(METHODS)
        return self(inputs, *args, **kwargs)

    def get_updates_for(self, inputs):
        rows.used(METHODS)
        return _reached(module, self.updates, "_unconditional_update", inputs)

    def get_losses_for(self, inputs):
        rows.used(METHODS)
        return _reached(module, self.losses, "_unconditional_loss", inputs)

    for function in (apply, get_updates_for, get_losses_for):
        state.set_attribute(module.Layer, function.__name__, function, new=True)
    state.set_attribute(module.Layer, "_layers", property(_get_layers, _set_layers), new=True)


def _get_layers(layer):
    """The list of 1.15 that subclasses appended to: what they append is tracked."""
    rows.used(METHODS)
    return layer._self_tracked_trackables


def _set_layers(layer, value):
    rows.used(METHODS)
    layer._self_tracked_trackables = value


def _reached(module, found, mark, inputs):
    """Those of `found` that depend on `inputs`; if it is None, those that depend on no input."""
    if inputs is None:
        return [each for each in found if getattr(each, mark, False)]
    conditional = [each for each in found if not getattr(each, mark, False)]
    reachable = module.tf_utils.get_reachable_from_inputs(inputs, conditional)
    return [each for each in conditional if each in reachable]


def _take_inputs_of_updates(module):
    """``layer.add_update(update, inputs)``: 1.15 itself found what an update depends on."""
    plain = module.Layer.add_update

    def add_update(self, updates, inputs=None):
        if inputs is not None:
            rows.used(METHODS)
        return plain(self, updates)

    state.set_attribute(module.Layer, "add_update", add_update)


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


CHANGES = (
    (METHODS, "engine.base_layer", _methods_of_layers),
    (METHODS, "engine.base_layer", _take_inputs_of_updates),
    (METHODS, "engine.base_layer_v1", _take_inputs_of_updates),
    (_CALL, "utils.layer_utils", _pass_what_is_known),
)
