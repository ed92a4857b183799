"""Held-out cases for explain_gradient: custom gradients, control flow, functions and state.

``CASES[name](tf, v1, x)`` builds y from x, a placeholder of shape [4].
"""

CASES = {}


def case(name):
    def register(function):
        CASES[name] = function
        return function

    return register


def simple(name, function):
    CASES[name] = function


# custom gradients
@case("cg-capture-none")
def _(tf, v1, x):
    k = x * 2.0

    @tf.custom_gradient
    def f(a):
        return tf.floor(a), lambda dy: (k, None)[1]

    return f(x * 1.0)


@case("cg-capture-live")
def _(tf, v1, x):
    k = tf.sin(x)

    @tf.custom_gradient
    def f(a):
        return tf.floor(a), lambda dy: dy * k

    return f(x * 1.0)


@case("cg-zero")
def _(tf, v1, x):
    @tf.custom_gradient
    def f(a):
        return tf.sin(a), lambda dy: tf.zeros_like(dy)

    return f(x)


@case("cg-const")
def _(tf, v1, x):
    @tf.custom_gradient
    def f(a):
        return tf.sin(a), lambda dy: tf.ones_like(a)

    return f(x)


@case("cg-capture-zero")
def _(tf, v1, x):
    k = tf.zeros_like(x)

    @tf.custom_gradient
    def f(a):
        return tf.sin(a), lambda dy: dy * tf.zeros_like(k)

    return f(x)


@case("cg-raises")
def _(tf, v1, x):
    @tf.custom_gradient
    def f(a):
        def g(dy):
            raise RuntimeError("no")

        return tf.sin(a), g

    return f(x)


@case("cg-two-inputs")
def _(tf, v1, x):
    @tf.custom_gradient
    def f(a, b):
        return a * b, lambda dy: (None, dy)

    return f(x, x * 2.0)


@case("cg-two-one-none")
def _(tf, v1, x):
    @tf.custom_gradient
    def f(a, b):
        return a * b, lambda dy: (None, dy)

    return f(x, tf.ones([4]))


@case("recompute")
def _(tf, v1, x):
    if not hasattr(tf, "recompute_grad"):
        return tf.sin(x)
    return tf.recompute_grad(lambda a: tf.sin(a) * tf.cos(a))(x)


@case("recompute-floor")
def _(tf, v1, x):
    if not hasattr(tf, "recompute_grad"):
        return tf.sin(x)
    return tf.recompute_grad(lambda a: tf.floor(a) * 2.0)(x)


@case("grad_pass")
def _(tf, v1, x):
    return tf.grad_pass_through(tf.floor)(x)


def over(name, fn):
    @case(name)
    def _(tf, v1, x):
        from tfgraphtools import gradients

        k = tf.cos(x)
        with gradients.override_gradient(fn(tf, k)):
            y = tf.floor(x * 1.0)
        return y * 2.0


over("ov-none", lambda tf, k: {"Floor": lambda op, g: (k, None)[1]})
over("ov-live", lambda tf, k: {"Floor": lambda op, g: g * k})
over("ov-zero", lambda tf, k: {"Floor": lambda op, g: tf.zeros_like(op.inputs[0])})
over("ov-id", lambda tf, k: {"Floor": "Identity"})
over(
    "ov-relu",
    lambda tf, k: {
        "Floor": lambda op, g: tf.cond(tf.reduce_sum(g) > 0.0, lambda: g, lambda: g * 2.0)
    },
)


# control flow
def T(v1):
    return v1.placeholder_with_default(True, [])


