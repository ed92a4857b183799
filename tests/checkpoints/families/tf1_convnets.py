"""Run by TF 1.15 with slim's own code: convolutional networks with random weights, their logits.

    python tf1_convnets.py FOLDER [--exact] [--record] NAME...
    python tf1_convnets.py --names

writes NAME/model.ckpt and NAME/arrays.npz, with --exact also the logits of the graph
in float64; --record writes ``recorded/NAME.npz`` as well. The networks come from the package
tf-slim, and those that it does not have from a ``nets`` package on the path: research/slim of
tensorflow/models. EfficientNet comes from models/official/efficientnet of tensorflow/tpu, DeepLab's
Xception from research of tensorflow/models, facenet's from src/models of davidsandberg/facenet.
"""

import functools
import importlib
import os
import sys

import numpy as np
import tensorflow as tf

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "helpers"))

import recorded_models  # noqa: E402

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


def mobilenet_v3(images, kind="LARGE", **options):
    nets = _module("mobilenet.mobilenet_v3")
    definition = getattr(nets, f"V3_{kind}")
    slim = importlib.import_module("tf_slim")
    with slim.arg_scope(_module("mobilenet.mobilenet").training_scope(is_training=False)):
        return nets.mobilenet(images, CLASSES, conv_defs=definition, **options)[0]


def efficientnet(images, size):
    builder = importlib.import_module("efficientnet_builder")
    override = {"num_classes": CLASSES}
    return builder.build_model(images, "efficientnet-" + size, False, override)[0]


def nasnet(images, module="nasnet", kind="large"):
    nets = _module("nasnet." + module)
    prefix = {"nasnet": "nasnet", "pnasnet": "pnasnet"}[module]
    scope = getattr(nets, f"{prefix}_{kind}_arg_scope")
    slim = importlib.import_module("tf_slim")
    with slim.arg_scope(scope()):
        return getattr(nets, f"build_{prefix}_{kind}")(images, CLASSES, is_training=False)[0]


def facenet(images):
    """The embeddings, which are normalised."""
    nets = importlib.import_module("inception_resnet_v1")
    return tf.nn.l2_normalize(nets.inference(images, 1.0, False, 512)[0], 1, 1e-10)


def xception(images, size, classes=CLASSES):
    nets = importlib.import_module("deeplab.core.xception")
    from tensorflow.contrib import slim

    with slim.arg_scope(nets.xception_arg_scope()):
        options = {"num_classes": classes, "is_training": False, "keep_prob": 1.0}
        return getattr(nets, f"xception_{size}")(images, **options)[0]


def _net(*arguments, **options):
    return functools.partial(network, *arguments, **options)


def _fine(multiplier, network=mobilenet_v2, **options):
    """A narrow MobileNet whose last convolution is not narrower, as the released ones."""
    options.update(depth_multiplier=multiplier, finegrain_classification_mode=True)
    return functools.partial(network, **options)


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
    "mobilenet_v3_large": (64, mobilenet_v3),
    "mobilenet_v3_large_075": (64, _fine(0.75, mobilenet_v3)),
    "mobilenet_v3_large_minimal": (
        64,
        functools.partial(mobilenet_v3, kind="LARGE_MINIMALISTIC"),
    ),
    "mobilenet_v3_small": (64, functools.partial(mobilenet_v3, kind="SMALL")),
    "mobilenet_v3_small_075": (64, _fine(0.75, mobilenet_v3, kind="SMALL")),
    "mobilenet_v3_small_minimal": (
        64,
        functools.partial(mobilenet_v3, kind="SMALL_MINIMALISTIC"),
    ),
    "nasnet_large": (96, nasnet),
    "nasnet_mobile": (96, functools.partial(nasnet, kind="mobile")),
    "pnasnet_large": (96, functools.partial(nasnet, module="pnasnet")),
    "pnasnet_mobile": (96, functools.partial(nasnet, module="pnasnet", kind="mobile")),
    "facenet": (160, facenet),
    "xception_41": (65, functools.partial(xception, size=41)),
    "xception_65": (65, functools.partial(xception, size=65)),
    "xception_71": (65, functools.partial(xception, size=71)),
    "inception_v1": (107, _net("inception_v1", "inception_v1", "inception_v1_arg_scope")),
    "inception_v2": (107, _net("inception_v2", "inception_v2", "inception_v2_arg_scope")),
    "resnet_v1_200": (64, _net("resnet_v1", "resnet_v1_200", "resnet_arg_scope")),
    "resnet_v2_200": (64, _net("resnet_v2", "resnet_v2_200", "resnet_arg_scope")),
}
#: With larger images the random weights of b7 make rounding errors as large as the logits.
NETWORKS.update(
    ("efficientnet_" + size, (pixels, functools.partial(efficientnet, size=size)))
    for size, pixels in zip(["b" + str(n) for n in range(8)], (64, 65, 64, 67, 64, 64, 64, 33))
)


