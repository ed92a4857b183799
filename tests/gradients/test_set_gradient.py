"""Gradients set on graphs that are built, imported, or loaded in a fresh process."""

import pathlib

import numpy as np
import pytest

from tfgraphtools.errors import (
    NothingMatchedError,
    UnknownGradientError,
    UnreachableOverrideError,
)

ROOT = pathlib.Path(__file__).resolve().parents[2]


def ten_times(op, grad):
    return 10.0 * grad


@pytest.fixture
def floors(tf, graph):
    """x, and two floors of it by name."""
    x = tf.constant(1.6, name="x")
    return x, tf.floor(x, name="a/floor"), tf.floor(x, name="b/floor")


SELECTORS = {
    "op": lambda g, a: a.op,
    "tensor": lambda g, a: a,
    "pattern": lambda g, a: "a/.*",
    "predicate": lambda g, a: lambda op: op.name == "a/floor",
    "list": lambda g, a: [a],
}


@pytest.mark.parametrize("kind", SELECTORS)
def test_selectors(v1, graph, gradients, gradient_at, floors, kind):
    x, a, b = floors
    assert gradients.set_gradient(SELECTORS[kind](gradients, a), ten_times) == [a.op]
    assert (gradient_at(a, x), gradient_at(b, x)) == (10.0, None)


def test_by_type_and_clear(graph, gradients, gradient_at, floors):
    x, a, b = floors
    ops = gradients.set_gradient(gradients.of_type("Floor"), "Identity")
    assert ops == [a.op, b.op] and gradient_at(a + b, x) == 2.0
    assert gradients.clear_gradient("b/floor") == [b.op]
    assert gradients.clear_gradient("b/floor") == []
    assert (gradient_at(a, x), gradient_at(b, x)) == (1.0, None)


@pytest.mark.parametrize(
    "selector", ["a/flor", "floor", lambda op: False], ids=["typo", "type", "predicate"]
)
def test_nothing_matched(graph, gradients, floors, selector):
    with pytest.raises(NothingMatchedError):
        gradients.set_gradient(selector, ten_times)


def test_after_a_session_has_run_and_on_a_finalized_graph(tf, v1, graph, gradients, floors):
    x, a, _ = floors
    with v1.Session() as session:
        session.run(a)
        graph.finalize()
        gradients.set_gradient(a, ten_times)
    graph._unsafe_unfinalize()
    assert v1.Session().run(v1.gradients(a, x)[0]) == 10.0


def test_inside_a_v1_loop(tf, v1, graph, gradients, gradient_at):
    v1.disable_control_flow_v2()
    x = tf.constant(1.6)
    y = v1.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, tf.floor(a)), [0, x])[1]
    gradients.set_gradient(gradients.of_type("Floor"), ten_times)
    assert gradient_at(y, x) == 100.0


BODIES = {
    "cond": lambda tf, v1, body, x: v1.cond(
        v1.placeholder_with_default(True, []), lambda: body(x), lambda: x
    ),
    "while": lambda tf, v1, body, x: v1.while_loop(
        lambda i, a: i < 1, lambda i, a: (i + 1, body(a)), [tf.constant(0), x]
    )[1],
    "map_fn": lambda tf, v1, body, x: tf.map_fn(body, x),
    "tf.function": lambda tf, v1, body, x: tf.function(lambda a: body(a))(x),
    "tf.function-in-cond": lambda tf, v1, body, x: v1.cond(
        v1.placeholder_with_default(True, []), lambda: tf.function(lambda a: body(a))(x), lambda: x
    ),
}


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("differentiated_before", [False, True])
def test_bodies_of_functions(tf, v1, graph, gradients, gradient_at, kind, differentiated_before):
    """The right multiple, or a refusal by name: TF 1.15 reads a stored copy of v2 bodies."""
    v1.enable_control_flow_v2()
    x = tf.constant([1.6, 1.7])
    y = BODIES[kind](tf, v1, lambda a: tf.floor(a) + a * 0.5, x)
    if differentiated_before:
        v1.gradients(y, x)
    try:
        ops = gradients.set_gradient(gradients.of_type("Floor"), ten_times)
    except UnreachableOverrideError as error:
        assert tf.__version__.startswith("1.") and "control-flow-v2 body" in str(error)
        assert "tf.function" not in kind
        return
    assert {op.type for op in ops} == {"Floor"}
    np.testing.assert_array_equal(gradient_at(y, x), [10.5, 10.5])


