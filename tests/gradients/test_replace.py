"""graph_replace: value and gradient of y at another w, in every kind of graph."""

import collections

import numpy as np
import pytest

from tfgraphtools.errors import ReplaceError

# Each builds y = 3 * w ** 2 from w in another way: 12 at w = 2; 18.75 and slope 15 at 2.5.


def _cond(tf, v1, then, otherwise):
    return v1.cond(v1.placeholder_with_default(True, []), then, otherwise)


def _while(tf, v1, body, start, times=2):
    return v1.while_loop(
        lambda i, a: i < times, lambda i, a: (i + 1, body(a)), [tf.constant(0), start]
    )[1]


def _colocated(tf, v1, w):
    with v1.colocate_with(w):
        return w * w * 3.0


def _with_control(tf, v1, w):
    with tf.control_dependencies([tf.no_op(name="before")]):
        return w * w * 3.0


PLAIN = {
    "plain": lambda tf, v1, w: w * w * 3.0,
    "colocated": _colocated,
    "control-edge": _with_control,
    "gather": lambda tf, v1, w: tf.reduce_sum(tf.gather(tf.reshape(w, [1]), [0])) * 1.5 * w * 2.0,
    "cond": lambda tf, v1, w: _cond(tf, v1, lambda: w * w * 3.0, lambda: tf.constant(0.0)),
    "while": lambda tf, v1, w: _while(tf, v1, lambda a: a * w, tf.constant(3.0)),
    "while-on-w": lambda tf, v1, w: _while(tf, v1, lambda a: a * 3.0 * w, 1.0 * w, times=1),
}

NESTED = {
    "cond-in-while": lambda tf, v1, w: _while(
        tf, v1, lambda a: _cond(tf, v1, lambda: a * w, lambda: a), tf.constant(3.0)
    ),
    "while-in-while": lambda tf, v1, w: (
        3.0
        * _while(tf, v1, lambda a: _while(tf, v1, lambda b: b * w, a, times=1), tf.constant(1.0))
    ),
    "while-in-cond": lambda tf, v1, w: _cond(
        tf, v1, lambda: _while(tf, v1, lambda a: a * w, tf.constant(3.0)), lambda: w
    ),
    "cond-in-cond": lambda tf, v1, w: _cond(
        tf, v1, lambda: _cond(tf, v1, lambda: 3.0 * w * w, lambda: w), lambda: w
    ),
    "scan": lambda tf, v1, w: tf.scan(
        lambda a, b: a * w * b, tf.constant([1.0, 3.0]), tf.constant(1.0)
    )[-1],
    "map_fn": lambda tf, v1, w: tf.reduce_sum(
        tf.map_fn(lambda b: b * w * w, tf.constant([1.0, 2.0]))
    ),
    "tf.function": lambda tf, v1, w: tf.function(lambda a: a * w * 3.0)(1.0 * w),
    "tf.function-in-cond": lambda tf, v1, w: _cond(
        tf, v1, lambda: tf.function(lambda a: a * w * 3.0)(1.0 * w), lambda: w
    ),
}


def _build(tf, v1, kinds, kind):
    w = v1.get_variable("w", initializer=2.0)
    return w, tf.identity(kinds[kind](tf, v1, w), name="y")


def _value_and_slope(v1, evaluate, y, d):
    return evaluate([y, v1.gradients(y, d)[0]])


@pytest.mark.parametrize("kind", list(PLAIN) + list(NESTED))
def test_value_and_gradient(tf, v1, graph, variables, control_flow, gradients, evaluate, kind):
    w, y = _build(tf, v1, dict(PLAIN, **NESTED), kind)
    before = graph.get_collection("variables"), v1.trainable_variables()
    d = tf.constant(0.5)
    moved = gradients.graph_replace(y, {_key(w): w + d})
    assert (graph.get_collection("variables"), v1.trainable_variables()) == before
    np.testing.assert_allclose(_value_and_slope(v1, evaluate, moved, d), [18.75, 15.0], rtol=1e-5)
    np.testing.assert_allclose(evaluate([y, moved]), [12.0, 18.75], rtol=1e-5)  # in one run


def _key(w):
    """A key for a dict: TF 2 may not hash variables and tensors themselves."""
    return w.ref() if hasattr(w, "ref") else w


