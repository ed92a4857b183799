"""Configurations without the options that 1.15 did not have, where they have their default.

What reads a configuration of 1.15 refuses them: a class of the user's that wraps a layer
(``Mine(**layer.get_config())``), and TF 1.15 itself, which loads the model from JSON.
"""

import functools
from typing import Any, NamedTuple

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_ROW = Row(
    "tensorflow.keras.layers.Layer.get_config",
    "TF 2.0",
    "get_config() of layers, losses, metrics and Ftrl without options that are newer than 1.15 "
    "and have their default (groups of convolutions, keepdims of pooling), and with causal of "
    "attention, which 2.x loses",
)
_ANY = object()


class _New(NamedTuple):
    """A module below ``tf_keras.src``, classes in it, and an option with its default."""

    module: str
    classes: str
    option: str
    default: Any


_NEW = (
    _New("layers.convolutional.base_conv", "Conv", "groups", 1),
    _New("layers.regularization.alpha_dropout", "AlphaDropout", "seed", None),
    _New("layers.regularization.gaussian_dropout", "GaussianDropout", "seed", None),
    _New("layers.regularization.gaussian_noise", "GaussianNoise", "seed", None),
    _New("layers.pooling.base_global_pooling1d", "GlobalPooling1D", "keepdims", False),
    _New("layers.pooling.base_global_pooling2d", "GlobalPooling2D", "keepdims", False),
    _New("layers.pooling.base_global_pooling3d", "GlobalPooling3D", "keepdims", False),
    _New("layers.attention.base_dense_attention", "BaseDenseAttention", "dropout", 0.0),
    _New("layers.attention.attention", "Attention", "score_mode", "dot"),
    _New("engine.input_layer", "InputLayer", "optional", False),
    _New("losses", "LossFunctionWrapper", "fn", _ANY),
    _New("losses", "BinaryCrossentropy CategoricalCrossentropy", "axis", -1),
    _New("losses", "SparseCategoricalCrossentropy", "ignore_class", None),
    _New("metrics.confusion_metrics", "AUC", "from_logits", False),
    _New("metrics.confusion_metrics", "AUC", "label_weights", None),
    _New("metrics.confusion_metrics", "AUC", "multi_label", False),
    _New("metrics.confusion_metrics", "AUC", "num_labels", None),
    _New("metrics.iou_metrics", "MeanIoU", "axis", -1),
    _New("metrics.iou_metrics", "MeanIoU", "ignore_class", None),
    _New("metrics.iou_metrics", "MeanIoU", "sparse_y_true", True),
    _New("metrics.iou_metrics", "MeanIoU", "sparse_y_pred", True),
    _New("metrics.probabilistic_metrics", "CategoricalCrossentropy", "axis", -1),
    _New("metrics.probabilistic_metrics", "SparseCategoricalCrossentropy", "ignore_class", None),
    _New("optimizers.legacy.ftrl", "Ftrl", "beta", 0.0),
)


def _without(option, default, original, self):
    config = original(self)
    # A wrapper that no class is derived from cannot be made again without its function.
    is_default = _is_derived(self) if default is _ANY else _is(config, option, default)
    if is_default and option in config:
        rows.used(_ROW)
        config.pop(option)
    return config


def _is_derived(wrapper):
    from tf_keras.src import losses

    return type(wrapper) is not losses.LossFunctionWrapper


def _is(config, option, default):
    value = config.get(option, default)
    return value is default or (type(value) is type(default) and value == default)


@replaces(
    "tf_keras.src.layers.attention.base_dense_attention:BaseDenseAttention.get_config", row=_ROW
)
def _keep_causal(original, self):
    _keep_causal.used()
    return {"causal": self.causal, **original(self)}


REPLACEMENTS = (
    *(
        replaces(f"tf_keras.src.{new.module}:{name}.get_config", row=_ROW)(
            functools.partial(_without, new.option, new.default)
        )
        for new in _NEW
        for name in new.classes.split()
    ),
    _keep_causal,
)