@pytest.mark.parametrize("kind", ["plain", "nested"])
def test_tensorflows_own_gradient_of_a_loop(tf, v1, graph, gradients, evaluate, kind):
    """It adds inputs to the loop that it differentiates."""
    from tensorflow.python.ops import while_v2

    v1.enable_control_flow_v2()
    x, w = tf.constant(2.0), tf.constant(3.0)

    def loop(body, start):
        return v1.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, body(a)), [0, start])[1]

    y = loop(lambda a: a * w if kind == "plain" else loop(lambda b: b * w, a), x)
    loops = [op for op in graph.get_operations() if op.type in ("While", "StatelessWhile")]
    gradients.set_gradient(loops, while_v2._WhileGrad)
    power = {"plain": 2, "nested": 4}[kind]
    assert evaluate(v1.gradients(y, [x, w])) == [3.0**power, 2.0 * power * 3.0 ** (power - 1)]


def test_defun_and_imported_function_are_refused(tf, v1, graph, gradients):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def hard(a):
        return tf.floor(a)

    hard(tf.constant(1.6))
    with pytest.raises(UnreachableOverrideError, match="hard"):
        gradients.set_gradient(gradients.of_type("Floor"), ten_times)
    v1.enable_control_flow_v2()
    with v1.Graph().as_default() as other:
        BODIES["cond"](tf, v1, tf.floor, v1.placeholder(tf.float32, [], name="x"))
    with v1.Graph().as_default():
        tf.import_graph_def(other.as_graph_def(), name="")
        with pytest.raises(UnreachableOverrideError, match="stored definition"):
            gradients.set_gradient(gradients.of_type("Floor"), ten_times)


@pytest.mark.parametrize("how", ["meta graph", "graph def"])
def test_imported_graphs(tf, v1, graph, gradients, floors, tmp_path, how):
    if how == "meta graph":
        v1.train.export_meta_graph(str(tmp_path / "g.meta"))
    definition = graph.as_graph_def()
    with v1.Graph().as_default() as loaded:
        if how == "meta graph":
            v1.train.import_meta_graph(str(tmp_path / "g.meta"))
        else:
            tf.import_graph_def(definition, name="")
        gradients.set_gradient("a/floor", ten_times)
        x, y = (loaded.get_tensor_by_name(name) for name in ("x:0", "a/floor:0"))
        assert v1.Session().run(v1.gradients(y, x)[0]) == 10.0


def test_saved_model(tf, v1, gradients, tmp_path):
    path = str(tmp_path / "model")
    with v1.Graph().as_default() as graph, v1.Session() as session:
        x = v1.placeholder(tf.float32, [], name="x")
        v = v1.get_variable("v", initializer=1.0)
        y = tf.floor(v * x, name="y")
        session.run(v.initializer)
        v1.saved_model.simple_save(session, path, {"x": x}, {"y": y})
    with v1.Graph().as_default() as graph, v1.Session() as session:
        v1.saved_model.load(session, ["serve"], path)
        gradients.set_gradient("y", ten_times)
        x, y = graph.get_tensor_by_name("x:0"), graph.get_tensor_by_name("y:0")
        assert session.run(v1.gradients(y, x)[0], {x: 1.6}) == 10.0


