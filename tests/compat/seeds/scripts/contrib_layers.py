"""A network of tf.contrib.layers, embeddings and images in it, and optimize_loss."""

import numpy as np
import tensorflow as tf
from tensorflow.contrib import layers

tf.set_random_seed(13)
rng = np.random.RandomState(0)
data, labels = rng.rand(24, 10).astype(np.float32), rng.randint(0, 3, 24)
words = rng.randint(0, 20, (24, 4))
x = tf.placeholder(tf.float32, [None, 10])
y = tf.placeholder(tf.int64, [None])
ids = tf.placeholder(tf.int64, [None, 4])

embedded = layers.embed_sequence(ids, vocab_size=20, embed_dim=5)
net = tf.concat([x, layers.flatten(embedded)], 1)
net = layers.fully_connected(net, 16, weights_regularizer=layers.l2_regularizer(1e-3))
net = layers.dropout(net, 0.6, is_training=True)
net = layers.batch_norm(net, is_training=True, updates_collections=None)
normal = layers.xavier_initializer(uniform=False)
net = layers.fully_connected(net, 12, activation_fn=tf.nn.elu, weights_initializer=normal)
net = layers.layer_norm(net)
image = tf.reshape(net, [-1, 2, 2, 3])
image = layers.conv2d(image, 4, 2, weights_initializer=layers.variance_scaling_initializer())
image = layers.max_pool2d(layers.conv2d_transpose(image, 3, 2, stride=2), 2)
net = tf.concat([net, layers.flatten(layers.avg_pool2d(image, 2, padding="SAME"))], 1)
shape = [net.get_shape().as_list()[1], 3]
logits = tf.matmul(net, tf.get_variable("w", shape, initializer=layers.xavier_initializer()))
logits += layers.fully_connected(net, 3, activation_fn=None)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
loss += tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
step = tf.train.get_or_create_global_step()
train = layers.optimize_loss(loss, step, 0.01, "Adam", clip_gradients=1.0, summaries=[])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(20):
        print(step, f"{sess.run([loss, train], {x: data, y: labels, ids: words})[0]:.6f}")
