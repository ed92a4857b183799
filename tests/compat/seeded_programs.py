"""Small seeded TF1 programs of different kinds, which print numbers: name -> source.

Those of Python 2 are not for real TF 1.15 under Python 3.7.
"""

_HEAD = """\
import numpy as np
import tensorflow as tf
tf.set_random_seed(3)
np.random.seed(3)
"""

_LOOP = """
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(3):
        _, value = session.run([train, loss], feed(step))
        print("step %d loss %.8f" % (step, value))
    print("weights %.8f" % sum(np.abs(session.run(v)).sum() for v in tf.trainable_variables()))
"""

CNN = (
    _HEAD
    + """
x = tf.placeholder(tf.float32, [None, 12, 12, 1])
y = tf.placeholder(tf.int32, [None])
training = tf.placeholder(tf.bool)
net = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu, padding="same",
                       kernel_regularizer=tf.contrib.layers.l2_regularizer(0.01))
net = tf.layers.batch_normalization(net, training=training)
net = tf.layers.max_pooling2d(net, 2, 2)
net = tf.layers.dropout(tf.layers.flatten(net), 0.4, training=training)
logits = tf.layers.dense(net, 3)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits) + tf.losses.get_regularization_loss()
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.MomentumOptimizer(0.001, 0.9, use_nesterov=True).minimize(loss)
def feed(step):
    return {x: np.random.rand(5, 12, 12, 1), y: np.random.randint(0, 3, 5), training: True}
"""
    + _LOOP
)

DYNAMIC_RNN = (
    _HEAD
    + """
x = tf.placeholder(tf.float32, [None, 6, 3])
cells = [tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(4, use_peepholes=True,
         initializer=tf.random_uniform_initializer(-0.1, 0.1)), 0.7, state_keep_prob=0.8)
         for _ in range(2)]
cell = tf.nn.rnn_cell.MultiRNNCell(cells, state_is_tuple=True)
outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=[6, 2, 4], dtype=tf.float32)
loss = tf.reduce_mean(tf.square(tf.layers.dense(outputs, 1))) + tf.reduce_sum(state[1].h)
optimizer = tf.train.AdamOptimizer(0.01)
gradients, variables = zip(*optimizer.compute_gradients(loss))
gradients, norm = tf.clip_by_global_norm(gradients, 0.5)
train = optimizer.apply_gradients(zip(gradients, variables))
def feed(step):
    return {x: np.random.randn(3, 6, 3)}
"""
    + _LOOP
)

ESTIMATOR = """\
import numpy as np
import tensorflow as tf
tf.logging.set_verbosity(tf.logging.ERROR)
def model(features, labels, mode, params):
    net = tf.feature_column.input_layer(features, params["columns"])
    net = tf.layers.dense(net, params["units"], tf.nn.tanh)
    net = tf.layers.dropout(net, 0.3, training=mode == tf.estimator.ModeKeys.TRAIN)
    out = tf.squeeze(tf.layers.dense(net, 1), 1)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
    train = tf.train.AdagradOptimizer(rate).minimize(loss, step)
    metrics = {"error": tf.metrics.mean_absolute_error(labels, out)}
    return tf.estimator.EstimatorSpec(mode, None, loss, train, metrics)
columns = [tf.feature_column.numeric_column("a"),
           tf.feature_column.bucketized_column(tf.feature_column.numeric_column("b"), [0.3, 0.6])]
random = np.random.RandomState(5)
data = {"a": random.rand(16).astype("f"), "b": random.rand(16).astype("f")}
labels = (data["a"] - data["b"]).astype("f")
def inputs():
    return tf.data.Dataset.from_tensor_slices((data, labels)).shuffle(16, seed=4).repeat(3).batch(4)
config = tf.estimator.RunConfig(tf_random_seed=6, model_dir="model")
estimator = tf.estimator.Estimator(model, params={"columns": columns, "units": 5}, config=config)
estimator.train(inputs, steps=6)
scores = estimator.evaluate(inputs)
print(sorted((name, "%.7f" % value) for name, value in scores.items()))
print(["%.7f" % one["out"] for one in estimator.predict(inputs)][:5])
"""

DATASET = (
    _HEAD
    + """
data = tf.data.Dataset.from_tensor_slices((np.arange(20, dtype=np.float32), np.arange(20) % 3))
data = data.shuffle(10, seed=2).map(lambda v, k: (v + tf.random_uniform([], seed=8), k))
data = data.filter(lambda v, k: tf.not_equal(k, 1)).repeat(2).batch(4).prefetch(1)
values, kinds = data.make_one_shot_iterator().get_next()
noise = tf.random_normal(tf.shape(values)) + tf.truncated_normal(tf.shape(values))
total = tf.reduce_sum(values * tf.to_float(kinds) + noise)
with tf.Session() as session:
    try:
        while True:
            print("%.6f %s" % session.run((total, kinds)))
    except tf.errors.OutOfRangeError:
        print("end")
"""
)

