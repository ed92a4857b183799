"""Configurations of layers without options that are newer than 1.15 and have their default.

What reads a configuration of 1.15 refuses them: a class of the user's that wraps a layer
(``Mine(**layer.get_config())``), and TF 1.15 itself, which loads the model from JSON.
"""

import functools
from typing import Any, NamedTuple

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_ROW = Fix(
    "tensorflow.keras.layers.Layer.get_config",
    "TF 2.0",
    "get_config() of layers without options that are newer than 1.15 and have their default "
    "(groups of convolutions, keepdims of pooling), and with causal of attention, which 2.x loses",
)


class _Option(NamedTuple):
    """A module below ``tf_keras.src``, classes in it, and an option with its default."""

    module: str
    classes: str
    name: str
    default: Any


_OPTIONS = (
    _Option("layers.convolutional.base_conv", "Conv", "groups", 1),
    _Option("layers.regularization.alpha_dropout", "AlphaDropout", "seed", None),
    _Option("layers.regularization.gaussian_dropout", "GaussianDropout", "seed", None),
    _Option("layers.regularization.gaussian_noise", "GaussianNoise", "seed", None),
    _Option("layers.pooling.base_global_pooling1d", "GlobalPooling1D", "keepdims", False),
    _Option("layers.pooling.base_global_pooling2d", "GlobalPooling2D", "keepdims", False),
    _Option("layers.pooling.base_global_pooling3d", "GlobalPooling3D", "keepdims", False),
    _Option("layers.attention.base_dense_attention", "BaseDenseAttention", "dropout", 0.0),
    _Option("layers.attention.attention", "Attention", "score_mode", "dot"),
    _Option("engine.input_layer", "InputLayer", "optional", False),
)


def _without(name, default, original, self):
    config = original(self)
    if name in config and _is(config[name], default):
        rows.used(_ROW)
        config.pop(name)
    return config


def _is(value, default):
    return value is default or (type(value) is type(default) and value == default)


@replaces(
    "tf_keras.src.layers.attention.base_dense_attention:BaseDenseAttention.get_config", row=_ROW
)
def _keep_causal(original, self):
    _keep_causal.used()
    return {"causal": self.causal, **original(self)}


REPLACEMENTS = (
    *(
        replaces(f"tf_keras.src.{option.module}:{name}.get_config", row=_ROW)(
            functools.partial(_without, option.name, option.default)
        )
        for option in _OPTIONS
        for name in option.classes.split()
    ),
    _keep_causal,
)