def test_three_values_of_one_graph(tf, v1, graph, variables, control_flow, gradients, evaluate):
    w, y = _build(tf, v1, PLAIN, "while")
    moved = [gradients.graph_replace(y, {_key(w): w + d}) for d in (0.5, -0.5)]
    np.testing.assert_allclose(evaluate([y] + moved), [12.0, 18.75, 6.75])
    assert [m.op.name.split("/")[0] for m in moved] == ["replaced", "replaced_1"]


def test_tensors_lists_and_what_does_not_depend(tf, v1, graph, gradients, evaluate):
    x, other = tf.constant(2.0), tf.constant(7.0)
    h = x * 2.0
    y, z = h * h + x, other * 3.0
    moved_y, moved_z, moved_h = gradients.graph_replace([y, z, h], {_key(h): 10.0})
    assert moved_z is z
    assert evaluate([moved_y, moved_h, y]) == [102.0, 10.0, 18.0]


@pytest.mark.parametrize("kind", list(PLAIN) + list(NESTED))
def test_replaced_tensors(tf, v1, graph, control_flow, gradients, evaluate, kind):
    """As for variables; y, and two copies of it, are differentiated in one graph."""
    if kind == "colocated":
        pytest.skip("colocation is with variables")
    x = tf.constant(2.0)
    y = dict(PLAIN, **NESTED)[kind](tf, v1, x)
    d = tf.constant(0.5)
    moved = [gradients.graph_replace(y, {_key(x): x + sign * d}) for sign in (1.0, -1.0)]
    slopes = [v1.gradients(y, x)[0]] + [v1.gradients(m, d)[0] for m in moved]
    np.testing.assert_allclose(
        evaluate([y] + moved + slopes), [12.0, 18.75, 6.75, 12.0, 15.0, -9.0], rtol=1e-5
    )


@pytest.mark.parametrize("lookup", ["embedding_lookup", "gather", "gather_nd", "sparse"])
@pytest.mark.parametrize("where", ["plain", "cond"])
def test_embeddings(tf, v1, graph, variables, control_flow, gradients, evaluate, lookup, where):
    table = np.arange(12, dtype=np.float32).reshape(6, 2)
    w = v1.get_variable("w", initializer=table)
    ids = tf.constant([4, 1, 4])

    def look():
        if lookup == "embedding_lookup":
            return tf.nn.embedding_lookup(w, ids)
        if lookup == "gather":
            return tf.gather(w, ids)
        if lookup == "gather_nd":
            return tf.gather_nd(w, ids[:, None])
        rows = v1.SparseTensor([[0, 0], [1, 0], [2, 0]], tf.constant([4, 1, 4]), [3, 1])
        return v1.nn.embedding_lookup_sparse(w, rows, None, combiner="sum")

    y = (_cond(tf, v1, look, lambda: tf.zeros([3, 2])) if where == "cond" else look()) ** 2.0
    d = tf.constant(np.full([6, 2], 0.5, np.float32))
    moved = gradients.graph_replace(y, {_key(w): w + d})
    rows = (table + 0.5)[[4, 1, 4]]
    slope = np.zeros_like(table)
    np.add.at(slope, [4, 1, 4], 2 * rows)
    value, gradient = evaluate([moved, tf.convert_to_tensor(v1.gradients(moved, d)[0])])
    np.testing.assert_allclose(value, rows**2)
    np.testing.assert_allclose(gradient, slope)


State = collections.namedtuple("State", "c, h")
STRUCTURES = {
    "tensor": lambda y, z: y,
    "list": lambda y, z: [y, z],
    "tuple": lambda y, z: (y, z),
    "dict": lambda y, z: {"b": y, "a": z},
    "dict of several kinds of keys": lambda y, z: {"b": y, 3: z, (1, 2): [y]},
    "OrderedDict": lambda y, z: collections.OrderedDict([("b", y), ("a", z)]),
    "defaultdict": lambda y, z: collections.defaultdict(list, b=y, a=z),
    "namedtuple": lambda y, z: State(y, z),
    "nested": lambda y, z: {"s": (State(y, [z]), {"t": z}), "n": [], "none": None},
}


