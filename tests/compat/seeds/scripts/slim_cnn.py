"""A CNN of tf.contrib.slim: arg_scope, batch normalization, regularizers, train op."""

import numpy as np
import tensorflow as tf
import tensorflow.contrib.slim as slim

tf.set_random_seed(11)
rng = np.random.RandomState(0)
images, labels = rng.rand(32, 12, 12, 3).astype(np.float32), rng.randint(0, 4, 32)
x = tf.placeholder(tf.float32, [None, 12, 12, 3])
y = tf.placeholder(tf.int64, [None])
training = tf.placeholder_with_default(True, [])

with slim.arg_scope(
    [slim.conv2d, slim.fully_connected],
    activation_fn=tf.nn.relu,
    weights_initializer=tf.truncated_normal_initializer(stddev=0.1),
    weights_regularizer=slim.l2_regularizer(1e-3),
    normalizer_fn=slim.batch_norm,
    normalizer_params={"is_training": training, "decay": 0.9},
):
    net = slim.repeat(x, 2, slim.conv2d, 8, [3, 3], scope="conv")
    net = slim.max_pool2d(net, [2, 2])
    plain = {"normalizer_fn": None, "weights_initializer": slim.xavier_initializer()}
    net = slim.conv2d(net, 8, [3, 3], **plain)
    net = slim.fully_connected(slim.flatten(net), 16)
    net = slim.dropout(net, 0.7, is_training=training)
    logits = slim.fully_connected(net, 4, activation_fn=None, normalizer_fn=None)

slim.losses.softmax_cross_entropy(logits, tf.one_hot(y, 4))
loss = slim.losses.get_total_loss()
train = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.001))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(20):
        print(step, f"{sess.run(train, {x: images, y: labels}):.6f}")
    print(sess.run(loss, {x: images, y: labels, training: False}))