CONTRIB_LAYERS = (
    _HEAD
    + """
from tensorflow.contrib import layers, slim
from tensorflow.contrib.framework import arg_scope
x = tf.placeholder(tf.float32, [4, 8, 8, 2])
with arg_scope([layers.conv2d], normalizer_fn=layers.batch_norm,
               normalizer_params={"is_training": True, "updates_collections": None},
               weights_initializer=layers.variance_scaling_initializer()):
    net = layers.conv2d(x, 4, [3, 3], stride=2, scope="one")
    net = layers.repeat(net, 2, layers.conv2d, 4, [3, 3], scope="two")
net = slim.dropout(slim.flatten(net), 0.6, is_training=True)
out = layers.fully_connected(net, 2, activation_fn=None,
                             weights_regularizer=layers.l2_regularizer(0.1))
loss = tf.nn.l2_loss(out) + tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
train = layers.optimize_loss(loss, tf.train.get_or_create_global_step(), 0.01, "RMSProp",
                             gradient_noise_scale=None, clip_gradients=1.0, summaries=[])
def feed(step):
    return {x: np.random.rand(4, 8, 8, 2)}
"""
    + _LOOP
)

CONTRIB_RNN = (
    _HEAD
    + """
from tensorflow.contrib import rnn, seq2seq
x = tf.placeholder(tf.float32, [4, 5, 3])
cell = rnn.LayerNormBasicLSTMCell(4, dropout_keep_prob=0.9)
other = rnn.AttentionCellWrapper(rnn.GRUBlockCell(4), 2, state_is_tuple=True)
outputs, state = rnn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
more, _ = tf.nn.dynamic_rnn(other, tf.stack(outputs, 1), dtype=tf.float32)
logits = tf.contrib.layers.fully_connected(more, 3, activation_fn=None)
loss = seq2seq.sequence_loss(logits, tf.constant([[0, 1, 2, 1, 0]] * 4), tf.ones([4, 5]))
train = tf.contrib.opt.LazyAdamOptimizer(0.02).minimize(loss)
def feed(step):
    return {x: np.random.randn(4, 5, 3)}
"""
    + _LOOP
)

KERAS = """\
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Dense, Dropout, Embedding
from tensorflow.keras.models import Sequential
tf.set_random_seed(2)
np.random.seed(2)
model = Sequential([Embedding(20, 4, input_length=6), LSTM(5, return_sequences=True), LSTM(3),
                    Dropout(0.2), Dense(1, activation="sigmoid", kernel_regularizer="l2")])
model.compile(tf.keras.optimizers.Adam(lr=0.05), "binary_crossentropy", metrics=["accuracy"])
data, labels = np.random.randint(0, 20, (16, 6)), np.random.randint(0, 2, 16)
history = model.fit(data, labels, batch_size=4, epochs=2, verbose=0, shuffle=True)
print(["%.8f" % value for value in history.history["loss"]])
print(["%.6f" % value for value in model.predict(data[:3]).ravel()])
"""

WORD2VEC = (
    _HEAD
    + """
import collections
import random
random.seed(1)
words = ("the quick brown fox jumps over the lazy dog and the cat " * 4).split()
counts = collections.Counter(words).most_common(8)
index = {word: place for place, (word, _) in enumerate(counts)}
data = [index.get(word, 0) for word in words]
inputs, labels = tf.placeholder(tf.int32, [6]), tf.placeholder(tf.int32, [6, 1])
embeddings = tf.Variable(tf.random_uniform([8, 5], -1.0, 1.0))
embedded = tf.nn.embedding_lookup(embeddings, inputs)
weights = tf.Variable(tf.truncated_normal([8, 5], stddev=0.4))
loss = tf.reduce_mean(tf.nn.nce_loss(weights=weights, biases=tf.Variable(tf.zeros([8])),
    inputs=embedded, labels=labels, num_sampled=3, num_classes=8))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
def feed(step):
    places = [random.randint(1, len(data) - 2) for _ in range(6)]
    return {inputs: [data[p] for p in places],
            labels: [[data[p + random.choice([-1, 1])]] for p in places]}
"""
    + _LOOP
)

GAN = (
    _HEAD
    + """
def generator(z, reuse=None):
    with tf.variable_scope("G", reuse=reuse):
        return tf.layers.dense(tf.layers.dense(z, 6, tf.nn.leaky_relu), 2, name="out")
def discriminator(x, reuse=None):
    with tf.variable_scope("D", reuse=reuse):
        return tf.layers.dense(tf.layers.dense(x, 6, tf.nn.elu), 1, name="out")
z, x = tf.random_normal([8, 3]), tf.placeholder(tf.float32, [8, 2])
real, fake = discriminator(x), discriminator(generator(z), True)
cross = lambda logits, value: tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(
    logits=logits, labels=tf.fill(tf.shape(logits), value)))
loss, loss_g = cross(real, 0.9) + cross(fake, 0.0), cross(fake, 1.0)
of = lambda scope: [v for v in tf.trainable_variables() if v.name.startswith(scope)]
train_d = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(loss, var_list=of("D"))
with tf.control_dependencies([train_d]):
    train = tf.train.RMSPropOptimizer(0.01, centered=True).minimize(loss_g, var_list=of("G"))
def feed(step):
    return {x: np.random.rand(8, 2)}
"""
    + _LOOP
)

