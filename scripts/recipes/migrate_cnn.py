"""A convnet with batch normalisation of TF1 goes on training in Keras 3, where it was.

A network of tf.layers learns the digits with Momentum for some steps and is saved
by a Saver, slots and all. `to_keras` makes a compiled Keras 3 model of the
checkpoint: kernels, moving statistics, and velocities, which are -learning_rate
times TF1's accumulators. Both then go on with the same batches.

Usage: python scripts/recipes/migrate_cnn.py [--out DIR]
"""

import pathlib
import sys

import _migrate
import _show
import numpy as np

DIGITS = pathlib.Path(__file__).parent / "data" / "digits.npz"
RATE, MOMENTUM, BATCH, STEPS = 0.02, 0.9, 32, 20


def batches(seed):
    """The images and labels of every step."""
    with np.load(str(DIGITS)) as file:
        images = file["images"].astype(np.float32)[..., None] / 16
        labels = file["labels"].astype(np.int64)
    random = np.random.RandomState(seed)
    for _ in range(STEPS):
        chosen = random.choice(len(images), BATCH, replace=False)
        yield images[chosen], labels[chosen]


# TF1 ---------------------------------------------------------------------------


def network(tf1, x, training):
    """Two convolutions, each with batch normalisation, and a dense layer."""
    for filters in (8, 16):
        x = tf1.layers.conv2d(x, filters, 3, padding="same", use_bias=False)
        x = tf1.nn.relu(tf1.layers.batch_normalization(x, training=training))
        x = tf1.layers.max_pooling2d(x, 2, 2)
    return tf1.layers.dense(tf1.layers.flatten(x), 10)


def tf1_side(folder):
    """Trains, saves, records the outputs, and trains on."""
    import tensorflow as tf

    tf1 = tf.compat.v1
    _show.as_in_tf1()
    tf1.set_random_seed(1)
    images = tf1.placeholder(tf.float32, [None, 8, 8, 1])
    labels = tf1.placeholder(tf.int64, [None])
    training = tf1.placeholder(tf.bool, [])
    logits = network(tf1, images, training)
    loss = tf1.losses.sparse_softmax_cross_entropy(labels, logits)
    with tf1.control_dependencies(tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)):
        optimizer = tf1.train.MomentumOptimizer(RATE, MOMENTUM)
        minimize = optimizer.minimize(loss, tf1.train.get_or_create_global_step())
    _migrate.train_in_tf1(
        folder,
        [loss, minimize],
        lambda seed: ({images: x, labels: y, training: True} for x, y in batches(seed)),
        logits,
        {images: next(batches(seed=3))[0], training: False},
    )


# Keras -------------------------------------------------------------------------


def build():
    """The same network, compiled; `ckpt convert --model migrate_cnn.py:build` takes it, too."""
    import keras

    layers = keras.layers
    parts = []
    for filters in (8, 16):
        parts += [
            layers.Conv2D(filters, 3, padding="same", use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(2),
        ]
    model = keras.Sequential([keras.Input((8, 8, 1)), *parts, layers.Flatten(), layers.Dense(10)])
    model.compile(keras.optimizers.SGD(RATE, momentum=MOMENTUM), loss())
    return model


def loss():
    import keras

    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def keras_side(prefix, destination, wanted):
    """Migrates the checkpoint and trains on, right and wrong: (losses, figures)."""
    import keras

    from tfgraphtools import checkpoints

    print(checkpoints.to_keras(prefix, build(), destination, overwrite=True))
    model = keras.models.load_model(destination)
    probe, _ = next(batches(seed=3))
    outputs = float(np.abs(np.asarray(model(probe)) - wanted).max())
    fresh = build()
    checkpoints.to_keras(prefix, fresh, drop_optimizer=True)
    columns = {
        "Keras, migrated": _migrate.train(model, loss(), batches(seed=2)),
        "without the slots": _migrate.train(fresh, loss(), batches(seed=2)),
    }
    print(f"\nLargest difference of an output, moving statistics in use: {outputs:.1e}")
    return columns, {"outputs": outputs}


def main(argv=None):
    return _migrate.main(__file__, __doc__, tf1_side, keras_side, argv)


if __name__ == "__main__":
    main()
    sys.exit(0)