SAVE = """
from tfgraphtools import gradients
from tfgraphtools._tf import tf, v1
import rules
v1.disable_eager_execution()
x = tf.constant(1.6, name="x")
with gradients.override_gradient({"Floor": rules.seven_times}):
    y = tf.floor(x)
with gradients.override_gradient({"Cast": rules.back}):
    y = tf.cast(tf.cast(y, tf.float64), tf.float32)
y = gradients.scale_gradient(gradients.round(y), 2.0)
tf.identity(y, name="y")
v1.train.export_meta_graph("g.meta")
"""

RULES = """
from tfgraphtools import gradients
from tfgraphtools._tf import tf

@gradients.register_gradient
def seven_times(op, grad):
    return 7.0 * grad

def back(op, grad):
    return tf.cast(grad, op.inputs[0].dtype)
"""

LOAD = """
import sys
from tfgraphtools import gradients
from tfgraphtools._tf import tf, v1
v1.disable_eager_execution()
modules = []
if "with-module" in sys.argv:
    import rules
    modules = [rules]
v1.train.import_meta_graph("g.meta")
try:
    gradients.require_gradients(modules=modules)
except LookupError as error:
    sys.exit(str(error))
graph = v1.get_default_graph()
x, y = graph.get_tensor_by_name("x:0"), graph.get_tensor_by_name("y:0")
print("gradient", v1.Session().run(v1.gradients(y, x)[0]))
"""


def test_a_fresh_process(tmp_path, this_server):
    """A saved override works where its module is imported, and is named where it is not."""

    def python(script, *arguments):
        (tmp_path / "script.py").write_text(script)
        return this_server.run(tmp_path, "script.py", *arguments)

    (tmp_path / "rules.py").write_text(RULES)
    python(SAVE).checked()
    loaded = python(LOAD, "with-module")
    assert "gradient 14.0" in loaded.out, loaded.err
    lacking = python(LOAD).err
    assert "'rules.seven_times' (op 'Floor')" in lacking
    assert "'rules.back' (op 'Cast')" in lacking
    assert "register_gradient" in lacking.strip().splitlines()[-1]


def test_custom_gradient_of_another_process_is_named(tf, graph, gradients, floors):
    _, a, _ = floors
    a.op._set_attr("_gradient_op_type", tf.compat.v1.AttrValue(s=b"CustomGradient-71"))
    with pytest.raises(UnknownGradientError, match="new name in every process"):
        gradients.require_gradients()


def test_missing_in_a_function_body(tf, v1, graph, gradients):
    v1.enable_control_flow_v2()

    def body():
        y = tf.floor(tf.constant(1.6))
        y.op._set_attr("_gradient_op_type", v1.AttrValue(s=b"gone"))
        return y

    v1.cond(v1.placeholder_with_default(True, []), body, lambda: 0.0)
    with pytest.raises(UnknownGradientError, match="'gone'"):
        gradients.require_gradients()


# The ready rules --------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule, upstream, wanted",
    [
        ("guided_relu", [[1.0, -1.0, 2.0], [-3.0, 4.0, 5.0]], [[0, 0, 2.0], [0, 0, 0]]),
        ("redirected_relu", [[1.0, -1.0, 2.0], [-3.0, 4.0, 5.0]], [[0, -1.0, 2.0], [-3.0, 0, 0]]),
    ],
)
def test_relu_rules(tf, v1, graph, gradients, evaluate, rule, upstream, wanted):
    """Row 0 has units that are on, row 1 has none (so that its gradient is redirected)."""
    x = tf.constant([[-1.0, 1.0, 2.0], [-1.0, -2.0, -3.0]])
    with gradients.override_gradient({"Relu": getattr(gradients, rule)}):
        y = tf.nn.relu(x)
    np.testing.assert_array_equal(evaluate(v1.gradients(y, x, tf.constant(upstream))[0]), wanted)


def test_relu_rules_reload_by_name(graph, tf, gradients):
    op = tf.nn.relu(tf.constant([1.0])).op
    gradients.set_gradient(op, gradients.guided_relu)
    assert op.get_attr("_gradient_op_type") == b"tfgraphtools.gradients.relu_rules.guided_relu"
