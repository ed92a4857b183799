"""Wrappers in every pair and in random triples, against their definition in NumPy.

A bigger draw by hand: ``DRAWS=300 pytest tests/training/test_composition.py``.
"""

import itertools
import os

import compositions
import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, OptimizerKindError

DRAWS = int(os.environ.get("DRAWS", "2"))
SEED = int(os.environ.get("SEED", "20"))
PAIRS = ["".join(pair) for pair in itertools.product(compositions.WRAPPERS, repeat=2)]


def chains():
    """id: (seed, wrappers, resource, sparse)."""
    random = np.random.RandomState(SEED)
    drawn = [list(PAIRS)] + [
        ["".join(random.choice(list(compositions.WRAPPERS), 3)) for _ in range(12)]
        for _ in range(DRAWS)
    ]
    flat = [wrappers for of_seed in drawn for wrappers in of_seed]
    return [
        (SEED * 10000 + i, wrappers, bool(i % 2), bool(i // 2 % 2))
        for i, wrappers in enumerate(flat)
    ]


def batches():
    """The chains in a few tests, as each needs little."""
    every = chains()
    return [every[i : i + 12] for i in range(0, len(every), 12)]


def holds(tf, training, seed, wrappers, resource, sparse):
    """True if the chain is exact, False if it is refused by name; anything else raises."""
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        try:
            built = compositions.Built(
                tf, training, seed, wrappers, resource=resource, sparse=sparse
            )
        except (ArgumentError, OptimizerKindError):
            return False
        built.check(session)
        return True


@pytest.mark.slow
@pytest.mark.parametrize("batch", batches(), ids=lambda batch: f"from-{batch[0][0]}")
def test_exact_or_refused(batch, tf, training, control_flow):
    exact = [holds(tf, training, *chain) for chain in batch]
    assert sum(exact) >= len(exact) / 2  # what is refused is the exception


@pytest.mark.parametrize("threads", [1, 4])
def test_in_threads(threads, tf, v1, training):
    """Chains that lock, by equal runs: in any order they are as many runs of one thread."""
    random = np.random.RandomState(SEED)
    exact = 0
    for seed in range(8 * DRAWS // 3):
        wrappers = random.choice(list(compositions.WRAPPERS + compositions.LATER), 3)
        wrappers[random.randint(3)] = random.choice(["F", "A"])
        kinds = {"resource": bool(seed % 2), "sparse": bool(seed // 2 % 2), "steady": True}
        with v1.Graph().as_default() as graph, v1.Session() as session:
            try:
                built = compositions.Built(tf, training, SEED + seed, wrappers, **kinds)
            except (ArgumentError, OptimizerKindError):
                continue
            if not any(op.type == "MutexLock" for op in graph.get_operations()):
                continue  # as with a plain optimizer, threads may overtake one another
            exact += 1
            built.check_in_threads(session, threads)
    assert exact >= 4 * DRAWS // 3


@pytest.fixture(scope="module")
def server(tf):
    return tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)  # any free port


def later():
    """Chains with what averages, in batches of one test each."""
    random = np.random.RandomState(SEED)
    new, every = list(compositions.LATER), list(compositions.WRAPPERS + compositions.LATER)
    pairs = [a + b for a, b in itertools.product(every, repeat=2) if {a, b} & set(new)]
    triples = ["".join([random.choice(new), *random.choice(every, 2)]) for _ in range(4 * DRAWS)]
    drawn = pairs + ["".join(random.permutation(list(three))) for three in triples]
    chains = [(7000 + SEED + i, d, bool(i % 2), bool(i // 2 % 2)) for i, d in enumerate(drawn)]
    return [chains[i : i + 20] for i in range(0, len(chains), 20)]


@pytest.mark.slow
@pytest.mark.parametrize("batch", later(), ids=lambda batch: f"from-{batch[0][0]}")
def test_averages_and_norms(batch, tf, training):
    exact = [holds(tf, training, *chain) for chain in batch]
    assert sum(exact) >= 0.6 * len(exact)


def test_on_a_server(tf, v1, training, server):
    random = np.random.RandomState(SEED)
    for seed in range(8 * DRAWS // 3):
        wrappers = random.choice(list(compositions.WRAPPERS + compositions.LATER), 3)
        kinds = {"resource": bool(seed % 2), "sparse": bool(seed // 2 % 2)}
        with v1.Graph().as_default() as graph, v1.device("/job:ps/task:0"):
            try:
                built = compositions.Built(tf, training, SEED + seed, wrappers, **kinds)
            except (ArgumentError, OptimizerKindError):
                continue
            with v1.Session(server.target, graph=graph) as run:
                built.check(run)
        v1.Session.reset(server.target)


REFUSED = {
    "two-compact": (
        "FF",
        lambda t, v1, inner: t.FreezeOptimizer(
            t.FreezeOptimizer(inner, {"w": [True, False]}, slots="compact"),
            {"w": [False, True]},
            slots="compact",
        ),
        "one FreezeOptimizer",
    ),
    "a-clock-around-decay": (
        "FD",
        lambda t, v1, inner: t.FreezeOptimizer(
            t.DecoupledWeightDecayOptimizer(inner, {"w": 0.1}),
            {"w": [True, False]},
            clock="element",
        ),
        "clock='element' for 'w'",
    ),
    "a-clock-and-another-mask": (
        "FF",
        lambda t, v1, inner: t.FreezeOptimizer(
            t.FreezeOptimizer(inner, {"w": [True, False]}, clock="element"),
            {"w": [False, True]},
        ),
        "clock='element' for 'w'",
    ),
    "compact-around-an-optimizer-that-is-not-known": (
        "F",
        lambda t, v1, inner: t.FreezeOptimizer(
            type("Mine", (v1.train.AdamOptimizer,), {})(), {"w": [True, False]}, slots="compact"
        ),
        "elementwise",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_name(case, graph, tf, v1, training):
    _, build, words = REFUSED[case]
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    with pytest.raises((ArgumentError, OptimizerKindError), match=words):
        build(training, v1, v1.train.AdamOptimizer(0.1)).minimize(tf.reduce_sum(w * w))


# Each wrapper reaches the variable through the stand-ins of the ones inside ------------------


def small_rows():
    mask = np.ones([128, 4], bool)
    mask[:16] = False  # the trainable rows are few: they are updated in a small variable
    return mask


INSIDE = {
    "few-rows": dict(frozen=small_rows()),
    "few-elements": dict(frozen=np.arange(512).reshape(128, 4) != 7),
    "compact-slots": dict(frozen=small_rows(), slots="compact"),
    "fed": dict(frozen=None),
}


@pytest.mark.parametrize("place", [None, "/job:ps/task:0"], ids=["here", "on-a-server"])
@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("outside", ["rate-0", "freeze"])
def test_the_outer_wrapper_counts(outside, inside, place, variables, v1, tf, training, server):
    """Of the rows that the inner one trains the outer one freezes the first 8, or all."""
    few = np.broadcast_to(np.arange(128)[:, None] < 8, [128, 4])
    with v1.Graph().as_default() as graph, v1.device(place):
        w = v1.get_variable("w", initializer=np.zeros([128, 4], np.float32))
        options = dict(INSIDE[inside])
        frozen = options.pop("frozen")
        mask = v1.placeholder_with_default(small_rows(), None) if frozen is None else frozen
        frozen = small_rows() if frozen is None else frozen
        inner = training.FreezeOptimizer(v1.train.AdamOptimizer(1.0), {"w": mask}, **options)
        if outside == "freeze":
            optimizer, stays = training.FreezeOptimizer(inner, {"w": few}), frozen | few
        else:
            optimizer, stays = training.LRMultiplierOptimizer(inner, {"w": 0}), frozen | True
        step = optimizer.apply_gradients([(tf.ones([128, 4]), w)])
        initialize = v1.global_variables_initializer()
        with v1.Session(server.target if place else "", graph=graph) as run:
            run.run(initialize)
            run.run(step)
            assert np.array_equal(run.run(w) != 0, ~stays)
    v1.Session.reset(server.target)


@pytest.mark.parametrize("inner_slots", ["keep", "compact", "reset"])
def test_slots_stay_under_both_masks(inner_slots, variables, graph, v1, tf, training, session):
    """The slots of what the outer mask freezes stay, whichever slots the inner one keeps."""
    w = v1.get_variable("w", initializer=np.zeros(128, np.float32))
    outer = v1.placeholder(tf.bool, [128])
    leaf = v1.train.MomentumOptimizer(1.0, 0.5)
    inner = training.FreezeOptimizer(leaf, {"w": np.arange(128) >= 64}, slots=inner_slots)
    step = training.FreezeOptimizer(inner, {"w": outer}).apply_gradients([(tf.ones(128), w)])
    run = session()
    for frozen in (False, True, False):
        run.run(step, {outer: np.arange(128) % 2 == 0 if frozen else np.zeros(128, bool)})
    # The odd ones took three steps of 1, 1.5 and 1.75, the even ones two.
    assert np.array_equal(run.run(w)[:4], [-2.5, -4.25, -2.5, -4.25])
    assert not run.run(w)[64:].any()


def test_a_hook_that_calls_another_counts_once(variables, graph, v1, tf, training, session):
    """A sparse hook that makes its gradient dense and calls the dense one: one multiplier."""
    w = v1.get_variable("w", initializer=np.zeros([4, 1], np.float32))
    grad = tf.IndexedSlices(tf.ones([1, 1]), tf.constant([2]), tf.constant([4, 1]))
    optimizers = [compositions.normed(tf), compositions.normed(tf)]
    v = v1.get_variable("v", initializer=np.zeros([4, 1], np.float32))
    steps = [
        optimizers[0].apply_gradients([(grad, v)]),
        training.LRMultiplierOptimizer(optimizers[1], {"w": 0.5}).apply_gradients([(grad, w)]),
    ]
    run = session()
    run.run(steps)
    np.testing.assert_allclose(run.run(w), run.run(v) / 2, rtol=1e-6)


@pytest.mark.parametrize("share", [0.001, 0.5, 0.999])
def test_an_optimizer_that_is_not_elementwise(share, variables, graph, v1, tf, training, session):
    """It is given the whole gradient under an array as under the same mask fed."""
    start = np.random.RandomState(0).normal(size=(64, 32)).astype(np.float32)
    mask = np.random.RandomState(1).rand(64, 32) < share
    names = ("array", "fed", "plain")
    array, fed, plain_variable = (v1.get_variable(n, initializer=start) for n in names)
    grad = v1.placeholder(tf.float32, mask.shape)
    masks = {"array": mask, "fed": v1.placeholder_with_default(mask, mask.shape)}
    steps = [
        training.FreezeOptimizer(compositions.normed(tf), {n: masks[n]}).apply_gradients(
            [(grad, v)]
        )
        for n, v in (("array", array), ("fed", fed))
    ]
    steps.append(compositions.normed(tf).apply_gradients([(grad, plain_variable)]))
    run = session()
    for seed in range(3):
        run.run(steps, {grad: np.random.RandomState(seed).normal(size=mask.shape)})
    by_array, by_feed, whole = run.run([array, fed, plain_variable])
    assert np.array_equal(by_array, by_feed)
    assert np.array_equal(by_array, np.where(mask, start, whole))


READ_ONCE = {
    "scalar-mask": lambda t, o, w, tf: t.FreezeOptimizer(o, {"a": w[0] > 0.5, "b": w[0] > 0.5}),
    "mask": lambda t, o, w, tf: t.FreezeOptimizer(
        o, {"a": tf.fill([2], w[0] > 0.5), "b": tf.fill([2], w[0] > 0.5)}
    ),
    "multiplier": lambda t, o, w, tf: t.LRMultiplierOptimizer(
        o, {"a": tf.cast(w[0] < 0.5, tf.float32), "b": tf.cast(w[0] < 0.5, tf.float32)}
    ),
    "under-decay": lambda t, o, w, tf: t.DecoupledWeightDecayOptimizer(
        t.LRMultiplierOptimizer(
            o, {"a": tf.cast(w[0] < 0.5, tf.float32), "b": tf.cast(w[0] < 0.5, tf.float32)}
        ),
        {"w": tf.cast(w[0], tf.float32) * 0.5},
    ),
}


@pytest.mark.parametrize("case", READ_ONCE)
def test_masks_and_multipliers_are_read_at_the_start(
    case, variables, graph, v1, tf, training, session
):
    """w jumps between 0 and 1; a and b move in the steps that begin with w at 0."""
    w, a, b = (v1.get_variable(n, initializer=[0.0, 0.0]) for n in ("w", "a", "b"))
    sign = v1.placeholder(tf.float32, [])
    inner = v1.train.GradientDescentOptimizer(1.0)
    optimizer = READ_ONCE[case](training, inner, w, tf)
    pairs = [(tf.fill([2], sign), w), (tf.ones(2), a), (tf.ones(2), b)]
    step = optimizer.apply_gradients(pairs)
    run = session()
    expected = 0
    for _ in range(60):
        before = run.run(w)[0]
        expected -= before < 0.5
        run.run(step, {sign: 1.0 if before > 0.5 else -1.0})
        assert np.array_equal(run.run([a, b]), np.full([2, 2], expected))
