"""Gradient accumulation: equal to one plain step on the mean gradient, and nothing in between."""

import numpy as np
import pytest

from tfgraphtools._tf import IS_TF1
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from tfgraphtools.training.steps import indexed_slices
from training_cases import CORE, check_no_race, product_of_identities, same_bits

START = np.random.RandomState(0).normal(size=(4, 2)).astype(np.float32)
K = 3


def mean_of(grads):
    """The mean as float32 sums it up, first to last."""
    total = np.zeros_like(grads[0])
    for grad in grads:
        total = total + grad
    return total * np.float32(1 / len(grads))


def state_of(optimizer, variable):
    slots = [optimizer.get_slot(variable, name) for name in optimizer.get_slot_names()]
    return [variable] + [slot for slot in slots if slot is not None]


def beta_powers(v1):
    return [v for v in v1.global_variables() if "beta" in v.op.name]


@pytest.mark.parametrize("case", CORE)
def test_as_the_plain_optimizer_on_the_mean(case, variables, graph, v1, training, session):
    grad = v1.placeholder(v1.float32, START.shape)
    plain_v, ours_v = (v1.get_variable(n, initializer=START) for n in ("plain", "ours"))
    plain_optimizer = CORE[case].build(v1.train, 0.1)
    ours = training.GradientAccumulationOptimizer(CORE[case].build(v1.train, 0.1), K)
    plain_step = plain_optimizer.apply_gradients([(grad, plain_v)])
    step = ours.apply_gradients([(grad, ours_v)])
    run = session()
    inner = ours.wrapped_optimizers()[0]
    oracle, value = CORE[case].oracle and CORE[case].oracle(), START.astype(np.float64)
    random = np.random.RandomState(1)
    for _ in range(3):
        grads = [random.normal(size=START.shape).astype(np.float32) for _ in range(K)]
        before = run.run(state_of(inner, ours_v))
        for g in grads:
            for old, new in zip(before, run.run(state_of(inner, ours_v))):
                assert same_bits(old, new)  # nothing moves between the steps
            run.run(step, {grad: g})
        run.run(plain_step, {grad: mean_of(grads)})
        if oracle:
            value = oracle.step(value, np.mean(grads, 0, np.float64), 0.1)
        for a, b in zip(
            run.run(state_of(plain_optimizer, plain_v)), run.run(state_of(inner, ours_v))
        ):
            assert same_bits(a, b)
    assert not same_bits(before[0], run.run(ours_v))
    if oracle:
        np.testing.assert_allclose(run.run(ours_v), value, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("case", ["sgd", "momentum", "adagrad", "adam", "rmsprop"])
def test_sparse_gradients_stay_sparse(case, variables, graph, v1, tf, training, session):
    """The step sees the rows that any run touched: Momentum leaves the others alone."""
    size = v1.placeholder(tf.int32, [None])
    values = v1.placeholder(tf.float32, [None, 2])
    grad = tf.IndexedSlices(values, size, tf.constant([4, 2]))
    plain_v, ours_v = (v1.get_variable(n, initializer=START) for n in ("plain", "ours"))
    plain_optimizer, inner = (CORE[case].build(v1.train, 0.1) for _ in range(2))
    ours = training.GradientAccumulationOptimizer(inner, 2)
    plain_step = plain_optimizer.apply_gradients([(grad, plain_v)])
    step = ours.apply_gradients([(grad, ours_v)])
    run = session()
    batches = [([0, 1, 1], 3), ([1], 1), ([3], 1), ([0, 3], 2), ([2], 1), ([], 0)]
    random = np.random.RandomState(2)
    for first, second in zip(batches[::2], batches[1::2]):
        dense, touched = np.zeros_like(START), sorted({*first[0], *second[0]})
        for rows, count in (first, second):
            fed = random.normal(size=(count, 2)).astype(np.float32)
            run.run(step, {size: rows, values: fed})
            partial = np.zeros_like(START)
            np.add.at(partial, np.array(rows, int), fed)
            dense = dense + partial
        run.run(plain_step, {size: touched, values: dense[touched] * np.float32(0.5)})
        for a, b in zip(
            run.run(state_of(plain_optimizer, plain_v)), run.run(state_of(inner, ours_v))
        ):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)
    left = [ours.get_slot(ours_v, name) for name in ("gradient_sum", "gradient_rows")]
    assert not any(array.any() for array in run.run(left))


