"""Loops and recurrent layers of TF 1.15, as source: further cases of `tf1_sources`."""

import numpy as np
import tensorflow as tf
from tf1_source_inputs import R

v1 = tf.compat.v1
layers = tf.layers
cells = tf.nn.rnn_cell
seq2seq = tf.contrib.seq2seq
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def sequences(width=3):
    x = v1.placeholder(tf.float32, [None, None, width], name="x")
    return x, lambda b, t: {"x": R.randn(b, t, width)}


def with_lengths(width=3):
    x, feed = sequences(width)
    lengths = v1.placeholder(tf.int32, [None], name="lengths")

    def feeds(b, t):
        numbers = R.randint(0, t + 1, b)
        numbers[0] = t - 1  # no sequence is as long as the batch
        return {**feed(b, t), "lengths": np.minimum(numbers, t - 1)}

    return x, lengths, feeds


def name_states(state):
    return [
        tf.identity(part, f"state_{i}").op.name for i, part in enumerate(tf.nest.flatten(state))
    ]


@case
def recurrent():
    x, feed = sequences()
    y, _ = tf.nn.dynamic_rnn(cells.LSTMCell(5), x, dtype=tf.float32)
    tf.identity(layers.dense(y[:, -1], 2), "y")
    return feed, ["y"]


@case
def recurrent_with_lengths():
    x, lengths, feed = with_lengths()
    y, state = tf.nn.dynamic_rnn(cells.BasicLSTMCell(5), x, lengths, dtype=tf.float32)
    tf.identity(y, "y")
    return feed, ["y", *name_states(state)]


@case
def recurrent_from_a_state():
    x, feed = sequences()
    c, h = (v1.placeholder(tf.float32, [None, 4], name=name) for name in "ch")
    cell = cells.LSTMCell(4, forget_bias=0.0)
    y, state = tf.nn.dynamic_rnn(cell, x, initial_state=cells.LSTMStateTuple(c, h))
    tf.identity(y, "y")
    names = name_states(state)
    return lambda b, t: {**feed(b, t), "c": R.randn(b, 4), "h": R.randn(b, 4)}, ["y", *names]


@case
def recurrent_time_major():
    x = v1.placeholder(tf.float32, [None, None, 3], name="x")
    cell = cells.BasicRNNCell(4)
    y, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, time_major=True)
    tf.identity(y, "y")
    return lambda b, t: {"x": R.randn(t, b, 3)}, ["y", *name_states(state)]


@case
def recurrent_projected():
    x, feed = sequences()
    cell = cells.LSTMCell(5, num_proj=3, activation=tf.tanh)
    y, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    tf.identity(y, "y")
    return feed, ["y", *name_states(state)]


@case
def recurrent_with_peepholes():
    x, lengths, feed = with_lengths()
    cell = cells.LSTMCell(4, use_peepholes=True, cell_clip=2.0)
    y, state = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)
    tf.identity(y, "y")
    return feed, ["y", *name_states(state)]


@case
def gated_recurrent():
    x, lengths, feed = with_lengths()
    y, state = tf.nn.dynamic_rnn(cells.GRUCell(4), x, lengths, dtype=tf.float32)
    tf.identity(y, "y")
    return feed, ["y", *name_states(state)]


@case
def gated_recurrent_of_all():
    x, feed = sequences()
    with v1.variable_scope("encoder"):
        y, state = tf.nn.dynamic_rnn(cells.GRUCell(4), x, dtype=tf.float32)
    tf.identity(layers.dense(state, 2), "y")
    return feed, ["y"]


@case
def recurrent_stacked():
    x, lengths, feed = with_lengths()
    cell = cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.BasicLSTMCell(5)])
    y, state = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)
    tf.identity(y, "y")
    return feed, ["y", *name_states(state)]


@case
def recurrent_both_ways():
    x, lengths, feed = with_lengths()
    y, state = tf.nn.bidirectional_dynamic_rnn(
        cells.LSTMCell(4), cells.LSTMCell(4), x, lengths, dtype=tf.float32
    )
    tf.concat(y, 2, name="y")
    return feed, ["y", *name_states(state)]


@case
def recurrent_both_ways_of_all():
    x, feed = sequences()
    y, _ = tf.nn.bidirectional_dynamic_rnn(
        cells.LSTMCell(4), cells.LSTMCell(4), x, dtype=tf.float32
    )
    tf.identity(layers.dense(tf.concat(y, 2), 2), "y")
    return feed, ["y"]