simple("cond-live", lambda tf, v1, x: v1.cond(T(v1), lambda: x * 2.0, lambda: x * 3.0))
simple("cond-floor", lambda tf, v1, x: v1.cond(T(v1), lambda: tf.floor(x), lambda: tf.floor(x)))
simple("cond-one", lambda tf, v1, x: v1.cond(T(v1), lambda: x * 2.0, lambda: tf.ones([4])))
simple("cond-mixed", lambda tf, v1, x: v1.cond(T(v1), lambda: x * 2.0, lambda: tf.floor(x)))
simple(
    "cond-pred",
    lambda tf, v1, x: v1.cond(x[0] > 0.0, lambda: tf.constant(1.0), lambda: tf.constant(2.0)),
)
simple(
    "cond-pred2",
    lambda tf, v1, x: v1.cond(x[0] > 0.0, lambda: tf.ones([4]) * 2.0, lambda: tf.zeros([4])),
)
simple(
    "cond-capture",
    lambda tf, v1, x: (lambda k: v1.cond(k > 0.0, lambda: k * 1.0, lambda: k * 2.0))(
        tf.reduce_sum(x)
    ),
)
simple("cond-sign", lambda tf, v1, x: v1.cond(T(v1), lambda: tf.sign(x), lambda: tf.sign(x) * 2.0))
simple(
    "cond-const-dead",
    lambda tf, v1, x: v1.cond(tf.constant(True), lambda: tf.ones([4]) * 2.0, lambda: x * 2.0),
)
simple(
    "cond-const-live",
    lambda tf, v1, x: v1.cond(tf.constant(True), lambda: x * 2.0, lambda: tf.ones([4])),
)
simple(
    "cond-nested",
    lambda tf, v1, x: v1.cond(
        T(v1), lambda: v1.cond(T(v1), lambda: tf.sin(x), lambda: x), lambda: x
    ),
)
simple(
    "cond-nested-floor",
    lambda tf, v1, x: v1.cond(
        T(v1), lambda: v1.cond(T(v1), lambda: tf.floor(x), lambda: tf.floor(x)), lambda: tf.floor(x)
    ),
)
simple(
    "cond-two-out",
    lambda tf, v1, x: v1.cond(T(v1), lambda: (x, tf.floor(x)), lambda: (x, tf.floor(x)))[1],
)
simple(
    "cond-two-out-live",
    lambda tf, v1, x: v1.cond(T(v1), lambda: (x * 2.0, tf.floor(x)), lambda: (x, tf.floor(x)))[0],
)
simple(
    "case",
    lambda tf, v1, x: v1.case(
        [(x[0] < 0.0, lambda: x * 1.0), (x[1] > 9.0, lambda: tf.floor(x))], default=lambda: x * x
    ),
)
simple(
    "switch_case",
    lambda tf, v1, x: tf.switch_case(
        v1.placeholder_with_default(0, []), [lambda: x * 1.0, lambda: tf.floor(x)]
    ),
)
simple(
    "switch_case-idx",
    lambda tf, v1, x: tf.switch_case(
        tf.cast(x[0], tf.int32), [lambda: tf.constant(1.0), lambda: tf.constant(2.0)]
    ),
)


def W(tf, v1, body, init, n=2, **k):
    return v1.while_loop(
        lambda i, a: i < n, lambda i, a: (i + 1, body(a)), [tf.constant(0), init], **k
    )[1]


