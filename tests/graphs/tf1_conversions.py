"""Graphs that TF 1.15 builds and saves to be converted, with what they compute.

python tf1_conversions.py FOLDER [CASE ...]

For each case: FOLDER/NAME/model, a checkpoint with its .meta, and FOLDER/NAME.npz with its inputs,
the output "y", gradients of variables, and the variables after a hundred steps.
"""

import os
import sys

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
CASES = {}
STEPS = 100


def case(function):
    CASES[function.__name__] = function
    return function


def floats(*shape):
    return v1.placeholder(tf.float32, [None, *shape], name="x")


def integers(*shape):
    return v1.placeholder(tf.int32, [None, *shape], name="x")


def mode():
    return v1.placeholder_with_default(False, [], name="is_training")


def weights(name, *shape):
    return v1.get_variable(name, shape)


def lstm(size=5, name="cell"):
    return v1.nn.rnn_cell.LSTMCell(size, name=name)


def attention(queries, keys, values):
    scores = tf.matmul(queries, keys, transpose_b=True) / np.sqrt(float(keys.shape[-1].value))
    return tf.matmul(tf.nn.softmax(scores), values)


@case
def self_attention():
    x = floats(6, 8)
    q, k, v = (tf.layers.dense(x, 8, name=name) for name in "qkv")
    mask = tf.sequence_mask([4], 6, dtype=tf.float32)[:, None]
    scores = tf.matmul(q, k, transpose_b=True) - 1e4 * (1 - mask)
    return tf.matmul(tf.nn.softmax(scores), v)


@case
def heads_of_bert():
    ids = integers(6)
    table = weights("table", 10, 8)
    h = tf.gather(table, ids) + weights("positions", 6, 8)
    h = tf.contrib.layers.layer_norm(h, begin_norm_axis=-1)
    split = [
        tf.transpose(tf.reshape(tf.layers.dense(h, 8, name=n), [-1, 6, 2, 4]), [0, 2, 1, 3])
        for n in "qkv"
    ]
    h += tf.reshape(tf.transpose(attention(*split), [0, 2, 1, 3]), [-1, 6, 8])
    dense = tf.layers.dense(h, 16, name="ffn")
    gelu = dense * 0.5 * (1 + tf.erf(dense / np.sqrt(2.0)))
    gelu = tf.layers.dropout(gelu, 0.1, training=mode())
    return tf.layers.dense(gelu, 8, tf.tanh, name="pooled")[:, 0]


def decoder_cell(x):
    memory = tf.layers.dense(x, 5, name="memory")
    mechanism = tf.contrib.seq2seq.LuongAttention(5, memory)
    return tf.contrib.seq2seq.AttentionWrapper(lstm(), mechanism, 5)


@case
def attention_decoder():
    x = floats(4, 3)
    batch = tf.shape(x)[0]
    table = weights("table", 7, 3)
    helper = tf.contrib.seq2seq.GreedyEmbeddingHelper(table, tf.fill([batch], 1), 2)
    cell = decoder_cell(x)
    decoder = tf.contrib.seq2seq.BasicDecoder(
        cell, helper, cell.zero_state(batch, tf.float32), tf.layers.Dense(7, name="words")
    )
    return tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=4)[0].rnn_output


@case
def beam_search():
    x = floats(4, 3)
    batch = tf.shape(x)[0]
    table = weights("table", 7, 3)
    tiled = tf.contrib.seq2seq.tile_batch(x, 2)
    cell = decoder_cell(tiled)
    decoder = tf.contrib.seq2seq.BeamSearchDecoder(
        cell, table, tf.fill([batch], 1), 2, cell.zero_state(batch * 2, tf.float32), 2,
        tf.layers.Dense(7, name="words"),
    )  # fmt: skip
    return tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=4)[0].predicted_ids