@case
def recurrent_unrolled_with_lengths():
    x = v1.placeholder(tf.float32, [None, 4, 3], name="x")
    lengths = v1.placeholder(tf.int32, [None], name="lengths")
    y, _ = tf.nn.static_rnn(
        cells.BasicLSTMCell(5), tf.unstack(x, 4, 1), dtype=tf.float32, sequence_length=lengths
    )
    tf.identity(layers.dense(y[-1], 2), "y")
    return lambda b, t: {"x": R.randn(b, 4, 3), "lengths": R.randint(1, 5, b)}, ["y"]


@case
def loop_of_numbers():
    x = v1.placeholder(tf.float32, [None, 4], name="x")
    w = v1.get_variable("w", [4, 4])

    def step(i, h):
        return i + 1, tf.tanh(tf.matmul(h, w)) / tf.cast(i + 1, tf.float32)

    _, h = tf.while_loop(lambda i, h: i < 3, step, [0, x])
    tf.identity(h, "y")
    return lambda b, t: {"x": R.randn(b, 4)}, ["y"]


@case
def loop_until_small():
    x = v1.placeholder(tf.float32, [None, 4], name="x")
    scale = v1.get_variable("scale", [4], initializer=tf.constant_initializer(0.6))

    def step(i, h, old):
        return i + 1, h * scale * 0.7, h

    i, h, old = tf.while_loop(
        lambda i, h, old: tf.reduce_max(tf.abs(h)) > 0.2, step, [tf.constant(2), x, x]
    )
    tf.add(h, old, "y")
    tf.identity(i, "count")
    return lambda b, t: {"x": R.randn(b, 4)}, ["y", "count"]


@case
def loop_in_a_loop():
    x = v1.placeholder(tf.float32, [None, 3], name="x")
    w = v1.get_variable("w", [3, 3])

    def outer(i, h):
        shift = tf.reduce_mean(h)
        _, inner = tf.while_loop(
            lambda j, g: j < i + 1, lambda j, g: (j + 1, tf.tanh(tf.matmul(g, w) + shift)), [0, h]
        )
        return i + 1, inner + h

    _, h = tf.while_loop(lambda i, h: i < 3, outer, [0, x])
    tf.identity(h, "y")
    return lambda b, t: {"x": R.randn(b, 3)}, ["y"]


@case
def fibonacci_of_loop():
    """Swaps its variables."""
    x = v1.placeholder(tf.float32, [None, 3], name="x")
    _, a, b = tf.while_loop(
        lambda i, a, b: i < 5, lambda i, a, b: (i + 1, b, a * 0.5 + b), [0, x, x + 1.0]
    )
    tf.identity(a, "a")
    tf.identity(b, "b")
    return lambda b, t: {"x": R.randn(b, 3)}, ["a", "b"]


@case
def mapped_rows():
    x, feed = sequences()
    w = v1.get_variable("w", [3, 3])
    y = tf.map_fn(lambda row: tf.nn.softmax(tf.matmul(row, w), 0), x)
    tf.identity(y, "y")
    return feed, ["y"]


@case
def scanned_rows():
    x, feed = sequences()
    decay = v1.get_variable("decay", [3])
    y = tf.scan(lambda a, row: a * tf.sigmoid(decay) + row, tf.transpose(x, [1, 0, 2]))
    tf.identity(y, "y")
    return feed, ["y"]


@case
def branch_in_a_loop():
    x = v1.placeholder(tf.float32, [None, 3], name="x")
    w = v1.get_variable("w", [3, 3])

    def step(i, h):
        g = tf.cond(tf.equal(i % 2, 0), lambda: tf.matmul(h, w), lambda: tf.tanh(h) + 1.0)
        return i + 1, g

    _, h = tf.while_loop(lambda i, h: i < 4, step, [0, x])
    tf.identity(h, "y")
    return lambda b, t: {"x": R.randn(b, 3)}, ["y"]


@case
def loop_in_a_branch():
    x = v1.placeholder(tf.float32, [None, 3], name="x")

    def looped():
        return tf.while_loop(lambda h: tf.reduce_max(h) < 3.0, lambda h: (h + 1.0,), [x])

    tf.identity(tf.cond(tf.reduce_min(x) > -1.0, looped, lambda: x), "y")
    return lambda b, t: {"x": R.rand(b, 3)}, ["y"]