@pytest.mark.parametrize("wait", ["fetched", "waited-for"])
def test_global_step_counts_the_steps_taken(wait, variables, graph, v1, tf, training, session):
    global_step = v1.train.get_or_create_global_step()
    w = v1.get_variable("w", initializer=0.0)
    step = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(1.0), K
    ).minimize(w, global_step=global_step)
    with tf.control_dependencies([step]):  # as slim's create_train_op does
        late = tf.constant(7)
    run = session()
    seen = []
    for _ in range(2 * K):
        if wait == "fetched":
            run.run(step)
        else:
            assert run.run(late) == 7
        seen.append((int(run.run(global_step)), float(run.run(w))))
    assert seen == [(0, 0), (0, 0), (1, -1), (1, -1), (1, -1), (2, -2)]


@pytest.mark.parametrize("place", ["around", "inside"])
def test_the_optimizer_counts_its_steps(place, graph, v1, tf, training, session):
    global_step = v1.train.get_or_create_global_step()
    w = v1.get_variable("w", initializer=1.0)
    accumulate, freeze = training.GradientAccumulationOptimizer, training.FreezeOptimizer
    sgd = v1.train.GradientDescentOptimizer(1.0)
    if place == "around":
        optimizer = accumulate(freeze(sgd, {"w": False}), 2)
    else:
        optimizer = freeze(accumulate(sgd, 2), {"w": False})
    step = optimizer.minimize(w, global_step=global_step)
    run = session()
    assert [run.run(step) or int(run.run(global_step)) for _ in range(4)] == [0, 1, 1, 2]
    assert run.run(w) == -1


def test_beta_powers_advance_once_per_step(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=1.0)
    step = training.GradientAccumulationOptimizer(v1.train.AdamOptimizer(0.1), K).minimize(w)
    run = session()
    for _ in range(2 * K):
        run.run(step)
    np.testing.assert_allclose(sorted(run.run(beta_powers(v1))), [0.9**3, 0.999**3], rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_other_dtypes(dtype, variables, graph, v1, tf, training, session):
    """Half floats are summed in float32: 40000 twice is too much for a float16."""
    fed = v1.placeholder(tf.float32, [])
    w = v1.get_variable("w", initializer=tf.cast(0.0, dtype))
    step = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(1.0), 2
    ).apply_gradients([(tf.cast(fed, dtype), w)])
    value = tf.cast(w, "float64")
    run = session()
    for number in (40960.0, 40960.0):
        run.run(step, {fed: number})
    assert run.run(value) == -40960


def test_a_mean_of_three_has_every_bit_of_a_float64(graph, v1, tf, training, session):
    """NumPy's: a third that is rounded to a float32 is off by 1e-8."""
    grad = v1.placeholder(tf.float64, [3])
    w = v1.get_variable("w", initializer=np.zeros(3))
    sgd = v1.train.GradientDescentOptimizer(1.0)
    step = training.GradientAccumulationOptimizer(sgd, K).apply_gradients([(grad, w)])
    grads = np.random.RandomState(2).normal(size=(K, 3))
    run = session()
    for g in grads:
        run.run(step, {grad: g})
    np.testing.assert_allclose(run.run(w), -grads.mean(axis=0), rtol=1e-14)


def table_loss(v1, tf):
    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2)):
        table = v1.get_variable("table", [4, 2], initializer=v1.ones_initializer())
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    rows = v1.nn.embedding_lookup(table, [0, 3, 3], partition_strategy="div")
    return tf.reduce_sum(tf.sin(rows) * w)


def test_a_stock_saver_in_the_middle(variables, v1, tf, training, tmp_path):
    """Seven runs in one process and two in the next are nine runs in one."""
    prefix = str(tmp_path / "model.ckpt")

    def build():
        optimizer = training.GradientAccumulationOptimizer(v1.train.AdamOptimizer(0.1), K)
        step = optimizer.minimize(table_loss(v1, tf), global_step=step_variable())
        return step, v1.train.Saver()

    def step_variable():
        return v1.train.get_or_create_global_step()

    def values(run):
        return {v.op.name: run.run(v) for v in v1.global_variables()}

    with v1.Graph().as_default(), v1.Session() as run:
        step, saver = build()
        run.run(v1.global_variables_initializer())
        for _ in range(7):
            run.run(step)
        saver.save(run, prefix)
        for _ in range(2):
            run.run(step)
        wanted = values(run)
    with v1.Graph().as_default() as graph, v1.Session() as run:
        step, saver = build()
        graph.finalize()
        saver.restore(run, prefix)
        for _ in range(2):
            run.run(step)
        restored = values(run)
    assert {"GradientAccumulation/runs", "w/gradient_sum", "beta1_power"} < set(restored)
    assert "net/table/part_0/gradient_rows" in restored and restored["global_step"] == 3
    for name in wanted:
        assert same_bits(restored[name], wanted[name]), name


