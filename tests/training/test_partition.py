"""PartitionOptimizer: several optimizers, one backward pass, one step, stable names."""

import numpy as np
import pytest

from tfgraphtools.errors import (
    ArgumentError,
    MatchedTwiceError,
    NoGroupError,
    NothingMatchedError,
    OptimizerKindError,
)
from training_cases import CORE, same_bits


def rewriter(v1, enabled):
    config = v1.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = not enabled
    return config


@pytest.mark.parametrize("case", CORE)
def test_each_group_trains_as_with_its_own_optimizer(
    case, variables, graph, v1, tf, training, session
):
    start = np.array([[1.0, -2.0], [0.5, 3.0]], np.float32)
    names = ["a", "b", "plain_a", "plain_b"]
    a, b, plain_a, plain_b = (v1.get_variable(n, initializer=start) for n in names)

    def optimizers():
        return CORE[case].build(v1.train, 0.1), v1.train.AdamOptimizer(0.01)

    first, second = optimizers()
    partition = training.PartitionOptimizer(
        [
            training.Group("a", "a", first),
            training.Group("b", "b", second),
            training.Group("rest", "plain_.*", None),
        ]
    )
    first, second = optimizers()
    loss = tf.reduce_sum(tf.sin(a) * b)
    plain_loss = tf.reduce_sum(tf.sin(plain_a) * plain_b)
    grads = v1.gradients(plain_loss, [plain_a, plain_b], gate_gradients=True)
    with tf.control_dependencies(grads):
        held = [tf.identity(grad) for grad in grads]
    steps = [
        partition.minimize(loss),
        first.apply_gradients([(held[0], plain_a)]),
        second.apply_gradients([(held[1], plain_b)]),
    ]
    run = session()
    for _ in range(5):
        run.run(steps)
    values = run.run([a, plain_a, b, plain_b])
    assert same_bits(values[0], values[1]) and same_bits(values[2], values[3])
    assert not np.array_equal(values[0], start)


@pytest.mark.parametrize("grappler", [True, False], ids=["grappler-on", "grappler-off"])
def test_no_race_in_200_steps(grappler, variables, graph, v1, tf, training, session):
    """Gradients that nobody gated: eight heads read the layer that one update changes.

    Without our gate nearly every step is wrong on ref variables.
    """
    random = np.random.RandomState(0)
    size, heads, rate = 64, 8, np.float32(100)
    names = ["low"] + [f"head{i}" for i in range(heads)]
    weights = [
        v1.get_variable(n, initializer=random.normal(size=(size, size)).astype(np.float32) / 8)
        for n in names
    ]
    hidden = tf.matmul(tf.constant(random.normal(size=(size, size)).astype(np.float32)), weights[0])
    loss = tf.reduce_mean(tf.square(tf.add_n([tf.matmul(hidden, w) for w in weights[1:]])))
    global_step = v1.train.get_or_create_global_step()
    sgd = v1.train.GradientDescentOptimizer
    optimizer = training.PartitionOptimizer(
        [training.Group("low", "low", sgd(rate)), training.Group("heads", "head.", sgd(rate))]
    )
    gradients = v1.gradients(loss, weights)
    step = optimizer.apply_gradients(zip(gradients, weights), global_step=global_step)
    again = v1.variables_initializer(weights)
    run = session(config=rewriter(v1, grappler))
    wanted = [old - rate * grad for old, grad in zip(*run.run([weights, gradients]))]
    wrong = 0
    for _ in range(200):
        run.run(again)
        run.run(step)
        values = run.run(weights)
        wrong += not all(np.allclose(a, b, atol=1e-4) for a, b in zip(values, wanted))
    assert wrong == 0 and run.run(global_step) == 200


@pytest.mark.parametrize("trained", [True, False], ids=["trained", "a sum"])
def test_memory_that_the_step_changes_is_copied_alone(trained, graph, v1, tf, training):
    """A user's own sum of gradients is read where it is, as the plain optimizer reads it."""
    v1.disable_resource_variables()
    w, total = v1.get_variable("w", [4]), v1.get_variable("total", [4], trainable=False)
    optimizer = training.PartitionOptimizer(
        [training.Group("all", ".*", v1.train.GradientDescentOptimizer(0.5))]
    )
    optimizer.apply_gradients([(tf.reshape(w if trained else total, [4]), w)])
    copies = [op for op in graph.get_operations() if op.type == "DeepCopy"]
    assert len(copies) == trained


