"""Chains of wrappers whose steps hold a lock, around SGD, as the tests of threads and servers run.

Each step is one of -1 for every element that its mask does not freeze.
"""

import itertools

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


def _inside(start, wrappers):
    """The wrappers, the first outermost, around the freeze."""

    def build(tf, training, optimizer, mask):
        optimizer = STARTS[start](tf, training, optimizer, mask)
        for index, name in enumerate(reversed(wrappers)):
            optimizer = WRAPPERS[name](tf, training, optimizer, index)
        return optimizer

    return build


def _around(start, wrappers):
    """The freeze around the wrappers."""

    def build(tf, training, optimizer, mask):
        for index, name in enumerate(reversed(wrappers)):
            optimizer = WRAPPERS[name](tf, training, optimizer, index)
        return STARTS[start](tf, training, optimizer, mask)

    return build


#: {id: build(tf, training, optimizer, mask)}: the freeze alone, and with each wrapper.
SINGLE = {start: _inside(start, []) for start in STARTS}
SINGLE.update({f"{name}-freeze": _inside("freeze", [name]) for name in WRAPPERS})
SINGLE.update({f"freeze-{name}": _around("freeze", [name]) for name in WRAPPERS})

#: The same with two wrappers, in each order.
PAIRS = {}
for names in itertools.permutations(WRAPPERS, 2):
    PAIRS["-".join(names) + "-freeze"] = _inside("freeze", names)
    PAIRS["freeze-" + "-".join(names)] = _around("freeze", names)