def test_names_and_slots(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    optimizer = training.GradientAccumulationOptimizer(v1.train.AdamOptimizer(), 2, name="Acc")
    with v1.name_scope("train"):
        optimizer.minimize(tf.reduce_sum(w))
    names = sorted(v.op.name for v in v1.global_variables())
    own = ["train/Acc/runs", "train/beta1_power", "train/beta2_power"]
    assert names == own + ["w", "w/Adam", "w/Adam_1", "w/gradient_sum"]
    assert optimizer.get_slot_names() == ["gradient_sum", "m", "v"]
    assert optimizer.get_slot(w, "m").op.name == "w/Adam"
    assert sorted(v.op.name for v in optimizer.variables()) == [n for n in names if n != "w"]


@pytest.mark.parametrize("order", ["freeze-around", "freeze-inside"])
def test_with_frozen_elements(order, variables, control_flow, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    adam, mask = v1.train.AdamOptimizer(0.1), {"w": [True, False]}
    if order == "freeze-around":
        optimizer = training.FreezeOptimizer(training.GradientAccumulationOptimizer(adam, 2), mask)
    else:
        optimizer = training.GradientAccumulationOptimizer(training.FreezeOptimizer(adam, mask), 2)
    step = optimizer.minimize(tf.reduce_sum(w * w))
    run = session()
    for _ in range(4):
        run.run(step)
    value, m = run.run([w, adam.get_slot(w, "m")])
    assert value[0] == 1 and m[0] == 0
    np.testing.assert_allclose(value[1], 0.8, atol=0.01)


def frozen_ways(v1, tf, variables):
    """{the way of `FreezeOptimizer`: (mask, whether it may be fused)} for [128, 20] elements."""
    few = np.zeros([128, 20], bool)  # whole packets of 64
    few[0, 0] = True
    holder = v1.placeholder_with_default(True, [])
    ways = {
        "whole variable": (holder, False),
        "few trainable elements": (~few, False),
        "few frozen elements": (few, False),
        "rows": (few[:, :1], False),
    }
    if variables == "resource" and not IS_TF1:
        ways["in one pass"] = (np.eye(128, 20, dtype=bool), True)
    return ways


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_around_all_ways_to_freeze(
    sparse, variables, control_flow, graph, v1, tf, training, session
):
    masks = frozen_ways(v1, tf, variables)
    if sparse:
        masks.pop("in one pass", None)
    start = np.random.RandomState(0).normal(size=(128, 20)).astype(np.float32)
    weights, adams, steps, ways = [], [], [], set()
    for index, (mask, fused) in enumerate(masks.values()):
        weights.append(v1.get_variable(f"w{index}", initializer=start))
        adams.append(v1.train.AdamOptimizer(0.1))
        frozen = training.FreezeOptimizer(adams[-1], {f"w{index}": mask}, fused=fused)
        optimizer = training.GradientAccumulationOptimizer(frozen, 2, name=f"Acc{index}")
        used = tf.gather(weights[-1], np.arange(50)) if sparse else weights[-1]
        steps.append(optimizer.minimize(tf.reduce_sum(used**2), var_list=[weights[-1]]))
        ways |= set(frozen.ways().values())
    assert ways == set(masks) or sparse
    moments = [adam.get_slot(w, "m") for adam, w in zip(adams, weights)]
    run = session()
    for taken in range(4):
        run.run(steps)
        values = run.run([weights, moments])
        for value, moment, (mask, _) in zip(*values, masks.values()):
            mask = np.broadcast_to(True if tf.is_tensor(mask) else mask, value.shape)
            free = ~mask & (np.arange(128) < (50 if sparse else 128))[:, None]
            assert same_bits(value[mask], start[mask]) and not moment[mask].any()
            assert (value[free] != start[free]).all() == (taken > 0) or not free.any()


@pytest.mark.parametrize("place", ["around", "inside"])
def test_with_groups(place, variables, graph, v1, tf, training, session):
    a, b = (v1.get_variable(name, initializer=0.0) for name in "ab")
    sgd, accumulate = v1.train.GradientDescentOptimizer, training.GradientAccumulationOptimizer
    fast = accumulate(sgd(1.0), 2) if place == "inside" else sgd(1.0)
    optimizer = training.PartitionOptimizer(
        [training.Group("a", "a", fast), training.Group("b", "b", sgd(0.5))]
    )
    if place == "around":
        optimizer = accumulate(optimizer, 2)
    step = optimizer.minimize(a + b)
    run = session()
    seen = [run.run(step) or run.run([a, b]) for _ in range(4)]
    wanted = {
        "around": [[0, 0], [-1, -0.5], [-1, -0.5], [-2, -1]],
        "inside": [[0, -0.5], [-1, -1], [-1, -1.5], [-2, -2]],
    }
    assert seen == wanted[place]


@pytest.mark.parametrize("place", ["around", "inside"])
def test_with_multipliers_and_decay(place, variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=8.0)
    sgd = v1.train.GradientDescentOptimizer(0.5)
    accumulate = training.GradientAccumulationOptimizer
    multiply, decay = training.LRMultiplierOptimizer, training.DecoupledWeightDecayOptimizer
    if place == "around":
        optimizer = accumulate(decay(multiply(sgd, {"w": 2}), {"w": 0.5}), 2)
    else:  # the decay is then of every run
        optimizer = decay(multiply(accumulate(sgd, 2), {"w": 2}), {"w": 0.5})
    step = optimizer.minimize(w)
    run = session()
    seen = [run.run(step) or float(run.run(w)) for _ in range(4)]
    assert seen == {"around": [8, 3, 3, 0.5], "inside": [4, 1, 0.5, -0.75]}[place]


def test_no_gradient_sees_a_variable_of_the_next_step(variables, graph, v1, tf, training, session):
    """Gradients that nothing gates: one must not be ready, and applied, before the others."""
    loss, factors = product_of_identities(v1, tf)
    grads = v1.gradients(loss, factors)
    step = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(1.0), 1
    ).apply_gradients(list(zip(grads, factors)))
    check_no_race(v1, tf, session, factors, grads, step)


def test_every_run_is_a_step_if_steps_is_one(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=0.0)
    step = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(1.0), 1
    ).minimize(w)
    run = session()
    assert [run.run(step) or float(run.run(w)) for _ in range(3)] == [-1, -2, -3]