def test_a_gradient_that_is_a_variables_own_memory(variables, graph, v1, tf, training, session):
    """d(a)/da weighted by b *is* b: on ref variables it must be copied before b moves."""
    size = 100000
    a = v1.get_variable("a", initializer=np.ones(size, np.float32))
    b = v1.get_variable("b", initializer=np.ones(size, np.float32))
    grad_a = tf.reshape(tf.identity(b), [size])
    sgd = v1.train.GradientDescentOptimizer
    step = training.PartitionOptimizer(
        [training.Group("b", "b", sgd(0.5)), training.Group("a", "a", sgd(1.0))]
    ).apply_gradients([(grad_a, a), (tf.ones(size), b)])
    run = session(config=rewriter(v1, False))
    for i in range(20):
        run.run(step)
        value_a, value_b = run.run([a, b])
        assert (value_b == 1 - 0.5 * (i + 1)).all()
        assert (value_a == 1 - sum(1 - 0.5 * j for j in range(i + 1))).all()


def build_groups(v1, training, order, name="Partition"):
    groups = {
        "one": training.Group("one", "x", v1.train.AdamOptimizer(0.1, beta1=0.5)),
        "two": training.Group("two", "y", v1.train.AdamOptimizer(0.1, beta1=0.9)),
    }
    return training.PartitionOptimizer([groups[label] for label in order], name=name)


def test_names_do_not_depend_on_the_order(variables, v1, tf, training, tmp_path):
    """Two Adams built in the other order restore to the same state, beta powers included."""
    values = {}
    for order in (["one", "two"], ["two", "one"]):
        with v1.Graph().as_default(), v1.Session() as run:
            x = v1.get_variable("x", initializer=1.0)
            y = v1.get_variable("y", initializer=0.0)
            with v1.name_scope("train"):
                step = build_groups(v1, training, order).minimize((x - y) ** 2)
            saver = v1.train.Saver()
            if not values:
                run.run(v1.global_variables_initializer())
                run.run([step])
                run.run([step])
                saver.save(run, str(tmp_path / "model.ckpt"))
            else:
                saver.restore(run, str(tmp_path / "model.ckpt"))
            state = {v.op.name: run.run(v) for v in v1.global_variables()}
            run.run([step])
            state["x after"], state["y after"] = run.run([x, y])
            values[order[0]] = state
    assert values["one"] == values["two"]
    assert "Partition/one/beta1_power" in values["one"]
    assert values["one"]["Partition/one/beta1_power"] == 0.125
    assert values["one"]["Partition/two/beta1_power"] == pytest.approx(0.729)


def test_groups_that_share_an_optimizer_share_its_statistics(
    variables, graph, v1, tf, training, session
):
    x, y, twin = (v1.get_variable(n, initializer=1.0) for n in ("x", "y", "twin"))
    adam = v1.train.AdamOptimizer(0.1)
    partition = training.PartitionOptimizer(
        [training.Group("b", "x", adam), training.Group("a", "y", adam)]
    )
    steps = [
        partition.minimize(x**2 + y**2, var_list=[x, y]),
        v1.train.AdamOptimizer(0.1).minimize(twin**2, var_list=[twin]),
    ]
    run = session()
    for _ in range(3):
        run.run(steps)
    assert len({float(v) for v in run.run([x, y, twin])}) == 1
    power = [v for v in partition.variables() if "beta1_power" in v.op.name]
    assert [v.op.name for v in power] == ["Partition/a-b/beta1_power"]
    assert run.run(power)[0] == pytest.approx(0.9**4)


