"""The global step goes to the innermost optimizer: who counts it alone counts it wrapped."""

import functools
import itertools
import os

import numpy as np
import pytest
from own_optimizers import KINDS, NEVER, optimizers

from tfgraphtools.errors import OptimizerKindError
from training_cases import same_bits

#: {id: wrapped(training, optimizer)}, none of which changes what the optimizer does.
WRAPPERS = {
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {"w": 1}),
    "freeze": lambda t, o: t.FreezeOptimizer(o, {"w": [False, False]}),
    "transform": lambda t, o: t.GradientTransformOptimizer(o, lambda pairs: pairs),
    "decay": lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": 0.0}),
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 1),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "weight-average": lambda t, o: t.WeightAverageOptimizer(o),
    "lookahead": lambda t, o: t.LookaheadOptimizer(o, 100),
    "trust": lambda t, o: t.TrustRatioOptimizer(o, of="gradient", exclude="w"),
    "partition": lambda t, o: t.PartitionOptimizer([t.Group("all", "w", o)]),
}
SKIPPING = ("skip", "scale")
WRAPPERS["skip"] = lambda t, o: t.SkipNonFiniteOptimizer(o)
WRAPPERS["scale"] = lambda t, o: t.LossScaleOptimizer(o, 8.0, 2)
PAIRS = list(itertools.permutations(sorted(WRAPPERS), 2))
#: Some of them; ``TFGRAPHTOOLS_TRIPLES=1`` takes all, which is five minutes.
TRIPLES = list(itertools.permutations(sorted(WRAPPERS), 3))
TRIPLES = TRIPLES if os.environ.get("TFGRAPHTOOLS_TRIPLES") else TRIPLES[::11]


@pytest.fixture(autouse=True)
def ref_variables_in_branches(variables, v1):
    """No optimizer of TensorFlow reaches a ref variable in a branch of control flow v2."""
    if variables == "ref":
        v1.disable_control_flow_v2()


GRADIENTS = [[1.0, -2.0], [0.5, 1.0], [np.nan, 1.0], [3.0, 0.25]]
COUNTS = {"skipping": [1, 2, 2, 3], "loss-scale": [1, 2, 2, 3]}


def runs(wrap, kind, v1, tf, skips=False):
    """Returns [(w, global step)] after each run that is not skipped.

    Where the optimizer does not count, the script does, as BERT's.
    """
    with v1.Graph().as_default(), v1.Session() as run:
        w = v1.get_variable("w", initializer=[1.0, 2.0])
        grad = v1.placeholder(tf.float32, [2])
        count = v1.train.get_or_create_global_step()
        optimizer = wrap(optimizers(tf)[kind]())
        step = optimizer.apply_gradients([(grad, w)], global_step=count)
        counted = count.assign_add(1) if kind in NEVER else []
        run.run(v1.global_variables_initializer())
        seen = []
        for values in GRADIENTS:
            finite = np.isfinite(values).all()
            if finite or wrap is not unwrapped or not skips:
                run.run(step, {grad: values})
            if finite or not skips:
                run.run(counted)
            seen.append(run.run([w, count]))
    return seen


def unwrapped(optimizer):
    return optimizer


@functools.lru_cache(maxsize=None)
def runs_alone(kind, variables, v1, tf, skips):
    """Returns what `runs` does for the optimizer without a wrapper, computed once."""
    return runs(unwrapped, kind, v1, tf, skips)


def check(wrappers, kind, variables, v1, tf, training):
    """The optimizer in wrappers, the outermost first, is as alone."""

    def wrap(optimizer):
        for wrapper in reversed(wrappers):
            optimizer = WRAPPERS[wrapper](training, optimizer)
        return optimizer

    inside = wrappers[wrappers.index("partition") :] if "partition" in wrappers else ()
    if "scale" in inside or (inside and kind == "loss-scale"):  # they compute their own gradients
        with pytest.raises(OptimizerKindError, match="Put it around the whole"):
            wrap(optimizers(tf)[kind]())
        return
    skips = any(wrapper in SKIPPING for wrapper in wrappers)
    expected = runs_alone(kind, variables, v1, tf, skips)
    if not skips:
        assert [count for _, count in expected] == COUNTS.get(kind, [1, 2, 3, 4])
    for (w, count), (wrapped, wrapped_count) in zip(expected, runs(wrap, kind, v1, tf, skips)):
        assert same_bits(w, wrapped) and count == wrapped_count