def _same_structure(a, b):
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert list(a) == list(b)
        return all(_same_structure(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(_same_structure, a, b))
    return True


@pytest.mark.parametrize("kind", STRUCTURES)
def test_structures_of_ys(tf, v1, graph, gradients, evaluate, kind):
    x = tf.constant(2.0)
    make, y, z = STRUCTURES[kind], x * 3.0, tf.constant(7.0)
    ys = make(y, z)
    moved = gradients.graph_replace(ys, {_key(x): 5.0})
    assert _same_structure(moved, ys) and _same_structure(ys, make(y, z))
    numbers = [evaluate(leaf) for leaf in tf.nest.flatten(list(_leaves(moved)))]
    assert numbers == list(_leaves(make(15.0, 7.0)))


def _leaves(structure):
    """The leaves in the order of the structure itself; no None."""
    if isinstance(structure, dict):
        structure = list(structure.values())
    if isinstance(structure, (list, tuple)):
        for value in structure:
            yield from _leaves(value)
    elif structure is not None:
        yield structure


def test_structures_of_replaced_tensors(tf, v1, graph, gradients, evaluate):
    """A state of an LSTM as key: its values are a state, too."""
    c, h, x = tf.constant(2.0), tf.constant(3.0), tf.constant(5.0)
    y = c * h + x
    key = State(_key(c), (_key(h),))
    moved = gradients.graph_replace({"y": y}, {key: State(10.0, [20.0]), _key(x): 1.0})
    assert evaluate(moved) == {"y": 201.0}
    with pytest.raises(ReplaceError, match="2 values for a key of 2 tensors"):
        gradients.graph_replace(y, {key: 1.0})


def test_sparse_tensors_and_slices(tf, v1, graph, gradients, evaluate):
    x = tf.constant([2.0, 3.0])
    sparse = tf.SparseTensor([[0, 1], [1, 0]], x * 3.0, [2, 2])
    table = v1.get_variable("table", initializer=np.ones([4, 2], np.float32))
    rows = tf.gather(table, [1, 1]) * x
    slices = v1.gradients(rows, table)[0]
    moved = gradients.graph_replace([sparse, slices], {_key(x): [5.0, 7.0]})
    assert [type(part) for part in moved] == [tf.SparseTensor, tf.IndexedSlices]
    dense = evaluate([tf.sparse.to_dense(moved[0]), tf.convert_to_tensor(moved[1])])
    np.testing.assert_array_equal(dense[0], [[0, 15], [21, 0]])
    np.testing.assert_array_equal(dense[1], [[0, 0], [10, 14], [0, 0], [0, 0]])
    doubled = tf.sparse.reduce_sum(sparse) * 2.0
    sparse_keys = {sparse: tf.SparseTensor([[0, 0], [0, 1]], [1.0, 2.0], [2, 2])}
    assert evaluate(gradients.graph_replace(doubled, sparse_keys)) == 6.0


def test_unseeded_dropout_is_shared(tf, v1, graph, variables, gradients, session):
    """With d = 0, y' is y in every run, though nothing is seeded; a dynamic shape included."""
    w = v1.get_variable("w", initializer=np.ones([5, 4], np.float32))
    x = v1.placeholder_with_default(np.ones([3, 5], np.float32), [None, 5])
    y = tf.nn.dropout(tf.matmul(x, w), rate=0.5)
    assert any(op.type == "Shape" for op in graph.get_operations())
    moved = gradients.graph_replace(y, {_key(w): w + tf.zeros([5, 4])})
    opened = session()
    runs = [opened.run([y, moved]) for _ in range(5)]
    for value, copy in runs:
        np.testing.assert_array_equal(value, copy)
    assert any((runs[0][0] != value).any() for value, _ in runs)


def test_a_random_op_of_the_value_is_copied_with_its_seed(tf, v1, graph, gradients, evaluate):
    w = v1.get_variable("w", initializer=[0.5, 0.5])
    y = tf.random.categorical([tf.math.log(w)], 8, seed=3)
    moved = gradients.graph_replace(y, {_key(w): w + 0.0})
    copies = [op for op in graph.get_operations() if op.type == "Multinomial"]
    assert len(copies) == 2 and copies[0].get_attr("seed2") == copies[1].get_attr("seed2") == 3
    assert moved.shape == y.shape


def test_after_the_session_has_run(tf, v1, graph, variables, control_flow, gradients, session):
    w, y = _build(tf, v1, PLAIN, "cond")
    opened = session(finalize=False)
    assert opened.run(y) == 12.0
    moved = gradients.graph_replace(y, {_key(w): w + 0.5})
    assert opened.run([y, moved]) == [12.0, 18.75]
    opened.run(w.assign(4.0))
    assert opened.run(moved) == 3 * 4.5**2  # the variable is shared, not copied


def test_two_variables_and_the_gradient_of_the_other(
    tf, v1, graph, variables, control_flow, gradients, evaluate
):
    a = v1.get_variable("a", initializer=2.0)
    b = v1.get_variable("b", initializer=3.0)
    y = _cond(tf, v1, lambda: a * a * b, lambda: a)
    moved = gradients.graph_replace(y, {_key(a): a + 1.0})
    moved_twice = gradients.graph_replace(y, {_key(a): a + 1.0, _key(b): 2.0 * b})
    slope = v1.gradients(moved, b)[0]
    np.testing.assert_allclose(evaluate([moved, moved_twice, slope]), [27.0, 54.0, 9.0])


def test_a_gradient_is_moved_or_refused(
    tf, v1, graph, variables, control_flow, gradients, evaluate
):
    w, y = _build(tf, v1, PLAIN, "while")
    slope = v1.gradients(y, w)[0]
    if control_flow == "v1":
        with pytest.raises(ReplaceError, match="StackPopV2.*differentiate the result"):
            gradients.graph_replace(slope, {_key(w): w + 0.5})
    else:
        moved = gradients.graph_replace(slope, {_key(w): w + 0.5})
        np.testing.assert_allclose(evaluate([slope, moved]), [12.0, 15.0])


@pytest.mark.parametrize("kind", ["while", "cond-in-while", "scan"])
def test_a_loop_that_was_differentiated(
    tf, v1, graph, variables, control_flow, gradients, evaluate, kind
):
    w, y = _build(tf, v1, dict(PLAIN, **NESTED), kind)
    try:
        slope, d = v1.gradients(y, w)[0], tf.constant(0.5)
    except TypeError:  # only TF 1.15, for a resource variable in a v1 cond in a v1 loop
        pytest.skip("TF 1.15 itself cannot differentiate this graph")
    moved = gradients.graph_replace(y, {_key(w): w + d})
    np.testing.assert_allclose(
        evaluate([slope, moved, v1.gradients(moved, d)[0]]), [12.0, 18.75, 15.0]
    )


def test_overrides_go_along(tf, v1, graph, variables, gradients, gradient_at):
    w = v1.get_variable("w", initializer=1.6)
    with gradients.override_gradient({"Floor": lambda op, grad: 7.0 * grad}):
        y = tf.floor(w)
    d = tf.constant(0.0)
    assert gradient_at(gradients.graph_replace(gradients.floor(y), {_key(w): w + d}), d) == 7.0


def test_waiting_for_other_ops_is_kept(tf, v1, graph, variables, gradients, session):
    """y waits for a counter that does not depend on w; so does the copy."""
    w = v1.get_variable("w", initializer=2.0)
    counter = v1.get_variable("counter", initializer=0.0)
    with tf.control_dependencies([counter.assign_add(1.0)]):
        y = w * 3.0
    moved = gradients.graph_replace(y, {_key(w): w + 1.0})
    opened = session()
    assert opened.run(moved) == 9.0 and opened.run(counter) == 1.0


def _through_a_variable(tf, v1, g):
    w = v1.get_variable("w", initializer=2.0)
    other = v1.get_variable("other", initializer=0.0)
    assigned = other.assign(w * 2.0)
    with tf.control_dependencies([assigned]):
        return other.read_value() * w, w


def _assigned_itself(tf, v1, g):
    w = v1.get_variable("w", initializer=2.0)
    if hasattr(w, "handle"):
        with tf.control_dependencies([w.assign(3.0)]):
            return w.read_value() * 1.0, w
    return tf.identity(v1.assign(w, 3.0)) * 1.0, w


@pytest.mark.parametrize("build", [_through_a_variable, _assigned_itself])
def test_assigns_are_refused_by_name(tf, v1, graph, variables, gradients, build):
    y, w = build(tf, v1, gradients)
    with pytest.raises(ReplaceError, match="Assign"):
        gradients.graph_replace(y, {_key(w): w + 1.0})


@pytest.mark.parametrize("where", ["tf.function", "cond", "while"])
def test_writes_inside_bodies_are_refused_by_name(tf, v1, graph, control_flow, gradients, where):
    """A copy would write twice: the op is named, whether w is written or something else."""
    w = v1.get_variable("w", initializer=2.0, use_resource=True)
    count = v1.get_variable("count", initializer=0.0, use_resource=True)

    def counted(a):
        with tf.control_dependencies([count.assign_add(1.0)]):
            return a * w * 3.0

    y = {
        "tf.function": lambda: tf.function(lambda a: counted(a))(1.0 * w),
        "cond": lambda: _cond(tf, v1, lambda: counted(1.0 * w), lambda: 1.0 * w),
        "while": lambda: _while(tf, v1, counted, 1.0 * w, times=1),
    }[where]()
    with pytest.raises(ReplaceError, match="AssignAddVariableOp"):
        gradients.graph_replace(y, {w: w + 1.0})


def _partitioned(tf, v1):
    w = v1.get_variable("w", [4], partitioner=v1.fixed_size_partitioner(2))
    return tf.reduce_sum(w), {w: 1.0}


def _inside_a_loop(tf, v1):
    v1.disable_control_flow_v2()
    inside = []
    w = tf.constant(1.0)
    y = _while(tf, v1, lambda a: inside.append(a * w) or inside[-1], tf.constant(3.0))
    return y, {_key(inside[-1]): 1.0}


REFUSED = {
    "no path": (
        lambda tf, v1: (tf.constant(1.0) * 2.0, {_key(tf.constant(2.0)): 1.0}),
        "no data path",
    ),
    "dtype": (lambda tf, v1: _same(tf, tf.constant(2), tf.float32), "float32"),
    "shape": (lambda tf, v1: _same(tf, tf.constant([1.0, 2.0]), tf.float32), "shape"),
    "not a tensor": (lambda tf, v1: (tf.constant(1.0) * 2.0, {"x": 1.0}), "a tensor or a variable"),
    "no ys": (lambda tf, v1: ({"a": []}, {_key(tf.constant(2.0)): 1.0}), "at least one tensor"),
    "ys of a set": (lambda tf, v1: ({1.0, 2.0}, {_key(tf.constant(2.0)): 1.0}), "lists, tuples"),
    "no mapping": (lambda tf, v1: (tf.constant(1.0) * 2.0, {}), "mapping"),
    "inside a loop": (_inside_a_loop, "goes into the loop"),
    "partitioned": (_partitioned, "slices"),
}


def _same(tf, value, dtype):
    x = tf.constant(1.0, dtype)
    return x * 2.0, {_key(x): value}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(tf, v1, graph, gradients, case):
    build, match = REFUSED[case]
    y, replacements = build(tf, v1)
    with pytest.raises(ReplaceError, match=match):
        gradients.graph_replace(y, replacements)


def test_another_graph_is_refused(tf, v1, graph, gradients):
    x = tf.constant(1.0)
    y = x * 2.0
    with v1.Graph().as_default():
        value = tf.constant(1.0)
    with pytest.raises(ReplaceError, match="another graph"):
        gradients.graph_replace(y, {_key(x): value})


@pytest.mark.parametrize("around", ["nothing", "a loop"])
def test_the_branch_follows_the_new_value(
    tf, v1, graph, variables, control_flow, gradients, evaluate, around
):
    """The predicate depends on w: the copy takes the other branch, its constants included."""
    w = v1.get_variable("w", initializer=2.0)

    def branch(a):
        return v1.cond(w > 2.2, lambda: a * w * w * tf.constant(3.0), lambda: tf.constant(7.0))

    y = branch(1.0) if around == "nothing" else _while(tf, v1, branch, tf.constant(1.0), times=1)
    d = tf.constant(0.5)
    moved = gradients.graph_replace(y, {w: w + d})
    np.testing.assert_allclose(
        evaluate([y, moved, v1.gradients(moved, d)[0]]), [7.0, 18.75, 15.0], rtol=1e-5
    )


def test_the_number_of_rounds_follows_the_new_value(
    tf, v1, graph, variables, control_flow, gradients, evaluate
):
    w = v1.get_variable("w", initializer=2.0)
    y = v1.while_loop(lambda i, a: i < w, lambda i, a: (i + 1.0, a * w), [0.0, 3.0])[1]
    d = tf.constant(0.5)
    moved = gradients.graph_replace(y, {w: w + d})
    np.testing.assert_allclose(
        evaluate([y, moved, v1.gradients(moved, d)[0]]),
        [12.0, 3 * 2.5**3, 9 * 2.5**2],
        rtol=1e-5,
    )