def test_a_group_left_alone_has_no_state_and_does_not_move(
    variables, graph, v1, tf, training, session
):
    x, y = (v1.get_variable(n, initializer=1.0) for n in ("x", "y"))
    partition = training.PartitionOptimizer(
        [training.Group("x", "x", v1.train.AdamOptimizer(0.1)), training.Group("no", "y", None)]
    )
    pairs = partition.compute_gradients((x + y) ** 2)
    assert [v.op.name for _, v in pairs] == ["x"]
    step = partition.apply_gradients(pairs + [(tf.constant(1.0), y)])
    assert not [v for v in v1.global_variables() if v.op.name.startswith("y/")]
    run = session()
    run.run(step)
    assert run.run(y) == 1 and run.run(x) < 1


def test_partitioned_variables(variables, graph, v1, tf, training, session):
    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2)):
        table = v1.get_variable("table", [4, 2], initializer=v1.ones_initializer())
    w = v1.get_variable("w", initializer=1.0)
    total = tf.convert_to_tensor(table)
    step = training.PartitionOptimizer(
        [
            training.Group("table", table, v1.train.MomentumOptimizer(0.1, 0.9)),
            training.Group("w", "w", v1.train.GradientDescentOptimizer(1.0)),
        ]
    ).minimize(tf.reduce_sum(total) + w, var_list=[table, w])
    run = session()
    run.run(step)
    assert np.allclose(run.run(total), 0.9) and run.run(w) == 0


def test_sparse_and_dense_gradients_together(variables, graph, v1, tf, training, session):
    table = v1.get_variable("table", initializer=np.ones((4, 2), np.float32))
    w = v1.get_variable("w", initializer=1.0)
    loss = tf.reduce_sum(v1.nn.embedding_lookup(table, [1, 1, 3])) * w
    sgd = v1.train.GradientDescentOptimizer
    step = training.PartitionOptimizer(
        [training.Group("t", "table", sgd(0.5)), training.Group("w", "w", sgd(0.1))]
    ).minimize(loss)
    run = session()
    run.run(step)
    assert run.run(table).tolist() == [[1, 1], [0, 0], [1, 1], [0.5, 0.5]]
    assert run.run(w) == pytest.approx(0.4)


def test_the_train_op_collection_holds_the_whole_step(graph, v1, tf, training):
    v1.get_variable("x", initializer=1.0)
    y = v1.get_variable("y", initializer=1.0)
    with v1.variable_scope("", reuse=True):
        x = v1.get_variable("x")
    step = build_groups(v1, training, ["one", "two"]).minimize(x * y)
    assert v1.get_collection(v1.GraphKeys.TRAIN_OP) == [step]


def sgd_group(v1, training, name, selector):
    return training.Group(name, selector, v1.train.GradientDescentOptimizer(0.1))


