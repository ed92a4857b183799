"""Eager execution as ``tf.enable_eager_execution`` of TF 1.15 began it.

Its ``config=`` configures the context that an import has made: 1.15 made the context there; 2.x
makes one while TensorFlow is imported, and refuses to change it, although nothing has started
that would use its configuration. And its tensors, which ``==`` compares by identity, are
elements of sets and keys of dictionaries; those of floats count: ``range(tf.constant(2.0))``.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _configure_before_it_starts():
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    plain = ops.enable_eager_execution_internal

    @functools.wraps(plain)
    def enable(config=None, device_policy=None, execution_mode=None, server_def=None):
        made = context._context
        if made is None or made._initialized:
            plain(config, device_policy, execution_mode, server_def)
            return
        plain(server_def=server_def)
        if config is not None:
            rows.used(_ROW)
            made._config = config
        if device_policy is not None:
            rows.used(_ROW)
            made._device_policy = device_policy
        if execution_mode is not None:
            rows.used(_ROW)
            made._default_is_async = execution_mode == context.ASYNC

    state.set_attribute(ops, "enable_eager_execution_internal", enable)
    now = property(lambda self: self.execution_mode)  # what its error message asks for
    state.set_attribute(context.Context, "_execution_mode", now, new=True)


_ROW = Row(
    "tensorflow.enable_eager_execution",
    "TF 2.0",
    "enable_eager_execution takes config=, device_policy= and execution_mode= again",
    _configure_before_it_starts,
)


def _hash_by_identity():
    from tensorflow.python.framework import ops, tensor

    plain = ops._EagerTensorBase.__hash__

    @functools.wraps(plain)
    def __hash__(self):
        if tensor.Tensor._USE_EQUALITY:  # a program may enable the tensors of TF 2.x
            return plain(self)
        rows.used(_HASH)
        return id(self)

    state.set_attribute(ops._EagerTensorBase, "__hash__", __hash__)


_HASH = Row(
    "tensorflow.Tensor.__hash__",
    "TF 2.x",
    "tensors of eager execution can be in sets and keys of dictionaries, by identity",
    _hash_by_identity,
)


def _count_by_floats():
    from numpy import ndarray
    from tensorflow.python.framework import ops

    plain = ops._EagerTensorBase.__index__

    @functools.wraps(plain)
    def __index__(self):
        value = self._numpy()
        if isinstance(value, ndarray) or hasattr(value, "__index__"):
            return plain(self)
        rows.used(_INDEX)
        return int(value)

    state.set_attribute(ops._EagerTensorBase, "__index__", __index__)


_INDEX = Row(
    "tensorflow.Tensor.__index__",
    "TF 2.2",
    "range(x) and list[x] accept a float or bool tensor of eager execution",
    _count_by_floats,
)


def _name_distributions():
    """Distributions get their name from a scope, which TensorFlow's own modules skip in eager."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops.distributions import distribution

    plain = distribution.Distribution.__init__

    @functools.wraps(plain)
    def __init__(self, *arguments, **options):
        plain(self, *arguments, **options)
        if self._name is None:
            rows.used(_DISTRIBUTIONS)
            name = (self._parameters or {}).get("name") or type(self).__name__
            with ops.name_scope(name, skip_on_eager=False) as self._name:
                pass

    state.set_attribute(distribution.Distribution, "__init__", __init__)


_DISTRIBUTIONS = Row(
    "tensorflow.distributions.Distribution.name",
    "TF 2.2",
    "distributions have names in eager execution; None in 2.x",
    _name_distributions,
)

TABLE = Table("eager execution", "patches", [_ROW, _HASH, _INDEX, _DISTRIBUTIONS])