@case
def beam_trees():
    """Lengths of nothing, below, at and above the steps; ends in the middle; crossing beams."""
    x = integers(5, 3)
    ids = tf.transpose(x, [1, 0, 2])
    parents = (ids * 5 + tf.reshape(tf.range(5), [-1, 1, 1])) % 3
    lengths = tf.range(tf.shape(x)[0]) * 3 % 8
    return tf.contrib.seq2seq.gather_tree(ids, parents, lengths, 2)


@case
def recurrent_both_ways():
    x = floats(4, 3)
    lengths = tf.cast(tf.reduce_sum(tf.ones_like(x[:, :, 0]), 1), tf.int32) - 1
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(
        lstm(name="forward"), lstm(name="backward"), x, lengths, dtype=tf.float32
    )
    return tf.concat(outputs, 2)


@case
def recurrent_gru():
    return tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(5), floats(4, 3), dtype=tf.float32)[0]


@case
def recurrent_stack():
    cells = [tf.nn.rnn_cell.BasicLSTMCell(5) for _ in range(2)]
    return tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), floats(4, 3), dtype=tf.float32)[0]


@case
def recurrent_time_major():
    x = tf.transpose(floats(4, 3), [1, 0, 2])
    return tf.nn.dynamic_rnn(lstm(), x, dtype=tf.float32, time_major=True)[0]


@case
def recurrent_static():
    return tf.nn.static_rnn(lstm(), tf.unstack(floats(4, 3), axis=1), dtype=tf.float32)[0][-1]


@case
def recurrent_blocks():
    x = tf.transpose(floats(4, 3), [1, 0, 2])
    return tf.contrib.rnn.LSTMBlockFusedCell(5)(x, dtype=tf.float32)[0]


@case
def recurrent_of_v2():
    v1.enable_control_flow_v2()
    v1.enable_resource_variables()
    return tf.nn.dynamic_rnn(lstm(), floats(4, 3), dtype=tf.float32)[0]


@case
def suppression():
    x = floats(4)
    low = tf.abs(x[:, :2])
    boxes = tf.concat([low, low + tf.abs(x[:, 2:]) + 0.1], 1)
    chosen = tf.image.non_max_suppression(boxes, x[:, 0], 3, 0.5)
    return tf.gather(boxes, chosen)


@case
def crops():
    x = floats(8, 8, 3)
    boxes = tf.constant([[0.0, 0.0, 0.5, 0.5], [0.2, 0.3, 0.9, 1.0]])
    return tf.image.crop_and_resize(x, boxes, [0, 0], [4, 4])


@case
def table_of_words():
    x = v1.placeholder(tf.string, [None], name="x")
    words = tf.contrib.lookup.index_table_from_tensor(["a", "b"], default_value=2)
    return tf.gather(weights("table", 3, 4), words.lookup(x))


@case
def queue_in_front():
    queue = v1.FIFOQueue(4, [tf.float32], [[5]])
    return tf.layers.dense(tf.identity(queue.dequeue_many(2), name="x"), 3)


@case
def partitioned_table():
    parts = v1.get_variable("table", [10, 4], partitioner=v1.fixed_size_partitioner(3))
    return tf.nn.embedding_lookup(parts, integers(3), partition_strategy="div")


@case
def contrib_layers():
    layers = tf.contrib.layers
    norm = {"normalizer_fn": layers.batch_norm, "normalizer_params": {"is_training": mode()}}
    h = layers.conv2d(floats(8, 8, 3), 4, 3, scope="conv", **norm)
    h = layers.max_pool2d(h, 2)
    h = layers.fully_connected(layers.flatten(h), 6)
    return layers.fully_connected(h, 3, activation_fn=None)


@case
def instance_norm():
    return tf.contrib.layers.instance_norm(floats(6, 6, 3))


@case
def quantized_training():
    h = tf.layers.conv2d(floats(6, 6, 3), 4, 3, activation=tf.nn.relu6, name="conv")
    h = tf.layers.dense(tf.layers.flatten(h), 3, name="logits")
    tf.contrib.quantize.create_eval_graph()
    return h


