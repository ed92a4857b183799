"""Configurations without the options that 1.15 did not have, where they have their default.

What reads a configuration of 1.15 refuses them: a class of the user's that wraps a layer
(``Mine(**layer.get_config())``), and TF 1.15 itself, which loads the model from JSON.
"""

import functools
from typing import Any, NamedTuple

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

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


def _leave_out(new, module):
    for name in new.classes.split():
        kind = getattr(module, name)
        state.set_attribute(kind, "get_config", _without(kind, new.option, new.default))


def _without(kind, option, default):
    plain = kind.get_config

    @functools.wraps(plain)
    def get_config(self):
        config = plain(self)
        # A wrapper that no class is derived from cannot be made again without its function.
        is_default = type(self) is not kind if default is _ANY else _is(config, option, default)
        if is_default and option in config:
            rows.used(_ROW)
            config.pop(option)
        return config

    return get_config


def _is(config, option, default):
    value = config.get(option, default)
    return value is default or (type(value) is type(default) and value == default)


def _keep_causal(module):
    plain = module.BaseDenseAttention.get_config

    @functools.wraps(plain)
    def get_config(self):
        rows.used(_ROW)
        return {"causal": self.causal, **plain(self)}

    state.set_attribute(module.BaseDenseAttention, "get_config", get_config)


CHANGES = (
    *((_ROW, new.module, functools.partial(_leave_out, new)) for new in _NEW),
    (_ROW, "layers.attention.base_dense_attention", _keep_causal),
)