simple("while-live", lambda tf, v1, x: W(tf, v1, tf.sin, x))
simple("while-floor", lambda tf, v1, x: W(tf, v1, tf.floor, x))
simple("while-sign", lambda tf, v1, x: W(tf, v1, tf.sign, x))
simple("while-nobp", lambda tf, v1, x: W(tf, v1, tf.sin, x, back_prop=False))
simple("while-nobp+x", lambda tf, v1, x: W(tf, v1, tf.sin, x, back_prop=False) + x)
simple("while-zero", lambda tf, v1, x: W(tf, v1, tf.floor, x, n=0))
simple("while-zero-live", lambda tf, v1, x: W(tf, v1, tf.sin, x, n=0))
simple(
    "while-zero-ph", lambda tf, v1, x: W(tf, v1, tf.floor, x, n=v1.placeholder_with_default(0, []))
)
simple(
    "while-two-ph", lambda tf, v1, x: W(tf, v1, tf.floor, x, n=v1.placeholder_with_default(2, []))
)
simple("while-overwrite", lambda tf, v1, x: W(tf, v1, lambda a: tf.ones([4]) * 3.0, x))
simple("while-overwrite-zero", lambda tf, v1, x: W(tf, v1, lambda a: tf.ones([4]) * 3.0, x, n=0))
simple("while-invariant", lambda tf, v1, x: W(tf, v1, lambda a: a * x, tf.ones([4])))
simple("while-invariant-zero", lambda tf, v1, x: W(tf, v1, lambda a: a * x, tf.ones([4]), n=0))
simple(
    "while-invariant-floor", lambda tf, v1, x: W(tf, v1, lambda a: a * tf.floor(x), tf.ones([4]))
)
simple("while-stop", lambda tf, v1, x: W(tf, v1, lambda a: tf.stop_gradient(a) * 2.0, x))
simple(
    "while-cond-on-x",
    lambda tf, v1, x: v1.while_loop(
        lambda i: i < tf.reduce_sum(x) + 3.0, lambda i: i + 1.0, [tf.constant(0.0)]
    ),
)
simple(
    "while-counter-x",
    lambda tf, v1, x: v1.while_loop(
        lambda i, a: i < 3.0,
        lambda i, a: (i + 1.0, a * 2.0),
        [tf.abs(x[0]) * 0.0 + 0.0, tf.constant(1.0)],
    )[1],
)
simple(
    "while-swap",
    lambda tf, v1, x: v1.while_loop(
        lambda i, a, b: i < 4,
        lambda i, a, b: (i + 1, b, a * 2.0),
        [tf.constant(0), x, tf.ones([4])],
    )[1],
)
simple(
    "while-int",
    lambda tf, v1, x: tf.cast(W(tf, v1, lambda a: a + 1, tf.cast(x, tf.int32)), tf.float32),
)
simple("while-nested", lambda tf, v1, x: W(tf, v1, lambda a: W(tf, v1, tf.sin, a), x))
simple("while-nested-floor", lambda tf, v1, x: W(tf, v1, lambda a: W(tf, v1, tf.floor, a), x))
simple(
    "while-nested-zero", lambda tf, v1, x: W(tf, v1, lambda a: W(tf, v1, tf.floor, a, n=0) * 2.0, x)
)
simple(
    "while-cond",
    lambda tf, v1, x: W(tf, v1, lambda a: v1.cond(T(v1), lambda: tf.sin(a), lambda: a), x),
)
simple(
    "while-cond-floor",
    lambda tf, v1, x: W(
        tf, v1, lambda a: v1.cond(T(v1), lambda: tf.floor(a), lambda: tf.floor(a)), x
    ),
)
simple("cond-while", lambda tf, v1, x: v1.cond(T(v1), lambda: W(tf, v1, tf.sin, x), lambda: x))
simple(
    "cond-while-nobp",
    lambda tf, v1, x: v1.cond(
        T(v1), lambda: W(tf, v1, tf.sin, x, back_prop=False), lambda: tf.floor(x)
    ),
)


@case("ta-loop")
def _(tf, v1, x):
    ta = tf.TensorArray(tf.float32, 4)
    _, ta = v1.while_loop(
        lambda i, t: i < 4, lambda i, t: (i + 1, t.write(i, x[i] * 2.0)), [tf.constant(0), ta]
    )
    return ta.stack()


@case("ta-loop-floor")
def _(tf, v1, x):
    ta = tf.TensorArray(tf.float32, 4)
    _, ta = v1.while_loop(
        lambda i, t: i < 4, lambda i, t: (i + 1, t.write(i, tf.floor(x[i]))), [tf.constant(0), ta]
    )
    return ta.stack()


simple("ta-unstack", lambda tf, v1, x: tf.TensorArray(tf.float32, 4).unstack(x).read(2))
simple(
    "ta-size",
    lambda tf, v1, x: tf.cast(tf.TensorArray(tf.float32, 4).unstack(x).size(), tf.float32) * 1.0,
)
simple("ta-concat", lambda tf, v1, x: tf.TensorArray(tf.float32, 2).split(x, [1, 3]).concat())
simple("map_fn", lambda tf, v1, x: tf.map_fn(tf.sin, x))
simple("map_fn-floor", lambda tf, v1, x: tf.map_fn(tf.floor, x))
simple("map_fn-nobp", lambda tf, v1, x: v1.map_fn(tf.sin, x, back_prop=False))
simple(
    "map_fn-int",
    lambda tf, v1, x: tf.cast(
        v1.map_fn(lambda a: tf.cast(a, tf.int32), x, dtype=tf.int32), tf.float32
    ),
)
simple("map_fn-capture", lambda tf, v1, x: v1.map_fn(lambda a: a * x[0], tf.ones([3])))
simple("scan", lambda tf, v1, x: tf.scan(lambda a, b: a * b, x))
simple("scan-floor", lambda tf, v1, x: tf.scan(lambda a, b: tf.floor(b), x))
simple("foldl", lambda tf, v1, x: tf.foldl(lambda a, b: a + b, x))
simple("foldr", lambda tf, v1, x: v1.foldr(lambda a, b: a * b, x))
simple("foldl-init", lambda tf, v1, x: v1.foldl(lambda a, b: b, tf.ones([3]), initializer=x[0]))


