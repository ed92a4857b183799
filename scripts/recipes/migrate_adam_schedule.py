"""Adam under a decaying learning rate goes on in Keras 3: moments, bias correction, schedule.

TF1 decays the rate by global_step and corrects Adam's bias by beta1_power and
beta2_power; Keras does both by ``iterations``. `to_keras` takes the steps from the
checkpoint, where the powers and global_step must agree. Epsilon is in no checkpoint:
TF1's is 1e-8 by default, Keras's 1e-7. What happens to training whose iterations
start again, or whose moments do, is shown beside it.

Usage: python scripts/recipes/migrate_adam_schedule.py [--out DIR]
"""

import pathlib
import sys

import _migrate
import _show
import numpy as np

DIGITS = pathlib.Path(__file__).parent / "data" / "digits.npz"
RATE, DECAY_STEPS, DECAY, BATCH, STEPS = 0.02, 5, 0.8, 32, 20


def batches(seed):
    """The images, flat, and labels of every step."""
    with np.load(str(DIGITS)) as file:
        images = file["images"].astype(np.float32).reshape(-1, 64) / 16
        labels = file["labels"].astype(np.int64)
    random = np.random.RandomState(seed)
    for _ in range(STEPS):
        chosen = random.choice(len(images), BATCH, replace=False)
        yield images[chosen], labels[chosen]


def tf1_side(folder):
    """Trains, saves, records the outputs, and trains on."""
    import tensorflow as tf

    tf1 = tf.compat.v1
    _show.as_in_tf1()
    tf1.set_random_seed(1)
    images = tf1.placeholder(tf.float32, [None, 64])
    labels = tf1.placeholder(tf.int64, [None])
    hidden = tf1.layers.dense(images, 32, tf1.nn.tanh, name="hidden")
    logits = tf1.layers.dense(hidden, 10, name="logits")
    loss = tf1.losses.sparse_softmax_cross_entropy(labels, logits)
    step = tf1.train.get_or_create_global_step()
    rate = tf1.train.exponential_decay(RATE, step, DECAY_STEPS, DECAY)
    minimize = tf1.train.AdamOptimizer(rate).minimize(loss, step)
    _migrate.train_in_tf1(
        folder,
        [loss, minimize],
        lambda seed: ({images: x, labels: y} for x, y in batches(seed)),
        logits,
        {images: next(batches(seed=3))[0]},
    )


def build():
    """The same network, compiled with TF1's numbers."""
    import keras

    layers = keras.layers
    parts = layers.Dense(32, activation="tanh", name="hidden"), layers.Dense(10, name="logits")
    model = keras.Sequential([keras.Input((64,)), *parts])
    schedule = keras.optimizers.schedules.ExponentialDecay(RATE, DECAY_STEPS, DECAY)
    model.compile(keras.optimizers.Adam(schedule, epsilon=1e-8), loss())
    return model


def loss():
    import keras

    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def keras_side(prefix, destination, wanted):
    """Migrates the checkpoint and trains on, right and wrong: (losses, figures)."""
    import keras

    from tfgraphtools import checkpoints

    print(checkpoints.to_keras(prefix, build(), destination, overwrite=True))
    migrated, restarted, fresh = keras.models.load_model(destination), build(), build()
    checkpoints.to_keras(prefix, restarted)
    restarted.optimizer.iterations.assign(0)
    checkpoints.to_keras(prefix, fresh, drop_optimizer=True)
    probe, _ = next(batches(seed=3))
    outputs = float(np.abs(np.asarray(migrated(probe)) - wanted).max())
    columns = {
        name: _migrate.train(model, loss(), batches(seed=2))
        for name, model in [
            ("Keras, migrated", migrated),
            ("iterations = 0", restarted),
            ("a fresh Adam", fresh),
        ]
    }
    print(f"\nLargest difference of an output: {outputs:.1e}")
    return columns, {"outputs": outputs}


def main(argv=None):
    return _migrate.main(__file__, __doc__, tf1_side, keras_side, argv)


if __name__ == "__main__":
    main()
    sys.exit(0)
