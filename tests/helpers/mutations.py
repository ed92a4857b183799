"""Live graphs with one change at a random place that stops the gradient: the cause is known.

``mutated(tf, v1, name, seed)`` -> (x, y, names of the inserted ops); `CAUSES` has the
causes that are right for each mutation.
"""

import numpy as np


def _custom_none(tf, v1, h):
    @tf.custom_gradient
    def f(a):
        return tf.sin(a), lambda dy: None

    return f(h)


def _custom_zero(tf, v1, h):
    @tf.custom_gradient
    def f(a):
        return tf.sin(a), lambda dy: dy * 0.0

    return f(h)


def _loop(tf, v1, h, count=2, body=lambda tf, c: tf.sin(c), **options):
    return v1.while_loop(
        lambda i, c: i < count,
        lambda i, c: (i + 1, body(tf, c)),
        [tf.constant(0), h],
        **options,
    )[1]


def _assign(tf, v1, h):
    v = v1.get_variable("state", [4], trainable=False)
    with v1.control_dependencies([v1.assign(v, h)]):
        return v.read_value() * 1.0


def _queue(tf, v1, h):
    queue = v1.FIFOQueue(10, [tf.float32], [[4]])
    with v1.control_dependencies([queue.enqueue([h])]):
        return queue.dequeue() * 1.0


def _text(tf, v1, h):
    return tf.strings.to_number(tf.strings.as_string(h))