@case("rnn")
def _(tf, v1, x):
    cell = v1.nn.rnn_cell.GRUCell(2)
    return v1.nn.dynamic_rnn(cell, tf.reshape(x, [1, 4, 1]), dtype=tf.float32)[0]


@case("rnn-lstm-seq")
def _(tf, v1, x):
    cell = v1.nn.rnn_cell.LSTMCell(2)
    return v1.nn.dynamic_rnn(
        cell, tf.reshape(x, [2, 2, 1]), dtype=tf.float32, sequence_length=[1, 2]
    )[1].c


@case("rnn-len")
def _(tf, v1, x):
    cell = v1.nn.rnn_cell.LSTMCell(2)
    return v1.nn.dynamic_rnn(
        cell,
        tf.ones([2, 3, 1]),
        dtype=tf.float32,
        sequence_length=tf.cast(tf.abs(x[:2]) + 1.0, tf.int32),
    )[1].c


@case("second-order")
def _(tf, v1, x):
    return v1.gradients(tf.reduce_sum(tf.sin(x)), x)[0]


@case("second-linear")
def _(tf, v1, x):
    return v1.gradients(tf.reduce_sum(3.0 * x), x)[0]


@case("grad-of-while")
def _(tf, v1, x):
    return v1.gradients(W(tf, v1, tf.sin, x), x)[0]


@case("grad-of-cond")
def _(tf, v1, x):
    return v1.gradients(v1.cond(T(v1), lambda: tf.sin(x), lambda: x * x), x)[0]


# functions
simple("fn", lambda tf, v1, x: tf.function(lambda a: tf.sin(a))(x))
simple("fn-floor", lambda tf, v1, x: tf.function(lambda a: tf.floor(a))(x))
simple("fn-capture", lambda tf, v1, x: tf.function(lambda: tf.sin(x))())
simple("fn-two", lambda tf, v1, x: tf.function(lambda a: (tf.sin(a), tf.floor(a)))(x)[1])
simple("fn-two-live", lambda tf, v1, x: tf.function(lambda a: (tf.sin(a), tf.floor(a)))(x)[0])
simple(
    "fn-nested", lambda tf, v1, x: tf.function(lambda a: tf.function(lambda b: tf.sign(b))(a))(x)
)
simple(
    "fn-while",
    lambda tf, v1, x: tf.function(
        lambda a: tf.while_loop(
            lambda i, c: i < 3, lambda i, c: (i + 1, c * a), [tf.constant(0), a]
        )[1]
    )(x),
)
simple(
    "fn-cond",
    lambda tf, v1, x: tf.function(
        lambda a: tf.cond(a[0] > 0.0, lambda: a * 2.0, lambda: tf.floor(a))
    )(x),
)
simple(
    "fn-pyfunc",
    lambda tf, v1, x: tf.function(lambda a: tf.numpy_function(lambda b: b, [a], tf.float32))(x),
)


@case("defun")
def _(tf, v1, x):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def f(a):
        return tf.sin(a)

    return f(x)


@case("defun-floor")
def _(tf, v1, x):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def f(a):
        return tf.floor(a)

    return f(x)


@case("defun-pygrad")
def _(tf, v1, x):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32, python_grad_func=lambda op, g: g * 2.0)
    def f(a):
        return tf.floor(a)

    return f(x)


@case("defun-capture")
def _(tf, v1, x):
    from tensorflow.python.framework import function

    @function.Defun()
    def f():
        return tf.sin(x)

    return f()


# state
@case("queue")
def _(tf, v1, x):
    q = v1.FIFOQueue(10, [tf.float32], shapes=[[4]])
    e = q.enqueue(x)
    with tf.control_dependencies([e]):
        return q.dequeue() * 1.0


@case("dataset")
def _(tf, v1, x):
    ds = tf.data.Dataset.from_tensors(x)
    it = v1.data.make_initializable_iterator(ds)
    with tf.control_dependencies([it.initializer]):
        return it.get_next() * 1.0


