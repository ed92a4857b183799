"""explain_gradient: the right cause on every row of the table of causes, and no op added."""

import json

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, GraphFileError


@pytest.fixture
def explain(gradients, graph):
    """explain_gradient that also holds the promise to leave the graph alone."""

    def explained(y, xs):
        before = graph.as_graph_def().SerializeToString(deterministic=True), graph.finalized
        explanation = gradients.explain_gradient(y, xs)
        after = graph.as_graph_def().SerializeToString(deterministic=True), graph.finalized
        assert after == before
        return explanation

    return explained


# A hop in the middle of exp(hop(sin(x))) * 2 -> the cause and the op to be named.
HOPS = {
    "floor": (lambda tf, v1, h: tf.floor(h), "returned None", "Floor"),
    "round": (lambda tf, v1, h: tf.round(h), "returned None", "Round"),
    "rint": (lambda tf, v1, h: tf.math.rint(h), "returned None", "Rint"),
    "floordiv": (lambda tf, v1, h: h // 0.3, "returned None", "FloorDiv"),
    "int-cast": (lambda tf, v1, h: tf.cast(tf.cast(h, tf.int32), tf.float32), "dtype", "Cast"),
    "bool": (lambda tf, v1, h: tf.cast(h > 0.0, tf.float32), "dtype", "Cast"),
    "argmax": (
        lambda tf, v1, h: tf.cast(tf.argmax(tf.reshape(h, [1])), tf.float32),
        "dtype",
        "ArgMax",
    ),
    "string": (
        lambda tf, v1, h: tf.strings.to_number(tf.strings.as_string(h)),
        "dtype",
        "StringToNumber",
    ),
    "where-condition": (lambda tf, v1, h: v1.where(h > 0, 1.0, 0.0), "condition", "Select"),
    "stop-gradient": (lambda tf, v1, h: tf.stop_gradient(h), "stopped", "StopGradient"),
    "py-func": (
        lambda tf, v1, h: v1.py_func(lambda a: a, [h], tf.float32),
        "not differentiable",
        "PyFunc",
    ),
    "unique": (lambda tf, v1, h: tf.unique(tf.reshape(h, [1]))[0][0], "unregistered", "Unique"),
    "lu": (lambda tf, v1, h: tf.linalg.lu(tf.reshape(h, [1, 1]))[0], "unregistered", "Lu"),
    "listdiff": (
        lambda tf, v1, h: v1.setdiff1d(tf.reshape(h, [1]), [0.0])[0][0],
        "unregistered",
        "ListDiff",
    ),
    "guarantee-const": (lambda tf, v1, h: v1.guarantee_const(h), "unregistered", "GuaranteeConst"),
    "unknown-name": (
        lambda tf, v1, h: _named(tf, v1, h, "gone"),
        "gradient not registered here",
        "Identity",
    ),
    "raising": (
        lambda tf, v1, h: tf.raw_ops.PreventGradient(input=h, message="not twice"),
        "gradient error",
        "PreventGradient",
    ),
    "shape-only": (
        lambda tf, v1, h: tf.cast(tf.size(tf.reshape(h, [-1])), tf.float32) * 1.0,
        "shape",
        None,
    ),
}


def _named(tf, v1, h, name):
    y = tf.identity(h)
    y.op._set_attr("_gradient_op_type", v1.AttrValue(s=name.encode()))
    return y


@pytest.mark.parametrize("name", HOPS)
def test_causes_on_the_way(tf, v1, graph, explain, name):
    hop, cause, op_type = HOPS[name]
    x = v1.placeholder_with_default(1.6, None if name == "shape-only" else [], name="x")
    y = tf.exp(hop(tf, v1, tf.sin(x))) * 2.0
    explanation = explain(y, x)
    blockers = explanation.blockers(x)
    assert [blocker.cause for blocker in blockers] == [cause]
    assert explanation.verdict(x) == explanation.verdict("x") == "none"
    if op_type:
        assert blockers[0].op_type == op_type
        assert blockers[0].line.startswith("test_explain.py:")
    text = str(explanation)
    says = "tf.gradients raises" if explanation.error(x) else "the gradient is None"
    assert says in text and blockers[0].advice in text
    try:
        assert v1.gradients(y, x)[0] is None
    except LookupError:
        pass


def _sibling(make):
    def build(tf, v1):
        w = v1.get_variable("w", initializer=[2.0, 3.0])
        return tf.reduce_sum(w * w), make(tf, w)

    return build


def _assigned(tf, v1):
    x, v = tf.constant(1.6), v1.get_variable("v", initializer=2.0)
    with tf.control_dependencies([v1.assign(v, x * 2.0)]):
        return v.read_value() * 1.0, x


def _waited_for(tf, v1):
    x = tf.constant(1.6)
    with tf.control_dependencies([x]):
        return tf.constant(1.0) * 2.0, x


def _integer_variable(tf, v1):
    v = v1.get_variable("v", initializer=2)
    return tf.cast(v, tf.float32), v


def _wrong_graph(tf, v1):
    with v1.Graph().as_default():
        x = tf.constant(1.0)
    return tf.constant(1.0) * 2.0, x


def _reversed(tf, v1):
    y = tf.constant(1.6) * 2.0
    return y, tf.sin(y)


# Where no data goes from x to y -> the cause, and what the text must name.
APART = {
    "w + d": (_sibling(lambda tf, w: w + 1.0), "sibling", "'w'"),
    "read_value": (_sibling(lambda tf, w: w.read_value()), "sibling", "'w'"),
    "identity": (_sibling(lambda tf, w: tf.identity(w)), "sibling", "'w'"),
    "slice": (_sibling(lambda tf, w: w[0]), "sibling", "'w'"),
    "C2 assign": (_assigned, "assign", "'v'"),
    "control edge": (_waited_for, "control edge", "only waits"),
    "integer variable": (_integer_variable, "dtype of x", "int32"),
    "wrong graph": (_wrong_graph, "wrong graph", "another graph"),
    "reversed": (_reversed, "reversed", "Swap"),
    "nothing in common": (
        lambda tf, v1: (tf.constant(2.0) * 3.0, tf.constant(1.6)),
        "disconnected",
        "",
    ),
}


@pytest.mark.parametrize("name", APART)
def test_causes_apart(tf, v1, graph, variables, explain, name):
    build, cause, named = APART[name]
    y, x = build(tf, v1)
    explanation = explain(y, x)
    (blocker,) = explanation.blockers(x)
    assert (explanation.verdict(x), blocker.cause) == ("none", cause)
    assert named in str(explanation)


def test_several_blockers_are_all_listed(tf, v1, graph, explain):
    x = tf.constant(1.6)
    explanation = explain(tf.floor(x) * 2.0 + tf.stop_gradient(x) + tf.cast(x > 1.0, tf.float32), x)
    assert {b.cause for b in explanation.blockers(x)} == {"returned None", "stopped", "dtype"}


def test_live_variables(tf, v1, graph, variables, explain):
    w = v1.get_variable("w", initializer=[[1.0], [2.0]])
    table = v1.get_variable("table", initializer=[[1.0], [2.0]])
    y = tf.reduce_sum(tf.matmul(tf.nn.embedding_lookup(table, [0, 1]), w, transpose_a=True))
    explanation = explain(y, [w, table])
    assert [explanation.verdict(v) for v in (w, table)] == ["live", "live"]
    assert explanation.blockers(w) == []


# Bodies: (what is applied inside) -> the verdict; "zero" where TF itself returns zeros.


def _in_cond(tf, v1, f, x):
    return v1.cond(v1.placeholder_with_default(True, []), lambda: f(x), lambda: f(x))


def _in_while(tf, v1, f, x):
    return v1.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, f(a)), [tf.constant(0), x])[1]


