"""Configurations of sequential models: their layers alone, as in 1.15.

tf_keras lists an ``InputLayer`` first; 1.15 wrote ``batch_input_shape`` into the first layer.
"""

from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


@replaces(
    "tf_keras.src.engine.sequential:Sequential.get_config",
    name="tensorflow.keras.Sequential.get_config",
    since="TF 2.2",
    why="get_config()['layers'] of a sequential model begins with its first layer; in 2.x with "
    "an InputLayer",
)
def _get_config(original, self):
    config = original(self)
    layers = config["layers"]
    if len(layers) < 2 or layers[0]["class_name"] != "InputLayer":
        return config
    _get_config.used()
    first, *others = layers
    shape = first["config"].get("batch_input_shape")
    others[0]["config"].setdefault("batch_input_shape", shape)
    return {**config, "layers": others}


REPLACEMENTS = (_get_config,)
