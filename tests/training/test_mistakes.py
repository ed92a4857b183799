"""What users get wrong, in the words of their call, and variables that are out of the ordinary."""

import numpy as np
import pytest

from tfgraphtools.errors import (
    ArgumentError,
    FrozenMovedError,
    OptimizerKindError,
    TfgraphtoolsError,
    TransformError,
)
from tfgraphtools.training import _arguments


def adam(v1):
    return v1.train.AdamOptimizer(0.1)


#: id: (the call, what its message says)
CALLS = {
    "frozen-list": (
        lambda t, v1: t.FreezeOptimizer(adam(v1), frozen=["w"]),
        r"FreezeOptimizer frozen: .*\['w'\] of type list.*\{'w': mask\}",
    ),
    "frozen-name": (lambda t, v1: t.FreezeOptimizer(adam(v1), frozen="w"), "'w' of type str"),
    "frozen-none": (lambda t, v1: t.FreezeOptimizer(adam(v1), frozen=None), "type NoneType"),
    "frozen-true": (lambda t, v1: t.FreezeOptimizer(adam(v1), frozen=True), "True of type bool"),
    "frozen-empty": (lambda t, v1: t.FreezeOptimizer(adam(v1), frozen={}), "got none"),
    "bare-array": (
        lambda t, v1: t.FreezeOptimizer(adam(v1), np.array([True, False])),
        r"\{'\.\*': mask\} for all variables",
    ),
    "bare-tensor": (
        lambda t, v1: t.FreezeOptimizer(adam(v1), v1.placeholder("bool", [2])),
        "Placeholder",
    ),
    "ragged-mask": (
        lambda t, v1: t.FreezeOptimizer(adam(v1), {"w": [[True], [True, False]]}),
        "frozen 'w': expected a bool mask",
    ),
    "compact-scalar": (
        lambda t, v1: t.FreezeOptimizer(adam(v1), {"w": False}, slots="compact").apply_gradients(
            [(v1.ones([]), v1.get_variable("w", []))]
        ),
        "slots='compact' for 'w': .*got a scalar",
    ),
    "no-mask": (lambda t, v1: t.FreezeOptimizer(adam(v1), {"w": None}), "dtype object"),
    "guard-name": (lambda t, v1: t.FrozenGuardHook("w"), "'w' of type str"),
    "groups-of-tuples": (
        lambda t, v1: t.PartitionOptimizer([("low", "w", adam(v1))]),
        r"a list of Group, got \('low'.*Group\('head', 'head/\.\*', optimizer\)",
    ),
    "groups-dict": (lambda t, v1: t.PartitionOptimizer({"low": adam(v1)}), "a list of Group"),
    "one-group": (
        lambda t, v1: t.PartitionOptimizer(t.Group("low", "w", adam(v1))),
        r"got Group\('low'",
    ),
    "decay-number": (
        lambda t, v1: t.DecoupledWeightDecayOptimizer(adam(v1), 1e-5),
        r"1e-05 of type float.*\{'\.\*': 1e-5\} for all",
    ),
    "multiplier-number": (
        lambda t, v1: t.LRMultiplierOptimizer(adam(v1), 0.5),
        "0.5 of type float",
    ),
    "groups-name": (lambda t, v1: t.TrustRatioOptimizer(adam(v1), groups="w"), r"Pass \['w'\]"),
    "layers-name": (lambda t, v1: t.layer_decay("head", 0.5), "a list of selectors.*got 'head'"),
    "schedule-none": (lambda t, v1: t.UnfreezeHook(None), "UnfreezeHook: expected .*got None"),
    "read-of-a-tensor": (
        lambda t, v1: t.frozen_read(v1.placeholder("float32", [2]), [True, False]),
        "frozen_read: expected a variable",
    ),
    "l2-number": (lambda t, v1: t.transforms.add_weight_decay(1e-4), "0.0001 of type float"),
    "zero-frozen": (lambda t, v1: t.transforms.zero_frozen([True]), r"\[True\] of type list"),
}


