"""How long it takes to build a step with many small variables, beside plain Adam.

python scripts/bench/building.py [--variables 500 1000 2000 4000]
"""

import argparse
import gc
import time

import numpy as np
import tensorflow as tf

from tfgraphtools import training

v1 = tf.compat.v1
SHAPE = [4]


def adam():
    return v1.train.AdamOptimizer(1e-3)


def adam_alone(weights):
    return adam()


def masks(weights):
    return {w.op.name: v1.placeholder(tf.bool, SHAPE) for w in weights}


def rates(weights):
    return {w.op.name: 0.5 for w in weights}


def frozen(weights):
    return training.FreezeOptimizer(adam(), masks(weights))


def grouped(weights):
    inner = training.LRMultiplierOptimizer(frozen(weights), rates(weights))
    groups = [
        training.Group("even", ".*[02468]/w", inner),
        training.Group("odd", ".*[13579]/w", adam()),
    ]
    return training.PartitionOptimizer(groups)


def everything(weights):
    average = training.ExponentialAverageOptimizer(grouped(weights), 0.999)
    return training.GradientAccumulationOptimizer(average, 4)


WAYS = {
    "rates": lambda weights: training.LRMultiplierOptimizer(adam(), rates(weights)),
    "masks": frozen,
    "masks, clock='element'": lambda weights: training.FreezeOptimizer(
        adam(), masks(weights), clock="element"
    ),
    "skips non-finite steps": lambda weights: training.SkipNonFiniteOptimizer(adam()),
    "masks, rates, groups": grouped,
    "masks, rates, groups, averages, accumulation": everything,
}


def seconds(way, count):
    """Returns the CPU time of `apply_gradients`; variables and gradients are there before."""
    with v1.Graph().as_default():
        weights = [
            v1.get_variable(f"layer{i}/w", initializer=np.ones(SHAPE, np.float32))
            for i in range(count)
        ]
        pairs = [(tf.constant(np.ones(SHAPE, np.float32)), w) for w in weights]
        optimizer = way(weights)
        gc.collect()
        begin = time.process_time()  # one thread: what else the machine does is not counted
        optimizer.apply_gradients(pairs)
        return time.process_time() - begin


def row(count):
    """Returns the cells of one row; plain Adam is timed before and after the others."""
    seconds(adam_alone, 10)  # what TensorFlow does once
    before = seconds(adam_alone, count)
    times = [seconds(way, count) for way in WAYS.values()]
    plain = (before + seconds(adam_alone, count)) / 2
    return [f"{plain:.2f} s", *(f"{taken / plain:.2f}" for taken in times)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, nargs="+", default=[500, 1000, 2000, 4000])
    arguments = parser.parse_args()
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    print(f"TensorFlow {tf.__version__}: CPU time to build a step, in units of plain Adam's")
    for number, name in enumerate(WAYS, 1):
        print(f"  {number}: {name}")
    print("".join(f"{head:>11}" for head in ["variables", "plain", *range(1, len(WAYS) + 1)]))
    for count in arguments.variables:
        print("".join(f"{cell:>11}" for cell in [count, *row(count)]), flush=True)


if __name__ == "__main__":
    main()
