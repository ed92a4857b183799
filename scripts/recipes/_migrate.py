"""What the migrations share: TF1 in a process of its own, Keras here, their losses in a table.

The TF1 side runs under TF 1.15 if the variable TFGRAPHTOOLS_TF1_PYTHON names a
Python that has it, else under this Python's tf.compat.v1 with tf_keras's layers.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import _show
import numpy as np

import tfgraphtools
from tfgraphtools.errors import UsageError

PACKAGE = pathlib.Path(tfgraphtools.__file__).resolve().parent


def main(script, words, tf1_side, keras_side, argv=None):
    """Trains with TF1 in a process of its own, goes on with Keras in this one, and compares.

    Args:
      script: the recipe's path; the first line of its docstring is `words`.
      tf1_side: a function of a folder that builds the graph and calls `train_in_tf1`.
      keras_side: a function of the checkpoint's prefix, the path of the Keras model to
        write, and TF1's outputs. Returns ({name of a continuation: its losses}, figures).
      argv: the command-line arguments.

    Returns:
      the figures, with "losses": {name: the largest difference from TF1's}, and "version".
    """
    script = pathlib.Path(script)
    parser = argparse.ArgumentParser(description=words.splitlines()[0])
    parser.add_argument("--out", default="out/" + script.stem, metavar="DIR", help="(%(default)s)")
    parser.add_argument("--tf1", metavar="DIR", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.tf1:
        return tf1_side(arguments.tf1)
    _require_keras3(script.name)
    folder = pathlib.Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    tf1 = _run_tf1(script, folder)
    columns, figures = keras_side(
        str(folder / "model.ckpt"), str(folder / "model.keras"), tf1["outputs"]
    )
    return dict(figures, losses=_report(tf1, columns), version=str(tf1["version"]))


def train_in_tf1(folder, step, feeds, outputs, probe):
    """TF1's side: trains, saves, records the outputs for a probe, and trains on.

    Args:
      folder: where ``model.ckpt`` and ``tf1.npz`` go.
      step: what is run at every step; the loss comes first.
      feeds: a function of a seed that gives the feed_dict of every step.
      outputs: a tensor.
      probe: the feed_dict for it.
    """
    import tensorflow as tf

    tf1 = tf.compat.v1
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())

        def train(seed):
            return [session.run(step, feed)[0] for feed in feeds(seed)]

        train(seed=1)
        tf1.train.Saver().save(session, os.path.join(folder, "model.ckpt"))
        recorded = {"outputs": session.run(outputs, probe), "losses": train(seed=2)}
    np.savez(os.path.join(folder, "tf1.npz"), version=tf.__version__, **recorded)


def _require_keras3(recipe):
    """Ends with one line where there is no Keras 3 to migrate to."""
    try:
        import keras
    except ImportError:
        keras = None
    if keras is None or keras.__version__.startswith("2"):
        raise UsageError(
            recipe, "a Python with Keras 3", "none here", "Run it with TensorFlow 2.16 or newer."
        )


def _run_tf1(script, folder):
    """Runs a recipe's TF1 side, which trains, saves and trains on. Returns what it recorded."""
    python = os.environ.get("TFGRAPHTOOLS_TF1_PYTHON") or sys.executable
    # The other Python gets this package alone: beside an installed one are packages of this Python.
    with tempfile.TemporaryDirectory() as alone:
        os.symlink(str(PACKAGE), os.path.join(alone, PACKAGE.name))
        environment = dict(
            os.environ,
            PYTHONPATH=alone,
            TF_USE_LEGACY_KERAS="1",  # tf.compat.v1.layers of TF 2.16 and newer need tf_keras
            TF_CPP_MIN_LOG_LEVEL="3",
        )
        environment.pop("TF2_BEHAVIOR", None)  # TF 2 says so to its children; this may be 1.15
        done = subprocess.run(
            [python, str(script), "--tf1", str(folder)],
            env=environment,
            check=False,
            stderr=subprocess.PIPE,
            text=True,
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise UsageError(f"the TF1 side of {script}", "no error", last, "Fix the error.")
    with np.load(os.path.join(str(folder), "tf1.npz")) as recorded:
        return dict(recorded)


def _report(tf1, columns):
    """Prints the losses of TF1 going on, and of Keras, side by side; returns the differences."""
    losses = tf1["losses"]
    shown = sorted({0, 1, 2, len(losses) // 2, len(losses) - 1})
    _show.table(
        "Loss of each batch after the checkpoint",
        ["step", "TF {} going on".format(tf1["version"]), *columns],
        [
            [step + 1, f"{losses[step]:.6f}"] + [f"{c[step]:.6f}" for c in columns.values()]
            for step in shown
        ],
    )
    return {
        name: float(np.abs(np.asarray(column) - losses).max()) for name, column in columns.items()
    }


def train(model, loss_of, batches, clip=None):
    """Trains a compiled Keras model step by step; returns the loss before each step."""
    import tensorflow as tf

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        if clip is not None:
            gradients, _ = tf.clip_by_global_norm(gradients, clip)
        model.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return [float(step(x, y)) for x, y in batches]