@pytest.mark.parametrize("call", CALLS)
def test_calls(call, graph, v1, training):
    build, words = CALLS[call]
    with pytest.raises(TfgraphtoolsError, match=words):
        build(training, v1)


#: id: (a number of steps, what is said of it; None: it is one)
STEP_NUMBERS = {
    "zero": (lambda tf: 0, None),
    "float": (lambda tf: 2.5, None),
    "int-tensor": (lambda tf: tf.constant(3, tf.int64), None),
    "float-tensor": (lambda tf: tf.constant(3.0), None),
    "variable": (lambda tf: tf.compat.v1.train.get_or_create_global_step(), None),
    "string": (lambda tf: "10", "got '10'"),
    "negative": (lambda tf: -1, "got -1"),
    "nan": (lambda tf: float("nan"), "got nan"),
    "bool": (lambda tf: True, "got True"),
    "array": (lambda tf: np.ones(2), "got array"),
    "function": (lambda tf: len, "got <built-in function len>"),
    "vector": (lambda tf: tf.ones([2]), r"a float32 tensor of shape \(2,\)"),
    "bool-tensor": (lambda tf: tf.constant(True), "a bool tensor of shape"),
}


@pytest.mark.parametrize("case", STEP_NUMBERS)
def test_numbers_of_steps(case, graph, tf, training):
    build, words = STEP_NUMBERS[case]
    if words is None:
        return _arguments.check_steps("num_updates", build(tf))
    with pytest.raises(ArgumentError, match="num_updates: expected a number of steps.*" + words):
        _arguments.check_steps("num_updates", build(tf))


#: id: (the call of an optimizer for w, of the shape [2], what its message says)
STEPS = {
    "one-pair": (lambda o, w, tf: o.apply_gradients((tf.ones([2]), w)), "a list of .gradient, var"),
    "names": (lambda o, w, tf: o.apply_gradients({"w": tf.ones([2])}), "got 'w'"),
    "swapped": (lambda o, w, tf: o.apply_gradients([(w, tf.ones([2]))]), "expected variables"),
    "shape": (lambda o, w, tf: o.apply_gradients([(tf.ones([3]), w)]), "of 'w', got .* shape .3"),
    "dtype": (
        lambda o, w, tf: o.apply_gradients([(tf.ones([2], tf.float64), w)]),
        "a float32 gradient .* got a float64 one",
    ),
    "twice": (
        lambda o, w, tf: o.apply_gradients([(tf.ones([2]), w), (tf.ones([2]), w)]),
        "one gradient for each variable, got two for 'w'",
    ),
    "no-tensor": (lambda o, w, tf: o.apply_gradients([(o, w)]), "gradients that are tensors"),
    "count": (lambda o, w, tf: o.minimize(w * w, global_step=3), "global step.*got 3 of type int"),
    "no-loss": (lambda o, w, tf: o.minimize(None), "expected a tensor as the loss"),
    "variables-by-name": (lambda o, w, tf: o.minimize(w * w, var_list="w"), "the name 'w'"),
}