BODIES = {
    "cond": _in_cond,
    "while": _in_while,
    "map_fn": lambda tf, v1, f, x: tf.reduce_sum(tf.map_fn(f, tf.stack([x, x]))),
    "scan": lambda tf, v1, f, x: tf.scan(lambda a, b: f(a) * f(b), tf.stack([x, x, x]))[-1],
    "cond-in-while": lambda tf, v1, f, x: _in_while(tf, v1, lambda a: _in_cond(tf, v1, f, a), x),
    "tf.function": lambda tf, v1, f, x: tf.function(lambda a: f(a))(x),
}


@pytest.mark.parametrize("kind", BODIES)
def test_bodies_with_a_gradient(tf, v1, graph, control_flow, explain, kind):
    x = tf.constant(0.3)
    assert explain(BODIES[kind](tf, v1, tf.sin, x), x).verdict(x) == "live"


@pytest.mark.parametrize("kind", [kind for kind in BODIES if kind != "scan"])
def test_bodies_without_a_gradient(tf, v1, graph, control_flow, explain, evaluate, kind):
    """Nothing passes a floor: None or zeros, exactly as TF itself returns."""
    x = tf.constant(1.6)
    y = BODIES[kind](tf, v1, tf.floor, x)
    explanation = explain(y, x)  # and TF can still differentiate y: no function name was taken
    assert {b.op_type for b in explanation.blockers(x)} == {"Floor"}
    try:
        gradient = v1.gradients(y, x)[0]
    except ValueError:  # TF 1.15 cannot differentiate a tf.function without gradients
        gradient = None
    assert explanation.verdict(x) == ("none" if gradient is None else "zero")
    assert gradient is None or evaluate(gradient) == 0.0


