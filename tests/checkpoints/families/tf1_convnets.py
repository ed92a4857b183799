"""Run by TF 1.15 with slim's own code: convolutional networks with random weights, their logits.

    python tf1_convnets.py FOLDER [--exact] NAME...
    python tf1_convnets.py --names

writes NAME/model.ckpt and NAME/arrays.npz, with --exact also the logits of the graph
in float64. The networks come from the package tf-slim, and those
that it does not have from a ``nets`` package on the path: research/slim of tensorflow/models.
"""

import functools
import importlib
import os
import sys

import numpy as np
import tensorflow as tf

CLASSES = 11


def _module(name):
    try:
        return importlib.import_module("tf_slim.nets." + name)
    except ImportError:
        return importlib.import_module("nets." + name)


def _slim():
    try:
        return importlib.import_module("tf_slim")
    except ImportError:
        return importlib.import_module("tensorflow.contrib.slim")


def network(module, name, scope, images, **options):
    nets = _module(module)
    slim = nets.slim if hasattr(nets, "slim") else _slim()
    with slim.arg_scope(getattr(nets, scope)()):
        return getattr(nets, name)(images, CLASSES, is_training=False, **options)[0]


def mobilenet_v1(images, **options):
    nets = _module("mobilenet_v1")
    from tensorflow.contrib import slim

    with slim.arg_scope(nets.mobilenet_v1_arg_scope(is_training=False)):
        return nets.mobilenet_v1(images, CLASSES, is_training=False, **options)[0]


def mobilenet_v2(images, **options):
    nets = _module("mobilenet.mobilenet_v2")
    from tensorflow.contrib import slim

    with slim.arg_scope(nets.training_scope(is_training=False)):
        return nets.mobilenet(images, CLASSES, **options)[0]


def _net(*arguments, **options):
    return functools.partial(network, *arguments, **options)


def _fine(multiplier):
    """A narrow MobileNet v2 whose last convolution is not narrower, as the released ones."""
    options = {"depth_multiplier": multiplier, "finegrain_classification_mode": True}
    return functools.partial(mobilenet_v2, **options)


#: name: (size of the images, function of the images)
NETWORKS = {
    "resnet_v1_50": (65, _net("resnet_v1", "resnet_v1_50", "resnet_arg_scope")),
    "resnet_v1_101": (64, _net("resnet_v1", "resnet_v1_101", "resnet_arg_scope")),
    "resnet_v1_152": (64, _net("resnet_v1", "resnet_v1_152", "resnet_arg_scope")),
    "resnet_v2_50": (64, _net("resnet_v2", "resnet_v2_50", "resnet_arg_scope")),
    "resnet_v2_101": (65, _net("resnet_v2", "resnet_v2_101", "resnet_arg_scope")),
    "resnet_v2_152": (64, _net("resnet_v2", "resnet_v2_152", "resnet_arg_scope")),
    "vgg_a": (224, _net("vgg", "vgg_a", "vgg_arg_scope")),
    "vgg_16": (224, _net("vgg", "vgg_16", "vgg_arg_scope")),
    "vgg_19": (224, _net("vgg", "vgg_19", "vgg_arg_scope")),
    "inception_v3": (107, _net("inception_v3", "inception_v3", "inception_v3_arg_scope")),
    "inception_v4": (107, _net("inception_v4", "inception_v4", "inception_v4_arg_scope")),
    "inception_resnet_v2": (
        107,
        _net("inception_resnet_v2", "inception_resnet_v2", "inception_resnet_v2_arg_scope"),
    ),
    "mobilenet_v1": (64, mobilenet_v1),
    "mobilenet_v1_025": (97, functools.partial(mobilenet_v1, depth_multiplier=0.25)),
    "mobilenet_v2": (96, mobilenet_v2),
    "mobilenet_v2_035": (97, _fine(0.35)),
    "mobilenet_v2_140": (64, functools.partial(mobilenet_v2, depth_multiplier=1.4)),
    "mobilenet_v1_050": (64, functools.partial(mobilenet_v1, depth_multiplier=0.5)),
    "mobilenet_v1_075": (64, functools.partial(mobilenet_v1, depth_multiplier=0.75)),
    "mobilenet_v2_050": (64, _fine(0.5)),
    "mobilenet_v2_075": (64, _fine(0.75)),
    "mobilenet_v2_130": (64, functools.partial(mobilenet_v2, depth_multiplier=1.3)),
    "inception_v1": (107, _net("inception_v1", "inception_v1", "inception_v1_arg_scope")),
    "inception_v2": (107, _net("inception_v2", "inception_v2", "inception_v2_arg_scope")),
    "resnet_v1_200": (64, _net("resnet_v1", "resnet_v1_200", "resnet_arg_scope")),
    "resnet_v2_200": (64, _net("resnet_v2", "resnet_v2_200", "resnet_arg_scope")),
}


