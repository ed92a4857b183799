"""What optimizers of Keras begin with."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_ADAGRAD = Row(
    "tensorflow.keras.optimizers.Adagrad.from_config",
    "TF 2.0",
    "compile('adagrad') starts with accumulators of 0, as in 1.15; 0.1 in 2.x",
)


def _begin_adagrad_with_zero(module):
    plain = module.Adagrad.from_config.__func__

    @classmethod
    @functools.wraps(plain)
    def from_config(cls, config, custom_objects=None):
        if "initial_accumulator_value" not in config:
            rows.used(_ADAGRAD)
            config = dict(config, initial_accumulator_value=0.0)
        return plain(cls, config, custom_objects)

    state.set_attribute(module.Adagrad, "from_config", from_config)


CHANGES = ((_ADAGRAD, "optimizers.legacy.adagrad", _begin_adagrad_with_zero),)
