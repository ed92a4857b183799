"""MirroredStrategy in graph mode, two replicas on the CPU: as one process, in every copy."""

import contextlib
import functools
import sys
import time

import numpy as np
import pytest

from tfgraphtools.errors import OptimizerKindError
from training_cases import CORE, same_bits

REPLICAS = 2
STEPS = 4
MASK = np.random.RandomState(3).rand(40, 16) < 0.5
ROWS = np.arange(40)[:, None] % 3 == 0
FEW = np.arange(640).reshape(40, 16) == 77

#: What TensorFlow itself cannot build under a MirroredStrategy: their slots are
#: colocated with the variable, of which there are two. (The second: on TF 1.15 only.)
NOT_MIRRORED = {"adagrad-da", "proximal-adagrad"}
NOT_MIRRORED_ON_TF1 = NOT_MIRRORED | {"ftrl"}

#: id: (our optimizer around another one, the frozen elements of w)
WRAPPERS = {
    "elements": (lambda t, o, v1: t.FreezeOptimizer(o, {"w": MASK}), MASK),
    "rows": (lambda t, o, v1: t.FreezeOptimizer(o, {"w": ROWS}), ROWS),
    "few-frozen": (lambda t, o, v1: t.FreezeOptimizer(o, {"w": FEW}), FEW),
    "few-trainable": (lambda t, o, v1: t.FreezeOptimizer(o, {"w": ~FEW}), ~FEW),
    "whole": (lambda t, o, v1: t.FreezeOptimizer(o, {"w": True}), True),
    "rates": (lambda t, o, v1: t.LRMultiplierOptimizer(o, {"w": 0.3}), False),
    "groups": (
        lambda t, o, v1: t.PartitionOptimizer(
            [t.Group("w", "w", o), t.Group("b", "b", v1.train.MomentumOptimizer(0.1, 0.9))]
        ),
        False,
    ),
    "transform": (
        lambda t, o, v1: t.FreezeOptimizer(
            t.GradientTransformOptimizer(
                o, t.transforms.chain(t.transforms.clip_by_global_norm(0.5), t.transforms.scale(2))
            ),
            {"w": MASK},
        ),
        MASK,
    ),
    "decay": (
        lambda t, o, v1: t.FreezeOptimizer(
            t.DecoupledWeightDecayOptimizer(o, {"w": 0.125}), {"w": MASK}
        ),
        MASK,
    ),
    "accumulation": (
        lambda t, o, v1: t.GradientAccumulationOptimizer(
            t.DecoupledWeightDecayOptimizer(t.FreezeOptimizer(o, {"w": MASK}), {"w": 0.125}), 2
        ),
        MASK,
    ),
    "averages": (
        lambda t, o, v1: t.ExponentialAverageOptimizer(
            t.LookaheadOptimizer(t.WeightAverageOptimizer(t.FreezeOptimizer(o, {"w": MASK})), 2),
            0.9,
        ),
        MASK,
    ),
    "trust-ratio": (
        lambda t, o, v1: t.FreezeOptimizer(
            t.TrustRatioOptimizer(t.LRMultiplierOptimizer(o, {"w": 0.5}), decays={"w": 0.01}),
            {"w": MASK},
        ),
        MASK,
    ),
    "trust-ratio-of-gradients": (
        lambda t, o, v1: t.TrustRatioOptimizer(
            t.FreezeOptimizer(o, {"w": MASK}), "gradient", 0.1, {"w": 0.01}, groups=["w|b"]
        ),
        MASK,
    ),
    "skips": (
        lambda t, o, v1: t.DecoupledWeightDecayOptimizer(
            t.SkipNonFiniteOptimizer(t.FreezeOptimizer(o, {"w": MASK})), {"w": 0.125}
        ),
        MASK,
    ),
    "freeze-around-groups-around-rates": (
        lambda t, o, v1: t.FreezeOptimizer(
            t.PartitionOptimizer(
                [t.Group("w", "w", t.LRMultiplierOptimizer(o, {"w": 0.3})), t.Group("b", "b", None)]
            ),
            {"w": MASK},
        ),
        MASK,
    ),
}


def start_values():
    return np.random.RandomState(0).normal(size=MASK.shape).astype(np.float32)


def model(v1):
    w = v1.get_variable("w", initializer=start_values())
    b = v1.get_variable("b", initializer=np.ones(MASK.shape[1], np.float32))
    return w, b, v1.train.get_or_create_global_step()