@case
def written_backwards():
    x, feed = sequences()
    size = tf.shape(x)[1]
    rows = tf.TensorArray(tf.float32, size)
    body = lambda i, a: (i - 1, a.write(i, x[:, i] * 2.0))  # noqa: E731
    _, rows = tf.while_loop(lambda i, a: i >= 0, body, [size - 1, rows])
    tf.identity(rows.stack(), "y")
    return feed, ["y"]


@case
def scanned_backwards():
    """Returns of rewards: each is the next one times a number, and its own."""
    x, feed = sequences(1)
    decay = v1.get_variable("decay", initializer=0.9)
    rewards = tf.transpose(tf.squeeze(x, 2))
    y = tf.scan(lambda total, reward: total * decay + reward, rewards, reverse=True)
    tf.identity(tf.transpose(y), "y")
    return feed, ["y"]


@case
def counted_twice():
    """Ends by the counter that began later: the last row stays 0."""
    x, feed = sequences()
    size = tf.shape(x)[1]
    table, rows = tf.transpose(x, [1, 0, 2]), tf.TensorArray(tf.float32, size)
    table = tf.TensorArray(tf.float32, size).unstack(table)
    body = lambda i, j, a: (i + 1, j + 1, a.write(i, table.read(i) * 2.0))  # noqa: E731
    _, _, rows = tf.while_loop(lambda i, j, a: (i < size) & (j < size), body, [0, 1, rows])
    tf.identity(rows.stack(), "y")
    return feed, ["y"]


@case
def written_every_other():
    x, feed = sequences()
    rows = tf.TensorArray(tf.float32, tf.shape(x)[1] * 2)
    body = lambda i, a: (i + 1, a.write(i * 2, x[:, i]).write(i * 2 + 1, x[:, i] * 2.0))  # noqa: E731
    _, rows = tf.while_loop(lambda i, a: i < tf.shape(x)[1], body, [0, rows])
    tf.identity(rows.stack(), "y")
    return feed, ["y"]


def translation(attention, helper_of):
    source, target = (v1.placeholder(tf.int32, [None, None], name=n) for n in ("source", "target"))
    lengths = v1.placeholder(tf.int32, [None], name="lengths")
    with v1.variable_scope("encoder"):
        table = v1.get_variable("embedding", [12, 4])
        memory, state = tf.nn.dynamic_rnn(
            cells.LSTMCell(6), tf.nn.embedding_lookup(table, source), lengths, dtype=tf.float32
        )
    with v1.variable_scope("decoder"):
        table = v1.get_variable("embedding", [12, 4])
        cell, batch, initial = cells.LSTMCell(6), tf.shape(source)[0], state
        if attention is not None:
            mechanism = attention(6, memory, memory_sequence_length=lengths)
            cell = seq2seq.AttentionWrapper(cell, mechanism, 5)
            initial = cell.zero_state(batch, tf.float32).clone(cell_state=state)
        helper, limit = helper_of(table, target, batch)
        projection = tf.layers.Dense(12, name="projection")
        decoder = seq2seq.BasicDecoder(cell, helper, initial, projection)
        outputs, _, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=limit)
    tf.identity(outputs.rnn_output, "y")
    tf.identity(outputs.sample_id, "ids")

    def feed(b, t):
        return {
            "source": R.randint(0, 12, [b, t]),
            "lengths": R.randint(1, t + 1, b),
            "target": R.randint(0, 12, [b, t + 1]),
        }

    return feed


def greedy(table, target, batch):
    helper = seq2seq.GreedyEmbeddingHelper(table, tf.fill([batch], 1), 2)
    return helper, tf.shape(target)[1]


def teacher(table, target, batch):
    lengths = tf.fill([batch], tf.shape(target)[1])
    return seq2seq.TrainingHelper(tf.nn.embedding_lookup(table, target), lengths), None


@case
def attention_decoder():
    return translation(seq2seq.BahdanauAttention, teacher), ["y", "ids"]


@case
def attention_decoder_by_products():
    return translation(seq2seq.LuongAttention, teacher), ["y", "ids"]


@case
def attention_decoder_of_its_own_words():
    return translation(seq2seq.BahdanauAttention, greedy), ["y", "ids"]


@case
def decoder_without_attention():
    return translation(None, teacher), ["y", "ids"]