@case
def convolutions():
    h = tf.layers.conv2d(floats(8, 8, 3), 4, 3, dilation_rate=2, padding="same", name="dilated")
    h = tf.layers.separable_conv2d(h, 6, 3, padding="same", name="separable")
    h = tf.layers.conv2d_transpose(h, 4, 3, 2, padding="same", name="transposed")
    return tf.layers.average_pooling2d(tf.nn.elu(h), 2, 2)


@case
def convolutions_of_one_axis():
    h = tf.layers.conv1d(floats(8, 3), 4, 3, padding="same", name="conv")
    return tf.layers.max_pooling1d(tf.nn.leaky_relu(h), 2, 2)


@case
def convolutions_of_space():
    h = tf.layers.conv3d(floats(4, 4, 4, 2), 3, 2, name="conv")
    return tf.layers.max_pooling3d(h, 2, 1)


@case
def local_responses():
    return tf.nn.lrn(floats(4, 4, 6), 2, 1.0, 0.1, 0.75)


@case
def sizes():
    x = floats(4, 4, 3)
    h = tf.image.resize_bilinear(x, [8, 8], align_corners=True)
    return h + tf.image.resize_nearest_neighbor(x, [8, 8])


@case
def blocks_of_space():
    return tf.batch_to_space_nd(
        tf.space_to_batch_nd(floats(4, 4, 3), [2, 2], [[0, 0]] * 2), [2, 2], [[0, 0]] * 2
    )


@case
def nested_loops():
    def inner(i, h):
        return i + 1, tf.while_loop(lambda j, g: j < i, lambda j, g: (j + 1, g * 0.5 + 1), [0, h])[
            1
        ]

    return tf.while_loop(lambda i, h: i < 3, inner, [0, floats(4)])[1]


@case
def branch_in_a_loop():
    def body(i, h):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: tf.sin(h), lambda: h * 2)

    return tf.while_loop(lambda i, h: i < 3, body, [0, floats(4)])[1]


@case
def switch_of_cases():
    x = floats(4)
    total = tf.reduce_sum(x)
    pairs = [(total > 1, lambda: x * 2), (total < -1, lambda: x * 3)]
    return tf.case(pairs, default=lambda: x + 1)


@case
def functions():
    @tf.function
    def inner(value):
        return tf.sin(value) * 2

    @tf.function
    def outer(value):
        return inner(value) + inner(value * 3)

    return outer(floats(4))


@case
def defun():
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def double(value):
        return value * 2

    return tf.reshape(double(floats(4)), [-1, 4])


@case
def indices():
    x = floats(6)
    values, places = tf.nn.top_k(x, 3)
    hot = tf.one_hot(tf.argmax(x, 1), 6)
    scattered = tf.scatter_nd([[1], [3]], [1.0, 2.0], [6])
    gathered = tf.gather_nd(x, [[0, 1], [1, 2]])
    base = values + tf.cast(places, tf.float32)
    return tf.concat([base, hot + scattered, x[:, ::-2] + tf.reduce_sum(gathered)], 1)


@case
def sequences():
    x = floats(4, 3)
    parts = tf.split(tf.cumsum(x, 1), 2, axis=1)
    joined = tf.stack(tf.unstack(tf.concat(parts[::-1], 1), axis=1), 1)
    return tf.reverse_sequence(joined, tf.fill([tf.shape(x)[0]], 3), seq_axis=1)


@case
def spectrum():
    return tf.abs(tf.signal.rfft(floats(8)))


@case
def linear_algebra():
    x = floats(3)
    matrix = tf.matmul(x, x, transpose_a=True) + 3 * tf.eye(3)
    return tf.matmul(x, tf.linalg.inv(matrix))