def loss_of(tf, w, b, x, sparse):
    if not sparse:
        return tf.reduce_sum(tf.sin(w) * x * b)
    rows = tf.compat.v1.nn.embedding_lookup(w, tf.cast(x[:3, 0] * 10, tf.int32) % 40)
    return tf.reduce_sum(tf.sin(rows) * b)


def feeds():
    random = np.random.RandomState(1)
    for _ in range(STEPS):
        yield random.rand(REPLICAS, *MASK.shape).astype(np.float32) * 4


def config(v1):
    return v1.ConfigProto(device_count={"CPU": REPLICAS})


def in_replicas(tf, strategy, function):
    """The operation of what the function builds in every replica."""
    run = strategy.run if hasattr(strategy, "run") else strategy.experimental_run_v2
    return strategy.group(run(function))


def mirrored(tf, v1, build, sparse=False):
    """{name: values of all copies} after the steps, each replica with its part of the feed."""
    with v1.Graph().as_default() as graph:
        strategy = tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(REPLICAS)])
        x = v1.placeholder(tf.float32, (REPLICAS, *MASK.shape))
        with strategy.scope():
            w, b, global_step = model(v1)
            optimizer = build()

            def replica():
                own = x[tf.distribute.get_replica_context().replica_id_in_sync_group]
                loss = loss_of(tf, w, b, own, sparse)
                return optimizer.minimize(loss, global_step=global_step)

            step = in_replicas(tf, strategy, replica)
        copies = {
            v.op.name: list(strategy.experimental_local_results(v)) for v in v1.global_variables()
        }
        return after_steps(v1, graph, step, x, copies)


def single(tf, v1, build, sparse=False):
    """{name: value} after the same steps in one process, with the sum of the gradients."""
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, (REPLICAS, *MASK.shape))
        w, b, global_step = model(v1)
        towers = [tf.gradients(loss_of(tf, w, b, x[i], sparse), [w, b]) for i in range(REPLICAS)]
        grads = v1.tuple([_sum(tf, pair) for pair in zip(*towers)])
        step = build().apply_gradients(list(zip(grads, [w, b])), global_step=global_step)
        copies = {v.op.name: v for v in v1.global_variables()}
        return after_steps(v1, graph, step, x, copies)


def _sum(tf, grads):
    if not isinstance(grads[0], tf.IndexedSlices):
        return tf.add_n(grads)
    return tf.IndexedSlices(
        tf.concat([g.values for g in grads], 0),
        tf.concat([g.indices for g in grads], 0),
        grads[0].dense_shape,
    )


def after_steps(v1, graph, step, x, fetched):
    initialize = v1.global_variables_initializer()
    with v1.Session(config=config(v1)) as run:
        graph.finalize()
        run.run(initialize)
        for feed in feeds():
            run.run(step, {x: feed})
        return run.run(fetched)


def check(tf, v1, training, case, wrapper, sparse):
    build, frozen = WRAPPERS[wrapper]

    def ours():
        return build(training, CORE[case].build(v1.train, 0.1), v1)

    values = mirrored(tf, v1, ours, sparse)
    wanted = single(tf, v1, ours, sparse)
    assert sorted(values) == sorted(wanted)
    for name, copies in values.items():
        assert len(copies) == REPLICAS
        for copy in copies:
            assert same_bits(copy, wanted[name]), name
    moved = values["w"][1] != start_values()
    assert not moved[np.broadcast_to(frozen, MASK.shape)].any()
    assert moved.any() == (frozen is not True)
    taken = STEPS // 2 if wrapper == "accumulation" else STEPS
    assert values["global_step"] == [taken] * REPLICAS


@pytest.mark.slow
@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("case", ["sgd", "adam"])
def test_as_in_one_process(case, wrapper, variables, tf, v1, training):
    check(tf, v1, training, case, wrapper, sparse=False)


@pytest.mark.parametrize("case", sorted(set(CORE) - {"sgd", "adam"}))
def test_every_optimizer(case, tf, v1, training):
    on_tf1 = tf.__version__.startswith("1.")
    if case in (NOT_MIRRORED_ON_TF1 if on_tf1 else NOT_MIRRORED):
        with pytest.raises(ValueError, match="handle.* is not available"):
            mirrored(tf, v1, lambda: CORE[case].build(v1.train, 0.1))
        return
    check(tf, v1, training, case, "freeze-around-groups-around-rates", sparse=False)


