"""tf.data: shuffles by the graph's seed and by one of their own, in three kinds of iterator."""

import numpy as np
import tensorflow as tf

tf.set_random_seed(3)
values = np.arange(20).astype(np.float32)
dataset = tf.data.Dataset.from_tensor_slices(values)
one = dataset.shuffle(20).batch(5).make_one_shot_iterator().get_next()
two = dataset.shuffle(20, seed=9).batch(4).repeat().make_initializable_iterator()
three = dataset.map(lambda v: v + tf.random_uniform([])).shuffle(7).batch(6)
three = three.make_initializable_iterator()
four = tf.train.shuffle_batch([tf.random_normal([2])], 3, 50, 10, seed=1)
weights = tf.Variable(tf.random_normal([3]))
batch = two.get_next()
noisy = three.get_next()
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), two.initializer, three.initializer])
    print(sess.run(weights))
    for _ in range(4):
        print(sess.run(one), sess.run(batch))
    print(sess.run(noisy))
print(four.op.name)
