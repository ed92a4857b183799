"""override_gradient: every cell of "where it is entered" x "where the op is", or an error."""

import gc
import weakref

import nested_programs
import numpy as np
import pytest

from tfgraphtools.errors import (
    ArgumentError,
    GradientFunctionError,
    UnknownGradientError,
    UnreachableOverrideError,
    UnusedOverrideError,
    WrongGradientError,
)


def ten_times(op, grad):
    return 10.0 * grad


def _cond(tf, v1, body, x):
    return v1.cond(v1.placeholder_with_default(True, []), lambda: body(x), lambda: x)


def _while(tf, v1, body, x):
    return v1.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, body(a)), [tf.constant(0), x])[1]


def _cond_in_while(tf, v1, body, x):
    return _while(tf, v1, lambda a: _cond(tf, v1, body, a), x)


def _colocated(tf, v1, body, x):
    with v1.colocate_with(x.op):
        return body(x)


def _no_device(tf, v1, body, x):
    with v1.device(None):
        return body(x)


# How a network reaches the op, and the multiple of the gradient that is right.
REACH = {
    "plain": (lambda tf, v1, body, x: body(x), 10.0),
    "cond": (_cond, 10.0),
    "while": (_while, 100.0),
    "map_fn": (lambda tf, v1, body, x: tf.map_fn(body, x), 10.0),
    "scan": (lambda tf, v1, body, x: tf.scan(lambda _, b: body(b), x, tf.zeros([])), 10.0),
    "tf.function": (lambda tf, v1, body, x: tf.function(body)(x), 10.0),
    "cond-in-while": (_cond_in_while, 100.0),
    "tf.function-in-cond": (
        lambda tf, v1, body, x: _cond(tf, v1, lambda a: tf.function(body)(a), x),
        10.0,
    ),
    "colocated": (_colocated, 10.0),
    "no-device": (_no_device, 10.0),
}


@pytest.mark.parametrize("entered", ["outside", "inside"])
@pytest.mark.parametrize("kind", REACH)
def test_reach(tf, v1, graph, control_flow, gradients, gradient_at, kind, entered):
    build, multiple = REACH[kind]
    x = tf.constant([1.6, 1.7])

    def overridden(a):
        with gradients.override_gradient({"Floor": ten_times}):
            return tf.floor(a)

    if entered == "inside":
        y = build(tf, v1, overridden, x)
    else:
        with gradients.override_gradient({"Floor": ten_times}) as hits:
            y = build(tf, v1, tf.floor, x)
        assert hits.total == len(hits["Floor"]) == 1 and hits["Floor"][0].type == "Floor"
    np.testing.assert_array_equal(gradient_at(y, x), [multiple, multiple])


def test_traced_function_is_traced_again_for_the_block(tf, graph, gradients, gradient_at):
    function, x = tf.function(lambda a: 2.0 * tf.floor(a) + a), tf.constant(1.6)
    function(x)
    with gradients.override_gradient({"Floor": ten_times}):
        inside = function(x)
    after = function(x)
    assert (gradient_at(inside, x), gradient_at(after, x)) == (21.0, 1.0)


def test_a_concrete_function_traced_before_is_refused(tf, graph, gradients):
    x = tf.constant(1.6)
    concrete = tf.function(lambda a: tf.floor(a)).get_concrete_function(
        tf.TensorSpec([], tf.float32)
    )
    with pytest.raises(UnreachableOverrideError, match="traced before the block"):
        with gradients.override_gradient({"Floor": ten_times}):
            concrete(x)


@pytest.mark.parametrize("entered", ["inside", "outside", "called in the block"])
def test_defun_is_refused(tf, graph, gradients, entered):
    from tensorflow.python.framework import function

    def hard(x):
        if entered == "inside":
            with gradients.override_gradient({"Floor": ten_times}):
                return tf.floor(x)
        return tf.floor(x)

    defun, x = function.Defun(tf.float32)(hard), tf.constant(1.6)
    with pytest.raises(UnreachableOverrideError, match="Defun"):
        if entered == "called in the block":
            defun(x)
        if entered == "inside":
            defun(x)
        else:
            with gradients.override_gradient({"Floor": ten_times}):
                defun(x)