def test_a_floor_in_a_loop_is_a_structural_zero(tf, v1, graph, control_flow, explain):
    x = tf.constant(1.6)
    explanation = explain(_in_while(tf, v1, tf.floor, x), x)
    assert explanation.verdict(x) == "zero" and "structural zero" in str(explanation)


def test_a_loop_variable_reached_through_another(tf, v1, graph, control_flow, explain):
    """The gradient needs two rounds: y takes b, b takes the last a, a takes x."""
    x = tf.constant(0.5)
    _, _, y = v1.while_loop(
        lambda i, a, b: i < 3,
        lambda i, a, b: (i + 1, a * x, b + a),
        [tf.constant(0), tf.constant(1.0), tf.constant(0.0)],
    )
    assert explain(y, x).verdict(x) == "live"


def test_c1_how_where_and_cond_split_the_gradient(tf, v1, graph, control_flow, explain):
    x, z = tf.constant([1.0, -1.0]), tf.constant([2.0, 3.0])
    chosen = v1.where(x > 0, x * 2.0, z)
    explanation = explain(tf.reduce_sum(chosen), [x, z])
    text = str(explanation)
    assert explanation.verdict(x) == explanation.verdict(z) == "live"
    assert "where the condition is True, zeros elsewhere" in text
    assert "where the condition is False, zeros elsewhere" in text
    assert [b.cause for b in explanation.blockers(x)] == ["condition"]
    a = tf.constant(1.0)
    taken = v1.cond(a > 0.0, lambda: a * 2.0, lambda: a * 3.0)
    explanation = explain(taken, a)
    assert explanation.verdict(a) == "live"
    assert "when the predicate is True, zeros" in str(explanation)
    assert "when the predicate is False, zeros" in str(explanation)
    assert "condition" in [b.cause for b in explanation.blockers(a)]


def test_overrides_and_shaping_are_live(tf, v1, graph, gradients, explain):
    x = tf.constant([1.6, 2.6])
    scale = x * 3.0  # a tensor of the graph in the closure of a gradient function

    @tf.custom_gradient
    def custom(a):
        return tf.floor(a), lambda upstream: upstream * (scale + 1.0)

    with gradients.override_gradient({"Floor": lambda op, grad: grad * scale}):
        hard = tf.floor(x)
    y = gradients.round(hard) + gradients.mask_gradient(x, [True, False])
    explanation = explain(y, x)
    assert explanation.verdict(x) == "live" and explanation.blockers(x) == []
    assert explain(custom(hard), x).verdict(x) == "live"


def test_random_small_graphs_agree_with_tf(tf, v1, graph, explain):
    rng = np.random.RandomState(0)
    hard = [tf.floor, tf.stop_gradient, lambda t: tf.cast(tf.cast(t, tf.int32), tf.float32)]
    soft = [tf.sin, tf.tanh, lambda t: t * 2.0, tf.identity, lambda t: tf.reverse(t, [0])]
    for _ in range(30):
        nodes = xs = [tf.constant([0.3, 0.7]) for _ in range(3)]
        nodes = list(xs)
        for _ in range(8):
            function = (hard if rng.rand() < 0.35 else soft)[rng.randint(3)]
            value = function(nodes[rng.randint(len(nodes))])
            nodes.append(value + nodes[rng.randint(len(nodes))] if rng.rand() < 0.5 else value)
        explanation = explain(nodes[-1], xs)
        for x, gradient in zip(xs, v1.gradients(nodes[-1], xs)):
            assert explanation.verdict(x) == ("none" if gradient is None else "live")


