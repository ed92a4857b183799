"""effects: what it reports against which variables a session run really changed."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

pytestmark = pytest.mark.quick


def _loop(tf, v1, v):
    def body(i):
        with tf.control_dependencies([v1.assign_add(v, [1.0, 1.0])]):
            return i + 1

    return v1.while_loop(lambda i: i < 2, body, [tf.constant(0)], parallel_iterations=1)


def _branch(tf, v1, v):
    def taken():
        with tf.control_dependencies([v1.assign_add(v, [1.0, 1.0])]):
            return tf.constant(1.0)

    return v1.cond(v1.placeholder_with_default(True, []), taken, lambda: tf.constant(0.0))


def _function(tf, v1, v, **options):
    @tf.function(**options)
    def call():
        v.assign_add([1.0, 1.0])
        return tf.constant(1.0)

    return call()


def _nested_function(tf, v1, v):
    @tf.function
    def inner():
        v.assign_add([1.0, 1.0])

    @tf.function
    def outer():
        for _ in range(2):
            inner()
        return tf.constant(1.0)

    return outer()


def _function_in_loop(tf, v1, v):
    @tf.function
    def inner(i):
        v.assign_add([1.0, 1.0])
        return i + 1

    return v1.while_loop(lambda i: i < 2, lambda i: inner(i), [tf.constant(0)])


def _deep_groups(tf, v1, v):
    op = v1.assign_add(v, [1.0, 1.0])
    for level in range(5):
        op = tf.group(op, name=f"group_{level}")
    return op


def _behind_control_edges(tf, v1, v):
    with tf.control_dependencies([v1.assign(v, v + 1.0)]):
        first = tf.no_op()
    with tf.control_dependencies([first]):
        second = tf.identity(tf.constant(2.0))
    with tf.control_dependencies([second]):
        return tf.group(tf.no_op())


def _scatter(tf, v1, v):
    return v1.scatter_add(v, [0], [1.0])


def _slice_assign(tf, v1, v):
    return v[0:1].assign([5.0])


def _count_up(tf, v1, v):
    counter = v1.get_variable("counter", initializer=0)
    return v1.count_up_to(counter, 10)


def _batch_assign(tf, v1, v):
    return v1.batch_scatter_update(
        v1.get_variable("rows", initializer=[[0.0, 1.0]]), [[1]], [[5.0]]
    )


def _optimizer(make):
    def build(tf, v1, v):
        return make(v1).minimize(tf.reduce_sum(v * v))

    return build


def _step_counter(tf, v1, v):
    step = v1.train.get_or_create_global_step()
    return v1.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v * v), step)


def _moving_average(tf, v1, v):
    return v1.train.ExponentialMovingAverage(0.5).apply([v + 1.0])


def _tables(tf, v1, v):
    table = tf.raw_ops.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.float32)
    return tf.raw_ops.LookupTableInsertV2(
        table_handle=table, keys=tf.constant([1], tf.int64), values=tf.constant([1.0])
    )


def _queue(tf, v1, v):
    queue = v1.FIFOQueue(3, tf.float32)
    return queue.enqueue(tf.reduce_sum(v))


def _metric(tf, v1, v):
    return v1.metrics.mean(v)[1]


def _assert_only(tf, v1, v):
    with tf.control_dependencies([v1.assert_greater(tf.reduce_sum(v), -1e9)]):
        return tf.identity(v)


#: name -> what is fetched; the variables that change are asked from a session.
WRITERS = {
    "read": lambda tf, v1, v: v * 2.0,
    "assert": _assert_only,
    "loop": _loop,
    "branch": _branch,
    "function": _function,
    "nested functions": _nested_function,
    "function in a loop": _function_in_loop,
    "groups": _deep_groups,
    "control edges": _behind_control_edges,
    "scatter": _scatter,
    "slice": _slice_assign,
    "counter": _count_up,
    "batch scatter": _batch_assign,
    "sgd": _optimizer(lambda v1: v1.train.GradientDescentOptimizer(0.1)),
    "adam": _optimizer(lambda v1: v1.train.AdamOptimizer(0.1)),
    "ftrl": _optimizer(lambda v1: v1.train.FtrlOptimizer(0.1)),
    "global step": _step_counter,
    "moving average": _moving_average,
    "metric": _metric,
    "queue": _queue,
    "table": _tables,
}


def _names(variables):
    return sorted(variable.op.name for variable in variables)


def _changed(v1, graph, fetch):
    """The names of the variables that a run of the fetch changes."""
    with graph.as_default():
        variables = {v.op.name: v for v in v1.global_variables() + v1.local_variables()}
        initialize = [v1.global_variables_initializer(), v1.local_variables_initializer()]
    with v1.Session(graph=graph) as session:
        session.run(initialize)
        before = session.run(variables)
        session.run(fetch)
        session.run(fetch)
        after = session.run(variables)
    return sorted(name for name in before if not np.array_equal(before[name], after[name]))


@pytest.mark.parametrize("kind", WRITERS)
def test_what_a_run_changes(tf, v1, graph, variables, control_flow, gradients, kind):
    if variables == "ref" and ("function" in kind or (control_flow == "v2" and kind == "loop")):
        pytest.skip("functions write resource variables only")
    if variables == "ref" and control_flow == "v2" and kind == "branch":
        pytest.skip("functions write resource variables only")
    v = v1.get_variable("v", initializer=[1.0, 2.0])
    v1.get_variable("bystander", initializer=[1.0, 2.0])
    fetch = WRITERS[kind](tf, v1, v)
    before = len(graph.get_operations())
    effects = gradients.effects(fetch)
    assert len(graph.get_operations()) == before
    assert effects.assigned == _changed(v1, graph, fetch)
    assert effects.trained == [
        name for name in effects.assigned if name in ("v", "rows", "counter")
    ]
    assert bool(effects.data) == (kind in ("queue", "table"))
    assert not effects.random


def test_xla(tf, v1, graph, gradients):
    if tf.__version__.startswith("1."):
        pytest.skip("TF 1.15 compiles with experimental_compile, without the CPU's XLA")
    v = v1.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    assert gradients.effects(_function(tf, v1, v, jit_compile=True)).assigned == ["v"]


def test_data_sets_write_when_they_are_iterated(tf, v1, graph, gradients):
    item = v1.data.make_initializable_iterator(tf.data.Dataset.range(3))
    assert gradients.effects(item.get_next()).data == ["IteratorGetNext"]
    assert gradients.effects(item.initializer).data == [item.initializer.name]


def test_variables_that_share_memory(tf, v1, graph, gradients):
    """Two handles of one name are one variable."""
    make = dict(dtype=tf.float32, shape=[], shared_name="same")
    a, b = tf.raw_ops.VarHandleOp(**make), tf.raw_ops.VarHandleOp(**make)
    write = tf.raw_ops.AssignVariableOp(resource=a, value=1.0)
    assert gradients.effects(write).assigned == sorted([a.op.name, b.op.name])


@pytest.mark.parametrize(
    "fetch, named",
    [(3.5, "float"), (object(), "object"), (None, "NoneType")],
    ids=["number", "object", "none"],
)
def test_what_cannot_be_fetched(tf, v1, graph, gradients, fetch, named):
    with pytest.raises(ArgumentError, match=named):
        gradients.effects([fetch])


PIECES = ("group", "control", "loop", "branch", "function", "identity")


@pytest.mark.parametrize("seed", range(6))
def test_random_nests(tf, v1, graph, control_flow, gradients, seed):
    """Writes under random nests of groups, control edges, loops, branches and functions."""
    random = np.random.RandomState(seed)
    fetches = []
    for number in range(6):
        v = v1.get_variable(f"v{number}", initializer=1.0, use_resource=True)

        def write(v=v):
            return v.assign_add(1.0, read_value=False)

        for _ in range(random.randint(1, 5)):
            write = _wrap(tf, v1, PIECES[random.randint(len(PIECES))], write)
        fetches.append(write())
    chosen = [fetches[i] for i in sorted(random.permutation(6)[:3])]
    assert gradients.effects(chosen).assigned == _changed(v1, graph, chosen)


def _wrap(tf, v1, piece, write):
    def after():
        with tf.control_dependencies([write()]):
            return tf.identity(1.0)

    if piece == "group":
        return lambda: tf.group(write())
    if piece == "control":
        return after
    if piece == "loop":
        return lambda: v1.while_loop(
            lambda i: i < 1.0, lambda i: i + after(), [tf.constant(0.0)], parallel_iterations=1
        )
    if piece == "branch":
        return lambda: v1.cond(v1.placeholder_with_default(True, []), after, lambda: 0.0)
    if piece == "function":
        return lambda: tf.function(after)()
    return lambda: tf.identity(after())


@pytest.mark.parametrize("optimizer", ["adam", "sgd", "wrapped", "constant"])
@pytest.mark.parametrize("counted", [True, False])
def test_a_rate_that_stands_still(counted, optimizer, variables, graph, v1, tf, gradients):
    """BERT's first mistake: nothing counts the steps that the rate follows."""
    from tfgraphtools import training

    count = v1.train.get_or_create_global_step()
    rate = v1.train.polynomial_decay(0.1, count, 100)
    w = v1.get_variable("w", initializer=1.0)
    chosen = {
        "adam": lambda: v1.train.AdamOptimizer(rate),
        "sgd": lambda: v1.train.GradientDescentOptimizer(rate),
        "wrapped": lambda: training.SkipNonFiniteOptimizer(
            training.LRMultiplierOptimizer(v1.train.MomentumOptimizer(rate, 0.9), {"w": 0.5})
        ),
        "constant": lambda: v1.train.AdamOptimizer(0.1),
    }[optimizer]()
    step = chosen.minimize(w * w, global_step=count if counted else None)
    effects = gradients.effects(step)
    stalls = not counted and optimizer != "constant"
    assert effects.stalled == ["global_step"] * stalls
    assert ("follows 'global_step', to which no op adds" in str(effects)) == stalls
    assert gradients.effects(w).stalled == []


@pytest.mark.parametrize("branch", ["dead", "taken", "unknown"])
def test_what_waits_for_a_dead_branch(tf, v1, graph, variables, gradients, branch):
    """The session of TensorFlow itself says whether the step trains."""
    w = v1.get_variable("w", initializer=1.0)
    predicate = v1.placeholder_with_default(True, []) if branch == "unknown" else tf.constant(True)
    outputs = tf.raw_ops.Switch(data=tf.constant(1.0), pred=predicate)
    with v1.control_dependencies([tf.identity(outputs[0 if branch == "dead" else 1])]):
        step = v1.train.GradientDescentOptimizer(0.1).minimize(w * w)
    says = gradients.effects(step)
    initialize = v1.global_variables_initializer()
    with v1.Session() as session:
        session.run(initialize)
        session.run(step)
        trains = session.run(w) != 1.0
    assert bool(says.trained) == trains == (branch != "dead")
