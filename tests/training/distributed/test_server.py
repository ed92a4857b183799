"""One server in this process: every optimizer beside its variables, threads, and failed steps."""

import concurrent.futures

import numpy as np
import pytest

from training_cases import CORE, same_bits

SHAPE = (30, 40)
STEPS = 3


@pytest.fixture(scope="module")
def server(tf):
    return tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)  # any free port


@pytest.fixture
def on_server(graph, v1, server):
    """A function that initialises the variables and returns a session of the server."""
    opened = []

    def open_session():
        # In two steps: a slot of a variable of unknown shape reads it while it is initialised, and
        # a server then sends what has no value yet.
        trained = v1.variables_initializer(v1.trainable_variables())
        initialize = v1.global_variables_initializer()
        graph.finalize()
        options = v1.ConfigProto(operation_timeout_in_ms=60000)
        opened.append(v1.Session(server.target, graph=graph, config=options))
        opened[0].run(trained)
        opened[0].run(initialize)
        return opened[0]

    with v1.device("/job:ps/task:0"):
        yield open_session
    for session in opened:
        session.close()
    v1.Session.reset(server.target)  # variables outlive sessions there


def start_values():
    return np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)


def state_of(optimizer, variable):
    names = optimizer.get_slot_names()
    return [variable] + [optimizer.get_slot(variable, name) for name in names]


@pytest.mark.parametrize("case", CORE)
def test_every_optimizer(case, variables, v1, training, on_server):
    """Fed masks, another one in each step, and NaN as the gradient of all that is frozen."""
    plain_w, w = (v1.get_variable(n, initializer=start_values()) for n in ("plain", "w"))
    grad, mask = v1.placeholder("float32", SHAPE), v1.placeholder("bool", SHAPE)
    plain_optimizer = CORE[case].build(v1.train, 0.1)
    frozen = training.FreezeOptimizer(CORE[case].build(v1.train, 0.1), {"w": mask})
    steps = [
        plain_optimizer.apply_gradients([(grad, plain_w)]),
        frozen.apply_gradients([(grad, w)]),
    ]
    assert frozen.ways() == {"w": "updated beside"}
    states = [state_of(plain_optimizer, plain_w), state_of(frozen, w)]
    run = on_server()
    random = np.random.RandomState(1)
    ever = np.zeros(SHAPE, bool)
    for _ in range(STEPS):
        now = random.rand(*SHAPE) < 0.3
        ever |= now
        g = random.normal(size=SHAPE).astype(np.float32)
        before = run.run(states[1])
        run.run(steps[0], {grad: g})
        run.run(steps[1], {grad: np.where(now, np.nan, g), mask: now})
        for old, new in zip(before, run.run(states[1])):
            assert same_bits(old[now], new[now])
    for a, b in zip(*run.run(states)):
        assert same_bits(a[~ever], b[~ever])
    assert ever.any() and not ever.all()


def test_a_sparse_gradient_that_moves_all_rows(variables, tf, v1, training, on_server):
    plain_w, w = (v1.get_variable(n, initializer=start_values()) for n in ("plain", "w"))
    where = np.random.RandomState(2).rand(*SHAPE) < 0.5
    values = v1.placeholder("float32", [3, SHAPE[1]])
    grad = tf.IndexedSlices(values, tf.constant([3, 8, 3]), tf.constant(SHAPE))
    plain_optimizer = v1.train.AdamOptimizer(0.1)
    frozen = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": where})
    steps = [
        plain_optimizer.apply_gradients([(grad, plain_w)]),
        frozen.apply_gradients([(grad, w)]),
    ]
    assert frozen.ways() == {"w": "updated beside"}
    states = [state_of(plain_optimizer, plain_w), state_of(frozen, w)]
    run = on_server()
    before = run.run(states[1])
    for step in range(STEPS):
        run.run(steps, {values: np.random.RandomState(step).normal(size=(3, SHAPE[1]))})
    for old, a, b in zip(before, *run.run(states)):
        assert same_bits(old[where], b[where]) and same_bits(a[~where], b[~where])


@pytest.mark.parametrize("nested", [False, True], ids=["one", "nested"])
def test_threads_lose_no_update(nested, variables, tf, v1, training, on_server):
    """Two threads, each with its own mask; a FreezeOptimizer in another has its own locks."""
    names = ["c", "a", "b"]
    values = [v1.get_variable(n, initializer=np.zeros(SHAPE, np.float32)) for n in names]
    mask = v1.placeholder("bool", SHAPE)
    optimizer = v1.train.GradientDescentOptimizer(0.5, use_locking=True)
    optimizer = training.FreezeOptimizer(optimizer, {"a": mask, "b": mask})
    if nested:
        optimizer = training.FreezeOptimizer(optimizer, {"b": mask, "c": mask})
    step = optimizer.apply_gradients([(tf.ones(SHAPE), v) for v in values])
    run = on_server()
    masks = [np.zeros(SHAPE, bool) for _ in range(2)]
    masks[0][:10], masks[1][5:20] = True, True

    def work(own):
        for _ in range(40):
            run.run(step, {mask: own})

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for running in [pool.submit(work, own) for own in masks]:
            running.result(100)
    counts = sum(40 * ~own for own in masks)
    for name, value in zip(names, run.run(values)):
        frozen_somewhere = nested or name != "c"
        assert np.array_equal(value, -0.5 * (counts if frozen_somewhere else np.full(SHAPE, 80)))