def test_in_a_monitored_session(variables, v1, tf, training, tmp_path):
    with v1.Graph().as_default():
        w = v1.get_variable("w", initializer=0.0)
        step = training.GradientAccumulationOptimizer(
            v1.train.GradientDescentOptimizer(1.0), 2
        ).minimize(w, global_step=v1.train.get_or_create_global_step())
        hooks = [v1.train.StopAtStepHook(last_step=3)]
        runs = 0
        with v1.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=hooks) as run:
            while not run.should_stop():
                run.run(step)
                runs += 1
    assert runs == 6


@pytest.mark.parametrize(
    "build, error, words",
    [
        (lambda t, o: t.GradientAccumulationOptimizer(o, 0), ArgumentError, "steps.*got 0"),
        (lambda t, o: t.GradientAccumulationOptimizer(o, 2.0), ArgumentError, "got 2.0"),
        (lambda t, o: t.GradientAccumulationOptimizer(o, True), ArgumentError, "got True"),
        (lambda t, o: t.GradientAccumulationOptimizer(2, o), OptimizerKindError, "got 2"),
    ],
)
def test_mistakes(build, error, words, v1, training):
    with pytest.raises(error, match=words):
        build(training, v1.train.AdamOptimizer())


def test_two_steps_of_one_name_are_refused(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=1.0)
    optimizer = training.GradientAccumulationOptimizer(v1.train.AdamOptimizer(), 2)
    optimizer.minimize(w)
    with pytest.raises(ArgumentError, match="'GradientAccumulation/runs' in use"):
        optimizer.minimize(w * w)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("size", [1, 31, 32, 33, 64, 1000, 1024])
def test_touched_rows_are_found_in_blocks(size, share, graph, tf, session):
    flags = np.random.RandomState(size).rand(size) < share
    flags[-1:] = share > 0
    rows = indexed_slices.rows_where(tf.constant(flags))
    assert rows.dtype == tf.int64
    assert np.array_equal(session().run(rows), np.flatnonzero(flags))


def test_a_due_step_passes_over_blocks_of_a_large_table(graph, v1, tf, training):
    """`tf.where` of the flags of all rows took most of the time of a step."""
    table = v1.get_variable("w", [100000, 4])
    optimizer = training.GradientAccumulationOptimizer(v1.train.MomentumOptimizer(0.1, 0.9), 2)
    optimizer.minimize(tf.reduce_sum(tf.gather(table, [1, 5])))
    looked_at = [op.inputs[0].shape for op in graph.get_operations() if op.type == "Where"]
    sizes = [shape.num_elements() for shape in looked_at if shape.is_fully_defined()]
    assert len(looked_at) == 3 and max(sizes) <= 100000 / 32
