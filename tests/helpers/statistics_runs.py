"""Fused batch normalisation, clipping and moving averages: in TF 1, and going on in Keras.

    python statistics_runs.py train FOLDER     20 steps, a checkpoint with its .meta, 20 more
    python statistics_runs.py go-on FOLDER     from each checkpoint 20 steps in Keras; prints JSON

One model has a layer for each number of elements per channel, and each step draws new images. All
cases keep moving averages of the weights; those of "clipped" clip by the global norm.
"""

import itertools
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")))

import numpy as np  # noqa: E402

from optimizer_runs import CASES, STEPS  # noqa: E402

ELEMENTS = [4, 16, 64, 256, 4096]  # per channel: one image of sides 2, 4, 8, 16 and 64
CHANNELS, NORM = 2, 0.05
VARIANTS = ["plain", "clipped"]
FLAVOURS = ["keras", "legacy"]
WEIGHTS = ["gamma", "beta", "moving_mean", "moving_variance"]


def names():
    """The variables, layer by layer."""
    return [f"bn{n}/{weight}" for n in ELEMENTS for weight in WEIGHTS]


def images(step):
    """The batch of a step, one for each layer, whose mean and spread are another each time."""
    random = np.random.RandomState(step)
    found = []
    for n in ELEMENTS:
        side = int(n**0.5)
        spread, centre = random.uniform(0.5, 2.0), random.normal(size=CHANNELS)
        noise = random.normal(size=(1, side, side, CHANNELS))
        found.append((spread * noise + centre).astype(np.float32))
    return found


def loss_of(tf, outputs):
    return tf.add_n([tf.reduce_mean(tf.tanh(one - 0.5) ** 2) for one in outputs])


def cases():
    return list(itertools.product(CASES, VARIANTS))


def train(folder):
    import tensorflow

    v1 = tensorflow.compat.v1
    v1.disable_eager_execution()
    for case, variant in cases():
        kind, arguments, _ = CASES[case]
        path = os.path.join(folder, variant, case)
        os.makedirs(path)
        with v1.Graph().as_default(), v1.Session() as session:
            inputs = [v1.placeholder(v1.float32, one.shape) for one in images(0)]
            loss = loss_of(v1, [_normalised(v1, x, n) for x, n in zip(inputs, ELEMENTS)])
            variables = v1.trainable_variables()
            step = v1.train.get_or_create_global_step()
            if kind == "CenteredRMSProp":
                optimizer = v1.train.RMSPropOptimizer(centered=True, **arguments)
            else:
                optimizer = getattr(v1.train, kind + "Optimizer")(**arguments)
            gradients = v1.gradients(loss, variables)
            if variant == "clipped":
                gradients, _ = v1.clip_by_global_norm(gradients, NORM)
            with v1.control_dependencies(v1.get_collection(v1.GraphKeys.UPDATE_OPS)):
                minimize = optimizer.apply_gradients(zip(gradients, variables), step)
            with v1.control_dependencies([minimize]):
                average = v1.train.ExponentialMovingAverage(0.9).apply(variables)
            saver = v1.train.Saver()
            session.run(v1.global_variables_initializer())
            for i in range(2 * STEPS):
                if i == STEPS:
                    saver.save(session, os.path.join(path, "model.ckpt"))
                session.run(average, dict(zip(inputs, images(i))))
            wanted = session.run([name + ":0" for name in names()])
            np.savez(os.path.join(path, "after.npz"), **dict(zip(names(), wanted)))


def _normalised(v1, x, n):
    """The fused layer; with tf.layers.batch_normalization as users call it."""
    return v1.layers.batch_normalization(x, training=True, fused=True, momentum=0.9, name=f"bn{n}")


def live(kind, arguments, flavour, variant):
    """(a model compiled with the optimizer that goes on, that optimizer)"""
    import keras
    import tf_keras

    from tfgraphtools.checkpoints import optimizers

    name, config = optimizers.keras_config(kind, arguments, flavour)
    library = keras if flavour == "keras" else tf_keras
    if variant == "clipped":
        config = dict(config, global_clipnorm=NORM)
    layers = library.layers
    inputs = [layers.Input(one.shape[1:]) for one in images(0)]
    normalised = [
        layers.BatchNormalization(momentum=0.9, name=f"bn{n}")(x) for x, n in zip(inputs, ELEMENTS)
    ]
    model = library.Model(inputs, normalised)
    if flavour == "keras":
        optimizer = getattr(keras.optimizers, name)(**config)
        optimizer.build(model.trainable_variables)
    else:
        optimizer = getattr(tf_keras.optimizers.legacy, name)(**config)
        optimizer._create_all_weights(model.trainable_variables)
    model.compile(optimizer, "mse")
    return model, optimizer


def go_on(folder):
    """{variant: {case: {flavour: {"refused", "notes", "keras notes", weight: {elements: off}}}}}"""
    import tensorflow as tf

    found = {}
    for case, variant in cases():
        for flavour in FLAVOURS:
            row = _gone_on(tf, os.path.join(folder, variant, case), case, flavour, variant)
            found.setdefault(variant, {}).setdefault(case, {})[flavour] = row
    print(json.dumps(found))


def _gone_on(tf, path, case, flavour, variant):
    from tfgraphtools import checkpoints
    from tfgraphtools.errors import TfgraphtoolsError

    kind, arguments, _ = CASES[case]
    model, optimizer = live(kind, arguments, flavour, variant)
    source, row = os.path.join(path, "model.ckpt"), {}
    root = tf.train.Checkpoint(model=model, optimizer=optimizer)
    how = {"live": root, "hyper": arguments, "kind": kind}
    averages = ".*/ExponentialMovingAverage"
    for what, convert in (
        ("object", lambda ckpt, drop: checkpoints.plan_object_based(ckpt, drop=drop, **how)),
        ("model", lambda ckpt, drop: checkpoints.plan_keras(ckpt, model, drop=drop)),
    ):
        with checkpoints.open_checkpoint(source) as ckpt:
            try:
                convert(ckpt, ())
                row["refused " + what] = None
            except TfgraphtoolsError as error:
                row["refused " + what] = str(error)
            plan = convert(ckpt, averages)
            row["notes " + what] = list(plan.notes)
            if what == "object":
                plan.apply(os.path.join(path, flavour))
    root.restore(os.path.join(path, flavour)).assert_consumed()
    variables = model.trainable_variables
    for i in range(STEPS, 2 * STEPS):
        with tf.GradientTape() as tape:
            loss = loss_of(tf, model([tf.constant(x) for x in images(i)], training=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, _plain(variables)), variables))
    with np.load(os.path.join(path, "after.npz")) as wanted:
        for n in ELEMENTS:
            for weight, value in zip(WEIGHTS, model.get_layer(f"bn{n}").get_weights()):
                off = float(np.abs(value - wanted[f"bn{n}/{weight}"]).max())
                row.setdefault(weight, {})[n] = off
    return row


def _plain(variables):
    return [getattr(variable, "_value", variable) for variable in variables]


if __name__ == "__main__":
    {"train": train, "go-on": go_on}[sys.argv[1]](sys.argv[2])
