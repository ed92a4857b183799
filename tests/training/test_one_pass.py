"""Averages and decay in one pass over memory: the bits of single ops, or refused by name."""

import gc
import threading
import weakref

import numpy as np
import pytest

from tfgraphtools.errors import OptimizerKindError
from training_cases import same_bits

SHAPE = (300, 41)
DTYPES = ["float32", "float64"]


@pytest.fixture
def v1(tf, v1):
    if tf.__version__.startswith("1."):
        pytest.skip("one pass needs TF 2")
    v1.enable_resource_variables()
    return v1


def values(dtype, seed):
    """Returns numbers of all magnitudes, with zeros of both signs, infinities and NaNs."""
    random = np.random.RandomState(seed)
    any_bits = np.frombuffer(random.bytes(SHAPE[0] * SHAPE[1] * np.dtype(dtype).itemsize), dtype)
    array = random.normal(size=SHAPE).astype(dtype)
    array[::3] = any_bits.reshape(SHAPE)[::3]
    array[5, ::2], array[7] = -0.0, 0.0
    return array


def clusters(graph):
    calls = [
        op
        for op in graph.get_operations()
        if op.type in ("PartitionedCall", "StatefulPartitionedCall")
    ]
    return [op for op in calls if any("one_pass/zero" in t.name for t in op.inputs)]


#: {id: wrap(training, optimizer, fused)}; a mask freezes columns
COLUMNS = np.arange(SHAPE[1]) % 2 == 0
WRAPPERS = {
    "average": lambda t, o, fused: t.ExponentialAverageOptimizer(o, 0.9, fused=fused),
    "debiased": lambda t, o, fused: t.ExponentialAverageOptimizer(o, 0.9, debias=True, fused=fused),
    "swa": lambda t, o, fused: t.WeightAverageOptimizer(o, start=2, every=2, fused=fused),
    "decay": lambda t, o, fused: t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}, fused=fused),
    "frozen": lambda t, o, fused: t.FreezeOptimizer(
        t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}, fused=fused), {"w": COLUMNS}
    ),
    "multiplied": lambda t, o, fused: t.DecoupledWeightDecayOptimizer(
        t.LRMultiplierOptimizer(o, {"w": t.setting(0.5, "share")}),
        {"w": 0.1},
        multiplied=True,
        fused=fused,
    ),
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_bits_of_single_ops(wrapper, dtype, v1, tf, training):
    """A product that XLA merges with a sum is rounded once: 1 in 10 of these would differ."""
    states = {}
    for fused in (False, True):
        with tf.Graph().as_default() as graph, v1.Session() as run:
            w = v1.get_variable("w", initializer=values(dtype, 0))
            optimizer = WRAPPERS[wrapper](training, v1.train.GradientDescentOptimizer(0.25), fused)
            grad = v1.placeholder(dtype, SHAPE)
            step = optimizer.apply_gradients([(grad, w)])
            run.run(v1.global_variables_initializer())
            for number in range(4):
                run.run(step, {grad: values(dtype, number + 1)})
            assert len(clusters(graph)) == fused
            states[fused] = run.run({v.op.name: v for v in v1.global_variables()})
    assert states[True].keys() == states[False].keys()
    for name, state in states[False].items():
        assert same_bits(states[True][name], state), name


def test_large_variables_by_default(graph, v1, tf, training, monkeypatch):
    from tfgraphtools.training.steps import one_pass

    monkeypatch.setattr(one_pass, "LEAST", 6)
    large, small = v1.get_variable("large", [2, 3]), v1.get_variable("small", [5])
    half = v1.get_variable("half", [2, 3], tf.float16)
    loss = tf.add_n([tf.reduce_sum(tf.cast(v, tf.float32)) for v in (large, small, half)])
    optimizer = training.DecoupledWeightDecayOptimizer(
        v1.train.GradientDescentOptimizer(0.1), {".*": 0.1}
    )
    training.ExponentialAverageOptimizer(optimizer, 0.9).minimize(loss)
    assert len(clusters(graph)) == 2
    assert all(large.handle in op.inputs for op in clusters(graph))


def test_equal_variables_share_what_is_compiled(graph, v1, tf, training):
    """Compiling takes 0.1 s: that of a model of many layers would take minutes."""
    variables = [v1.get_variable(f"w{i}", [4, 5]) for i in range(6)]
    training.ExponentialAverageOptimizer(
        v1.train.GradientDescentOptimizer(0.1), 0.9, fused=True
    ).minimize(tf.add_n(list(map(tf.reduce_sum, variables))))
    called = {op.get_attr("f").name for op in clusters(graph)}
    assert len(clusters(graph)) == 6 and len(called) == 1