@case
def ragged_words():
    scores = tf.transpose(floats(4, 5), [1, 0, 2])
    decoded, _ = tf.nn.ctc_greedy_decoder(scores, tf.fill([tf.shape(scores)[1]], 4))
    return tf.sparse.to_dense(decoded[0])


@case
def checks():
    x = floats(4)
    with tf.control_dependencies([tf.assert_less(x, 100.0)]):
        return tf.check_numerics(tf.Print(tf.identity(x), [x]) * 2, "x")


@case
def doubles():
    x = v1.placeholder(tf.float64, [None, 4], name="x")
    return tf.matmul(x, v1.get_variable("w", [4, 3], tf.float64))


@case
def halves():
    x = v1.placeholder(tf.float16, [None, 4], name="x")
    return tf.matmul(x, v1.get_variable("w", [4, 3], tf.float16))


def array(x):
    """Returns a value for the input of a graph."""
    random = np.random.RandomState(3)
    shape = [3 if size is None else size for size in x.shape.as_list()]
    if x.dtype == tf.string:
        return np.array(["a", "c", "b"])
    if x.dtype == tf.int32:
        return random.randint(0, 6, shape).astype("int32")
    return random.standard_normal(shape).astype(x.dtype.as_numpy_dtype)


def gradients(y):
    """Returns {"gradient/" + name: the gradient of the sum of the squares of y by a variable}."""
    variables = v1.trainable_variables() if y.dtype.is_floating else []
    slopes = v1.gradients(tf.reduce_sum(y * y), variables) if variables else []
    return {
        "gradient/" + variable.op.name: tf.convert_to_tensor(slope)
        for variable, slope in zip(variables, slopes)
        if slope is not None
    }


def trained(session, saver, y, feed):
    """Returns {"sgd/" or "adam/" + name: a variable after a hundred steps}."""
    model = v1.trainable_variables()
    gradients_of_mean = v1.gradients(tf.reduce_mean(y * y), model)
    pairs = [pair for pair in zip(gradients_of_mean, model) if pair[0] is not None]
    # All before a step, as in TF 2: a ref variable may change while others' gradients read it.
    pairs = list(zip(v1.tuple([slope for slope, _ in pairs]), [variable for _, variable in pairs]))
    results = {}
    for kind, optimizer in (
        ("sgd", v1.train.GradientDescentOptimizer(0.01)),
        ("adam", v1.train.AdamOptimizer(0.01, epsilon=1e-3)),
    ):
        step = optimizer.apply_gradients(pairs)
        saver.restore(session, saver.last_checkpoints[-1])
        session.run(v1.variables_initializer(optimizer.variables()))
        for _ in range(STEPS):
            session.run(step, feed)
        results.update({f"{kind}/{variable.op.name}": session.run(variable) for variable in model})
    return results


def build(name, folder):
    graph = tf.Graph()
    with graph.as_default():
        v1.disable_resource_variables()
        v1.disable_control_flow_v2()
        v1.set_random_seed(1)
        y = tf.identity(CASES[name](), name="y")
        x = graph.get_tensor_by_name("x:0")
        value = array(x)
        loop_of_v1 = any(op.type == "Enter" for op in graph.get_operations())
        slopes = {} if loop_of_v1 else gradients(y)
        with v1.Session() as session:
            session.run([v1.global_variables_initializer(), v1.tables_initializer()])
            saver = v1.train.Saver(v1.global_variables() or [v1.train.create_global_step()])
            session.run(v1.global_variables_initializer())
            saver.save(session, os.path.join(folder, name, "model"))
            results = {"x": value, "y": session.run(y, {x: value})}
            results.update(session.run(slopes, {x: value}))
            if slopes:
                results.update(trained(session, saver, y, {x: value}))
        np.savez(os.path.join(folder, name + ".npz"), **results)


if __name__ == "__main__":
    for name in sys.argv[2:] or sorted(CASES):
        build(name, sys.argv[1])
