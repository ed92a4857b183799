"""A step that touches some rows of a table, as the table grows: does its cost grow with it?

python scripts/bench/tables.py [--rows 400000] [--times 10] [--touched 4000] [--only freeze]

For every mask and wrapper, in 1, 2 and 4 parts, four steps take turns: plain Momentum and ours, on
the small table and on the large one. Printed are the medians, how much plain grows, how much ours
grows, and the quotient of the two. (Caches hold less of a large table: plain grows, too.)
Every element takes part in an average: its plain is Momentum with TensorFlow's own average.
Bad rows are marked: above 1.2, in both the growth of ours and the quotient.
"""

import argparse
import os
import statistics
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf
from steps import Step

from tfgraphtools import training

v1 = tf.compat.v1
WIDTH = 4
BOUND = 1.2


def _frozen(mask):
    return lambda optimizer, rows: training.FreezeOptimizer(optimizer, {"w.*": mask(rows)})


def _thirds(rows):
    return np.arange(rows)[:, None] % 3 == 0


def _elements(rows):
    return np.arange(rows * WIDTH).reshape(rows, WIDTH) % 3 == 0


#: {id: wrap(optimizer, rows)}
CASES = {
    "freeze rows": _frozen(_thirds),
    "freeze columns": _frozen(lambda rows: np.arange(WIDTH) % 2 == 0),
    "freeze elements": _frozen(_elements),
    "freeze fed columns": _frozen(
        lambda rows: v1.placeholder_with_default(np.arange(WIDTH) % 2 == 0, None)
    ),
    "freeze by a variable": _frozen(
        lambda rows: v1.get_variable("mask", initializer=_thirds(rows), trainable=False)
    ),
    "freeze few elements": _frozen(lambda rows: _elements(rows) & (np.arange(rows) < 9)[:, None]),
    "rates": lambda o, rows: training.LRMultiplierOptimizer(o, {"w.*": 0.5}),
    "decay": lambda o, rows: training.DecoupledWeightDecayOptimizer(o, {"w.*": 0.01}),
    "groups": lambda o, rows: training.PartitionOptimizer([training.Group("all", ".*", o)]),
    "clip": lambda o, rows: training.GradientTransformOptimizer(
        o, training.transforms.clip_by_global_norm(1.0)
    ),
    "skip": lambda o, rows: training.SkipNonFiniteOptimizer(o),
    "loss scale": lambda o, rows: training.LossScaleOptimizer(o),
    "accumulation of 2": lambda o, rows: training.GradientAccumulationOptimizer(o, 2),
    "accumulation, every step due": lambda o, rows: training.GradientAccumulationOptimizer(o, 1),
    "average": lambda o, rows: training.ExponentialAverageOptimizer(o, 0.9),
    "weight average": lambda o, rows: training.WeightAverageOptimizer(o),
    "lookahead of 5": lambda o, rows: training.LookaheadOptimizer(o, 5),
    "trust ratio": lambda o, rows: training.TrustRatioOptimizer(o),
}


def step_of(wrap, rows, parts, touched):
    """The `Step` of Momentum under a wrapper, with other rows looked up in each of ten runs."""

    def build():
        table = v1.get_variable(
            "w",
            [rows, WIDTH],
            initializer=v1.zeros_initializer(),
            partitioner=v1.fixed_size_partitioner(parts) if parts > 1 else None,
        )
        looked_up = tf.constant(np.random.RandomState(0).randint(0, rows, touched))
        read = v1.nn.embedding_lookup(table, looked_up, partition_strategy="div")
        optimizer = wrap(v1.train.MomentumOptimizer(0.1, 0.9), rows)
        return optimizer.minimize(tf.reduce_sum(read)), None

    return Step(build, resource=True)


def _plain(optimizer, rows):
    return optimizer


class _MovingAverage:
    """An optimizer with TensorFlow's own average of each variable."""

    def __init__(self, optimizer, rows):
        self._optimizer = optimizer

    def minimize(self, loss):
        step = self._optimizer.minimize(loss)
        with tf.control_dependencies([step]):
            return v1.train.ExponentialMovingAverage(0.9).apply(v1.trainable_variables())


#: {id of a case: the plain optimizer that does the same}; all others are compared with Momentum
PLAIN = {"average": _MovingAverage, "weight average": _MovingAverage}


def medians(steps, rounds, runs=10):
    """The median seconds of each step; they take turns."""
    seconds = [[] for _ in steps]
    for number in range(rounds + 3):
        for step, own in zip(steps, seconds):
            start = time.perf_counter()
            for _ in range(runs):
                step()
            if number >= 3:
                own.append((time.perf_counter() - start) / runs)
    return [statistics.median(own) for own in seconds]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=400000)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--touched", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--parts", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--only", default="", help="part of the name of a case")
    options = parser.parse_args()
    sizes = [options.rows, options.rows * options.times]
    print(f"{'':30} parts  plain ms         ours ms        plain  ours  quotient", flush=True)
    for name, wrap in CASES.items():
        for parts in options.parts if options.only in name else ():
            ways = [(way, rows) for way in (PLAIN.get(name, _plain), wrap) for rows in sizes]
            steps = [step_of(way, rows, parts, options.touched) for way, rows in ways]
            plain, plain_large, own, own_large = medians(steps, options.rounds)
            for step in steps:
                step.session.close()
            growths = [plain_large / plain, own_large / own]
            quotient = growths[1] / growths[0]
            times = f"{plain * 1e3:6.2f} {plain_large * 1e3:6.2f}   "
            times += f"{own * 1e3:7.2f} {own_large * 1e3:7.2f}  "
            mark = "  above" if min(growths[1], quotient) > BOUND else ""
            print(
                f"{name:30} {parts:5}  {times} {growths[0]:6.2f} {growths[1]:5.2f} {quotient:6.2f}"
                + mark,
                flush=True,
            )


if __name__ == "__main__":
    main()
