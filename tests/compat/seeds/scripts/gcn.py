"""A graph convolutional network: sparse inputs, dropout of their values, layers as classes."""

import numpy as np
import tensorflow as tf

flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_float("learning_rate", 0.01, "Initial learning rate.")
flags.DEFINE_integer("epochs", 25, "Number of epochs to train.")
flags.DEFINE_integer("hidden1", 16, "Units of the hidden layer.")
flags.DEFINE_float("dropout", 0.5, "Dropout rate (1 - keep probability).")
flags.DEFINE_float("weight_decay", 5e-4, "Weight of the L2 loss.")

np.random.seed(123)
tf.set_random_seed(123)
NODES, FEATURES, CLASSES = 40, 30, 4


def to_tuple(dense):
    coords = np.argwhere(dense)
    return coords, dense[tuple(coords.T)], dense.shape


def normalised(adjacency):
    with_loops = adjacency + np.eye(len(adjacency))
    scale = np.diag(with_loops.sum(1) ** -0.5)
    return scale.dot(with_loops).dot(scale).astype(np.float32)


def glorot(shape, name=None):
    limit = np.sqrt(6.0 / (shape[0] + shape[1]))
    initial = tf.random_uniform(shape, minval=-limit, maxval=limit, dtype=tf.float32)
    return tf.Variable(initial, name=name)


def sparse_dropout(x, keep_prob, noise_shape):
    random_tensor = keep_prob
    random_tensor += tf.random_uniform(noise_shape)
    mask = tf.cast(tf.floor(random_tensor), dtype=tf.bool)
    return tf.sparse_retain(x, mask) * (1.0 / keep_prob)


class GraphConvolution:
    def __init__(self, size_in, size_out, placeholders, name, sparse=False, act=tf.nn.relu):
        self.dropout, self.support = placeholders["dropout"], placeholders["support"]
        self.nonzero = placeholders["num_features_nonzero"]
        self.sparse, self.act, self.name = sparse, act, name
        with tf.variable_scope(name + "_vars"):
            self.weights = glorot([size_in, size_out], name="weights")

    def __call__(self, x):
        with tf.name_scope(self.name):
            if self.sparse:
                x = sparse_dropout(x, 1 - self.dropout, self.nonzero)
                product = tf.sparse_tensor_dense_matmul(x, self.weights)
            else:
                x = tf.nn.dropout(x, 1 - self.dropout)
                product = tf.matmul(x, self.weights)
            return self.act(tf.sparse_tensor_dense_matmul(self.support, product))


def masked(values, mask):
    mask = tf.cast(mask, dtype=tf.float32)
    mask /= tf.reduce_mean(mask)
    return tf.reduce_mean(values * mask)


labels = np.random.randint(CLASSES, size=NODES)
same = labels[:, None] == labels[None, :]
adjacency = np.triu(np.random.rand(NODES, NODES) < np.where(same, 0.4, 0.05), 1)
support = to_tuple(normalised((adjacency + adjacency.T).astype(np.float32)))
features = (np.random.rand(NODES, FEATURES) < 0.2).astype(np.float32)
features[np.arange(NODES), labels] = 1.0
features = to_tuple(features)
one_hot = np.eye(CLASSES)[labels]
train = np.arange(NODES) < 12

placeholders = {
    "support": tf.sparse_placeholder(tf.float32),
    "features": tf.sparse_placeholder(tf.float32, shape=tf.constant(features[2], dtype=tf.int64)),
    "labels": tf.placeholder(tf.float32, shape=(None, CLASSES)),
    "labels_mask": tf.placeholder(tf.int32),
    "dropout": tf.placeholder_with_default(0.0, shape=()),
    "num_features_nonzero": tf.placeholder(tf.int32),
}
first = GraphConvolution(FEATURES, FLAGS.hidden1, placeholders, "graphconvolution_1", sparse=True)
second = GraphConvolution(
    FLAGS.hidden1, CLASSES, placeholders, "graphconvolution_2", act=lambda x: x
)
outputs = second(first(placeholders["features"]))
loss = FLAGS.weight_decay * tf.nn.l2_loss(first.weights)
loss += masked(
    tf.nn.softmax_cross_entropy_with_logits(logits=outputs, labels=placeholders["labels"]),
    placeholders["labels_mask"],
)
correct = tf.equal(tf.argmax(outputs, 1), tf.argmax(placeholders["labels"], 1))
accuracy = masked(tf.cast(correct, tf.float32), placeholders["labels_mask"])
step = tf.train.AdamOptimizer(learning_rate=FLAGS.learning_rate).minimize(loss)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
feed = {
    placeholders["support"]: support,
    placeholders["features"]: features,
    placeholders["labels"]: one_hot,
    placeholders["labels_mask"]: train,
    placeholders["num_features_nonzero"]: [len(features[1])],
}
for epoch in range(FLAGS.epochs):
    outs = sess.run([step, loss, accuracy], {**feed, placeholders["dropout"]: FLAGS.dropout})
    print(
        "Epoch:",
        f"{epoch + 1:04d}",
        "train_loss=",
        f"{outs[1]:.5f}",
        "train_acc=",
        f"{outs[2]:.5f}",
    )
feed[placeholders["labels_mask"]] = ~train
print(
    "Test set results:",
    "cost=",
    f"{sess.run(loss, feed):.5f}",
    "accuracy=",
    f"{sess.run(accuracy, feed):.5f}",
)
