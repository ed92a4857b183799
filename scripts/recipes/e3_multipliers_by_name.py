"""E3: a rate for each variable by its name, and histograms for TensorBoard.

A name with a typo is an error that says what it may have meant; it does not
train at rate 1. The summaries are TensorFlow's own, of the variables and of the
gradients that the optimizer is given.
"""

import argparse
import collections
import glob
import os

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import errors, training

tf1 = tf.compat.v1

MULTIPLIERS = {"conv[12]/kernel": 0.01, "conv./bias": 0.02, "head/kernel": 1.0}
TYPOS = ["head/kernle", "head/kernel:0", "kernel", "conv1"]


def make_loss():
    names = ["conv1/kernel", "conv1/bias", "conv2/kernel", "conv2/bias", "head/kernel"]
    variables = [tf1.get_variable(name, initializer=np.ones(50, np.float32)) for name in names]
    return tf1.add_n([tf1.reduce_sum(v**2) for v in variables])


def train(folder, steps):
    """Trains and writes histograms. Returns how far each variable moved in a step."""
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        optimizer = training.LRMultiplierOptimizer(tf1.train.AdamOptimizer(0.1), MULTIPLIERS)
        pairs = optimizer.compute_gradients(make_loss())
        train_op = optimizer.apply_gradients(pairs)
        for gradient, variable in pairs:
            tf1.summary.histogram("variables/" + variable.op.name, variable)
            tf1.summary.histogram("gradients/" + variable.op.name, gradient)
        summaries = tf1.summary.merge_all()
        session.run(tf1.global_variables_initializer())
        with tf1.summary.FileWriter(folder, graph) as writer:
            variables = {v.op.name: v for _, v in pairs}
            before = session.run(variables)
            for step in range(steps):
                writer.add_summary(session.run(summaries), step)
                session.run(train_op)
                if step == 0:
                    after = session.run(variables)
        return {name: float(np.abs(after[name] - before[name]).max()) for name in before}


def histograms_in(folder):
    """How many histograms of each tag the event files have."""
    count = collections.Counter()
    for path in glob.glob(os.path.join(folder, "events.*")):
        for event in tf1.train.summary_iterator(path):
            count.update(value.tag for value in event.summary.value if value.HasField("histo"))
    return dict(count)


def error_of(key):
    with tf1.Graph().as_default():
        optimizer = training.LRMultiplierOptimizer(tf1.train.AdamOptimizer(0.1), {key: 0.01})
        try:
            optimizer.minimize(make_loss())
        except errors.NothingMatchedError as error:
            return error.next_step


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out",
        default="out/e3_multipliers_by_name",
        metavar="DIR",
        help="folder for TensorBoard (default: %(default)s)",
    )
    parser.add_argument("--steps", type=int, default=5, metavar="N", help="(default: %(default)s)")
    arguments = parser.parse_args(argv)
    figures = {
        "moved": train(arguments.out, arguments.steps),
        "histograms": histograms_in(arguments.out),
        "typos": {key: error_of(key) for key in TYPOS},
    }
    _show.table(
        "The first step under Adam at 0.1",
        ["variable", "moved by"],
        [[name, f"{size:.4f}"] for name, size in figures["moved"].items()],
    )
    _show.table("Keys that match nothing", ["key", "the error says"], figures["typos"].items())
    print(f"\nHistograms: tensorboard --logdir {arguments.out}")
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