def _widen_batch_norm():
    """The fused batch normalisation of TF 1.15 has no float64: its formula instead."""
    from tensorflow.python.ops import nn

    fused = nn.fused_batch_norm

    def either(x, scale, offset, mean=None, variance=None, epsilon=1e-3, *others, **options):
        if x.dtype != tf.float64:
            return fused(x, scale, offset, mean, variance, epsilon, *others, **options)
        mean, variance, scale, offset = (
            tf.cast(parameter, x.dtype) for parameter in (mean, variance, scale, offset)
        )
        return (x - mean) * tf.rsqrt(variance + epsilon) * scale + offset, mean, variance

    nn.fused_batch_norm = either


def _load(session, variables, values):
    """Sets all variables in one step: each step prepares the graph again, which is large."""
    feeds = {v.initializer.inputs[1]: values[v.op.name] for v in variables}
    session.run([variable.initializer for variable in variables], feeds)


def exact_logits(name, images, values):
    """The logits of the graph in float64 with the same weights."""
    with tf.Graph().as_default(), tf.Session() as session:
        logits = NETWORKS[name][1](tf.constant(images.astype(np.float64)))
        wide = {name: array.astype(np.float64) for name, array in values.items()}
        _load(session, [v for v in tf.global_variables() if v.op.name in values], wide)
        return np.reshape(session.run(logits), [2, -1])


def write(folder, name, is_exact=False, is_recorded=False):
    size, build = NETWORKS[name]
    images = recorded_models.images(size)
    with tf.Graph().as_default(), tf.Session() as session:
        logits = build(tf.constant(images))
        tf.train.get_or_create_global_step()
        session.run(tf.train.get_global_step().initializer)
        variables = [v for v in tf.global_variables() if v.dtype.base_dtype == tf.float32]
        shapes = {variable.op.name: variable.shape.as_list() for variable in variables}
        values = {name: recorded_models.value(name, shape) for name, shape in shapes.items()}
        _load(session, variables, values)
        os.makedirs(os.path.join(folder, name))
        saver = tf.train.Saver()
        saver.save(session, os.path.join(folder, name, "model.ckpt"), write_meta_graph=False)
        arrays = {"images": images, "logits": np.reshape(session.run(logits), [2, -1])}
    if is_exact:
        arrays["exact"] = exact_logits(name, images, values)
    np.savez(os.path.join(folder, name, "arrays.npz"), **arrays)
    if is_recorded:
        recorded_models.record(name, shapes, arrays)


def main(folder, names):
    if folder == "--names":
        print(" ".join(sorted(NETWORKS)))
        return
    options = {word for word in names if word.startswith("--")}
    if "--exact" in options:
        _widen_batch_norm()
    for name in [name for name in names if name not in options] or sorted(NETWORKS):
        try:
            write(folder, name, "--exact" in options, "--record" in options)
        except ImportError as error:
            print(f"{name}: {error}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
