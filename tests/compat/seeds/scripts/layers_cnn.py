"""A convolutional network of tf.layers, with dropout and pooling, and an image summary."""

import numpy as np
import tensorflow as tf

np.random.seed(1)
tf.set_random_seed(42)
images = np.random.rand(64, 12, 12, 1).astype(np.float32)
labels = (images.mean((1, 2, 3)) * 30).astype(np.int64) % 3
x = tf.placeholder(tf.float32, [None, 12, 12, 1])
y = tf.placeholder(tf.int64, [None])
training = tf.placeholder(tf.bool)
net = tf.layers.conv2d(x, 8, 3, padding="same", activation=tf.nn.relu)
net = tf.layers.max_pooling2d(net, 2, 2)
net = tf.layers.conv2d(
    net,
    12,
    [3, 3],
    activation=tf.nn.relu,
    kernel_initializer=tf.truncated_normal_initializer(stddev=0.1),
)
net = tf.layers.flatten(net)
net = tf.layers.dense(net, 20, activation=tf.nn.relu)
net = tf.layers.dropout(net, rate=0.4, training=training)
logits = tf.layers.dense(net, 3)
loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
accuracy, update = tf.metrics.accuracy(y, tf.argmax(logits, 1))
tf.summary.scalar("loss", loss)
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.01, step, 5, 0.9, staircase=True)
train = tf.train.AdamOptimizer(rate).minimize(loss, global_step=step)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    for i in range(12):
        batch = slice(i * 16 % 64, i * 16 % 64 + 16)
        feed = {x: images[batch], y: labels[batch], training: True}
        _, value = sess.run([train, loss], feed)
        print(f"step {i} loss {value:.6f}")
    sess.run(update, {x: images, y: labels, training: False})
    print("accuracy", sess.run(accuracy))
