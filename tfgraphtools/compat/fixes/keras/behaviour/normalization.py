"""Layer normalization: moments and ``batch_normalization``, as in 1.15.

tf_keras uses the fused kernel of batch normalization. One NaN in a batch makes every row NaN there.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_LAYER = Row(
    "tensorflow.keras.layers.LayerNormalization.call",
    "TF 2.2",
    "layer normalization uses moments and batch_normalization: NaN stays in its row; in 2.x the "
    "fused kernel makes all rows NaN",
)


def _compute_by_moments(module):
    plain = module.LayerNormalization._fused_can_be_used

    @functools.wraps(plain)
    def _fused_can_be_used(self, ndims):
        if plain(self, ndims):
            rows.used(_LAYER)
        return False

    state.set_attribute(module.LayerNormalization, "_fused_can_be_used", _fused_can_be_used)


CHANGES = ((_LAYER, "layers.normalization.layer_normalization", _compute_by_moments),)