def test_a_step_that_one_replica_makes_all_skip(tf, v1, training, monkeypatch):
    """A NaN in one of two replicas; the reference runs without it in one process."""
    good = list(feeds())
    bad = good[1].copy()
    bad[1, 0, 1] = np.nan

    def build(skips):
        inner = v1.train.AdamOptimizer(0.1)
        inner = training.SkipNonFiniteOptimizer(inner) if skips else inner
        return training.DecoupledWeightDecayOptimizer(inner, {"w": 0.125})

    module = sys.modules[__name__]
    monkeypatch.setattr(module, "feeds", lambda: [good[0], bad, *good[1:]])
    values = mirrored(tf, v1, lambda: build(True))
    monkeypatch.setattr(module, "feeds", lambda: good)
    wanted = single(tf, v1, lambda: build(False))
    assert values.pop("SkipNonFinite/skipped") == [1] * REPLICAS
    assert sorted(values) == sorted(wanted)
    for name, copies in values.items():
        for copy in copies:
            assert same_bits(copy, wanted[name]), name


@pytest.mark.slow
@pytest.mark.parametrize("wrapper", ["elements", "transform", "decay", "accumulation"])
@pytest.mark.parametrize("case", ["momentum", "adam"])
def test_sparse_gradients(case, wrapper, tf, v1, training):
    check(tf, v1, training, case, wrapper, sparse=True)


def test_reset_slots_are_as_at_first_in_every_copy(tf, v1, training):
    def build():
        return training.FreezeOptimizer(v1.train.AdagradOptimizer(0.1), {"w": MASK}, slots="reset")

    for copy in mirrored(tf, v1, build)["w/Adagrad"]:
        assert same_bits(copy[MASK], np.full(MASK.sum(), 0.1, np.float32))
        assert (copy[~MASK] > 0.1).any()


def test_a_mask_that_is_a_mirrored_variable(tf, v1, training):
    def build():
        mask = v1.get_variable("mask", initializer=MASK, trainable=False)
        return training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": mask})

    for copy in mirrored(tf, v1, build)["w"]:
        assert np.array_equal(copy == start_values(), MASK)


@pytest.mark.parametrize("chosen", ["variable", "copy", "pattern"])
def test_a_rate_reaches_every_copy(chosen, tf, v1, training):
    """Gradient 1 in each replica, lr 0.5: -1, and at a multiplier of 0.25 -0.25."""
    with v1.Graph().as_default():
        strategy = tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(REPLICAS)])
        with strategy.scope():
            w, b = (v1.get_variable(name, initializer=[8.0]) for name in "wb")
            copies = [strategy.experimental_local_results(v) for v in (w, b)]
            selector = {"variable": w, "copy": copies[0][1], "pattern": "w"}[chosen]
            optimizer = training.LRMultiplierOptimizer(
                v1.train.GradientDescentOptimizer(0.5), [(selector, 0.25)]
            )
            step = in_replicas(tf, strategy, lambda: optimizer.minimize(tf.reduce_sum(w + b)))
        with v1.Session(config=config(v1)) as run:
            run.run(v1.global_variables_initializer())
            run.run(step)
            assert run.run(list(copies[0])) == [[7.75]] * REPLICAS
            assert run.run(list(copies[1])) == [[7.0]] * REPLICAS


def test_every_gradient_is_there_before_the_first_variable_changes(tf, v1, training):
    """The gradient of w reads b late: it must be the b of before the step."""
    with v1.Graph().as_default():
        strategy = tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(REPLICAS)])
        with strategy.scope():
            w, b = (v1.get_variable(name, initializer=[8.0]) for name in "wb")
            groups = [
                training.Group(name, name, v1.train.GradientDescentOptimizer(0.5)) for name in "wb"
            ]
            optimizer = training.PartitionOptimizer(groups)

            def replica():
                slow = v1.py_func(lambda: time.sleep(0.2), [], [], stateful=True)
                with v1.control_dependencies([slow]):
                    late = tf.stop_gradient(b.read_value())
                return optimizer.minimize(tf.reduce_sum(w * late + b))

            step = in_replicas(tf, strategy, replica)
        with v1.Session(config=config(v1)) as run:
            run.run(v1.global_variables_initializer())
            run.run(step)
            assert run.run(list(strategy.experimental_local_results(w))) == [[0.0]] * REPLICAS


def minimized(tf, optimizer, w, b):
    return optimizer.minimize(tf.reduce_sum(tf.sin(w) * b))


