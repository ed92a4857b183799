"""An LSTM on a series: weights from tf.Variable, dynamic_rnn, gradient clipping."""

import numpy as np
import tensorflow as tf

np.random.seed(0)
tf.set_random_seed(1)
STEPS, UNITS, BATCH = 10, 12, 16
series = np.sin(np.arange(300) * 0.1) + 0.1 * np.random.randn(300)
x_all = np.array([series[i : i + STEPS, None] for i in range(280)], np.float32)
y_all = np.array([series[i + 1 : i + STEPS + 1, None] for i in range(280)], np.float32)

X = tf.placeholder(tf.float32, [None, STEPS, 1])
Y = tf.placeholder(tf.float32, [None, STEPS, 1])
weights = {
    "in": tf.Variable(tf.random_normal([1, UNITS])),
    "out": tf.Variable(tf.random_normal([UNITS, 1])),
}
biases = {
    "in": tf.Variable(tf.constant(0.1, shape=[UNITS])),
    "out": tf.Variable(tf.constant(0.1, shape=[1])),
}
batch_size = tf.shape(X)[0]
rows = tf.matmul(tf.reshape(X, [-1, 1]), weights["in"]) + biases["in"]
rows = tf.reshape(rows, [-1, STEPS, UNITS])
cell = tf.nn.rnn_cell.BasicLSTMCell(UNITS)
with tf.variable_scope("sec_lstm"):
    state = cell.zero_state(batch_size, dtype=tf.float32)
    output, final = tf.nn.dynamic_rnn(cell, rows, initial_state=state, dtype=tf.float32)
prediction = tf.matmul(tf.reshape(output, [-1, UNITS]), weights["out"]) + biases["out"]
loss = tf.reduce_mean(tf.square(tf.reshape(prediction, [-1]) - tf.reshape(Y, [-1])))
variables = tf.trainable_variables()
grads, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.0)
train = tf.train.AdamOptimizer(0.01).apply_gradients(zip(grads, variables))
noise = tf.random_normal([3])  # after the gradients: their ops count too
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        for start in range(0, 256, BATCH):
            feed = {X: x_all[start : start + BATCH], Y: y_all[start : start + BATCH]}
            _, value, size = sess.run([train, loss, norm], feed)
        print("epoch", epoch, "loss", value, "norm", size)
    print(sess.run(prediction, {X: x_all[:1]}).ravel())
    print(sess.run(noise))