def half(v1, tf):
    return v1.get_variable("w", [4, 5], tf.float16)


def on_server(v1, tf):
    with v1.device("/job:ps/task:0"):
        return v1.get_variable("w", [4, 5])


def of_rows(v1, tf):
    w = v1.get_variable("w", [4, 5])
    return w, tf.IndexedSlices(tf.ones([1, 5]), tf.constant([0]), tf.constant([4, 5]))


REFUSED = {
    "a ref variable": lambda v1, tf: v1.get_variable("w", [4, 5], use_resource=False),
    "float16": half,
    "a variable on a server": on_server,
    "a gradient of some rows": of_rows,
    "a variable of unknown shape": lambda v1, tf: v1.get_variable(
        "w",
        initializer=v1.placeholder_with_default(np.ones([4, 5], "float32"), [None, 5]),
        validate_shape=False,
    ),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_refused_by_name(reason, graph, v1, tf, training):
    case = REFUSED[reason](v1, tf)
    w, grad = case if isinstance(case, tuple) else (case, None)
    grad = tf.ones_like(w.read_value()) if grad is None else grad
    optimizer = training.DecoupledWeightDecayOptimizer(
        v1.train.GradientDescentOptimizer(0.1), {"w": 0.1}, fused=True
    )
    with pytest.raises(OptimizerKindError, match=f"fused=True for 'w'.*got {reason}"):
        optimizer.apply_gradients([(grad, w)])


def test_tf1_is_refused_by_name(tf, training):
    v1 = tf.compat.v1
    if not tf.__version__.startswith("1."):
        pytest.skip("of TF 1.15")
    with tf.Graph().as_default():
        w = v1.get_variable("w", [4, 5])
        optimizer = training.ExponentialAverageOptimizer(
            v1.train.GradientDescentOptimizer(0.1), 0.9, fused=True
        )
        with pytest.raises(OptimizerKindError, match="fused=True for 'w'.*got TF 1.15"):
            optimizer.minimize(tf.reduce_sum(w))


def test_threads_lose_no_update(graph, v1, tf, training, session):
    """XLA holds the variable's lock between its read and its write."""
    w = v1.get_variable("w", [256, 256], initializer=v1.zeros_initializer())
    optimizer = training.DecoupledWeightDecayOptimizer(
        v1.train.GradientDescentOptimizer(1.0, use_locking=True), {"w": 0.0}, fused=True
    )
    step = optimizer.apply_gradients([(-tf.ones([256, 256]), w)])
    run = session()
    threads = [threading.Thread(target=lambda: [run.run(step) for _ in range(30)]) for _ in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (run.run(w) == 90).all()


def test_a_graph_is_released(v1, tf, training):
    with tf.Graph().as_default() as graph, v1.Session() as run:
        w = v1.get_variable("w", [4, 5])
        step = training.ExponentialAverageOptimizer(
            v1.train.GradientDescentOptimizer(0.1), 0.9, fused=True
        ).minimize(tf.reduce_sum(w))
        run.run(v1.global_variables_initializer())
        run.run(step)
    known = weakref.ref(graph)
    del graph, run, w, step
    gc.collect()
    assert known() is None


def averaged(t, sgd, fused):
    return t.ExponentialAverageOptimizer(sgd, 0.5, fused=fused)


def frozen(t, sgd, fused):
    return t.FreezeOptimizer(sgd, {"w": np.arange(20).reshape(4, 5) < 3}, fused=fused is True)


@pytest.mark.parametrize("wrap", [averaged, frozen])
@pytest.mark.parametrize("place", ["branch", "loop"])
def test_inside_control_flow(place, wrap, control_flow, graph, v1, tf, training, session):
    """A loop of control flow v1 cannot hold what calls a function: refused, not by default."""
    w = v1.get_variable("w", initializer=np.ones([4, 5], np.float32))
    optimizer = wrap(training, v1.train.GradientDescentOptimizer(0.25), True)

    def build():
        with v1.control_dependencies([optimizer.apply_gradients([(tf.ones([4, 5]), w)])]):
            return tf.constant(1)

    def step_of_loop():
        return v1.while_loop(lambda i: i < 2, lambda i: i + build(), [0], back_prop=False)

    if place == "branch":
        step = v1.cond(v1.placeholder_with_default(True, []), build, lambda: tf.constant(0))
    elif v1.control_flow_v2_enabled():
        step = step_of_loop()
    else:
        with pytest.raises(OptimizerKindError, match="a step inside a loop of control flow v1"):
            step_of_loop()
        optimizer = wrap(training, v1.train.GradientDescentOptimizer(0.25), None)
        step = step_of_loop()
    run = session()
    run.run(step)
    assert run.run(w)[-1, -1] == (0.75 if place == "branch" else 0.5)
    if wrap is averaged:
        expected = 0.875 if place == "branch" else 0.6875
        assert (run.run(optimizer.average(w)) == expected).all()


#: {id: (build(v1.train), the slots)}
EXACT = {
    "sgd": (lambda train: train.GradientDescentOptimizer(0.1), []),
    "momentum": (lambda train: train.MomentumOptimizer(0.1, 0.9), ["momentum"]),
    "nesterov": (lambda train: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True), ["momentum"]),
    "adam": (lambda train: train.AdamOptimizer(0.1, epsilon=1e-3), ["m", "v"]),
}


@pytest.mark.parametrize("optimizer", EXACT)
@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
def test_frozen_elements_have_the_bits_of_the_kernel(optimizer, dtype, v1, tf, training):
    """The judge is the optimizer's own kernel, on numbers of any bits."""
    build, names = EXACT[optimizer]
    mask = np.random.RandomState(3).rand(*SHAPE) < 0.5
    with tf.Graph().as_default() as graph, v1.Session() as run:
        start = values(dtype, 0)
        plain, w = (v1.get_variable(name, initializer=start) for name in ("plain", "w"))
        rate = v1.placeholder_with_default(0.5, [])
        grad, frozen = v1.placeholder(dtype, SHAPE), v1.placeholder_with_default(mask, SHAPE)
        states = []
        for variable, multiplied in (
            (plain, training.LRMultiplierOptimizer(build(v1.train), {".*": rate})),
            (w, training.LRMultiplierOptimizer(build(v1.train), {".*": rate})),
        ):
            inner = multiplied
            if variable is w:
                multiplied = training.FreezeOptimizer(inner, {"w": frozen}, fused=True)
            step = multiplied.apply_gradients([(grad, variable)])
            states.append(([variable] + [inner.get_slot(variable, n) for n in names], step))
        assert multiplied.ways() == {"w": "in one pass"}
        assert len(clusters(graph)) == 1 + len(names)
        run.run(v1.global_variables_initializer())
        before = run.run(states[1][0])
        for number in range(10):
            feed = {grad: values(dtype, number + 1), rate: 0.5 if number else 2.0}
            for _, step in states:
                run.run(step, feed)
        for old, new, expected in zip(before, *map(run.run, (states[1][0], states[0][0]))):
            assert same_bits(new, np.where(mask, old, expected))
            assert not same_bits(new, old)


def test_large_variables_are_frozen_in_one_pass_by_default(graph, v1, tf, training, monkeypatch):
    from tfgraphtools.training.steps import one_pass

    monkeypatch.setattr(one_pass, "LEAST", 6)
    sizes = {"large": 6, "small": 5, "half": 6, "scalar": 6, "other": 6}
    variables = {
        name: v1.get_variable(name, [size], tf.float16 if name == "half" else tf.float32)
        for name, size in sizes.items()
    }
    masks = {name: np.arange(size) % 2 == 0 for name, size in sizes.items()}
    masks["scalar"] = v1.placeholder_with_default(True, [])

    def ways(optimizer, name, **options):
        frozen = training.FreezeOptimizer(optimizer, {name: masks[name]}, **options)
        frozen.apply_gradients([(tf.ones_like(variables[name]), variables[name])])
        return frozen.ways()[name]

    train = v1.train
    adam = train.AdamOptimizer
    assert ways(adam(), "large") == ways(adam(), "large", readers="any") == "in one pass"
    assert ways(adam(), "large", fused=False) == "copy and restore"
    assert ways(adam(), "large", fused=False, readers="any") == "updated beside"
    assert ways(adam(), "large", slots="advance") == "copy and restore"
    assert ways(adam(), "small") == ways(adam(), "half") == "copy and restore"
    assert ways(adam(), "small", fused=True) == ways(adam(), "half", fused=True) == "in one pass"
    assert ways(adam(), "scalar") == ways(adam(), "scalar", fused=True) == "whole variable"
    for inexact in (train.AdagradOptimizer(0.1), train.RMSPropOptimizer(0.1)):
        assert ways(inexact, "other") == "copy and restore"
        assert ways(inexact, "other", fused=True) == "fused by XLA"


def test_kernels_that_may_merge_a_product_are_not_computed_by_xla(v1, tf, training, monkeypatch):
    """GCC makes one instruction of a product and a sum where the processor has one."""
    from tfgraphtools.training.freezing import kernel_rules

    adam = v1.train.AdamOptimizer()
    assert kernel_rules.has_rules(adam)
    monkeypatch.setattr(tf.version, "COMPILER_VERSION", "9.3.1 20200408")
    assert not kernel_rules.has_rules(adam)
