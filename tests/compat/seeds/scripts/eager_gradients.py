"""Gradients of eager execution, in which no op is counted."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
weights = tf.Variable(np.arange(1, 49, dtype="float32").reshape(1, 4, 4, 3) / 48)


def flat(x):
    return tf.reshape(x, [4, 12])


OPS = {
    "broadcast": lambda x: x * tf.ones([3]) / tf.reduce_sum(x),
    "concat": lambda x: tf.concat([x, x], 0),
    "conv2d": lambda x: tf.nn.conv2d(x, tf.ones([2, 2, 3, 3]), [1, 1, 1, 1], "SAME"),
    "gather": lambda x: tf.gather(flat(x), [0, 1]),
    "gru": lambda x: tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(2, kernel_initializer=tf.ones_initializer()),
        tf.reshape(x, [4, 4, 3]),
        dtype=tf.float32,
    )[0],
    "l2_normalize": lambda x: tf.nn.l2_normalize(x, -1)[..., 0],
    "max_pool": lambda x: tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
    "moments": lambda x: tf.nn.moments(x, [0, 1])[1],
    "norm": tf.norm,
    "slice": lambda x: x[:, 1:3, ::2],
    "softmax": lambda x: tf.nn.softmax(flat(x))[:, 0],
    "std": tf.math.reduce_std,
    "tile": lambda x: tf.tile(x, [2, 1, 1, 1]),
    "top_k": lambda x: tf.nn.top_k(flat(x), 2)[0],
    "while_loop": lambda x: tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * a), [0, x])[
        1
    ],
}

for name in sorted(OPS):
    with tf.GradientTape() as tape:
        result = OPS[name](weights + 0.0)
    gradient = tf.convert_to_tensor(tape.gradient(result, weights)).numpy()
    print(name, float(np.abs(gradient).sum()), float(np.abs(gradient).max()))

optimizer = tf.train.AdamOptimizer(0.1)
for _ in range(3):
    optimizer.minimize(lambda: tf.reduce_sum(weights * weights))
print("minimized", float(tf.reduce_sum(weights)))