def test_defun_without_the_type_is_left_alone(tf, graph, gradients):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def smooth(x):
        return tf.sin(x)

    with gradients.override_gradient({"Floor": ten_times}) as hits:
        tf.floor(smooth(tf.constant(1.6)))
    assert hits.total == 1


@pytest.mark.parametrize(
    "key, build, likely",
    [
        ("floor", lambda tf, x: tf.floor(x), "'Floor'"),
        ("Floor", lambda tf, x: tf.cast(x, tf.int32) // 2, "'FloorDiv'"),
        ("MatMul", lambda tf, x: tf.matmul([[x]], [[x]], a_is_sparse=True), "'SparseMatMul'"),
        ("Add", lambda tf, x: x + 2.0, "'AddV2'"),
        ("Floor", lambda tf, x: tf.reduce_mean([x, x]), "Mean"),
        ("BiasAdd", lambda tf, x: None, "no ops"),
    ],
    ids=["lower-case", "floordiv", "sparse-matmul", "addv2", "C5-reduce-mean", "nothing-built"],
)
def test_zero_hits_names_what_was_built(tf, graph, gradients, key, build, likely):
    x = tf.constant(1.6)
    with pytest.raises(UnusedOverrideError, match=likely) as raised:
        with gradients.override_gradient({key: ten_times}):
            build(tf, x)
    assert key in str(raised.value)


def test_one_unused_key_among_used_ones(tf, graph, gradients):
    with pytest.raises(UnusedOverrideError, match="'Ceil'"):
        with gradients.override_gradient({"Floor": ten_times, "Ceil": ten_times}):
            tf.floor(tf.constant(1.6))


def test_around_gradients_or_on_another_graph_is_unused(tf, v1, graph, gradients):
    x = tf.constant(1.6)
    y = tf.floor(x)
    with pytest.raises(UnusedOverrideError, match="around the code that builds"):
        with gradients.override_gradient({"Floor": ten_times}):
            v1.gradients(y, x)
    with pytest.raises(UnusedOverrideError):
        with gradients.override_gradient({"Floor": ten_times}):
            with v1.Graph().as_default():
                tf.floor(tf.constant(1.6))


def test_the_user_s_own_error_is_not_replaced(tf, graph, gradients):
    with pytest.raises(KeyError, match="theirs"):
        with gradients.override_gradient({"Floor": ten_times}):
            raise KeyError("theirs")


def test_reads_of_variables_are_left_alone(tf, v1, graph, variables, gradients, gradient_at):
    with gradients.override_gradient({"Identity": lambda op, grad: -grad}) as hits:
        v = v1.get_variable("v", initializer=2.0)
        tf.identity(1.0)
    assert len(hits["Identity"]) == 1
    assert gradient_at(3.0 * v, v) == 3.0


@pytest.mark.parametrize("kind", ["ref", "resource"])
def test_five_times_through_an_identity(tf, v1, graph, gradients, evaluate, kind):
    """C6, on a variable and under both kinds of read."""
    v = v1.get_variable("v", initializer=[1.5, -2.5], use_resource=kind == "resource")
    with gradients.override_gradient({"Identity": lambda op, grad: 5.0 * grad}):
        y = tf.identity(v)
    value, gradient = evaluate([y, v1.gradients(y * [2.0, 3.0], v)[0]])
    assert value.tobytes() == np.float32([1.5, -2.5]).tobytes()
    np.testing.assert_array_equal(gradient, [10.0, 15.0])


def test_backward_ops_inside_the_block_are_left_alone(tf, v1, graph, gradients, evaluate):
    """The second derivative of sin(x) * x at 0.4 with an override of Mul open all along."""
    x = tf.constant(0.4)

    def doubled(op, grad):
        return [2.0 * grad * op.inputs[1], 2.0 * grad * op.inputs[0]]

    not_overridden = tf.sin(x) * x
    first_plain = v1.gradients(not_overridden, x)[0]
    second_plain = v1.gradients(first_plain, x)[0]
    with gradients.override_gradient({"Mul": doubled}) as hits:
        y = tf.sin(x) * x
        first = v1.gradients(y, x)[0]
        second = v1.gradients(first, x)[0]
    assert [op.name for op in hits["Mul"]] == [y.op.name]
    values = evaluate([first_plain, second_plain, first, second])
    assert values[1] == pytest.approx(1.6863546)
    assert values[2] == pytest.approx(2 * values[0])
    assert values[3] == pytest.approx(2 * 1.6863546)


def test_colocated_op_has_its_override_when_the_block_differentiates(
    tf, v1, graph, gradients, evaluate
):
    x = tf.constant(1.6)
    with gradients.override_gradient({"Floor": ten_times}):
        with v1.colocate_with(x.op):
            y = tf.floor(x)
        gradient = v1.gradients(y, x)[0]
    assert evaluate(gradient) == 10.0


def test_nesting_the_inner_wins_and_the_outer_comes_back(tf, v1, graph, gradients, gradient_at):
    x = tf.constant(1.6)
    with gradients.override_gradient({"Floor": ten_times}):
        before = tf.floor(x)
        with gradients.override_gradient({"Floor": lambda op, grad: 3.0 * grad}):
            inner = tf.floor(x)
        with graph.gradient_override_map({"Floor": "Identity"}):
            native = tf.floor(x)
        after = tf.floor(x)
    outside = tf.floor(x)
    numbers = [gradient_at(y, x) for y in (before, inner, native, after, outside)]
    assert numbers == [10.0, 3.0, 1.0, 10.0, None]


def test_inside_a_native_override_ours_wins(tf, graph, gradients, gradient_at):
    x = tf.constant(1.6)
    with graph.gradient_override_map({"Floor": "Identity"}):
        with gradients.override_gradient({"Floor": ten_times}):
            y = tf.floor(x)
    assert gradient_at(y, x) == 10.0


def test_all_shadowed_is_unused_and_says_why(tf, graph, gradients):
    with pytest.raises(UnusedOverrideError, match="given another gradient"):
        with gradients.override_gradient({"Floor": ten_times}):
            with gradients.override_gradient({"Floor": "Identity"}):
                tf.floor(tf.constant(1.6))


def test_devices_are_left_as_they_are(tf, v1, graph, gradients):
    with v1.device("/cpu:0"), gradients.override_gradient({"Floor": ten_times}):
        with v1.device("/job:worker"):
            y = tf.floor(tf.constant(1.6))
    assert y.op.device == "/job:worker/device:CPU:0"
    with gradients.override_gradient({"Floor": ten_times}):
        assert tf.floor(tf.constant(1.6)).op.device == ""


def test_imported_ops_are_reached(tf, v1, graph, gradients, gradient_at):
    with v1.Graph().as_default() as other:
        tf.floor(v1.placeholder(tf.float32, [], name="x"), name="y")
    x = tf.constant(1.6)
    with gradients.override_gradient({"Floor": ten_times}):
        (y,) = tf.import_graph_def(other.as_graph_def(), {"x": x}, ["y:0"])
    assert gradient_at(y, x) == 10.0


def test_integers_block_whatever_the_override(tf, v1, graph, gradients, gradient_at):
    x = tf.constant(1.6)
    with gradients.override_gradient({"Cast": "Identity"}):
        y = tf.cast(tf.cast(x, tf.int32), tf.float32)
    assert gradient_at(y, x) is None
    (blocker,) = gradients.explain_gradient(y, x).blockers(x)
    assert blocker.cause == "dtype" and "int32" in blocker.says


# Names and functions ------------------------------------------------------------


def test_names(tf, graph, gradients, gradient_at):
    x = tf.constant(1.6)
    with gradients.override_gradient({"Floor": "Identity"}):
        y = tf.floor(x)
    assert gradient_at(y, x) == 1.0
    assert y.op.get_attr("_gradient_op_type") == b"Identity"  # needs nothing of ours to reload


@pytest.mark.parametrize(
    "argument, error, match",
    [
        ({"Floor": "Identiti"}, UnknownGradientError, "register it"),
        ({"Floor": "identity"}, UnknownGradientError, "Did you mean 'Identity'"),
        ({"Floor": 3}, GradientFunctionError, "3 of type int"),
        ({}, ArgumentError, "mapping"),
        ("Floor", ArgumentError, "mapping"),
    ],
    ids=["unknown-name", "case", "no-function", "empty", "no-mapping"],
)
def test_bad_arguments(graph, gradients, argument, error, match):
    with pytest.raises(error, match=match):
        with gradients.override_gradient(argument):
            raise AssertionError("the block must not run")


@pytest.mark.parametrize(
    "function, match",
    [
        (lambda op, grad: [grad, grad], "1 gradients.*got 2"),
        (lambda op, grad: __import__("tensorflow").cast(grad, "float64"), "dtype float32.*float64"),
        (lambda op, grad: __import__("tensorflow").reshape(grad, [2, 1]), r"shape \(2,\)"),
    ],
    ids=["count", "dtype", "shape"],
)
def test_wrong_gradients_say_which(tf, v1, graph, gradients, function, match):
    x = tf.constant([1.6, 2.6])
    with gradients.override_gradient({"Floor": function}):
        y = tf.floor(x)
    with pytest.raises(WrongGradientError, match=match):
        v1.gradients(y, x)


def test_cast_under_identity_is_an_error_not_a_float64_gradient(tf, v1, graph, gradients):
    x = tf.constant(1.6)
    with gradients.override_gradient({"Cast": "Identity"}):
        y = tf.cast(x, tf.float64)
    with pytest.raises(WrongGradientError, match="float32.*float64"):
        v1.gradients(y, x)


def test_stable_names(tf, graph, gradients):
    def floor_with(function):
        with gradients.override_gradient({"Floor": function}):
            return tf.floor(tf.constant(1.6)).op.get_attr("_gradient_op_type").decode()

    assert floor_with(ten_times) == __name__ + ".ten_times"
    assert floor_with(ten_times) == __name__ + ".ten_times"


def _multiply(k):
    return lambda op, grad: k * grad


def test_closures_are_told_apart(tf, graph, gradients, gradient_at):
    x = tf.constant(1.6)
    ys = []
    for k in (2.0, 3.0, 2.0):
        with gradients.override_gradient({"Floor": _multiply(k)}):
            ys.append(tf.floor(x))
    names = [y.op.get_attr("_gradient_op_type") for y in ys]
    assert names[0] == names[2] != names[1]
    assert [gradient_at(y, x) for y in ys] == [2.0, 3.0, 2.0]


@pytest.mark.slow
def test_the_registry_does_not_grow_with_use(tf, v1, gradients):
    from tfgraphtools import _tf

    def use(function):
        with v1.Graph().as_default() as graph:
            x = tf.constant(1.6)
            with gradients.override_gradient({"Floor": function}):
                y = tf.floor(x)
            v1.gradients(y, x)
            gradients.floor(x)
        return weakref.ref(graph)

    use(ten_times), use(_multiply(7.0))
    before = len(_tf.registered_gradients())
    graphs = [use(ten_times) for _ in range(50)]
    graphs += [use(lambda op, grad: 2.0 * grad) for _ in range(50)]
    for _ in range(20):  # graph after graph
        graphs.append(use(_multiply(5.0)))
        gc.collect()
    assert len(_tf.registered_gradients()) - before <= 2
    gc.collect()
    assert [graph for graph in graphs if graph() is not None] == []


def _with_default(k):
    return eval("lambda op, grad, k=k: k * grad", {"k": k})


def _of_array(k):
    factor = np.array(k, np.float32)
    return lambda op, grad: factor * grad


@pytest.mark.parametrize("make", [_multiply, _with_default, _of_array])
@pytest.mark.parametrize("first, second", [(5.0, 7.0), (0.0, -0.0)], ids=str)
def test_a_name_is_never_that_of_another_closure(tf, v1, gradients, make, first, second):
    """A graph is exported and dropped, another closure of the same code comes: not its gradient."""

    def exported(k):
        with v1.Graph().as_default():
            x = tf.constant(1.6, name="x")
            with gradients.override_gradient({"Floor": make(k)}):
                tf.floor(x, name="y")
            return v1.train.export_meta_graph()

    saved = exported(first)
    gc.collect()
    kept = [exported(second) for _ in range(3)]
    with v1.Graph().as_default() as graph:
        with gradients.override_gradient({"Floor": make(second)}):
            tf.floor(tf.constant(1.6))
        v1.train.import_meta_graph(saved)
        x, y = graph.get_tensor_by_name("x:0"), graph.get_tensor_by_name("y:0")
        with pytest.raises(UnknownGradientError, match="closure"):
            v1.gradients(y, x)
        with pytest.raises(UnknownGradientError, match=r"closure.*set_gradient"):
            gradients.require_gradients()
        with pytest.raises(UnknownGradientError, match="closure"):
            gradients.vjp(y, x, 1.0)
    assert len(kept) == 3


def test_an_equal_closure_gets_its_name_again(tf, v1, gradients):
    def name(k):
        with v1.Graph().as_default(), gradients.override_gradient({"Floor": _multiply(k)}):
            return tf.floor(tf.constant(1.6)).op.get_attr("_gradient_op_type").decode()

    first = name(11.0)
    gc.collect()
    assert name(13.0) != first == name(11.0)
    assert first.endswith("[k=11.0]")


def test_a_function_of_another_process_is_named(tf, v1, graph, gradients):
    x = tf.constant(1.6)
    y = tf.floor(x)
    y.op._set_attr("_gradient_op_type", v1.AttrValue(s=b"rules.make.<locals>.fn[k=5.0]"))
    calls = [
        lambda: gradients.require_gradients(),
        lambda: gradients.vjp(y, x, 1.0),
        lambda: gradients.recompute_gradients(y, x),
        lambda: gradients.first_nonfinite(y, x),
        lambda: gradients.check_gradients(y, x),
    ]
    for call in calls:
        with pytest.raises(UnknownGradientError, match=r"rules\.make.*no other process can find"):
            call()


def test_register_gradient(gradients):
    @gradients.register_gradient(name="tests.registered_once")
    def once(op, grad):
        return grad

    assert gradients.register_gradient(once, name="tests.registered_once") is once
    with pytest.raises(GradientFunctionError, match="Choose another name"):
        gradients.register_gradient(ten_times, name="tests.registered_once")
    with pytest.raises(GradientFunctionError, match="Choose another name"):
        gradients.register_gradient(ten_times, name="Floor")


@pytest.mark.parametrize("how", ["colocated", "no-device"])
def test_out_of_sight_inside_a_body_is_refused(tf, v1, graph, gradients, how):
    """In a body, an op under colocate_with or device(None) cannot be tagged: never a silent 0."""
    v1.enable_control_flow_v2()
    x = tf.constant(1.6)
    body = {"colocated": _colocated, "no-device": _no_device}[how]
    with pytest.raises(UnreachableOverrideError, match="colocate_with or device"):
        with gradients.override_gradient({"Floor": ten_times}):
            v1.cond(
                v1.placeholder_with_default(True, []),
                lambda: body(tf, v1, tf.floor, tf.identity(x)),
                lambda: x,
            )


def _three_times(op, grad):
    """For an op that writes its last input to (a row of) a ref variable of two rows."""
    grad = grad if op.type.startswith("Assign") else grad[:1]
    return [None] * (len(op.inputs) - 1) + [3.0 * grad]


WRITES = {
    "Assign": lambda v1, v, x: v1.assign(v, x),
    "AssignAdd": lambda v1, v, x: v1.assign_add(v, x),
    "AssignSub": lambda v1, v, x: v1.assign_sub(v, x),
    "ScatterAdd": lambda v1, v, x: v1.scatter_add(v, [0], x[:1]),
    "ScatterNdUpdate": lambda v1, v, x: v1.scatter_nd_update(v, [[0]], x[:1]),
    "ScatterUpdate": lambda v1, v, x: v1.scatter_update(v, [0], x[:1]),
    "StridedSliceAssign": lambda v1, v, x: v[:1].assign(x[:1]),
}


@pytest.mark.parametrize("kind", WRITES)
def test_writes_to_ref_variables(tf, v1, graph, gradients, gradient_at, kind):
    v = v1.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=False)
    x = tf.constant([[1.0, 1.0], [1.0, 1.0]])
    with gradients.override_gradient({kind: _three_times}) as hits:
        y = WRITES[kind](v1, v, x)
    assert hits[kind] == [y.op]
    expected = [[3.0, 3.0], [3.0 * kind.startswith("Assign")] * 2]
    np.testing.assert_array_equal(gradient_at(y, x), expected)


