"""A GAN: two optimizers over scopes, transposed convolutions, noise made in the graph."""

import numpy as np
import tensorflow as tf

np.random.seed(6)
tf.set_random_seed(11)
real = np.random.rand(32, 8, 8, 1).astype(np.float32)
x = tf.placeholder(tf.float32, [None, 8, 8, 1])


def generator(z, reuse=None):
    with tf.variable_scope("generator", reuse=reuse):
        net = tf.layers.dense(z, 4 * 4 * 6)
        net = tf.reshape(net, [-1, 4, 4, 6])
        net = tf.layers.batch_normalization(net, training=True)
        net = tf.nn.leaky_relu(net)
        return tf.layers.conv2d_transpose(
            net, 1, 3, strides=2, padding="same", activation=tf.nn.sigmoid
        )


def discriminator(image, reuse=None):
    with tf.variable_scope("discriminator", reuse=reuse):
        net = tf.layers.conv2d(
            image,
            6,
            3,
            strides=2,
            padding="same",
            kernel_initializer=tf.random_normal_initializer(stddev=0.1),
        )
        net = tf.layers.dropout(tf.nn.leaky_relu(net), 0.3, training=True)
        return tf.layers.dense(tf.layers.flatten(net), 1)


def entropy(logits, label):
    labels = tf.ones_like(logits) * label
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=labels))


z = tf.random_uniform([16, 10], -1.0, 1.0)
fake = generator(z)
on_real, on_fake = discriminator(x), discriminator(fake, reuse=True)
d_loss = entropy(on_real, 0.9) + entropy(on_fake, 0.0)
g_loss = entropy(on_fake, 1.0)
d_vars = [v for v in tf.trainable_variables() if v.name.startswith("discriminator")]
g_vars = [v for v in tf.trainable_variables() if v.name.startswith("generator")]
d_train = tf.train.AdamOptimizer(0.002, beta1=0.5).minimize(d_loss, var_list=d_vars)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS, scope="generator")):
    g_train = tf.train.AdamOptimizer(0.002, beta1=0.5).minimize(g_loss, var_list=g_vars)
sample = generator(tf.random_normal([2, 10]), reuse=True)  # after both optimizers
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(8):
        _, d = sess.run([d_train, d_loss], {x: real[:16]})
        _, g = sess.run([g_train, g_loss], {x: real[16:]})
        print("step", i, "d_loss", d, "g_loss", g)
    print(sess.run(sample)[:, :2, :2, 0])