LIKE_BERT = ("electra", "albert-lamb", "xlnet")


@pytest.mark.costly(in_ci=40)
@pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=pytest.mark.slow) if k in LIKE_BERT else k for k in KINDS]
)
@pytest.mark.parametrize("wrapper", sorted(WRAPPERS))
def test_as_the_optimizer_alone(wrapper, kind, variables, v1, tf, training):
    check([wrapper], kind, variables, v1, tf, training)


def few(chains, step):
    """[(wrappers, kind)]: every ``step``-th chain, each with one optimizer in turn."""
    return [(chain, KINDS[i % len(KINDS)]) for i, chain in enumerate(chains[::step])]


@pytest.mark.parametrize("wrappers, kind", few(PAIRS, 10), ids=str)
def test_pairs(wrappers, kind, variables, v1, tf, training):
    check(wrappers, kind, variables, v1, tf, training)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("outer", sorted(WRAPPERS))
def test_every_pair(outer, kind, variables, v1, tf, training):
    for wrappers in PAIRS:
        if wrappers[0] == outer:
            check(wrappers, kind, variables, v1, tf, training)


@pytest.mark.slow
@pytest.mark.parametrize("outer", sorted(WRAPPERS))
def test_triples(outer, variables, v1, tf, training):
    for wrappers, kind in few(TRIPLES, 1):
        if wrappers[0] == outer:
            check(wrappers, kind, variables, v1, tf, training)


@pytest.mark.parametrize(
    "kinds, counts",
    [
        (("counting", "not-counting"), [1, 2, 3, 4]),
        (("not-counting", "reading-not-counting"), [0, 0, 0, 0]),
        (("reading", "reading"), [1, 2, 3, 4]),
        (("reading", "reading-not-counting"), [1, 2, 3, 4]),
        (("skipping", "not-counting"), [1, 2, 2, 3]),
        (("skipping", "skipping"), [1, 2, 2, 3]),
        (("skipping", "counting"), [1, 2, 3, 4]),
    ],
    ids=str,
)
def test_groups_count_once(kinds, counts, variables, graph, v1, tf, training, session):
    """And each group's weights are as with its optimizer alone."""
    weights = [v1.get_variable(f"w{i}", initializer=[1.0, 2.0]) for i in range(2)]
    grad = v1.placeholder(tf.float32, [2])
    count = v1.train.get_or_create_global_step()
    chosen = [optimizers(tf)[kind]() for kind in kinds]
    optimizer = training.PartitionOptimizer(
        [
            training.Group(f"g{i}", f"w{i}", optimizer_of_group)
            for i, optimizer_of_group in enumerate(chosen)
        ]
    )
    step = optimizer.apply_gradients([(grad, w) for w in weights], global_step=count)
    run = session()
    for values, expected in zip(GRADIENTS, counts):
        run.run(step, {grad: values})
        assert run.run(count) == expected
    if "reading" not in kinds[0] or counts[-1]:
        for kind, w in zip(kinds, run.run(weights)):
            if kind != "reading-not-counting":  # alone it never gets beyond step 0
                assert same_bits(w, runs(lambda optimizer: optimizer, kind, v1, tf)[-1][0])


def test_an_accumulation_in_a_group(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0])
    u = v1.get_variable("u", initializer=[1.0])
    count = v1.train.get_or_create_global_step()
    slow = training.GradientAccumulationOptimizer(v1.train.GradientDescentOptimizer(0.5), 3)
    other = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(0.5), 2, name="Other"
    )
    optimizer = training.PartitionOptimizer(
        [training.Group("w", "w", slow), training.Group("u", "u", other)]
    )
    step = optimizer.minimize(tf.reduce_sum(w) + tf.reduce_sum(u), global_step=count)
    run, counts = session(), []
    for _ in range(6):
        run.run(step)
        counts.append(int(run.run(count)))
    assert counts == [0, 1, 2, 3, 3, 4]  # in runs 2, 3, 4 and 6 one of them takes a step