MISTAKES = {
    "no-such-variable": ([("a", "x"), ("b", "z")], NothingMatchedError, "group 'b'.*'z'"),
    "in-two-groups": ([("a", "x"), ("b", ".*")], MatchedTwiceError, "'b'.*'x', which 'a'"),
    "in-no-group": ([("a", "x")], NoGroupError, r"none for 'y'.*Group\('rest', 'y', None\)"),
    "one-name-twice": ([("a", "x"), ("a", "y")], ArgumentError, "'a' more than once"),
    "no-groups": ([], ArgumentError, "no group"),
    "a-bad-name": ([("a b", "x")], ArgumentError, "'a b'"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case, variables, graph, v1, training):
    groups, error, words = MISTAKES[case]
    x, y = (v1.get_variable(n, initializer=1.0) for n in ("x", "y"))
    with pytest.raises(error, match=words):
        training.PartitionOptimizer([sgd_group(v1, training, *group) for group in groups]).minimize(
            x * y
        )


def test_nothing_to_train(graph, v1, training):
    x = v1.get_variable("x", initializer=1.0)
    with pytest.raises(ArgumentError, match="left alone: 'x'"):
        training.PartitionOptimizer([training.Group("no", "x", None)]).minimize(x)


@pytest.mark.parametrize("around", [False, True], ids=["alone", "inside"])
def test_no_gradient_of_a_variable_to_train(around, graph, v1, training):
    """The step of nothing would neither train nor count, in silence."""
    x, y = (v1.get_variable(n, initializer=1.0) for n in ("x", "y"))
    sgd = v1.train.GradientDescentOptimizer(1.0)
    groups = [training.Group("no", "x", None), training.Group("yes", "y", sgd)]
    optimizer = training.PartitionOptimizer(groups)
    if around:
        optimizer = training.SkipNonFiniteOptimizer(optimizer)
    with pytest.raises(ArgumentError, match="apply_gradients: .*to train.*left alone: 'x'"):
        optimizer.apply_gradients([(v1.ones([]), x), (None, y)])


def test_a_step_of_other_groups(variables, graph, v1, training, session):
    """One of the groups has groups inside, and no gradient in this step."""
    x, y = (v1.get_variable(n, initializer=1.0) for n in ("x", "y"))
    sgd = v1.train.GradientDescentOptimizer
    inner = training.PartitionOptimizer([training.Group("x", "x", sgd(1.0))], name="Inner")
    groups = [training.Group("inner", "x", inner), training.Group("outer", "y", sgd(1.0))]
    step = training.PartitionOptimizer(groups).apply_gradients([(None, x), (v1.ones([]), y)])
    run = session()
    run.run(step)
    assert run.run([x, y]) == [1.0, 0.0]


def test_two_of_one_name_in_a_graph(graph, v1, training):
    x, y = (v1.get_variable(n, initializer=1.0) for n in ("x", "y"))
    build_groups(v1, training, ["one", "two"]).minimize(x * y)
    with pytest.raises(ArgumentError, match="'Partition/one' in use.*name='Generator'"):
        build_groups(v1, training, ["one", "two"]).minimize(x * y)
    build_groups(v1, training, ["one", "two"], name="Generator").minimize(x * y)


def test_an_unknown_kind_of_optimizer(tf, training):
    with pytest.raises(OptimizerKindError, match="Group 'a'.*tf.compat.v1.train.Optimizer.*3"):
        training.Group("a", "x", 3)


def test_an_optimizer_that_computes_its_own_gradients_belongs_outside(v1, training):
    class LossScale(v1.train.GradientDescentOptimizer):
        def compute_gradients(self, loss, **options):
            return super().compute_gradients(loss * 8, **options)

    with pytest.raises(OptimizerKindError, match=r"LossScale\(PartitionOptimizer\(\.\.\.\)\)"):
        training.PartitionOptimizer([training.Group("a", "x", LossScale(0.1))])


def of_another_library(adam):
    """A wrapper that keeps what it wraps as TensorFlow's do."""
    wrapper = type("Other", (type(adam).__mro__[1],), {})(False, "Other")
    wrapper._opt = adam
    return wrapper


@pytest.mark.parametrize(
    "wrap",
    [
        lambda t, adam: (t.LRMultiplierOptimizer(adam, {"w": 0.5}), adam),
        lambda t, adam: (adam, t.FreezeOptimizer(adam, {"u": True})),
        lambda t, adam: (
            t.LRMultiplierOptimizer(adam, {"w": 0.5}),
            t.FreezeOptimizer(t.LRMultiplierOptimizer(adam, {"u": 2}), {"u": True}),
        ),
        lambda t, adam: (t.SkipNonFiniteOptimizer(adam), t.GradientAccumulationOptimizer(adam, 2)),
        lambda t, adam: (t.PartitionOptimizer([t.Group("in", "w", adam)], name="In"), adam),
        lambda t, adam: (adam, t.ExponentialAverageOptimizer(of_another_library(adam), 0.5)),
    ],
    ids=["one-wrapped", "other-wrapped", "both-wrapped", "others", "in-a-group", "of-another"],
)
def test_an_optimizer_inside_of_two_is_refused(wrap, graph, v1, training):
    """It would take two steps in one: beta1_power .1094 for .3138 after 10."""
    first, second = wrap(training, v1.train.AdamOptimizer())
    with pytest.raises(OptimizerKindError, match="'a' and 'b'.*one AdamOptimizer inside of two"):
        training.PartitionOptimizer(
            [training.Group("a", "w", first), training.Group("b", "u", second)]
        )
