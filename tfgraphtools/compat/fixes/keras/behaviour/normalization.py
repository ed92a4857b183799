"""Layer normalization by moments; the dtype and the signature of batch normalization.

tf_keras uses the fused kernel of batch normalization. One NaN in a batch makes every row NaN there.
"""

import functools
import inspect

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_LAYER = Row(
    "tensorflow.keras.layers.LayerNormalization.call",
    "TF 2.2",
    "layer normalization uses moments and batch_normalization: NaN stays in its row; in 2.x the "
    "fused kernel makes all rows NaN",
)
_SIGNATURE = Row(
    "tensorflow.keras.layers.BatchNormalization.__init__",
    "TF 2.2",
    "inspect.signature shows the parameters of batch normalization; (*args, **kwargs) in 2.x",
)
_DTYPE = Row(
    "tensorflow.keras.layers.BatchNormalization.call",
    "TF 2.4",
    "batch normalization returns the dtype of its input, even if its variables have another one",
)


def _compute_by_moments(module):
    plain = module.LayerNormalization._fused_can_be_used

    @functools.wraps(plain)
    def _fused_can_be_used(self, ndims):
        if plain(self, ndims):
            rows.used(_LAYER)
        return False

    state.set_attribute(module.LayerNormalization, "_fused_can_be_used", _fused_can_be_used)


def _keep_dtype_of_input(module):
    """Makes `compute_dtype`, to which a call casts its input, the dtype of this input."""
    layer = module.BatchNormalizationBase
    plain, plain_dtype = layer.call, layer.compute_dtype

    @functools.wraps(plain)
    def call(self, inputs, *arguments, **options):
        if not _is_of_another_dtype(self, inputs):
            return plain(self, inputs, *arguments, **options)
        rows.used(_DTYPE)
        self.__dict__["_dtype_of_input"] = inputs.dtype.base_dtype.name
        try:
            return plain(self, inputs, *arguments, **options)
        finally:
            del self.__dict__["_dtype_of_input"]

    def compute_dtype(self):
        return self.__dict__.get("_dtype_of_input") or plain_dtype.fget(self)

    state.set_attribute(layer, "call", call)
    state.set_attribute(layer, "compute_dtype", property(compute_dtype))


def _is_of_another_dtype(layer, inputs):
    from tfgraphtools._tf import v1

    if not v1.is_tensor(inputs) or not (inputs.dtype.is_floating or inputs.dtype.is_complex):
        return False
    if layer.compute_dtype != layer.variable_dtype:  # mixed precision
        return False
    if layer.fused and inputs.dtype.size > 4:  # the kernel does not take it
        return False
    return inputs.dtype.base_dtype.name != layer.compute_dtype


def _show_parameters(module):
    """Sets the signature that 1.15's class has, by which libraries collect their arguments."""
    layer = module.BatchNormalization
    signature = inspect.signature(layer.__mro__[1].__init__)
    state.set_attribute(layer.__init__, "__signature__", signature, new=True)


CHANGES = (
    (_LAYER, "layers.normalization.layer_normalization", _compute_by_moments),
    (_DTYPE, "layers.normalization.batch_normalization", _keep_dtype_of_input),
    (_SIGNATURE, "layers.normalization.batch_normalization_v1", _show_parameters),
)
