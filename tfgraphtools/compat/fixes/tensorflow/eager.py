"""Eager execution as ``tf.enable_eager_execution`` of TF 1.15 began it.

Its ``config=`` configures the context that an import has made: 1.15 made the context there; 2.x
makes one while TensorFlow is imported, and refuses to change it, although nothing has started
that would use its configuration. And its tensors, which ``==`` compares by identity, are
elements of sets and keys of dictionaries.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import adds, replaces

_ENABLE = Fix(
    "tensorflow.enable_eager_execution",
    "TF 2.0",
    "enable_eager_execution takes config=, device_policy= and execution_mode= again",
)


@replaces("tensorflow.python.framework.ops:enable_eager_execution_internal", row=_ENABLE)
def _enable(original, config=None, device_policy=None, execution_mode=None, server_def=None):
    from tensorflow.python.eager import context

    current = context._context
    if current is None or current._initialized:
        original(config, device_policy, execution_mode, server_def)
        return
    original(server_def=server_def)
    if (config, device_policy, execution_mode) != (None, None, None):
        _enable.used()
    if config is not None:
        current._config = config
    if device_policy is not None:
        current._device_policy = device_policy
    if execution_mode is not None:
        current._default_is_async = execution_mode == context.ASYNC


@adds("tensorflow.python.eager.context:Context._execution_mode", row=_ENABLE)
@property
def _execution_mode(self):
    """Returns what the message of TensorFlow's error asks for."""
    return self.execution_mode


@replaces(
    "tensorflow.python.framework.ops:_EagerTensorBase.__hash__",
    name="tensorflow.Tensor.__hash__",
    since="TF 2.x",
    why="tensors of eager execution can be in sets and keys of dictionaries, by identity",
)
def _hash(original, self):
    from tensorflow.python.framework import tensor

    if tensor.Tensor._USE_EQUALITY:  # a program may enable the tensors of TF 2.x
        return original(self)
    _hash.used()
    return id(self)


TABLES = (replacing.table("eager execution", _enable, _execution_mode, _hash, kind="patches"),)
