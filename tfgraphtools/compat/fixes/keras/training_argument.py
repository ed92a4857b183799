"""The value of ``training`` that a layer of Keras gets when it is None.

TF 1.15 left a None that was passed (``base_layer.Layer.__call__``), and its functional models
passed on what they were called with, None too (``network.Network._run_internal_graph``). In
tf_keras such a layer gets the default of its ``call``.
"""

import inspect
import threading

from tfgraphtools.compat import tf_version
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_ROW = Fix(
    "tensorflow.keras.Model.call",
    "TF 2.2",
    "a functional model that is called without training= passes training=None to its layers; in "
    "2.x the layers use their defaults",
)
_SPEC = "tf_keras.src.utils.layer_utils:CallFunctionSpec."

#: `models`: what the running models were called with; `none`: a spec.
_now = threading.local()


@replaces("tf_keras.src.engine.functional:Functional._run_internal_graph", row=_ROW)
def _run_internal_graph(original, self, inputs, training=None, mask=None):
    models = vars(_now).setdefault("models", [])
    models.append(training)
    try:
        return original(self, inputs, training=training, mask=mask)
    finally:
        models.pop()


@replaces("tf_keras.src.engine.node:Node.map_arguments", row=_ROW)
def _map_arguments(original, self, tensor_dict):
    args, kwargs = original(self, tensor_dict)
    call = self.layer._call_spec
    is_none = getattr(_now, "models", None) and _now.models[-1] is None
    if is_none and _default(call):
        if not call.arg_was_passed("training", args, kwargs, inputs_in_args=True):
            _map_arguments.used()
            kwargs = dict(kwargs, training=None)
    return args, kwargs


def _default(spec):
    """Returns tf_keras's own default of the argument ``training``."""
    held = inspect.getattr_static(spec, _DEFAULT)
    function = inspect.unwrap(held.fget if _IS_PROPERTY else held)
    return function(spec) if _IS_PROPERTY else function(spec, "training")


@replaces(_SPEC + "get_arg_value", row=_ROW)
def _get_arg_value(original, self, arg_name, *arguments, **options):
    value = original(self, arg_name, *arguments, **options)
    if arg_name == "training":
        _now.none = self if value is None else None
    return value


def _default_of_argument(original, self, arg_name="training"):
    default = original(self) if _IS_PROPERTY else original(self, arg_name)
    if arg_name == "training" and default and getattr(_now, "none", None) is self:
        _now.none = None  # the default is asked for right after the argument, if that is None
        _map_arguments.used()
        return None
    return default


#: Whether the default is a property. (The version of tf_keras is that of its TensorFlow.)
_IS_PROPERTY = (tf_version.tensorflow_version() or (2, 18)) < (2, 18)
_DEFAULT = "default_training_arg" if _IS_PROPERTY else "get_context_arg_default"

REPLACEMENTS = (
    _run_internal_graph,
    _map_arguments,
    _get_arg_value,
    replaces(_SPEC + _DEFAULT, row=_ROW)(_default_of_argument),
)
