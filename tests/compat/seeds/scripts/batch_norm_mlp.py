"""Dense layers with batch normalization, updates of its statistics, L2 regularization."""

import numpy as np
import tensorflow as tf

np.random.seed(2)
tf.set_random_seed(7)
data = np.random.randn(60, 9).astype(np.float32)
target = data[:, :2].sum(1, keepdims=True) ** 2
x = tf.placeholder(tf.float32, [None, 9])
y = tf.placeholder(tf.float32, [None, 1])
is_training = tf.placeholder_with_default(False, [])
net = x
for units in (16, 8):
    net = tf.layers.dense(
        net, units, use_bias=False, kernel_regularizer=lambda w: 1e-3 * tf.nn.l2_loss(w)
    )
    net = tf.layers.batch_normalization(net, training=is_training, momentum=0.9)
    net = tf.nn.relu(net)
out = tf.layers.dense(net, 1, kernel_initializer=tf.variance_scaling_initializer())
loss = tf.losses.mean_squared_error(y, out) + tf.losses.get_regularization_loss()
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(15):
        batch = slice(i * 20 % 60, i * 20 % 60 + 20)
        value, _ = sess.run([loss, train], {x: data[batch], y: target[batch], is_training: True})
        print(i, value)
    print("test", sess.run(loss, {x: data, y: target}))
