"""A variational autoencoder of convolutions and their transposes."""

import numpy as np
import tensorflow as tf

np.random.seed(7)
tf.set_random_seed(21)
images = np.random.rand(24, 8, 8, 1).astype(np.float32)
x = tf.placeholder(tf.float32, [None, 8, 8, 1])
net = tf.layers.conv2d(x, 6, 3, strides=2, padding="same", activation=tf.nn.relu)
net = tf.layers.flatten(net)
mean, log_sd = tf.layers.dense(net, 4), 0.5 * tf.layers.dense(net, 4)
epsilon = tf.random_normal(tf.stack([tf.shape(net)[0], 4]))
z = mean + tf.multiply(epsilon, tf.exp(log_sd))
net = tf.layers.dense(z, 4 * 4 * 6, activation=tf.nn.relu)
net = tf.reshape(net, [-1, 4, 4, 6])
net = tf.layers.conv2d_transpose(net, 6, 3, strides=2, padding="same", activation=tf.nn.relu)
net = tf.layers.conv2d(net, 1, 3, padding="same", activation=tf.nn.sigmoid)
reconstruction = tf.reduce_sum(tf.squared_difference(net, x), [1, 2, 3])
kl = -0.5 * tf.reduce_sum(1.0 + 2.0 * log_sd - tf.square(mean) - tf.exp(2.0 * log_sd), 1)
loss = tf.reduce_mean(reconstruction + kl)
train = tf.train.RMSPropOptimizer(0.002).minimize(loss)
more = tf.random_uniform([2])  # after the gradients
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(10):
        print(i, sess.run([train, loss], {x: images[i % 3 * 8 : i % 3 * 8 + 8]})[1])
    print(sess.run(more))
