"""How long it takes to build a step with many small variables, beside plain Adam.

python scripts/bench/building.py [--variables 500 1000 2000 4000]
"""

import argparse
import time

import numpy as np
import tensorflow as tf

from tfgraphtools import training

v1 = tf.compat.v1
SHAPE = [4]


def adam():
    return v1.train.AdamOptimizer(1e-3)


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
    "plain Adam": lambda weights: adam(),
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
        begin = time.process_time()  # one thread: what else the machine does is not counted
        optimizer.apply_gradients(pairs)
        return time.process_time() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, nargs="+", default=[500, 1000, 2000, 4000])
    arguments = parser.parse_args()
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    print(f"TensorFlow {tf.__version__}: seconds to build a step (times plain Adam)")
    print(f"{'variables':<46}" + "".join(f"{count:>16}" for count in arguments.variables))
    plain = {}
    for name, way in WAYS.items():
        cells = []
        for count in arguments.variables:
            taken = seconds(way, count)
            plain.setdefault(count, taken)
            cells.append(f"{taken:8.2f} ({taken / plain[count]:4.2f})".rjust(16))
        print(f"{name:<46}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