QUEUE = """\
import tensorflow as tf
tf.set_random_seed(4)
values = tf.train.range_input_producer(12, num_epochs=2, shuffle=False)
value = tf.to_float(values.dequeue())
batch = tf.train.batch([value, value * 2], 4)
weight = tf.get_variable("w", [], initializer=tf.random_uniform_initializer(seed=5))
loss = tf.reduce_mean(tf.square(batch[0] * weight - batch[1]))
train = tf.train.FtrlOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(session, coordinator)
    try:
        while not coordinator.should_stop():
            value, _ = session.run([loss, train])
            print("%.6f" % value)
    except tf.errors.OutOfRangeError:
        print("done %.7f" % session.run(weight))
    finally:
        coordinator.request_stop()
    coordinator.join(threads)
"""

NUMPY = """\
import numpy as np
import tensorflow as tf
tf.set_random_seed(1)
np.random.seed(1)
pixels = np.random.randint(0, 256, (4, 4)).astype(np.uint8)
print(pixels[0] + 200, (pixels / 255.0).dtype, np.float32(0.1) * 3, np.mean(pixels))
print(np.array([1, 2], np.float32) * np.float64(0.1), (np.float32(3) + 1.0), pixels.sum() / 7)
print(np.float(2) ** 0.5, np.int(3.7), np.bool(0), np.product([1, 2, 3]), np.in1d([1, 5], [5]))
print(np.alen([1, 2]), np.cumproduct([1.5, 2.0]), np.asscalar(np.array([2.5])), np.round_(2.567, 1))
x = tf.constant(pixels, tf.float32)
y = tf.reduce_mean(x / np.float(255) * np.random.rand(4)) + tf.random_uniform([])
with tf.Session() as session:
    print(session.run([y, tf.reduce_sum(x, 0)]))
    print("%r" % float(session.run(y)))
"""

PANDAS = """\
import numpy as np
import pandas as pd
import tensorflow as tf
tf.set_random_seed(1)
frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [4.0, 3.0, 2.0, 1.0], "k": list("xyxy")})
frame = pd.concat([frame, pd.DataFrame({"a": [5.0], "b": [0.0], "k": ["x"]})],
                  ignore_index=True)
print(frame.loc[0, "a"], frame.groupby("k").mean().values.tolist(), frame["a"].iloc[[0]].values)
codes, names = pd.factorize(frame["k"])
kinds = pd.get_dummies(frame["k"])
matrix = np.concatenate([frame[["a", "b"]].values, kinds.values], 1)
print(matrix.tolist(), list(names), codes.tolist())
w = tf.Variable(tf.random_normal([4, 1], seed=2))
y = tf.matmul(tf.constant(matrix, tf.float32), w)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(y).ravel())
for place, row in frame.iterrows():
    print(place, row["a"] + row["b"])
"""

PYTHON2 = """\
import cPickle, sys, string
import numpy as np
import tensorflow as tf
tf.set_random_seed(3)
np.random.seed(3)
batches = 7 / 2
half = len([1, 2, 3]) / 2
rate = 1 / 2.0
sizes = {'one': 1, 'two': 2, 'three': 3}
print "batches", batches, half, -7 / 2, rate
for name, size in sorted(sizes.iteritems()): print name, size / 2,
print
pairs = zip(range(3), map(lambda v: v * 2, range(3)))
print pairs[0], pairs[-1], filter(None, [0, 1, 2]), sizes.has_key('two')
def mean(values): return sum(values) / len(values)
print mean([1, 2]), mean([1.0, 2]), reduce(lambda a, b: a * b, xrange(1, 5)), `3`
w = tf.get_variable("w", [4, batches], initializer=tf.random_normal_initializer(seed=9))
x = tf.placeholder(tf.float32, [None, 4])
loss = tf.reduce_mean(tf.matmul(x, w) ** 2)
train = tf.train.AdamOptimizer(rate).minimize(loss)
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    for step in xrange(10 / 3):
        value, _ = session.run([loss, train], {x: np.random.rand(8 / 3, 4)})
        print >>sys.stdout, "step", step, "%.7f" % value
saved = cPickle.loads(cPickle.dumps({'a': 1L}))
print saved['a'], string.join(['a', 'b'], '-'), u'x' == 'x', 0777, isinstance('s', basestring)
try:
    raise ValueError, "bad"
except ValueError, error:
    print error, 5 % 3, 1 <> 2
"""

PROGRAMS = {
    "cnn": CNN,
    "dynamic_rnn": DYNAMIC_RNN,
    "estimator": ESTIMATOR,
    "dataset": DATASET,
    "contrib_layers": CONTRIB_LAYERS,
    "contrib_rnn": CONTRIB_RNN,
    "keras": KERAS,
    "word2vec": WORD2VEC,
    "gan": GAN,
    "queue": QUEUE,
    "numpy": NUMPY,
    "pandas": PANDAS,
    "python2": PYTHON2,
}
