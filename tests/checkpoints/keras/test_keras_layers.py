"""Each layer of TF 1.15 in Keras models that compute the same, and in ones that do not.

A model whose outputs are others is named by a note or refused; one that computes the same is not.
"""

import re

import layer_table
import numpy as np
import pytest
from layer_table import DILATION, PADDING, SIZE, STRIDE, UNEQUAL

from tfgraphtools import checkpoints


def conv(k, **options):
    return k.model(k.layers.Conv2D(4, 3, name="conv", **options))


def up(k, size, **options):
    return k.model(k.layers.Conv2DTranspose(4, size, 2, name="up", **options))


def depthwise(k, **options):
    layer = k.layers.DepthwiseConv2D(3, depth_multiplier=2, use_bias=False, name="conv", **options)
    return k.model(layer)


def separable(k, **options):
    return k.model(k.layers.SeparableConv2D(4, 3, depth_multiplier=2, name="conv", **options))


def separable_of_two(k):
    depthwise = k.layers.DepthwiseConv2D(3, depth_multiplier=2, use_bias=False, name="depthwise")
    return k.model(depthwise, k.layers.Conv2D(4, 1, name="pointwise"))


def gru(k, reset_after):
    return k.model(
        k.layers.Conv2D(3, 3, (2, 1), name="conv"),
        k.layers.Permute((2, 1, 3)),
        k.layers.Reshape((6, 9)),
        k.layers.GRU(5, return_sequences=True, reset_after=reset_after, name="cell"),
    )


def tied(k, size):
    dense = [
        k.layers.Dense(6, name="fc"),
        k.layers.Dense(size, use_bias=False, name="out"),
    ]
    return k.model(k.layers.GlobalAveragePooling2D(), *dense)


def branches(k, first, second):
    x = k.keras.Input((8, 8, 2))
    later = k.layers.Conv2D(4, 3, name=second)(x)  # made in another order
    earlier = k.layers.Conv2D(4, 3, name=first)(x)
    return k.keras.Model(x, k.layers.Subtract()([earlier, k.layers.Multiply()([later, later])]))


def attention(k):
    x = k.keras.Input((8, 8, 2))
    tokens = k.layers.Reshape((64, 2))(x)
    y = k.layers.MultiHeadAttention(2, 3, name="attention")(tokens, tokens)
    return k.keras.Model(x, y)


def norm(k, momentum):
    layer = k.layers.BatchNormalization(momentum=momentum, name="bn")
    return k.model(k.layers.Conv2D(4, 3, name="conv"), layer)


KERAS = [
    ("valid", conv, {}, None),
    ("valid", conv, {"padding": "same"}, PADDING),
    ("valid", conv, {"strides": 2}, STRIDE),
    ("valid", conv, {"dilation_rate": 2}, DILATION),
    ("same", conv, {"padding": "same"}, None),
    ("same", conv, {}, PADDING),
    ("same_stride", conv, {"strides": 2, "padding": "same"}, None),
    ("same_stride", conv, {"strides": 2}, PADDING),
    ("dilated", conv, {"dilation_rate": 2}, None),
    ("dilated", conv, {}, DILATION),
    ("same_dilated", conv, {"dilation_rate": 2, "padding": "same"}, None),
    ("same_dilated", conv, {"padding": "same"}, DILATION),
    ("dilated_nn", conv, {}, DILATION),
    ("up_valid", up, {"size": 3}, None),
    ("up_same", up, {"size": 4, "padding": "same"}, None),
    ("up_same", up, {"size": 4}, PADDING),
    ("up_same_odd", up, {"size": 3, "padding": "same"}, None),
    ("up_same_odd", up, {"size": 3, "padding": "same", "output_padding": 0}, SIZE),
    ("depthwise", depthwise, {}, None),
    ("depthwise", depthwise, {"padding": "same"}, PADDING),
    ("separable", separable, {}, None),
    ("separable", separable, {"padding": "same"}, PADDING),
    ("separable", separable_of_two, {}, None),
    ("gru", gru, {"reset_after": False}, None),
    ("gru", gru, {"reset_after": True}, "build the layer with reset_after=False"),
    ("tied", tied, {"size": 9}, None),
    ("tied_square", tied, {"size": 6}, None),
    ("branches", branches, {"first": "first_conv", "second": "second_conv"}, None),
    ("branches", branches, {"first": "left", "second": "right"}, UNEQUAL),
    ("attention", attention, {}, None),
    ("norm", norm, {"momentum": 0.9}, None),
    ("norm", norm, {"momentum": 0.99}, "momentum is 0.99; .* keep 0.9 a step"),
]


class Layers:
    """One Keras, and models of one layer behind another."""

    def __init__(self, keras):
        self.keras, self.layers = keras, keras.layers

    def model(self, *layers):
        x = h = self.keras.Input((8, 8, 2))
        for layer in layers:
            h = layer(h)
        return self.keras.Model(x, h)


def keras_outputs(model, x, is_training):
    return np.asarray(model(x, training=is_training))


@pytest.mark.parametrize("case, model, arguments, says", KERAS, ids=layer_table.ids(KERAS))
def test_keras(keras, tf1_layers, tmp_path, case, model, arguments, says):
    files, net = layer_table.load(tf1_layers, case), model(Layers(keras), **arguments)
    layer_table.check(checkpoints.to_keras, net, keras_outputs, says, files)
    if says is None and case != "norm":  # whose averages a step has moved
        layer_table.check_back(net, files[0], str(tmp_path / "back"))


#: What a live object says where `KERAS` says something else: it gets tensors as they are.
LIVE = {
    "gru": "expected a tensor for each of its variables",
    "attention": "expected the shape",
    "tied": "expected a tensor for each of its variables",
    "separable_of_two": "could each be any of 'conv/",
    "tied_square": "whose matrix .* multiplies transposed",
}


@pytest.mark.slow(in_ci=6)
@pytest.mark.parametrize("case, model, arguments, says", KERAS, ids=layer_table.ids(KERAS))
def test_live_objects(keras, tf1_layers, tmp_path, case, model, arguments, says):
    tf = pytest.importorskip("tensorflow")
    files, net = layer_table.load(tf1_layers, case), model(Layers(keras), **arguments)
    out, says = str(tmp_path / "objects"), LIVE.get(case, LIVE.get(model.__name__, says))
    if model is depthwise and keras.__name__ == "keras":  # whose kernel has another name
        says = "could each be any of 'conv/depthwise_weights'"

    def restore(prefix, net):
        with checkpoints.open_checkpoint(prefix) as ckpt:
            plan = checkpoints.plan_object_based(ckpt, live=net, drop_optimizer=True)
            plan.apply(out)
        tf.train.Checkpoint(net).restore(out).expect_partial()
        always = "optimizer's state|unbiased variance"  # of every graph that trains
        plan.notes = [note for note in plan.notes if not re.search(always, note)]
        return plan

    layer_table.check(restore, net, keras_outputs, says, files)