def test_the_read_of_a_ref_variable_is_named_as_the_reason(tf, v1, graph, gradients):
    with pytest.raises(UnusedOverrideError, match="1 the read of a variable.*on purpose"):
        with gradients.override_gradient({"Identity": _three_times}):
            v1.get_variable("v", initializer=1.0, use_resource=False)


@pytest.mark.slow
@pytest.mark.once
def test_backward_passes_behind_the_block_are_left_alone(tf, v1, graph, gradients):
    """In this program TensorFlow calls a function that is part of the backward pass."""
    v1.disable_control_flow_v2()
    build = nested_programs.program(tf, v1, 41000)
    with gradients.override_gradient({"Mul": "Mul"}) as hits:
        y, xs = build()
    reached = hits.total
    v1.gradients(y, xs)
    assert hits.total == reached > 0


#: key: (what the block builds, a word of the advice that explain_gradient gives)
UNREACHED = {
    "ArgMax": (lambda tf, v1, x: tf.argmax(x), "softmax"),
    "Cast": (lambda tf, v1, x: tf.cast(x, tf.int32), "to_integer"),
    "Greater": (lambda tf, v1, x: x > 0.5, "soft_step"),
    "LogicalNot": (lambda tf, v1, x: tf.logical_not(x > 0.5), "soft_step"),
    "AsString": (lambda tf, v1, x: tf.as_string(x), "strings have no gradient"),
    "Where": (lambda tf, v1, x: v1.where(x > 0.5), "softmax"),
}