@pytest.mark.parametrize("case", STEPS)
def test_steps(case, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    build, words = STEPS[case]
    for optimizer in (
        training.FreezeOptimizer(adam(v1), {"w": [True, False]}),
        training.PartitionOptimizer([training.Group("all", "w", adam(v1))]),
    ):
        with pytest.raises(ArgumentError, match=words):
            build(optimizer, w, tf)


def test_an_array_as_a_gradient(variables, graph, v1, training, session):
    """As the plain optimizers take it."""
    w = v1.get_variable("w", initializer=np.zeros(2, np.float32))
    inner = v1.train.GradientDescentOptimizer(1.0)
    freeze = training.FreezeOptimizer(inner, {"w": [True, False]})
    step = freeze.apply_gradients([(np.ones(2, np.float32), w)])
    run = session()
    run.run(step)
    assert run.run(w).tolist() == [0, -1]


TRANSFORMS = {
    "gradients-only": (lambda pairs: [grad for grad, _ in pairs], "a list of .gradient, variable."),
    "one-pair": (lambda pairs: pairs[0], "a list of .gradient, variable. pairs"),
    "nothing": (lambda pairs: None, "got None"),
    "a-dict": (lambda pairs: {v.op.name: grad for grad, v in pairs}, "got {'w'"),
    "triples": (lambda pairs: [(g, v, 1) for g, v in pairs], "Return .*for gradient, variable in"),
    "arrays": (lambda pairs: [(np.ones(2), v) for _, v in pairs], r"got array\("),
}


@pytest.mark.parametrize("case", TRANSFORMS)
def test_what_a_transform_returns(case, graph, v1, tf, training):
    transform, words = TRANSFORMS[case]
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    with pytest.raises(TransformError, match=words):
        training.GradientTransformOptimizer(adam(v1), transform).minimize(tf.reduce_sum(w * w))


OTHER_GRAPH = {
    "mask": lambda t, v1, mask, x: t.FreezeOptimizer(adam(v1), {"w": mask}),
    "multiplier": lambda t, v1, mask, x: t.LRMultiplierOptimizer(adam(v1), {"w": x}),
    "decay": lambda t, v1, mask, x: t.DecoupledWeightDecayOptimizer(adam(v1), {"w": x}),
    "transform": lambda t, v1, mask, x: t.GradientTransformOptimizer(
        adam(v1), t.transforms.zero_frozen({"w": mask})
    ),
}


@pytest.mark.parametrize("kind", ["tensor", "variable"])
@pytest.mark.parametrize("case", OTHER_GRAPH)
def test_values_of_another_graph(case, kind, variables, v1, tf, training):
    with v1.Graph().as_default():
        if kind == "tensor":
            mask, x = v1.placeholder("bool", [2]), v1.placeholder("float32", [])
        else:
            mask, x = v1.Variable([True, False]), v1.Variable(0.5)
    with v1.Graph().as_default():
        w = v1.get_variable("w", initializer=[1.0, 2.0])
        with pytest.raises((ArgumentError, TransformError), match="graph that the step is built"):
            OTHER_GRAPH[case](training, v1, mask, x).minimize(tf.reduce_sum(w * w))


EAGER_VALUES = """
import tensorflow as tf
from tfgraphtools import training
from tfgraphtools.errors import ArgumentError

v1 = tf.compat.v1
if tf.__version__.startswith("1."):
    v1.enable_eager_execution()
mask, rate = tf.constant([True, False]), tf.constant(0.5)
values = [(mask, rate), (tf.Variable(mask), tf.Variable(rate))]
for mask, rate in values:
    with tf.Graph().as_default():
        w = v1.get_variable("w", initializer=[1.0, 2.0])
        sgd = v1.train.GradientDescentOptimizer(0.1)
        for optimizer in (
            training.FreezeOptimizer(sgd, {"w": mask}),
            training.LRMultiplierOptimizer(sgd, {"w": rate}),
        ):
            try:
                optimizer.minimize(tf.reduce_sum(w * w))
            except ArgumentError as error:
                assert "of eager execution" in str(error), error
            else:
                raise SystemExit("no error")
"""


def test_eager_values_are_refused(this_server, tmp_path):
    (tmp_path / "eager.py").write_text(EAGER_VALUES)
    this_server.run(tmp_path, "eager.py").checked()


EAGER = """
import tensorflow as tf
from tfgraphtools import training
from tfgraphtools.errors import ArgumentError

v1 = tf.compat.v1
if tf.__version__.startswith("1."):
    v1.enable_eager_execution()
w = tf.Variable([1.0, 2.0], name="w")
sgd = v1.train.GradientDescentOptimizer(0.1)
for optimizer in (
    training.FreezeOptimizer(sgd, {"w": [True, False]}),
    training.PartitionOptimizer([training.Group("all", "w", sgd)]),
):
    for build in (
        lambda: optimizer.minimize(lambda: tf.reduce_sum(w * w)),
        lambda: optimizer.apply_gradients([(tf.ones([2]), w)]),
        # TF 1.15's AutoGraph would raise an error of its own, with this text.
        tf.function(lambda: optimizer.apply_gradients([(tf.ones([2]), w)]), autograph=False),
    ):
        try:
            build()
        except ArgumentError as error:
            assert "disable_eager_execution" in str(error), error
        else:
            raise SystemExit("no error")
"""


def test_eager_execution_is_refused(this_server, tmp_path):
    (tmp_path / "eager.py").write_text(EAGER)
    this_server.run(tmp_path, "eager.py").checked()


def test_contrib_optimizer_v2(contrib, graph, v1, tf, training, session):
    """minimize passes on options that these optimizers do not know."""
    from tensorflow.contrib import optimizer_v2

    w, plain_w = (v1.get_variable(n, initializer=[1.0, 2.0]) for n in ("w", "plain"))
    loss = tf.reduce_sum(w * w) + tf.reduce_sum(plain_w * plain_w)
    plain_step = optimizer_v2.AdamOptimizer(0.1).minimize(loss, var_list=[plain_w])
    optimizer = training.FreezeOptimizer(optimizer_v2.AdamOptimizer(0.1), {"w": [True, False]})
    step = optimizer.minimize(loss, var_list=[w])
    with pytest.raises(OptimizerKindError, match="hooks update 'w'"):
        training.LRMultiplierOptimizer(optimizer_v2.AdamOptimizer(0.1), {"w": 0.5}).minimize(loss)
    run = session()
    for _ in range(3):
        run.run([plain_step, step])
    value, whole = run.run([w, plain_w])
    assert np.array_equal(value, [1.0, whole[1]])


def test_an_optimizer_whose_hooks_are_never_called(graph, v1, tf, training):
    """BERT's optimizer has an apply_gradients of its own: a multiplier would do nothing."""

    class Own(v1.train.GradientDescentOptimizer):
        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            return tf.group(*[v1.assign_sub(v, 0.1 * g) for g, v in grads_and_vars])

    w = v1.get_variable("w", initializer=[1.0, 2.0])
    with pytest.raises(OptimizerKindError, match="hooks update 'w'.*apply_gradients of its own"):
        training.LRMultiplierOptimizer(Own(0.1), {"w": 0.5}).minimize(tf.reduce_sum(w * w))


# Variables ------------------------------------------------------------------------------------

#: id: (our optimizer around another one, [1, 2, 3] after a step of rate 1 on a gradient of 1;
#: None where it is refused by name)
UNKNOWN_SHAPE = {
    "array": (lambda t, o: t.FreezeOptimizer(o, {"w": [True, False, True]}), [1, 1, 3]),
    "scalar": (lambda t, o: t.FreezeOptimizer(o, {"w": True}), [1, 2, 3]),
    "reset": (lambda t, o: t.FreezeOptimizer(o, {"w": [True, False, True]}, "reset"), [1, 1, 3]),
    "compact": (lambda t, o: t.FreezeOptimizer(o, {"w": [True, False, True]}, "compact"), None),
    "multiplier": (lambda t, o: t.LRMultiplierOptimizer(o, {"w": 0.5}), [0.5, 1.5, 2.5]),
    "decay": (lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": 0.5}), [-0.5, 0, 0.5]),
    "groups": (lambda t, o: t.PartitionOptimizer([t.Group("all", "w", o)]), [0, 1, 2]),
    "transform": (
        lambda t, o: t.GradientTransformOptimizer(
            o, t.transforms.chain(t.transforms.zero_frozen({"w": [True, False, True]}))
        ),
        [1, 1, 3],
    ),
    "accumulation": (lambda t, o: t.GradientAccumulationOptimizer(o, 2), None),
}


@pytest.mark.parametrize("case", UNKNOWN_SHAPE)
def test_a_variable_of_unknown_shape(case, variables, graph, v1, tf, training):
    build, expected = UNKNOWN_SHAPE[case]
    start = v1.placeholder_with_default(np.float32([1, 2, 3]), None)
    w = v1.Variable(start, validate_shape=False, name="w")
    optimizer = build(training, v1.train.GradientDescentOptimizer(1.0))
    if expected is None:
        with pytest.raises((ArgumentError, OptimizerKindError), match="'w'"):
            optimizer.apply_gradients([(tf.ones([3]), w)])
        return
    step = optimizer.apply_gradients([(tf.ones([3]), w)])
    assert "unknown" in optimizer.describe()
    with v1.Session(graph=graph) as run:
        run.run(w.initializer)
        run.run(v1.global_variables_initializer())
        run.run(step)
        assert np.array_equal(run.run(w), expected)


@pytest.mark.parametrize("slots", ["keep", "reset", "compact"])
def test_a_variable_of_no_elements(slots, variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=np.zeros([0, 4], np.float32))
    u = v1.get_variable("u", initializer=[1.0, 1.0])
    masks = {"w": np.zeros([0, 4], bool), "u": [True, False]}
    optimizer = training.FreezeOptimizer(adam(v1), masks, slots=slots)
    step = optimizer.minimize(tf.reduce_sum(w) + tf.reduce_sum(u * u))
    run = session()
    run.run(step)
    assert run.run(u)[0] == 1 and run.run(u)[1] < 1


# Hooks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("counted", [True, False])
def test_unfreezing_by_a_step_that_nothing_counts(counted, variables, graph, v1, tf, training):
    count = v1.train.get_or_create_global_step()
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    mask = v1.get_variable("mask", initializer=True, trainable=False)
    optimizer = training.FreezeOptimizer(adam(v1), {"w": mask})
    optimizer.minimize(tf.reduce_sum(w * w), global_step=count if counted else None)
    v1.train.Saver()
    hook = training.UnfreezeHook({3: {"mask": False}})
    if counted:
        hook.begin()
    else:
        with pytest.raises(ArgumentError, match="'global_step', to which no op adds"):
            hook.begin()


@pytest.mark.parametrize("order", [1, -1], ids=["behind", "before"])
def test_a_guard_and_a_hook_that_releases(order, variables, graph, v1, tf, training):
    """The guard sees the mask of the run, wherever the hook that changes it stands."""
    count = v1.train.get_or_create_global_step()
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    mask = v1.get_variable("mask", initializer=True, trainable=False)
    optimizer = training.FreezeOptimizer(adam(v1), {"w": mask})
    step = optimizer.minimize(tf.reduce_sum(w * w), global_step=count)
    other = v1.assign_add(w, [0.0, 1.0])
    schedule = {2: {"mask": False}, 4: {"mask": True}}
    hooks = [training.UnfreezeHook(schedule), training.FrozenGuardHook(optimizer)][::order]
    with v1.train.MonitoredSession(hooks=hooks) as session:
        for _ in range(5):
            session.run(step)
        with pytest.raises(FrozenMovedError, match=r"'w'\[1\] to stay"):
            session.run(other)


def test_a_guard_and_an_op_that_releases(variables, graph, v1, tf, training):
    """A mask that an op of the graph changes is read before the run, and the error says so."""
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    mask = v1.get_variable("mask", initializer=True, trainable=False)
    optimizer = training.FreezeOptimizer(adam(v1), {"w": mask})
    step = optimizer.minimize(tf.reduce_sum(w * w))
    with v1.control_dependencies([v1.assign(mask, False)]):
        release_and_move = v1.assign_add(w, [1.0, 1.0])
    with v1.train.MonitoredSession(hooks=[training.FrozenGuardHook(optimizer)]) as session:
        session.run(step)
        with pytest.raises(FrozenMovedError, match="mask of 'w'.*between runs only"):
            session.run(release_and_move)
