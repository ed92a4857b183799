"""Chains of wrappers whose steps hold a lock, around SGD, as the tests of threads and servers run.

Each step is one of -1 for every element that its mask does not freeze.
"""

import itertools

import numpy as np

STARTS = {  # {id: wrap(tf, training, optimizer, mask)}: each freezes "w" by a fed mask
    "freeze": lambda tf, t, o, m: t.FreezeOptimizer(o, {"w.*": m}),
    "freeze-twice": lambda tf, t, o, m: t.FreezeOptimizer(
        t.FreezeOptimizer(o, {"w.*": m}), {"w.*": m}, name="Again"
    ),
    "reset": lambda tf, t, o, m: t.FreezeOptimizer(o, {"w.*": m}, slots="reset"),
}
WRAPPERS = {
    "rates": lambda tf, t, o, i: t.LRMultiplierOptimizer(o, {"w.*": tf.constant(1.0)}),
    "transform": lambda tf, t, o, i: t.GradientTransformOptimizer(
        o, t.transforms.clip_by_global_norm(1e9)
    ),
    "partition": lambda tf, t, o, i: t.PartitionOptimizer(
        [t.Group("all", ".*", o)], name=f"Partition{i}"
    ),
    "decay": lambda tf, t, o, i: t.DecoupledWeightDecayOptimizer(o, {"w.*": tf.constant(0.0)}),
    "average": lambda tf, t, o, i: t.ExponentialAverageOptimizer(o, 0.5, name=f"Average{i}"),
    "weight-average": lambda tf, t, o, i: t.WeightAverageOptimizer(o, name=f"Weights{i}"),
    "lookahead": lambda tf, t, o, i: t.LookaheadOptimizer(o, 2, rate=1.0, name=f"Lookahead{i}"),
    "trust": lambda tf, t, o, i: t.TrustRatioOptimizer(o, exclude=".*", name=f"Trust{i}"),
    "accumulation": lambda tf, t, o, i: t.GradientAccumulationOptimizer(
        o, 1, name=f"Accumulation{i}"
    ),
}

#: Wrappers and freezes that the tests of counts add.
MORE = {
    "accumulation-of-2": lambda tf, t, o, i: t.GradientAccumulationOptimizer(
        o, 2, name=f"Accumulation{i}"
    ),
    "skip": lambda tf, t, o, i: t.SkipNonFiniteOptimizer(o, name=f"Skip{i}"),
    "loss-scale": lambda tf, t, o, i: t.LossScaleOptimizer(o, name=f"Scale{i}"),
}
FIXED = {  # each freezes, by an array, what both workers freeze
    "array": lambda tf, t, o, m: t.FreezeOptimizer(o, {"w.*": _array(m)}),
    "array-of-rows": lambda tf, t, o, m: t.FreezeOptimizer(o, {"w.*": _array(m)[:, :1]}),
    "few-trainable": lambda tf, t, o, m: t.FreezeOptimizer(o, {"w.*": _few_trainable(m)}),
    "whole": lambda tf, t, o, m: t.FreezeOptimizer(o, {"w_dense": True}),
}


def _array(mask):
    rows, width = mask.shape.as_list()
    return np.arange(rows * width).reshape(rows, width) % 3 == 0


def _few_trainable(mask):
    return np.arange(_array(mask).size).reshape(mask.shape.as_list()) != 5


def chain(names):
    """The function that builds a chain of the named wrappers and freezes, the first outermost."""

    def build(tf, training, optimizer, mask):
        for index, name in enumerate(reversed(names)):
            if name in STARTS or name in FIXED:
                optimizer = {**STARTS, **FIXED}[name](tf, training, optimizer, mask)
            else:
                optimizer = {**WRAPPERS, **MORE}[name](tf, training, optimizer, index)
        return optimizer

    return build


#: {id: build(tf, training, optimizer, mask)}: the freeze alone, and with each wrapper.
SINGLE = {start: chain([start]) for start in STARTS}
SINGLE.update({f"{name}-freeze": chain([name, "freeze"]) for name in WRAPPERS})
SINGLE.update({f"freeze-{name}": chain(["freeze", name]) for name in WRAPPERS})

#: The same with two wrappers, in each order.
PAIRS = {}
for names in itertools.permutations(WRAPPERS, 2):
    PAIRS["-".join(names) + "-freeze"] = chain([*names, "freeze"])
    PAIRS["freeze-" + "-".join(names)] = chain(["freeze", *names])
