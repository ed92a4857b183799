"""What a layer of Keras gets as ``training`` when that is None.

TF 1.15 left a None that was passed (``base_layer.Layer.__call__``), and its functional models
passed on what they were called with, None too (``network.Network._run_internal_graph``). In
tf_keras such a layer gets the default of its ``call``.
"""

import functools
import threading

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_ROW = Row(
    "tensorflow.keras.Model.call",
    "TF 2.2",
    "a functional model that is called without training= passes training=None to its layers; in "
    "2.x the layers use their defaults",
)


def _hand_on(functional):
    """Makes tf_keras behave as in 1.15."""
    from tf_keras.src.utils.layer_utils import CallFunctionSpec as spec

    model, node = functional.Functional, functional.node_module.Node
    run, map_arguments = model._run_internal_graph, node.map_arguments
    get_value, get_default = spec.get_arg_value, _defaults(spec)
    now = threading.local()  # `models`: what the running models were called with; `none`: a spec

    @functools.wraps(run)
    def run_internal_graph(self, inputs, training=None, mask=None):
        models = vars(now).setdefault("models", [])
        models.append(training)
        try:
            return run(self, inputs, training=training, mask=mask)
        finally:
            models.pop()

    @functools.wraps(map_arguments)
    def arguments_of_layer(self, tensor_dict):
        args, kwargs = map_arguments(self, tensor_dict)
        call = self.layer._call_spec
        is_none = getattr(now, "models", None) and now.models[-1] is None
        if is_none and get_default(call, "training"):
            if not call.arg_was_passed("training", args, kwargs, inputs_in_args=True):
                rows.used(_ROW)
                kwargs = dict(kwargs, training=None)
        return args, kwargs

    @functools.wraps(get_value)
    def value_of_argument(self, arg_name, *arguments, **options):
        value = get_value(self, arg_name, *arguments, **options)
        if arg_name == "training":
            now.none = self if value is None else None
        return value

    @functools.wraps(get_default)
    def default_of_argument(self, arg_name):
        default = get_default(self, arg_name)
        if arg_name == "training" and default and getattr(now, "none", None) is self:
            now.none = None  # the default is asked for right after the argument, if that is None
            rows.used(_ROW)
            return None
        return default

    state.set_attribute(model, "_run_internal_graph", run_internal_graph)
    state.set_attribute(node, "map_arguments", arguments_of_layer)
    state.set_attribute(spec, "get_arg_value", value_of_argument)
    _set_defaults(spec, default_of_argument)


def _defaults(spec):
    """What gives the default of an argument; before tf_keras 2.18 it was a property."""
    if hasattr(spec, "get_context_arg_default"):
        return spec.get_context_arg_default
    plain = spec.default_training_arg.fget
    return functools.wraps(plain)(lambda self, arg_name: plain(self))


def _set_defaults(spec, function):
    if hasattr(spec, "get_context_arg_default"):
        state.set_attribute(spec, "get_context_arg_default", function)
    else:
        asked = property(lambda self: function(self, "training"))
        state.set_attribute(spec, "default_training_arg", asked)


CHANGES = ((_ROW, "engine.functional", _hand_on),)
