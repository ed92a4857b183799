"""What groups and frozen elements cost, side by side with the plain optimizer.

python scripts/bench/training.py [--elements 10000000] [--rounds 15] [--only lock]
"""

import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf
from groups import bench_groups
from side_by_side import measure
from steps import Step, adam, update

from tfgraphtools import training

v1 = tf.compat.v1


def random_mask(shape, share):
    return np.random.RandomState(0).random_sample(shape) < share


class ByTheHost:
    """The usual way: values and slots are read, the step runs, and NumPy puts them back."""

    def __init__(self, size, resource):
        def build():
            optimizer = adam()
            step, _ = update(lambda shape: (optimizer, None), size)()
            (w,) = v1.trainable_variables()
            self._states = [w] + [optimizer.get_slot(w, name) for name in ("m", "v")]
            self._fed = [v1.placeholder(tf.float32, w.shape) for _ in self._states]
            self._assigns = [v1.assign(s, f).op for s, f in zip(self._states, self._fed)]
            self._mask = random_mask(w.shape.as_list(), 0.5)
            return step, None

        self._plain = Step(build, resource)

    def __call__(self):
        session = self._plain.session
        before = session.run(self._states)
        self._plain()
        after = session.run(self._states)
        kept = [np.where(self._mask, old, new) for old, new in zip(before, after)]
        session.run(self._assigns, dict(zip(self._fed, kept)))


def plain(shape):
    return adam(), None


def variable(mask):
    """A mask in a variable: as a placeholder, but without the copy of the feed."""
    return v1.get_variable("mask", initializer=mask, trainable=False)


def frozen(mask_for, **options):
    def optimizer_for(shape):
        return training.FreezeOptimizer(adam(), {"w": mask_for(shape)}, **options), None

    return optimizer_for


def rows(share):
    return lambda shape: variable(random_mask([shape[0], 1], share))


def elements(share):
    return lambda shape: variable(random_mask(shape, share))


def static(share):
    return lambda shape: random_mask(shape, share)


def bench_update(size, rounds, resource):
    ways = {
        "plain Adam": plain,
        "whole variable, frozen": frozen(lambda shape: variable(np.array(True))),
        "whole variable, not frozen": frozen(lambda shape: variable(np.array(False))),
        "rows, 1% frozen": frozen(rows(0.01)),
        "rows, 50% frozen": frozen(rows(0.5)),
        "rows, 99% frozen": frozen(rows(0.99)),
        "array of rows, 99% frozen": frozen(
            lambda shape: np.broadcast_to(random_mask([shape[0], 1], 0.99), shape)
        ),
        "array of elements, 99% frozen": frozen(static(0.99)),
        "array of elements, 99.9% frozen": frozen(static(0.999)),
        "array of elements, 99% frozen, slots='compact'": frozen(static(0.99), slots="compact"),
        "array of elements, 0.1% frozen": frozen(static(0.001)),
        "elements by a variable mask, 1% frozen": frozen(elements(0.01)),
        "elements by a variable mask, 50% frozen": frozen(elements(0.5)),
        "elements by a variable mask, 99% frozen": frozen(elements(0.99)),
    }
    if resource and tf.__version__.startswith("2"):
        ways["elements by a variable mask, fused=True"] = frozen(elements(0.5), fused=True)
    steps = {name: Step(update(way, size), resource) for name, way in ways.items()}
    steps["by the host: read, step, put back"] = ByTheHost(size, resource)
    kind = "resource" if resource else "ref"
    measure(f"One update of {size:,} float32 elements, {kind} variables", steps, rounds)


def trained(optimizer_for, size, batch=32):
    """A whole training step of one dense layer: its loss, its gradient and the update."""

    def build():
        shape = [size // 100, 100]
        w = v1.get_variable("w", shape, initializer=v1.random_normal_initializer())
        x = tf.constant(np.random.RandomState(0).normal(size=(batch, shape[0])).astype(np.float32))
        optimizer, feed = optimizer_for(shape)
        return optimizer.minimize(tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w))))), feed

    return build


def bench_readers(size, rounds, resource):
    """What it costs to write no frozen element, so that others may read at any time."""
    masks = {
        "rows by a variable, 1% frozen": rows(0.01),
        "rows by a variable, 99% frozen": rows(0.99),
        "array of rows, 1% frozen": static_rows(0.01),
        "array of elements, 0.1% frozen": static(0.001),
        "array of elements, 50% frozen": static(0.5),
        "elements by a variable, 50% frozen": elements(0.5),
    }
    steps = {"plain Adam": Step(update(plain, size), resource)}
    for what, mask in masks.items():
        for readers in ("between", "any"):
            name = f"{what}, readers={readers!r}"
            steps[name] = Step(update(frozen(mask, readers=readers), size), resource)
    kind = "resource" if resource else "ref"
    measure(f"Readers of {size:,} float32 elements, {kind} variables", steps, rounds)


def static_rows(share):
    return lambda shape: random_mask([shape[0], 1], share)


def bench_lock(size, rounds, resource):
    """The same step with and without the lock that lets several threads run it."""
    kind = "resource" if resource else "ref"
    for what, build in (("update alone", update), ("training step", trained)):
        steps = {
            name: Step(build(frozen(elements(0.5), threads=threads), size), resource)
            for name, threads in (("frozen, threads='one'", "one"), ("frozen", "several"))
        }
        measure(f"The lock of one {what} of {size:,} elements, one thread, {kind}", steps, rounds)


def sparse_update(rows, optimizer):
    """One sparse update of 1,000 rows of a table, half of its elements frozen."""

    def build():
        table = v1.get_variable("w", [rows, 16], initializer=v1.zeros_initializer())
        indices = tf.constant(np.random.RandomState(0).choice(rows, 1000, replace=False))
        gradient = tf.IndexedSlices(tf.ones([1000, 16]), indices, tf.constant([rows, 16]))
        return optimizer().apply_gradients([(gradient, table)]), None

    return build


def bench_sparse(rounds, resource):
    def adagrad():
        return v1.train.AdagradOptimizer(0.1)

    def frozen_half():
        return training.FreezeOptimizer(adagrad(), {"w": np.arange(16) % 2 == 0})

    ways = {
        "plain Adagrad, 1M rows": (1_000_000, adagrad),
        "frozen, 1M rows": (1_000_000, frozen_half),
        "frozen, 10M rows": (10_000_000, frozen_half),
    }
    steps = {name: Step(sparse_update(*way), resource) for name, way in ways.items()}
    kind = "resource" if resource else "ref"
    measure(f"A sparse update of 1,000 rows, {kind} variables", steps, rounds * 5)


_PARTS = ["update", "readers", "lock", "sparse", "groups"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", choices=_PARTS)
    arguments = parser.parse_args()
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    print(f"TensorFlow {tf.__version__}")
    for resource in (True, False):
        if arguments.only in (None, "update"):
            bench_update(arguments.elements, arguments.rounds, resource)
        if arguments.only in (None, "readers"):
            bench_readers(arguments.elements, arguments.rounds, resource)
        if arguments.only in (None, "lock"):
            for size in (100_000, arguments.elements):
                bench_lock(size, arguments.rounds * 2, resource)
        if arguments.only in (None, "sparse"):
            bench_sparse(arguments.rounds, resource)
        if arguments.only in (None, "groups"):
            bench_groups(arguments.rounds * 2, resource)


if __name__ == "__main__":
    main()