#: {name: (build, causes that are right, can it stand in a loop, branch or function)}
MUTATIONS = {
    "stop_gradient": (lambda tf, v1, h: tf.stop_gradient(h), {"stopped"}, True),
    "int cast": (
        lambda tf, v1, h: tf.cast(tf.cast(h * 9, tf.int32), tf.float32) / 9,
        {"dtype"},
        True,
    ),
    "to int64": (lambda tf, v1, h: tf.cast(tf.cast(h, tf.int64), tf.float32), {"dtype"}, True),
    "comparison": (lambda tf, v1, h: tf.cast(h > 0.1, tf.float32), {"dtype"}, True),
    "argmax": (
        lambda tf, v1, h: tf.fill([4], tf.cast(tf.argmax(h), tf.float32)),
        {"dtype"},
        True,
    ),
    "top_k indices": (
        lambda tf, v1, h: tf.cast(tf.math.top_k(h, 4)[1], tf.float32),
        {"dtype"},
        True,
    ),
    "string": (_text, {"dtype"}, False),
    "where": (
        lambda tf, v1, h: tf.compat.v2.where(h > 0.1, tf.ones([4]), tf.zeros([4])),
        {"condition"},
        True,
    ),
    "floor": (lambda tf, v1, h: tf.floor(h), {"returned None"}, True),
    "round": (lambda tf, v1, h: tf.round(h), {"returned None"}, True),
    "ceil": (lambda tf, v1, h: tf.math.ceil(h), {"returned None"}, True),
    "floordiv": (lambda tf, v1, h: h // 0.3, {"returned None"}, True),
    "custom None": (_custom_none, {"returned None"}, False),
    "custom zero": (_custom_zero, {"returned zeros"}, False),
    "sign": (lambda tf, v1, h: tf.sign(h), {"returned zeros"}, True),
    "times zero": (lambda tf, v1, h: h * tf.constant(0.0), {"returned zeros"}, True),
    "pyfunc": (
        lambda tf, v1, h: tf.reshape(v1.py_func(lambda a: np.sin(a), [h], tf.float32), [4]),
        {"not differentiable"},
        False,
    ),
    "unique": (
        lambda tf, v1, h: tf.reduce_sum(tf.unique(h)[0]) * tf.ones([4]),
        {"unregistered"},
        True,
    ),
    "resize_area": (
        lambda tf, v1, h: tf.reshape(
            v1.image.resize_area(tf.reshape(h, [1, 2, 2, 1]), [2, 2]), [4]
        ),
        {"unregistered"},
        True,
    ),
    "prevent": (
        lambda tf, v1, h: tf.raw_ops.PreventGradient(input=h, message="no"),
        {"gradient error"},
        False,
    ),
    "cond not taken": (
        lambda tf, v1, h: v1.cond(tf.constant(False), lambda: tf.sin(h), lambda: tf.ones([4])),
        {"never taken"},
        False,
    ),
    "cond predicate": (
        lambda tf, v1, h: v1.cond(
            tf.reduce_sum(h) > 0.3, lambda: tf.ones([4]), lambda: tf.zeros([4])
        ),
        {"condition"},
        False,
    ),
    "back_prop=False": (
        lambda tf, v1, h: _loop(tf, v1, h, back_prop=False),
        {"back_prop=False"},
        False,
    ),
    "map_fn back_prop=False": (
        lambda tf, v1, h: v1.map_fn(lambda a: a * 2.0, h, back_prop=False),
        {"back_prop=False"},
        False,
    ),
    "overwritten": (
        lambda tf, v1, h: _loop(tf, v1, h, body=lambda tf, c: tf.ones([4])),
        {"overwritten"},
        False,
    ),
    "assign": (_assign, {"assign"}, False),
    "queue": (_queue, {"stored"}, False),
}

LIVE = {
    "sin": lambda tf, v1, a: tf.sin(a) + 0.2,
    "tanh": lambda tf, v1, a: tf.tanh(a) * 1.5,
    "scale": lambda tf, v1, a: a * 1.7,
    "matmul": lambda tf, v1, a: tf.reshape(tf.matmul(tf.reshape(a, [1, 4]), tf.eye(4) + 0.1), [4]),
    "gather": lambda tf, v1, a: tf.gather(a, [3, 1, 0, 2]),
    "mean": lambda tf, v1, a: a - 0.5 * tf.reduce_mean(a),
    "concat": lambda tf, v1, a: tf.concat([a[2:], a[:2]], 0),
    "while": lambda tf, v1, a: _loop(tf, v1, a),
    "cond": lambda tf, v1, a: v1.cond(
        v1.placeholder_with_default(True, []), lambda: tf.sin(a), lambda: a * 2.0
    ),
    "softmax": lambda tf, v1, a: tf.nn.softmax(a) * 3.0,
    "side input": lambda tf, v1, a: a + v1.get_variable(f"side{len(v1.global_variables())}", [4]),
    "live relu": lambda tf, v1, a: tf.nn.relu(a + 2.0),
}


def _in_branch(tf, v1, h, build):
    return v1.cond(v1.placeholder_with_default(True, []), lambda: build(h), lambda: tf.ones([4]))


def _in_body(tf, v1, h, build):
    return v1.while_loop(lambda i, c: i < 2, lambda i, c: (i + 1, build(c)), [tf.constant(0), h])[1]


def _in_function(tf, v1, h, build):
    return tf.function(build)(h)


AROUND = [_in_branch, _in_body, _in_function]


def _names(tf, v1, build, h, found):
    """build(h), noting the names of the ops that it adds to the graph it is called in."""
    graph = v1.get_default_graph()
    before = {op.name for op in graph.get_operations()}
    y = build(tf, v1, h)
    found.update(op.name for op in graph.get_operations() if op.name not in before)
    for op in graph.get_operations():  # bodies of control flow v2 that it made
        if op.name not in before:
            for attr in op.node_def.attr.values():
                for name in [attr.func.name] if attr.HasField("func") else []:
                    body = getattr(graph._get_function(name), "graph", None)
                    found.update(one.name for one in (body.get_operations() if body else ()))
    return y


def mutated(tf, v1, name, seed):
    """(x, y, names of the inserted ops)."""
    build, _, nests = MUTATIONS[name]
    random = np.random.RandomState(seed)
    x = v1.placeholder_with_default(np.float32([0.3, -0.7, 1.2, 0.9]), [4], name="x")
    h, inserted, names = x, set(), sorted(LIVE)
    length = random.randint(2, 7)
    place = random.randint(length)
    for number in range(length):
        if number == place:
            around = random.randint(6) if nests else 9
            if around < 3:
                h = AROUND[around](tf, v1, h, lambda a: _names(tf, v1, build, a, inserted) * 1.1)
            else:
                h = _names(tf, v1, build, h, inserted)
        h = LIVE[names[random.randint(len(names))]](tf, v1, h)
    return x, tf.reduce_sum(h * np.float32([0.3, 0.1, -0.5, 0.7])), inserted
