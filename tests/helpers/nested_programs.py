"""Random programs of nested loops, branches, maps and functions, each by its seed.

A plan is drawn first and built then, so that a body that TensorFlow traces twice is the same.
A plan is a list of steps; a step is ``(kind, numbers of its operands, nested plans)``.
"""

import random

SIZE = 2


def _to_double(tf, a, b):
    return tf.cast(tf.sin(tf.cast(a, tf.float64)), tf.float32) + b


_PLAIN = {
    "sin": lambda tf, a, b: tf.sin(a),
    "tanh": lambda tf, a, b: tf.tanh(a + b),
    "times": lambda tf, a, b: a * b * 0.7,
    "plus": lambda tf, a, b: a + b * 0.5,
    "minus": lambda tf, a, b: a - b * 0.3,
    "mean": lambda tf, a, b: a * 0.5 + tf.reduce_mean(b),
    "gather": lambda tf, a, b: tf.gather(a, [1, 0]) + b,
    "matmul": lambda tf, a, b: tf.linalg.matvec(tf.constant([[0.5, -0.2], [0.3, 0.4]]), a),
    "where": lambda tf, a, b: tf.compat.v1.where(tf.constant([True, False]), a, b),
    "split": lambda tf, a, b: tf.concat(tf.split(a, 2)[::-1], 0) * 0.5 + b,
    "float64": _to_double,
    "stop": lambda tf, a, b: tf.stop_gradient(a) * 0.5 + b,
    "floor": lambda tf, a, b: tf.floor(a * 3.0) + b,
    "constant": lambda tf, a, b: a * 0.0 + tf.ones_like(b),
}


def _while(tf, v1, bodies, a):
    def body(i, h, k):
        return i + 1, bodies[0](h), k + tf.sin(h)

    start = [tf.constant(0), a, a * 0.1]
    _, h, k = v1.while_loop(lambda i, h, k: i < 2, body, start)
    return h + 0.1 * k


def _cond(tf, v1, bodies, a):
    return v1.cond(
        v1.placeholder_with_default(True, []), lambda: bodies[0](a), lambda: bodies[1](a)
    )


def _case(tf, v1, bodies, a):
    chosen = v1.placeholder_with_default(1, [])
    return tf.switch_case(chosen, [lambda: bodies[0](a), lambda: bodies[1](a)])


def _map(tf, v1, bodies, a):
    return tf.reduce_mean(tf.map_fn(bodies[0], tf.stack([a, a * 0.5])), 0)


def _scan(tf, v1, bodies, a):
    return tf.scan(lambda s, b: bodies[0](s) * 0.5 + b, tf.stack([a, a * 0.3]), a)[-1]


def _function(tf, v1, bodies, a):
    made = tf.function(lambda h: (bodies[0](h), h * 2.0), autograph=False)
    first, second = made(a)
    return first + 0.1 * second


def _called_twice(tf, v1, bodies, a):
    made = tf.function(bodies[0], autograph=False)
    return made(made(a) * 0.5)


def _waiting(tf, v1, bodies, a):
    with v1.control_dependencies([tf.identity(a * 2.0)]):
        return tf.identity(bodies[0](a))


_NESTING = {
    "while": (_while, 1),
    "cond": (_cond, 2),
    "case": (_case, 2),
    "map": (_map, 1),
    "scan": (_scan, 1),
    "function": (_function, 1),
    "called twice": (_called_twice, 1),
    "waiting": (_waiting, 1),
}


def plan(seed, depth=3):
    """The plan of a seed."""
    return _drawn(random.Random(seed), depth, top=True)


def _drawn(chance, depth, top=False):
    steps = []
    for number in range(chance.randint(2, 4) if top else chance.randint(1, 3)):
        operands = chance.randrange(100), chance.randrange(100)
        nests = depth and (chance.random() < 0.5 or top and not number)
        kind = chance.choice(sorted(_NESTING if nests else _PLAIN))
        count = _NESTING[kind][1] if nests else 0
        steps.append((kind, operands, [_drawn(chance, depth - 1) for _ in range(count)]))
    return steps


def _built(tf, v1, steps, sources, values):
    """The last value of a plan. Operands are the sources and what came before."""
    for kind, (first, second), nested in steps:
        if kind in _PLAIN:
            operands = [values[-1 - first % min(3, len(values))]]
            others = values + [read() for read in sources]
            operands.append(others[second % len(others)])
            values = values + [_PLAIN[kind](tf, *operands)]
        else:
            around = values

            def inside(h, body=None, around=around):
                return _built(tf, v1, body, sources, around + [h])

            bodies = [lambda h, body=body, inside=inside: inside(h, body) for body in nested]
            values = values + [
                _NESTING[kind][0](tf, v1, bodies, values[-1] + 0.01 * values[first % len(values)])
            ]
        values[-1].set_shape([SIZE])
    return values[-1]


def program(tf, v1, seed):
    """``() -> (y, [x, w, p])``: builds the program of a seed in the default graph."""
    steps = plan(seed)

    def build():
        x = v1.placeholder_with_default([0.3, -0.7], [SIZE], name="x")
        p = v1.placeholder_with_default([0.6, 0.2], [SIZE], name="p")
        w = v1.get_variable("w", initializer=tf.constant([1.2, -0.4]), use_resource=seed % 3 > 0)
        sources = [lambda: w * 1.0, lambda: p, lambda: tf.constant([0.2, 0.9])]
        y = _built(tf, v1, steps, sources, [x])
        return tf.reduce_sum(y * tf.constant([1.0, -2.0]), name="y"), [x, w, p]

    return build