@case("dataset-map")
def _(tf, v1, x):
    ds = tf.data.Dataset.range(3).map(lambda i: tf.cast(i, tf.float32) * x)
    it = v1.data.make_initializable_iterator(ds)
    with tf.control_dependencies([it.initializer]):
        return it.get_next() * 1.0


@case("assign")
def _(tf, v1, x):
    v = v1.get_variable("v", initializer=[1.0] * 4)
    a = v1.assign(v, x)
    with tf.control_dependencies([a]):
        return v.read_value() * 2.0


@case("assign-out")
def _(tf, v1, x):
    v = v1.get_variable("v", initializer=[1.0] * 4)
    return v1.assign(v, x) * 2.0


@case("table")
def _(tf, v1, x):
    t = tf.raw_ops.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.float32)
    i = tf.raw_ops.LookupTableInsertV2(
        table_handle=t, keys=tf.constant([1], tf.int64), values=x[:1]
    )
    with tf.control_dependencies([i]):
        return (
            tf.raw_ops.LookupTableFindV2(
                table_handle=t, keys=tf.constant([1], tf.int64), default_value=0.0
            )
            * 1.0
        )


@case("stage")
def _(tf, v1, x):
    s = tf.raw_ops.Stage(values=[x], shared_name="s")
    with tf.control_dependencies([s]):
        return tf.raw_ops.Unstage(dtypes=[tf.float32], shared_name="s")[0] * 1.0


@case("accumulator")
def _(tf, v1, x):
    acc = v1.ConditionalAccumulator(tf.float32, shape=[4])
    a = acc.apply_grad(x)
    with tf.control_dependencies([a]):
        return acc.take_grad(1) * 1.0


@case("batch")
def _(tf, v1, x):
    return v1.train.batch([x], 1) * 1.0


@case("control")
def _(tf, v1, x):
    with tf.control_dependencies([x * 2.0]):
        return tf.constant(1.0) * 2.0


@case("disconnected")
def _(tf, v1, x):
    return tf.constant(1.0) * 2.0


@case("shape-dyn")
def _(tf, v1, x):
    return tf.ones(tf.shape(v1.placeholder_with_default(x, [None]))) * 2.0


@case("mixed-unreg")
def _(tf, v1, x):
    return tf.sin(x) + tf.reduce_sum(tf.unique(x)[0])


@case("partial-blocked")
def _(tf, v1, x):
    return tf.sin(x) + tf.floor(x)


@case("sum-of-dead")
def _(tf, v1, x):
    return tf.floor(x) + tf.sign(x)


@case("stop+sign")
def _(tf, v1, x):
    return tf.stop_gradient(x) * tf.sign(x)


@case("x-is-y")
def _(tf, v1, x):
    return x


@case("complex-y")
def _(tf, v1, x):
    return tf.complex(x, x)


@case("dense-layer")
def _(tf, v1, x):
    w = v1.get_variable("w", [4, 2])
    return tf.nn.relu(tf.matmul(tf.reshape(x, [1, 4]), w))


@case("embedding")
def _(tf, v1, x):
    return tf.nn.embedding_lookup(tf.reshape(x, [4, 1]), [0, 2])


@case("emb-ids")
def _(tf, v1, x):
    w = v1.get_variable("w", [4, 2])
    return tf.nn.embedding_lookup(w, tf.cast(tf.abs(x), tf.int32))


@case("emb-partition")
def _(tf, v1, x):
    return tf.nn.embedding_lookup([tf.reshape(x, [4, 1]), tf.ones([4, 1])], [0, 2])


@case("pt_pass")
def _(tf, v1, x):
    from tfgraphtools import gradients as g

    return g.floor(x) * g.scale_gradient(x, 2.0)


@case("pt-scale0")
def _(tf, v1, x):
    from tfgraphtools import gradients as g

    return g.scale_gradient(x, 0.0)


@case("pt-mask")
def _(tf, v1, x):
    from tfgraphtools import gradients as g

    return g.mask_gradient(x, [True, False, True, True])


@case("pt-clip")
def _(tf, v1, x):
    from tfgraphtools import gradients as g

    return g.clip_gradient(g.reverse_gradient(x, 1.0), -1.0, 1.0)