@pytest.mark.costly(in_ci=1)
@pytest.mark.parametrize("depth", [300, pytest.param(1300, marks=pytest.mark.slow)])
def test_thousands_of_ops_unfinished(depth, tf, v1, graph, explain):
    """A deep user graph, its gradient cut once at the bottom; loops over it, no recursion.

    Above 5,000 ops the graph is copied in parts.
    """
    x = v1.placeholder(tf.float32, [2], name="x")
    h = tf.floor(x, name="the_culprit")
    for _ in range(depth):  # four ops each, and Python's stack holds 1000
        h = tf.tanh(h * 1.01) + h
    assert len(graph.get_operations()) >= 4 * depth
    explanation = explain(tf.reduce_sum(h), x)
    assert [b.op_name for b in explanation.blockers(x)] == ["the_culprit"]
    assert len(str(explanation).splitlines()) < 150


@pytest.fixture
def saved(tf, v1, graph, tmp_path):
    """The files of one graph: loss = floor(w) * v behind a cond, with names that need escaping."""
    x = v1.placeholder(tf.float32, [], name="x")
    w = v1.get_variable("net/w", initializer=1.6)
    v = v1.get_variable("net/v", initializer=0.5)
    loss = tf.multiply(tf.floor(w * x), v, name="loss")
    v1.train.export_meta_graph(str(tmp_path / "graph.meta"))
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        frozen = v1.graph_util.convert_variables_to_constants(
            session, graph.as_graph_def(), ["loss"]
        )
        v1.saved_model.simple_save(session, str(tmp_path / "saved"), {"x": x}, {"loss": loss})
    (tmp_path / "frozen.pb").write_bytes(frozen.SerializeToString())
    (tmp_path / "frozen.pbtxt").write_text(str(frozen))
    (tmp_path / "broken.pb").write_bytes(b"no graph")
    return tmp_path


@pytest.mark.parametrize("file", ["graph.meta", "frozen.pb", "frozen.pbtxt", "saved"])
def test_saved_graphs(gradients, saved, file):
    explanation = gradients.explain_file(str(saved / file), "loss", ["x", "net/w", "net/v"])
    assert [explanation.verdict(name) for name in ("x", "net/w", "net/v")] == [
        "none",
        "none",
        "live",
    ]
    (blocker,) = explanation.blockers("x")
    assert (blocker.op_type, blocker.line) == ("Floor", None)


def test_command_line(saved, capsys):
    from tfgraphtools.cli import main

    graph, dot, page = (str(saved / name) for name in ("graph.meta", "g.dot", "g.html"))
    assert (
        main(["explain", graph, "--y", "loss", "--x", "net/w", "--dot", dot, "--html", page]) == 1
    )
    out = capsys.readouterr()
    assert "Floor 'Floor'" in out.out and "override_gradient" in out.out
    assert open(dot).read().startswith("digraph") and "<html" in open(page).read()
    assert main(["explain", graph, "--y", "loss", "--x", "net/v", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["xs"][0]["verdict"] == "live"


@pytest.mark.parametrize(
    "file, y, named",
    [
        ("graph.meta", "los", "Did you mean 'loss'"),
        ("broken.pb", "loss", "GraphDef"),
        ("none.pb", "loss", "none.pb"),
    ],
)
def test_command_line_errors(saved, capsys, file, y, named):
    from tfgraphtools.cli import main

    assert main(["explain", str(saved / file), "--y", y, "--x", "x"]) == 2
    error = capsys.readouterr().err
    assert named in error and len(error.strip().splitlines()) == 1


def test_pages_escape_names_and_are_self_contained(tf, v1, graph, explain):
    with v1.name_scope("a"):
        x = tf.constant(1.6, name="x")
    page = explain(tf.floor(x) + x, x).to_html()
    assert "http" not in page and "<script" not in page and page.count("<html") == 1
    from tfgraphtools.gradients.explaining import causes, render

    blocker = causes.Blocker(causes.ASSIGN, detail="<b>&")

    class Answer:
        name, verdict, blockers, tree = "<script>:0", "none", [blocker], None

    page = render.html("<y>", [Answer])
    assert "<script>" not in page and "&lt;script&gt;" in page and "&lt;b&gt;&amp;" in page
    assert '"<script>' in render.dot('quote"', [Answer]) and '\\"' in render.dot('quote"', [Answer])


def test_bad_arguments(tf, v1, graph, gradients):
    x = tf.constant(1.0)
    with pytest.raises(ArgumentError, match="a tensor y"):
        gradients.explain_gradient("y", x)
    with pytest.raises(ArgumentError, match="tensors and variables"):
        gradients.explain_gradient(x, ["x"])
    with pytest.raises(ArgumentError, match="asked about"):
        gradients.explain_gradient(x * 2.0, x).verdict("z")
    with pytest.raises(GraphFileError):
        gradients.explain_file(__file__, "y", ["x"])
