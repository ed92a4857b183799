"""Building a step is linear in the variables: by counts of calls and edges, not by time."""

import numpy as np
import pytest
from call_counts import counted_calls

SIZE = 4
MASK = [True, False, True, False]


def by_name(weights, value):
    return {w.op.name: value for w in weights}


def adam(v1):
    return v1.train.AdamOptimizer(0.1)


def everything(t, v1, weights, fed):
    optimizer = t.FreezeOptimizer(adam(v1), by_name(weights, fed))
    optimizer = t.LRMultiplierOptimizer(optimizer, by_name(weights, 0.5))
    groups = [
        t.Group("even", ".*[02468]/w", optimizer),
        t.Group("odd", ".*[13579]/w", adam(v1)),
    ]
    optimizer = t.DecoupledWeightDecayOptimizer(t.PartitionOptimizer(groups), by_name(weights, 0.1))
    return t.GradientAccumulationOptimizer(t.ExponentialAverageOptimizer(optimizer, 0.9), 2)


#: {id: build(training, v1, weights, a fed mask)}
CHAINS = {
    "fed-masks": lambda t, v1, w, fed: t.FreezeOptimizer(adam(v1), by_name(w, fed)),
    "masks-by-variable": lambda t, v1, w, fed: t.FreezeOptimizer(adam(v1), [(v, MASK) for v in w]),
    "one-mask": lambda t, v1, w, fed: t.FreezeOptimizer(adam(v1), {".*": MASK}),
    "clocks": lambda t, v1, w, fed: t.FreezeOptimizer(adam(v1), {".*": fed}, clock="element"),
    "rates": lambda t, v1, w, fed: t.LRMultiplierOptimizer(adam(v1), by_name(w, 0.5)),
    "decay": lambda t, v1, w, fed: t.DecoupledWeightDecayOptimizer(adam(v1), by_name(w, 0.1)),
    "average": lambda t, v1, w, fed: t.ExponentialAverageOptimizer(adam(v1), 0.9),
    "lookahead": lambda t, v1, w, fed: t.LookaheadOptimizer(adam(v1)),
    "accumulation": lambda t, v1, w, fed: t.GradientAccumulationOptimizer(adam(v1), 2),
    "trust": lambda t, v1, w, fed: t.TrustRatioOptimizer(adam(v1), decays=by_name(w, 0.1)),
    "trust-group": lambda t, v1, w, fed: t.TrustRatioOptimizer(adam(v1), groups=[".*"]),
    "trust-of-gradient": lambda t, v1, w, fed: t.TrustRatioOptimizer(adam(v1), of="gradient"),
    "everything": everything,
}


#: {id: wrap(training, an Adam, the variable's name, a name)} of what each group has.
OF_GROUPS = {
    "none": lambda t, o, w, name: o,
    "freeze": lambda t, o, w, name: t.FreezeOptimizer(o, {w: MASK}),
    "rates": lambda t, o, w, name: t.LRMultiplierOptimizer(o, {w: 0.5}),
    "decay": lambda t, o, w, name: t.DecoupledWeightDecayOptimizer(o, {w: 0.1}),
    "average": lambda t, o, w, name: t.ExponentialAverageOptimizer(o, 0.9, name=name),
    "weight-average": lambda t, o, w, name: t.WeightAverageOptimizer(o, name=name),
    "lookahead": lambda t, o, w, name: t.LookaheadOptimizer(o, name=name),
    "accumulation": lambda t, o, w, name: t.GradientAccumulationOptimizer(o, 2, name=name),
    "trust": lambda t, o, w, name: t.TrustRatioOptimizer(o),
    "transform": lambda t, o, w, name: t.GradientTransformOptimizer(
        o, t.transforms.clip_by_global_norm(1.0)
    ),
    "skip": lambda t, o, w, name: t.SkipNonFiniteOptimizer(o, name=name),
}


def groups(wrap):
    """Returns the `build` of `counts` of a group for each variable, with a wrapper each."""

    def build(t, v1, weights, fed):
        own = [wrap(t, adam(v1), w.op.name, f"Own{i}") for i, w in enumerate(weights)]
        return t.PartitionOptimizer(
            [
                t.Group(f"g{i}", w.op.name, optimizer)
                for i, (w, optimizer) in enumerate(zip(weights, own))
            ]
        )

    return build


class Plain:
    """As many optimizers, each for its variable."""

    def __init__(self, t, v1, weights, fed):
        self._optimizers = [adam(v1) for _ in weights]

    def apply_gradients(self, pairs):
        for optimizer, pair in zip(self._optimizers, pairs):
            optimizer.apply_gradients([pair])

    def describe(self):
        """Nothing."""


#: Calls of functions beside plain optimizers.
MOST_CALLS = 3.0


@pytest.mark.costly(in_ci=2)
@pytest.mark.parametrize("wrapper", OF_GROUPS)
def test_a_wrapper_for_each_group(wrapper, v1, tf, training):
    """As fast for each of many groups as for each of few, and like three plain optimizers or so."""
    build = groups(OF_GROUPS[wrapper])
    few, many = (counts(build, count, v1, tf, training)["calls"] for count in (10, 40))
    plain = counts(Plain, 40, v1, tf, training)["calls"]
    assert many < 4.2 * few, f"{few} and {many}"
    assert many <= MOST_CALLS * plain, f"{many} and {plain} of plain optimizers"


def counts(build, count, v1, tf, training):
    """Returns {what: how many}: calls of functions, and inputs of the ops that are built."""
    with v1.Graph().as_default() as graph:
        weights = [
            v1.get_variable(f"layer{i}/w", initializer=np.ones(SIZE, np.float32))
            for i in range(count)
        ]
        pairs = [(tf.constant(np.ones(SIZE, np.float32)), w) for w in weights]
        optimizer = build(training, v1, weights, v1.placeholder(tf.bool, [SIZE]))
        with counted_calls() as calls:
            optimizer.apply_gradients(pairs)
            optimizer.describe()
        ops = graph.get_operations()
        edges = sum(len(op.inputs) + len(op.control_inputs) for op in ops)
    return {"calls": calls[0], "edges": edges}


@pytest.mark.costly(in_ci=2)
@pytest.mark.parametrize(
    "chain",
    ["everything"]
    + [
        pytest.param(chain, marks=pytest.mark.slow)
        for chain in sorted(CHAINS)
        if chain != "everything"
    ],
)
def test_twice_the_variables(chain, v1, tf, training):
    few, many = (counts(CHAINS[chain], count, v1, tf, training) for count in (20, 40))
    for counted, count in few.items():
        assert many[counted] < 2.15 * count, f"{counted}: {count} and {many[counted]}"