def test_a_stock_saver_takes_the_state_to_one_process_and_back(tf, v1, training, tmp_path):
    build, _ = WRAPPERS["freeze-around-groups-around-rates"]
    prefix = str(tmp_path / "model.ckpt")
    values = []
    for many in (True, False, True):
        with v1.Graph().as_default(), contextlib.ExitStack() as stack:
            if many:
                strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
                stack.enter_context(strategy.scope())
            w, b, _ = model(v1)
            optimizer = build(training, v1.train.AdamOptimizer(0.1), v1)

            replica = functools.partial(minimized, tf, optimizer, w, b)
            step = in_replicas(tf, strategy, replica) if many else replica()
            saver = v1.train.Saver()
            with v1.Session(config=config(v1)) as run:
                if values:
                    saver.restore(run, prefix)
                else:
                    run.run(v1.global_variables_initializer())
                before = run.run(w)
                run.run(step)
                saver.save(run, prefix)
                values.append((before, run.run(w)))
                slot = run.run(optimizer.get_slot(w, "m"))
                assert not slot[MASK].any() and slot[~MASK].all()
    for (_, saved), (restored, after) in zip(values, values[1:]):
        assert same_bits(saved, restored) and not same_bits(restored, after)


def test_averages_are_swapped_in_every_copy(tf, v1, training):
    with v1.Graph().as_default():
        strategy = tf.distribute.MirroredStrategy([f"/cpu:{i}" for i in range(REPLICAS)])
        with strategy.scope():
            w = v1.get_variable("w", initializer=[0.0])
            sgd = v1.train.GradientDescentOptimizer(0.5)  # two replicas: -1 a step
            average = training.ExponentialAverageOptimizer(sgd, 0.5)
            accumulation = training.GradientAccumulationOptimizer(average, 2)
            step = in_replicas(tf, strategy, lambda: accumulation.minimize(tf.reduce_sum(w)))
            flush = accumulation.flush()
        copies = list(strategy.experimental_local_results(w))
        with v1.Session(config=config(v1)) as run:
            run.run(v1.global_variables_initializer())
            for _ in range(5):
                run.run(step)
            run.run(flush)  # of the one that is left
            assert run.run(copies) == [[-3.0]] * REPLICAS
            with average.swapped(run):  # of 0, -1, -2, -3
                assert run.run(copies) == [[-2.125]] * REPLICAS
            assert run.run(copies) == [[-3.0]] * REPLICAS


def test_ways_of_their_own_variables_are_for_one_copy(tf, v1, training):
    built = []

    def build():
        built.append(training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": ~FEW}))
        return built[0]

    mirrored(tf, v1, build)
    assert built[0].ways() == {"w": "copy and restore"}
    assert "copy and restore" in built[0].describe()


class Own:
    """An optimizer with an `apply_gradients` of its own."""

    def __new__(cls, v1):
        class AdamWeightDecay(v1.train.GradientDescentOptimizer):
            def apply_gradients(self, pairs, global_step=None, name=None):
                return super().apply_gradients(pairs, global_step, name)

        return AdamWeightDecay(0.1)


REFUSED = {
    "own-way": (lambda t, v1: t.FreezeOptimizer(Own(v1), {"w": True}), "AdamWeightDecay under"),
    "trust-ratio-of-a-group": (
        lambda t, v1: t.TrustRatioOptimizer(v1.train.AdamOptimizer(), groups=["w|b"]),
        "a ratio for each variable under a MirroredStrategy",
    ),
    "fused": (
        lambda t, v1: t.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": MASK}, fused=True),
        "a copy in every replica",
    ),
    "clock": (
        lambda t, v1: t.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": MASK}, clock="element"),
        "clock='element' for 'w'.*a copy in every replica",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused(kind, tf, v1, training):
    build, words = REFUSED[kind]
    with pytest.raises(OptimizerKindError, match=words):
        mirrored(tf, v1, lambda: build(training, v1))


def test_a_call_outside_of_the_replicas_is_refused(tf, v1, training):
    with v1.Graph().as_default():
        with tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]).scope():
            w = v1.get_variable("w", initializer=[1.0])
            optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": True})
            with pytest.raises(OptimizerKindError, match="a call inside a replica"):
                optimizer.apply_gradients([(tf.constant([1.0]), w)])


def test_other_strategies_are_refused_by_name(tf, v1, training):
    with v1.Graph().as_default():
        with tf.distribute.experimental.CentralStorageStrategy(["/cpu:0"]).scope():
            w = v1.get_variable("w", initializer=[1.0])
            optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": True})
            with pytest.raises(OptimizerKindError, match="CentralStorageStrategy"):
                optimizer.apply_gradients([(tf.constant([1.0]), w)])
