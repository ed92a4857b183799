#!/usr/bin/env python3
"""What each wrapper costs beside the plain optimizer: the time of a step, and its ops.

    scripts/bench/wrappers.py [--elements 10000000] [--rounds 30] [--only decay LAMB]

One table for this TensorFlow and, where TFGRAPHTOOLS_TF1_PYTHON is set, TF 1.15: both processes
are alive at once, and each row is measured in all of them before the next. Of each kind of
variable: the ratio of the best times to plain Adam's, step by step alternately, and how many ops
a run of the step executes more than plain Adam's, function bodies included.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from processes import failure

KINDS = ("resource", "ref")
#: The rows, in the order in which they are printed: plain Adam is the first, and shows the noise.
NAMES = [
    "plain Adam",
    "rates",
    "one group",
    "rows frozen, 99%",
    "rows frozen, 50%",
    "array of rows frozen, 99%",
    "array of elements frozen, 99%",
    "array of elements frozen, 99.9%",
    "the same, 99%, slots='compact'",
    "elements frozen, a variable mask",
    "the same, fused=True",
    "elements frozen, readers='any'",
    "exponential average",
    "SWA, every step",
    "SWA, every 100 steps",
    "lookahead, 5 steps",
    "LAMB",
    "LARS",
    "accumulation of 4",
    "skips non-finite steps",
    "loss scale",
    "decay",
    "clip by the global norm",
]


def wraps():
    """Returns {name: wrap(an Adam, the shape of the variable)}."""
    import numpy as np

    from tfgraphtools import training as t
    from tfgraphtools._tf import v1

    def frozen(columns, share, **options):
        def wrap(adam, shape):
            size = [shape[0], columns or shape[1]]
            mask = np.random.RandomState(0).random_sample(size) < share
            variable = v1.get_variable("mask", initializer=mask, trainable=False)
            return t.FreezeOptimizer(adam, {"w": variable}, **options)

        return wrap

    def frozen_array(columns, share, **options):
        def wrap(adam, shape):
            size = [shape[0], columns or shape[1]]
            mask = np.random.RandomState(0).random_sample(size) < share
            return t.FreezeOptimizer(adam, {"w": np.broadcast_to(mask, shape)}, **options)

        return wrap

    clip = t.transforms.clip_by_global_norm(1.0)
    every = [
        lambda adam, shape: adam,
        lambda adam, shape: t.LRMultiplierOptimizer(adam, {"w": 0.5}),
        lambda adam, shape: t.PartitionOptimizer([t.Group("all", "w", adam)]),
        frozen(1, 0.99),
        frozen(1, 0.5),
        frozen_array(1, 0.99),
        frozen_array(None, 0.99),
        frozen_array(None, 0.999),
        frozen_array(None, 0.99, slots="compact"),
        frozen(None, 0.5),
        frozen(None, 0.5, fused=True),
        frozen(None, 0.5, readers="any"),
        lambda adam, shape: t.ExponentialAverageOptimizer(adam, 0.999),
        lambda adam, shape: t.WeightAverageOptimizer(adam),
        lambda adam, shape: t.WeightAverageOptimizer(adam, every=100),
        lambda adam, shape: t.LookaheadOptimizer(adam),
        lambda adam, shape: t.TrustRatioOptimizer(adam),
        lambda adam, shape: t.TrustRatioOptimizer(adam, of="gradient"),
        lambda adam, shape: t.GradientAccumulationOptimizer(adam, 4),
        lambda adam, shape: t.SkipNonFiniteOptimizer(adam),
        lambda adam, shape: t.LossScaleOptimizer(adam),
        lambda adam, shape: t.DecoupledWeightDecayOptimizer(adam, {"w": 1e-5}),
        lambda adam, shape: t.GradientTransformOptimizer(adam, clip),
    ]
    return dict(zip(NAMES, every))


def serve(elements, rounds):
    """Answers each line of stdin, a name, with the costs of that row as JSON."""
    import tensorflow as tf
    from side_by_side import best_ratio
    from steps import Step, adam, update

    tf.compat.v1.disable_eager_execution()
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    ways = wraps()

    def step(name, kind):
        def optimizer_for(shape):
            return ways[name](adam(), shape), None

        return Step(update(optimizer_for, elements), kind == "resource")

    plain = {kind: step(NAMES[0], kind) for kind in KINDS}
    print(json.dumps({"version": tf.__version__}), flush=True)
    for line in sys.stdin:
        costs = {}
        for kind in KINDS:
            if "fused" in line and (kind == "ref" or tf.__version__ < "2"):
                costs[kind] = None
                continue
            own = step(line.strip(), kind)
            costs[kind] = (
                best_ratio(plain[kind], own, rounds),
                own.op_count - plain[kind].op_count,
            )
            own.session.close()
        print(json.dumps(costs), flush=True)


class Side:
    """A process of one TensorFlow that answers with costs."""

    def __init__(self, python, options):
        words = ["--elements", str(options.elements), "--rounds", str(options.rounds)]
        self._command = [python, "-W", "ignore", os.path.abspath(__file__), "--serve", *words]
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            universal_newlines=True,
        )
        self.version = self._answer()["version"]

    def _answer(self):
        for line in self._process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        raise SystemExit(failure(self._command, self._process.wait(), self._errors))

    def costs(self, name):
        """The costs of a row: ``{kind of variable: (ratio, ops more)}``, None if refused."""
        self._process.stdin.write(name + "\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def main(words=None):
    options = parse(words)
    if options.serve:
        serve(options.elements, options.rounds)
        return
    pythons = [sys.executable, os.environ.get("TFGRAPHTOOLS_TF1_PYTHON")]
    sides = [Side(python, options) for python in pythons if python]
    print(f"One Adam update of {options.elements:,} float32, beside the plain one")
    heads = [f"{side.version} {kind}" for side in sides for kind in KINDS]
    print(f"{'':34}" + "".join(f"{head:>20}" for head in heads))
    print(f"{'':34}" + f"{'time':>12}{'ops':>8}" * len(heads))
    for name in NAMES:
        if options.only and name not in options.only:
            continue
        print(f"{name:34}", end="", flush=True)
        for side in sides:
            for cost in side.costs(name).values():
                cell = f"{cost[0]:12.2f}{cost[1]:+8d}" if cost else f"{'refused':>20}"
                print(cell, end="", flush=True)
        print()
    for side in sides:
        side.close()


def parse(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--elements", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", nargs="+", choices=NAMES, metavar="NAME")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
