"""Tools that copy graphs, on nested loops, branches and functions, against runs of the original."""

import os

import containers
import copies_checks
import nested_programs
import pytest

from tfgraphtools.errors import ReplaceError

PAIRS = [(a, b) for a in containers.CONTAINERS for b in containers.CONTAINERS]
#: Triples that failed once, and some of each kind.
TRIPLES = [
    ("while", "while", "while"),
    ("map_fn", "scan", "while"),
    ("cond", "while", "tf.function"),
    ("tf.function", "tf.function", "while"),
    ("while", "tf.function", "tf.function"),
    ("scan", "cond", "map_fn"),
    ("while", "tf.function", "while"),
    ("map_fn", "tf.function", "scan"),
    ("while", "tf.function", "tf.function", "map_fn"),
]
#: A few cells of the table in every run: the first of each is what returned zeros or raised.
DRAWN = [
    (("while", "while"), "resource variable"),
    (("while", "cond"), "resource variable"),
    (("while", "tf.function", "tf.function"), "placeholder"),
    (("cond", "map_fn"), "TensorArray"),
    (("while", "tf.function", "while"), "resource variable"),
]
#: The whole table takes hours: TFGRAPHTOOLS_COPIES=1 runs it, and
#: TFGRAPHTOOLS_NESTED_PROGRAMS=200 so many random programs.
TABLE = PAIRS + TRIPLES if "TFGRAPHTOOLS_COPIES" in os.environ else []
SEEDS = int(os.environ.get("TFGRAPHTOOLS_NESTED_PROGRAMS", 0))


def _only_where_tf_builds(tf, v1, build):
    """Skips programs that TensorFlow itself does not build or run."""
    try:
        with v1.Graph().as_default():
            y, _ = build()
            initialize = [v1.global_variables_initializer(), v1.tables_initializer()]
            with v1.Session() as session:
                session.run(initialize)
                session.run(y)
    except Exception as error:  # pylint: disable=broad-except  # TensorFlow's own
        pytest.skip(f"TensorFlow itself: {error!r:.100}")


def _problems(tf, v1, gradients, names, captured, tools=None):
    build = containers.program(tf, v1, names, captured)
    _only_where_tf_builds(tf, v1, build)
    return copies_checks.problems_of(tf, v1, gradients, build, tools)


def _cell_id(cell):
    return "{}-{}".format("-".join(cell[0]), cell[1].replace(" ", "-"))


@pytest.mark.costly(in_ci=4)
@pytest.mark.parametrize("cell", DRAWN, ids=_cell_id)
def test_cells_of_the_table(tf, v1, control_flow, gradients, cell):
    assert not _problems(tf, v1, gradients, *cell, tools=("explain", "replace", "probe"))


@pytest.mark.slow
@pytest.mark.parametrize("captured", containers.CAPTURES)
@pytest.mark.parametrize("names", TABLE, ids=str)
def test_the_whole_table(tf, v1, control_flow, gradients, names, captured):
    assert not _problems(tf, v1, gradients, names, captured)


def _program_problems(tf, v1, gradients, seed):
    build = nested_programs.program(tf, v1, seed)
    _only_where_tf_builds(tf, v1, build)
    tools = ("explain", "replace", "probe")
    return copies_checks.problems_of(tf, v1, gradients, build, tools, numeric=False)


