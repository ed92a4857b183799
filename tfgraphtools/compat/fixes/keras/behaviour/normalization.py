"""Layer normalization by moments; the dtype of batch normalization.

tf_keras uses the fused kernel of batch normalization. One NaN in a batch makes every row NaN there.
"""

from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_DTYPE = Row(
    "tensorflow.keras.layers.BatchNormalization.call",
    "TF 2.4",
    "batch normalization returns the dtype of its input, even if its variables have another one",
)
_LAYERS = "tf_keras.src.layers.normalization."
_BATCH = _LAYERS + "batch_normalization:BatchNormalizationBase."


@replaces(
    _LAYERS + "layer_normalization:LayerNormalization._fused_can_be_used",
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
def _call(original, self, inputs, *arguments, **options):
    """Makes `compute_dtype`, to which a call casts its input, the dtype of this input."""
    if not _is_of_another_dtype(self, inputs):
        return original(self, inputs, *arguments, **options)
    _call.used()
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


REPLACEMENTS = (_fused_can_be_used, _call, _compute_dtype)
