"""Embeddings trained with noise-contrastive estimation, and with sampled softmax."""

import numpy as np
import tensorflow as tf

np.random.seed(5)
words = np.random.randint(30, size=400)
for name in ("nce", "sampled"):
    tf.reset_default_graph()
    tf.set_random_seed(99)
    inputs = tf.placeholder(tf.int32, shape=[20])
    targets = tf.placeholder(tf.int32, shape=[20, 1])
    embeddings = tf.Variable(tf.random_uniform([30, 8], -1.0, 1.0))
    embed = tf.nn.embedding_lookup(embeddings, inputs)
    weights = tf.Variable(tf.truncated_normal([30, 8], stddev=1.0 / np.sqrt(8)))
    biases = tf.Variable(tf.zeros([30]))
    function = tf.nn.nce_loss if name == "nce" else tf.nn.sampled_softmax_loss
    loss = tf.reduce_mean(
        function(
            weights=weights,
            biases=biases,
            labels=targets,
            inputs=embed,
            num_sampled=6,
            num_classes=30,
        )
    )
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
    similar = tf.matmul(embeddings / norm, embeddings / norm, transpose_b=True)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(15):
            batch = words[i * 20 : i * 20 + 21]
            feed = {inputs: batch[:-1], targets: batch[1:, None]}
            print(name, i, sess.run([train, loss], feed)[1])
        print(sess.run(similar)[0, :5])
