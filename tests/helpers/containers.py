"""Programs of nested containers: loops, branches, maps and functions around a captured value.

Each container is ``(tf, v1, inner, a) -> tensor`` and applies ``inner``, a function of a scalar,
inside itself. Each captured thing is ``(tf, v1) -> Captured``: what the innermost body reads.
"""

import collections

#: ``read()`` gives the scalar inside of a body, ``key`` is the tensor or variable behind it.
Captured = collections.namedtuple("Captured", "read, key")

AT, CAPTURED_AT = 0.8, 1.25


def _while(tf, v1, inner, a):
    return v1.while_loop(
        lambda i, h: i < 2, lambda i, h: (i + 1, inner(h)), [tf.constant(0), a * 1.0]
    )[1]


def _cond(tf, v1, inner, a):
    predicate = v1.placeholder_with_default(True, [])
    return v1.cond(predicate, lambda: inner(a), lambda: a * 0.5)


def _case(tf, v1, inner, a):
    chosen = v1.placeholder_with_default(1, [])
    branches = [(tf.equal(chosen, 0), lambda: a * 2.0), (tf.equal(chosen, 1), lambda: inner(a))]
    return v1.case(branches, default=lambda: a * 3.0)


def _switch_case(tf, v1, inner, a):
    return tf.switch_case(v1.placeholder_with_default(1, []), [lambda: a * 2.0, lambda: inner(a)])


def _map(tf, v1, inner, a):
    return tf.reduce_sum(tf.map_fn(inner, tf.stack([a, a * 0.5])))


def _scan(tf, v1, inner, a):
    return tf.scan(lambda s, b: inner(s) * b, tf.stack([a, tf.constant(0.5)]), a * 1.0)[-1]


def _function(tf, v1, inner, a):
    return tf.function(inner, autograph=False)(a)


def _defun(tf, v1, inner, a):
    from tensorflow.python.framework import function

    def call(h):
        return inner(h)

    return function.Defun(tf.float32)(call)(a)


def _keras_rnn(tf, v1, inner, a):
    class Cell(tf.keras.layers.Layer):
        state_size = output_size = 1

        def call(self, inputs, states):
            state = tf.reshape(inner(tf.reduce_sum(inputs) + tf.reduce_sum(states[0])), [1, 1])
            return state, [state]

    return tf.reduce_sum(tf.keras.layers.RNN(Cell())(tf.reshape(tf.stack([a, a]), [1, 2, 1])))


CONTAINERS = {
    "while": _while,
    "cond": _cond,
    "case": _case,
    "switch_case": _switch_case,
    "map_fn": _map,
    "scan": _scan,
    "tf.function": _function,
}
#: What TensorFlow 1.15 alone has.
ONLY_TF1 = {"Defun": _defun, "keras.RNN": _keras_rnn}


def _variable(use_resource):
    def make(tf, v1):
        w = v1.get_variable("w", initializer=CAPTURED_AT, use_resource=use_resource)
        return Captured(lambda: w * 1.0, w)

    return make


def _gathered(tf, v1):
    w = v1.get_variable("w", initializer=CAPTURED_AT * tf.ones([2]), use_resource=True)
    return Captured(lambda: tf.reduce_mean(tf.nn.embedding_lookup(w, [1, 0])), w)


def _constant(tf, v1):
    c = tf.constant(CAPTURED_AT)
    return Captured(lambda: c * 1.0, c)


def _placeholder(tf, v1):
    p = v1.placeholder_with_default(CAPTURED_AT, [])
    return Captured(lambda: p * 1.0, p)


def _array(tf, v1):
    p = v1.placeholder_with_default(CAPTURED_AT, [])
    array = tf.TensorArray(tf.float32, 2, clear_after_read=False).unstack(tf.stack([p, p * 2.0]))
    return Captured(lambda: array.read(1) * 0.5, p)


def _table(tf, v1):
    p = v1.placeholder_with_default(CAPTURED_AT, [])
    rows = tf.lookup.KeyValueTensorInitializer(
        tf.constant([1, 2], tf.int64), tf.constant([1.0, 2.0])
    )
    table = tf.lookup.StaticHashTable(rows, 0.0)
    return Captured(lambda: table.lookup(tf.constant(2, tf.int64)) * p * 0.5, p)


CAPTURES = {
    "resource variable": _variable(True),
    "ref variable": _variable(False),
    "gathered variable": _gathered,
    "constant": _constant,
    "placeholder": _placeholder,
    "TensorArray": _array,
    "table": _table,
}


def nested(tf, v1, names, read, a):
    """The program of these containers, outermost first, around ``tanh(h * read()) + h / 2``."""
    known = dict(CONTAINERS, **ONLY_TF1)

    def apply(depth, h):
        if depth == len(names):
            return tf.tanh(h * read()) + h * 0.5
        return known[names[depth]](tf, v1, lambda inside: apply(depth + 1, inside), h)

    return apply(0, a)


def program(tf, v1, names, captured):
    """``() -> (y, [x, what is captured])``: builds the program in the default graph."""

    def build():
        x = v1.placeholder_with_default(AT, [], name="x")
        source = CAPTURES[captured](tf, v1)
        y = nested(tf, v1, names, source.read, x)
        y.set_shape([])
        return tf.identity(y, name="y"), [x, source.key]

    return build