def _value(variable, random):
    """Random values with which the signal neither dies out nor explodes."""
    shape, leaf = variable.shape.as_list(), variable.op.name.rpartition("/")[2]
    if leaf in ("moving_variance", "gamma"):
        return random.uniform(0.8, 1.2, shape)
    if len(shape) == 1:
        return random.standard_normal(shape) * 0.1
    fan_in = np.prod(shape[:2] if "depthwise" in leaf else shape[:-1])
    return random.standard_normal(shape) * (2.0 / fan_in) ** 0.5


def _widen_batch_norm():
    """The fused batch normalisation of TF 1.15 has no float64: its formula instead."""
    from tensorflow.python.ops import nn

    fused = nn.fused_batch_norm

    def either(x, scale, offset, mean=None, variance=None, epsilon=1e-3, *rest, **options):
        if x.dtype != tf.float64:
            return fused(x, scale, offset, mean, variance, epsilon, *rest, **options)
        return (x - mean) * tf.rsqrt(variance + epsilon) * scale + offset, mean, variance

    nn.fused_batch_norm = either


def exact_logits(name, images, values):
    """The logits of the graph in float64 with the same weights."""
    with tf.Graph().as_default(), tf.Session() as session:
        logits = NETWORKS[name][1](tf.constant(images.astype(np.float64)))
        for variable in tf.global_variables():
            if variable.op.name in values:
                variable.load(values[variable.op.name].astype(np.float64), session)
        return np.reshape(session.run(logits), [2, -1])


def write(folder, name, is_exact=False):
    random = np.random.Generator(np.random.PCG64(7))
    size, build = NETWORKS[name]
    images = random.uniform(-1, 1, [2, size, size, 3]).astype(np.float32)
    values = {}
    with tf.Graph().as_default(), tf.Session() as session:
        logits = build(tf.constant(images))
        tf.train.get_or_create_global_step()
        session.run(tf.global_variables_initializer())
        for variable in tf.global_variables():
            if variable.dtype.base_dtype == tf.float32:
                values[variable.op.name] = _value(variable, random).astype(np.float32)
                variable.load(values[variable.op.name], session)
        os.makedirs(os.path.join(folder, name))
        saver = tf.train.Saver()
        saver.save(session, os.path.join(folder, name, "model.ckpt"), write_meta_graph=False)
        arrays = {"images": images, "logits": np.reshape(session.run(logits), [2, -1])}
    if is_exact:
        arrays["exact"] = exact_logits(name, images, values)
    np.savez(os.path.join(folder, name, "arrays.npz"), **arrays)


def main(folder, names):
    if folder == "--names":
        print(" ".join(sorted(NETWORKS)))
        return
    is_exact = names[:1] == ["--exact"]
    if is_exact:
        _widen_batch_norm()
    for name in names[is_exact:] or sorted(NETWORKS):
        try:
            write(folder, name, is_exact)
        except ImportError as error:
            print(f"{name}: {error}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