@pytest.mark.slow(in_ci=1)
@pytest.mark.parametrize("seed", [14])
def test_random_programs(tf, v1, control_flow, gradients, seed):
    assert not _program_problems(tf, v1, gradients, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
def test_many_random_programs(tf, v1, control_flow, gradients, seed):
    assert not _program_problems(tf, v1, gradients, seed)


def _key(x):
    return copies_checks.key_of(x)


def _defun(tf, gradient):
    """A Defun of the product with 2 and a gradient of its own: all have one name."""
    from tensorflow.python.framework import function

    def backward(op, grad):
        return op.inputs[0] * 0.0 + gradient

    options = {} if gradient is None else {"python_grad_func": backward}

    @function.Defun(tf.float32, func_name="twice", **options)
    def twice(x):
        return x * 2.0

    return twice


@pytest.mark.parametrize("tool", ["replace", "recompute", "explain"])
def test_defuns_of_one_name_with_gradients_of_their_own(tf, v1, graph, gradients, evaluate, tool):
    wanted = [2.0, 50.0, 0.0]
    xs = [tf.constant(3.0, name=f"x{i}") for i in range(3)]
    ys = [_defun(tf, gradient)(x) + 1.0 for gradient, x in zip([None, 50.0, 0.0], xs)]
    assert evaluate([v1.gradients(y, x)[0] for y, x in zip(ys, xs)]) == wanted
    if tool == "explain":
        answers = [gradients.explain_gradient(y, [x]).verdict(x) for y, x in zip(ys, xs)]
        assert answers == ["live", "live", "zero"]
        return
    if tool == "replace":
        new = [gradients.graph_replace(y, {_key(x): tf.identity(x)}) for y, x in zip(ys, xs)]
        slopes = [v1.gradients(y, x)[0] for y, x in zip(new, xs)]
    else:
        slopes = [gradients.recompute_gradients(y, [x])[0] for y, x in zip(ys, xs)]
    assert evaluate(slopes) == wanted


@pytest.mark.parametrize("times", ["plain", "loop"])
def test_replaced_tensors_behind_others(tf, v1, graph, control_flow, gradients, evaluate, times):
    x, a, b = tf.constant(1.0), tf.constant(2.0), tf.constant(10.0)
    y = x * 2.0
    z = y * 3.0
    if times == "loop":
        z = v1.while_loop(lambda i, s: i < 1, lambda i, s: (i + 1, s * y), [0, tf.constant(3.0)])[1]
    moved = gradients.graph_replace(z, {_key(x): a, _key(y): b})
    slopes = v1.gradients(moved, [a, b])
    assert slopes[0] is None
    assert evaluate([moved, slopes[1]]) == [30.0, 3.0]


def test_a_variable_and_its_read(tf, v1, graph, variables, gradients, evaluate):
    w = v1.get_variable("w", initializer=1.0)
    read = tf.convert_to_tensor(w)
    y = read * 2.0
    moved = gradients.graph_replace(y, {_key(w): 5.0, _key(read): 10.0})
    assert evaluate([y, moved]) == [2.0, 20.0]


def test_an_output_of_a_function_that_is_replaced(tf, v1, graph, gradients, evaluate):
    x, b = tf.constant(1.0), tf.constant(10.0)
    p, q = tf.function(lambda h: (h * 2.0, h * 3.0))(x)
    moved = gradients.graph_replace(p * q + x, {_key(x): 2.0, _key(p): b})
    assert evaluate([moved, v1.gradients(moved, b)[0]]) == [62.0, 6.0]


def test_what_a_function_captures(tf, v1, graph, gradients, evaluate):
    c, verdicts = tf.constant(2.0), []

    @tf.function(autograph=False)
    def body(x):
        y = x * c * c
        verdicts.append(gradients.explain_gradient(y, c).verdict(c))
        return gradients.graph_replace(y, {_key(c): c + 1.0})

    assert evaluate(body(tf.constant(1.5))) == 13.5
    assert verdicts == ["live"]


#: What the body of a function replaces by 3: (in terms of, what it is told where it cannot).
CAPTURED = {
    "a resource variable": ("resource", None),
    "a ref variable": ("ref", None),
    "a value that is computed outside": ("computed", None),
    "what a captured value is computed from": ("behind", "Replace what it captures.*'mul:0'"),
    "what it does not capture": ("other", "does not capture. Replace what y is computed from"),
}


@pytest.mark.parametrize("kind", CAPTURED)
@pytest.mark.parametrize("around", ["tf.function", "tf.function in tf.function", "while", "cond"])
def test_replacements_in_the_body_of_a_function(tf, v1, graph, gradients, evaluate, kind, around):
    """y = 1.5 * s * s, where s is 2 outside; the new value, 3, is built outside, too."""
    v1.enable_control_flow_v2()
    name, match = CAPTURED[kind]
    variables = {
        "resource": v1.get_variable("w", initializer=2.0, use_resource=True),
        "ref": v1.get_variable("r", initializer=2.0, use_resource=False),
    }
    computed, other, new = variables["resource"] * 1.0, tf.constant(9.0), tf.constant(3.0)
    source = variables.get(name, computed)
    key = {"computed": computed, "behind": variables["resource"], "other": other}.get(name, source)

    def body(x):
        return gradients.graph_replace(x * source * source, {_key(key): new})

    def build():
        x = tf.constant(1.5)
        if around == "while":
            return v1.while_loop(lambda i, a: i < 1, lambda i, a: (i + 1, body(a)), [0, x])[1]
        if around == "cond":
            return v1.cond(v1.placeholder_with_default(True, []), lambda: body(x), lambda: x)
        inner = tf.function(body, autograph=False)
        return inner(x) if around == "tf.function" else tf.function(inner, autograph=False)(x)

    if match:
        with pytest.raises(ReplaceError, match=match):
            build()
    else:
        assert evaluate(build()) == 13.5


@pytest.mark.parametrize("around", ["while", "cond"])
def test_replacements_in_a_v1_body_are_refused(tf, v1, graph, gradients, around):
    v1.disable_control_flow_v2()
    x, c, new = tf.constant(1.5), tf.constant(2.0), tf.constant(3.0)

    def body(a):
        return gradients.graph_replace(a * c, {_key(c): new})

    with pytest.raises(ReplaceError, match="Replace in what the loop or branch returns"):
        if around == "while":
            v1.while_loop(lambda i, a: i < 1, lambda i, a: (i + 1, body(a)), [0, x])
        else:
            v1.cond(v1.placeholder_with_default(True, []), lambda: body(x), lambda: x)


def test_autograph_leaves_public_functions_alone(tf, gradients):
    from tfgraphtools import training

    for package in (gradients, training):
        functions = [getattr(package, name) for name in package.__all__]
        functions = [function for function in functions if type(function) is type(_key)]
        assert functions and all(hasattr(function, "autograph_info__") for function in functions)
