"""Configurations of sequential models: their layers alone, as in 1.15.

tf_keras lists an ``InputLayer`` first; 1.15 wrote ``batch_input_shape`` into the first layer.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_SEQUENTIAL = Row(
    "tensorflow.keras.Sequential.get_config",
    "TF 2.2",
    "get_config()['layers'] of a sequential model begins with its first layer; in 2.x with an "
    "InputLayer",
)


def _leave_out_input(sequential):
    plain = sequential.Sequential.get_config

    @functools.wraps(plain)
    def get_config(self):
        config = plain(self)
        layers = config["layers"]
        if len(layers) < 2 or layers[0]["class_name"] != "InputLayer":
            return config
        rows.used(_SEQUENTIAL)
        first, *others = layers
        shape = first["config"].get("batch_input_shape")
        others[0]["config"].setdefault("batch_input_shape", shape)
        return {**config, "layers": others}

    state.set_attribute(sequential.Sequential, "get_config", get_config)


CHANGES = ((_SEQUENTIAL, "engine.sequential", _leave_out_input),)
