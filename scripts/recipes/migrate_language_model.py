"""A language model of two LSTMs of TF1 goes on training in Keras 3, where it was.

Characters are embedded, pass two BasicLSTMCells and a softmax, as in the PTB
tutorial of TF1, trained by Adagrad with clipped gradients. `to_keras` brings the
gates into Keras's order, those of the accumulators too, and adds to the biases the
forget bias of 1.0 that TF1 adds at every step and no checkpoint holds. What becomes
of a model whose forget bias was forgotten is shown beside it.

Usage: python scripts/recipes/migrate_language_model.py [--out DIR]
"""

import pathlib
import sys

import _migrate
import _show
import numpy as np

UNITS, EMBEDDING, RATE, CLIP, BATCH, LENGTH, STEPS = 32, 16, 0.2, 1.0, 16, 24, 20
CHARACTERS = 128


def batches(seed):
    """Characters of this file, and those that follow them, for every step."""
    text = pathlib.Path(__file__).read_bytes()
    codes = np.minimum(np.frombuffer(text, np.uint8), CHARACTERS - 1).astype(np.int32)
    random = np.random.RandomState(seed)
    for _ in range(STEPS):
        starts = random.randint(0, len(codes) - LENGTH - 1, BATCH)
        both = np.stack([codes[start : start + LENGTH + 1] for start in starts])
        yield both[:, :-1], both[:, 1:]


# TF1 ---------------------------------------------------------------------------


def network(tf1, x):
    """The logits of every next character."""
    table = tf1.get_variable("embedding", [CHARACTERS, EMBEDDING])
    cells = [tf1.nn.rnn_cell.BasicLSTMCell(UNITS) for _ in range(2)]
    stack = tf1.nn.rnn_cell.MultiRNNCell(cells)
    outputs, _ = tf1.nn.dynamic_rnn(stack, tf1.nn.embedding_lookup(table, x), dtype=tf1.float32)
    w = tf1.get_variable("softmax_w", [UNITS, CHARACTERS])
    b = tf1.get_variable("softmax_b", [CHARACTERS])
    return tf1.tensordot(outputs, w, 1) + b


def tf1_side(folder):
    """Trains, saves, records the outputs, and trains on."""
    import tensorflow as tf

    tf1 = tf.compat.v1
    _show.as_in_tf1()
    tf1.set_random_seed(1)
    x = tf1.placeholder(tf.int32, [None, LENGTH])
    y = tf1.placeholder(tf.int32, [None, LENGTH])
    with tf1.variable_scope("model"):
        logits = network(tf1, x)
    loss = tf1.losses.sparse_softmax_cross_entropy(y, logits)
    variables = tf1.trainable_variables()
    gradients, _ = tf1.clip_by_global_norm(tf1.gradients(loss, variables), CLIP)
    minimize = tf1.train.AdagradOptimizer(RATE).apply_gradients(
        zip(gradients, variables), tf1.train.get_or_create_global_step()
    )
    _migrate.train_in_tf1(
        folder,
        [loss, minimize],
        lambda seed: ({x: inputs, y: following} for inputs, following in batches(seed)),
        logits,
        {x: next(batches(seed=3))[0]},
    )


# Keras -------------------------------------------------------------------------


def build():
    """The same network, compiled with TF1's numbers: Keras's Adagrad adds an epsilon of 1e-7."""
    import keras

    layers = keras.layers
    parts = [
        layers.Embedding(CHARACTERS, EMBEDDING),
        layers.LSTM(UNITS, return_sequences=True),
        layers.LSTM(UNITS, return_sequences=True),
        layers.Dense(CHARACTERS),
    ]
    model = keras.Sequential([keras.Input((LENGTH,), dtype="int32"), *parts])
    model.compile(keras.optimizers.Adagrad(RATE, epsilon=0.0), loss())
    return model


def loss():
    import keras

    return keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def keras_side(prefix, destination, wanted):
    """Migrates the checkpoint and trains on, right and wrong: (losses, figures)."""
    import keras

    from tfgraphtools import checkpoints

    # Keras 3 treats sparse gradients in another way than TF1, so the plan would be refused.
    # With clipped gradients and Adagrad both do the same: the losses below are the proof.
    accepted = {"sparse_gradients": []}
    print(checkpoints.to_keras(prefix, build(), destination, overwrite=True, **accepted))
    migrated, forgotten = keras.models.load_model(destination), build()
    # The .meta beside the checkpoint says 1.0, and another number beside it is an error.
    alone = prefix + "-without-graph"
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt).apply(alone, overwrite=True)
    checkpoints.to_keras(alone, forgotten, forget_bias=0.0, **accepted)
    models = {"Keras, migrated": migrated, "forget bias forgotten": forgotten}
    probe, _ = next(batches(seed=3))
    outputs = {
        name: float(np.abs(np.asarray(model(probe)) - wanted).max())
        for name, model in models.items()
    }
    columns = {
        name: _migrate.train(model, loss(), batches(seed=2), CLIP) for name, model in models.items()
    }
    print("\nLargest difference of an output before training on:")
    for name, value in outputs.items():
        print(f"  {name}: {value:.1e}")
    return columns, {"outputs": outputs}


def main(argv=None):
    return _migrate.main(__file__, __doc__, tf1_side, keras_side, argv)


if __name__ == "__main__":
    main()
    sys.exit(0)