@pytest.mark.parametrize("place", ["plain", "cond", "tf.function"])
@pytest.mark.parametrize("op_type", UNREACHED)
def test_ops_that_no_gradient_reaches(tf, v1, graph, control_flow, gradients, op_type, place):
    build, advice = UNREACHED[op_type]
    x = tf.constant([1.6, -0.5])

    def body(a):
        build(tf, v1, a)
        return a * 2.0

    with pytest.raises(UnreachableOverrideError, match=advice) as raised:
        with gradients.override_gradient({op_type: ten_times}) as hits:
            if place == "plain":
                body(x)
            elif place == "cond":
                v1.cond(v1.placeholder_with_default(True, []), lambda: body(x), lambda: x)
            else:
                tf.function(body)(x)
    assert op_type in str(raised.value) and hits.total == 0


def test_the_ops_of_a_type_that_a_gradient_reaches(tf, v1, graph, gradients, gradient_at):
    """The values of TopK have gradients, its indices none; so has a Cast to a float dtype."""
    x = tf.constant([1.0, 3.0, 2.0])
    with gradients.override_gradient({"TopKV2": lambda op, g, _: [10.0 * g, None]}) as hits:
        values, _ = tf.nn.top_k(x, 3)
    assert hits.total == 1 and gradient_at(values, x).tolist() == [10.0] * 3
    with gradients.override_gradient({"Cast": lambda op, g: 2 * tf.cast(g, tf.float32)}) as hits:
        whole, double = tf.cast(x, tf.int32), tf.cast(x, tf.float64)
        tf.argmax(x)
    assert [op.name for op in hits["Cast"]] == [double.op.name]
    assert gradient_at(double, x).tolist() == [2.0] * 3 and whole.dtype == tf.int32


def test_set_gradient_of_ops_that_no_gradient_reaches(tf, v1, graph, gradients):
    x = tf.constant([1.6])
    whole, double = tf.cast(x, tf.int32), tf.cast(x, tf.float64)
    for selector in (whole, whole.op, tf.argmax(x), gradients.of_type("ArgMax")):
        with pytest.raises(UnreachableOverrideError, match="no gradient reaches"):
            gradients.set_gradient(selector, ten_times)
    assert gradients.set_gradient(gradients.of_type("Cast"), ten_times) == [double.op]
