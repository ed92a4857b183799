"""Layer normalization by moments, and what the signature of batch normalization shows.

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


def _compute_by_moments(module):
    plain = module.LayerNormalization._fused_can_be_used

    @functools.wraps(plain)
    def _fused_can_be_used(self, ndims):
        if plain(self, ndims):
            rows.used(_LAYER)
        return False

    state.set_attribute(module.LayerNormalization, "_fused_can_be_used", _fused_can_be_used)


def _show_parameters(module):
    """Sets the signature that 1.15's class has, by which libraries collect their arguments."""
    layer = module.BatchNormalization
    signature = inspect.signature(layer.__mro__[1].__init__)
    state.set_attribute(layer.__init__, "__signature__", signature)


CHANGES = (
    (_LAYER, "layers.normalization.layer_normalization", _compute_by_moments),
    (_SIGNATURE, "layers.normalization.batch_normalization_v1", _show_parameters),
)