def test_accumulated_gradients(variables, control_flow, v1, training, on_server):
    """The locks are taken in the branch that takes the step."""
    w = v1.get_variable("w", initializer=np.zeros(4, np.float32))
    grad = v1.placeholder("float32", 4)
    inner = v1.train.GradientDescentOptimizer(0.5)
    inner = training.FreezeOptimizer(inner, {"w": np.array([True, False, False, False])})
    step = training.GradientAccumulationOptimizer(inner, 2).apply_gradients([(grad, w)])
    run = on_server()
    seen = []
    for _ in range(4):
        run.run(step, {grad: [np.nan, 1, 1, 1]})
        seen.append(list(run.run(w)))
    assert seen == [[0, 0, 0, 0]] + [[0, -0.5, -0.5, -0.5]] * 2 + [[0, -1, -1, -1]]


def test_a_failed_step_gives_the_lock_back(variables, v1, tf, training, on_server):
    w = v1.get_variable("w", initializer=np.zeros(4, np.float32))
    grad = v1.placeholder("float32", None)
    optimizer = training.FreezeOptimizer(
        v1.train.AdamOptimizer(0.1), {"w": np.array([True, False, False, False])}
    )
    step = optimizer.apply_gradients([(grad, w)])
    run = on_server()
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run.run(step, {grad: np.ones(3)})
    run.run(step, {grad: np.ones(4)})
    assert list(run.run(w) != 0) == [False, True, True, True]


OWN_MASKS = {  # id: the arrays of two workers
    "few-rows": [np.arange(64)[:, None] != [[5] * 4], np.arange(64)[:, None] > [[3] * 4]],
    "few-elements": [np.arange(2048).reshape(512, 4) != 9, np.arange(2048).reshape(512, 4) > 1],
    "two-ways": [np.arange(256).reshape(64, 4) % 3 == 0, np.arange(64)[:, None] > [[3] * 4]],
}


@pytest.mark.parametrize("place", ["/job:ps/task:0", None], ids=["named-job", "no-job"])
@pytest.mark.parametrize("case", OWN_MASKS)
def test_graphs_that_share_variables(case, place, variables, tf, v1, training, server):
    """Each worker builds a graph of its own, with its own array and other variables beside."""
    masks, graphs, runs = OWN_MASKS[case], [], []
    for worker, mask in enumerate(masks):
        with tf.Graph().as_default() as graph, v1.device(place):
            w = v1.get_variable("w", initializer=np.zeros(mask.shape, np.float32))
            own = v1.get_variable("ab"[worker], initializer=np.zeros(mask.shape, np.float32))
            sgd = v1.train.GradientDescentOptimizer(1.0, use_locking=True)
            optimizer = training.FreezeOptimizer(sgd, {".*": mask})
            step = optimizer.apply_gradients([(tf.ones(mask.shape), v) for v in (own, w)])
            initialize = v1.global_variables_initializer()
        runs.append(v1.Session(server.target, graph=graph))
        runs[-1].run(initialize)
        graphs.append((step, w))

    def work(worker):
        for _ in range(100):
            runs[worker].run(graphs[worker][0])

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(work, worker) for worker in range(2)]:
            future.result(100)
    value = runs[0].run(graphs[0][1])
    for run in runs:
        run.close()
    v1.Session.reset(server.target)
    assert np.array_equal(value, -100.0 * sum(~mask for mask in masks))


def test_a_variable_of_unknown_shape(variables, v1, tf, training, on_server):
    """No copy beside it can be made, as that has a shape."""
    start = np.zeros((2, 3), np.float32)
    w = v1.Variable(v1.placeholder_with_default(start, None), validate_shape=False, name="w")
    mask = v1.placeholder(tf.bool, None)
    optimizer = training.FreezeOptimizer(v1.train.MomentumOptimizer(1.0, 0.5), {"w": mask})
    step = optimizer.apply_gradients([(v1.placeholder_with_default(start + 1, None), w)])
    value = w.read_value()
    run = on_server()
    for _ in range(2):
        run.run(step, {mask: [[True, False, False]]})
    assert np.array_equal(run.run(value), [[0, -2.5, -2.5]] * 2)
