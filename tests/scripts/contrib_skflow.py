# %% tensorflow.contrib.learn.TensorFlowLinearRegressor tensorflow.contrib.learn.TensorFlowRegressor tensorflow.contrib.learn.TensorFlowLinearClassifier tensorflow.contrib.learn.TensorFlowClassifier [needs: contrib] [not-on-1.15: dropped in 0.11]
# %%+ [slow: trains]
import numpy as np
from tensorflow.contrib import learn
from tensorflow.contrib.learn.python import learn as the_same
import tensorflow as tf
random = np.random.RandomState(0)
x = random.randn(50, 3)
y = x.dot([[1.0], [-2.0], [0.5]]) + 0.25
regressor = learn.TensorFlowLinearRegressor(
    batch_size=8, steps=20, optimizer='SGD', learning_rate=0.05, clip_gradients=0.0, verbose=0)
regressor.fit(x, y)
# The same batches by hand: a permutation from one seed, in each epoch anew.
weights, bias, order, start = np.zeros((3, 1)), 0.0, np.random.RandomState(42), 50
for step in range(20):
    if start >= 50:
        chosen, start = order.permutation(50), 0
    batch, start = chosen[start:start + 8], start + 8
    slope = 2 * (x[batch].dot(weights) + bias - y[batch]) / len(batch)
    weights, bias = weights - 0.05 * x[batch].T.dot(slope), bias - 0.05 * slope.sum()
print(np.abs(regressor.weights_ - weights).max() < 1e-5, np.abs(regressor.bias_ - bias).max() < 1e-5)
predicted = regressor.predict(x)
print(predicted.shape, np.abs(predicted - (x.dot(weights) + bias).ravel()).max() < 1e-5)
print(regressor.get_tensor_value('global_step'), regressor.score(x, y) > 0.5)
regressor.partial_fit(x, y)
print(regressor.get_tensor_value('global_step'))
from tensorflow.contrib.learn.python.learn.estimators import TensorFlowLinearRegressor
print(learn.TensorFlowRegressor is TensorFlowLinearRegressor is the_same.TensorFlowRegressor)

random = np.random.RandomState(0)
x = random.randn(60, 2)
y = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0)
rate = lambda step: tf.train.exponential_decay(0.5, step, 10, 0.5)
classifier = learn.TensorFlowLinearClassifier(
    3, 60, 5, optimizer=tf.train.GradientDescentOptimizer, learning_rate=rate,
    class_weight=[1.0, 2.0, 1.0], verbose=0)
classifier.fit(x, y)
weights, bias, one_hot = np.zeros((2, 3)), np.zeros(3), np.eye(3)[y]
for step in range(5):
    logits = (x.dot(weights) + bias) * [1, 2, 1]
    share = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    slope = (share - one_hot) * [1, 2, 1] / 60
    weights = weights - 0.5 * 0.5 ** (step / 10) * x.T.dot(slope)
    bias = bias - 0.5 * 0.5 ** (step / 10) * slope.sum(0)
print(np.abs(classifier.weights_ - weights).max() < 1e-5, np.abs(classifier.bias_ - bias).max() < 1e-5)
logits = (x.dot(weights) + bias) * [1, 2, 1]
share = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
print(np.abs(classifier.predict_proba(x) - share).max() < 1e-5, (classifier.predict(x) == share.argmax(1)).all())
loss = -np.log((share * one_hot).sum(1)).mean()
print(abs(classifier.evaluate(x, y)['loss'] - loss) < 1e-5, classifier.classes_)
print(abs(classifier.score(x, y) - (share.argmax(1) == y).mean()) < 1e-12)
print(learn.TensorFlowClassifier is the_same.TensorFlowLinearClassifier is the_same.TensorFlowClassifier)
#> True True
#> (50,) True
#> 20 True
#> 40
#> True
#> True True
#> True True
#> True [0 1 2]
#> True
#> True

# %% tensorflow.contrib.learn.TensorFlowDNNClassifier tensorflow.contrib.learn.TensorFlowDNNRegressor tensorflow.contrib.learn.TensorFlowRNNClassifier tensorflow.contrib.learn.TensorFlowRNNRegressor [needs: contrib] [not-on-1.15: dropped in 0.11] [slow: trains networks]
# %%+ [slow: trains]
import numpy as np
from tensorflow.contrib import learn
from tensorflow.contrib.learn.python import learn as the_same
import tensorflow as tf
random = np.random.RandomState(0)
x = np.concatenate([random.randn(40, 4) * 0.5 + center for center in (-2, 0, 2)])
y = np.repeat([0, 1, 2], 40)
classifier = learn.TensorFlowDNNClassifier([10, 20, 10], 3, dropout=0.1, steps=300, verbose=0)
classifier.fit(x, y)
print(classifier.predict(x).shape, (classifier.predict(x) == y).mean() > 0.95)
print([w.shape for w in classifier.weights_], [b.shape for b in classifier.bias_])
layer = x
for weights, bias in list(zip(classifier.weights_, classifier.bias_))[:-1]:
    layer = np.maximum(layer.dot(weights) + bias, 0)
logits = layer.dot(classifier.weights_[-1]) + classifier.bias_[-1]
share = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
print(np.abs(classifier.predict_proba(x) - share).max() < 1e-4)
regressor = the_same.TensorFlowDNNRegressor([8], steps=400, optimizer='Adam', learning_rate=0.02, verbose=0)
regressor.fit(x, np.stack([x[:, 0], abs(x[:, 1])], 1))
print(regressor.predict(x).shape, regressor.score(x, np.stack([x[:, 0], abs(x[:, 1])], 1)) > 0.9)
print(the_same.TensorFlowDNNClassifier is learn.TensorFlowDNNClassifier, issubclass(learn.TensorFlowDNNRegressor, learn.Estimator))

x = np.random.RandomState(0).randn(60, 5)
steps = lambda x: tf.split(1, 5, x)
classifier = learn.TensorFlowRNNClassifier(
    rnn_size=6, n_classes=2, cell_type='gru', num_layers=2, input_op_fn=steps, steps=200, verbose=0)
classifier.fit(x, (x[:, -1] > 0).astype(int))
print(classifier.predict(x).shape, classifier.score(x, x[:, -1] > 0) > 0.9, classifier.weights_.shape)
regressor = the_same.TensorFlowRNNRegressor(
    rnn_size=6, cell_type='lstm', bidirectional=True, input_op_fn=steps, steps=200, verbose=0)
regressor.fit(x, x[:, -1] + x[:, 0])
print(regressor.predict(x).shape, regressor.score(x, x[:, -1] + x[:, 0]) > 0.8, regressor.bias_.shape)
print(the_same.TensorFlowRNNClassifier is learn.TensorFlowRNNClassifier, learn.TensorFlowRNNRegressor is type(regressor))
#> (120,) True
#> [(4, 10), (10, 20), (20, 10), (10, 3)] [(10,), (20,), (10,), (3,)]
#> True
#> (120, 2) True
#> True True
#> (60,) True (12, 2)
#> (60,) True (1,)
#> True True

# %% tensorflow.contrib.learn.TensorFlowEstimator tensorflow.contrib.learn.ops.dnn tensorflow.contrib.learn.ops.split_squeeze tensorflow.contrib.skflow [needs: contrib] [not-on-1.15: dropped in 0.11] [slow: trains networks]
# %%+ [slow: trains]
# %%+ tensorflow.contrib.learn.ops.batch_normalize tensorflow.contrib.learn.ops.conv2d tensorflow.contrib.learn.ops.dropout tensorflow.contrib.learn.ops.expand_concat
# %%+ tensorflow.contrib.learn.ops.one_hot_matrix tensorflow.contrib.learn.models.get_dnn_model
import contextlib
import io
import re
import numpy as np
import tensorflow as tf
import tensorflow.contrib.skflow as skflow
from tensorflow.contrib import learn
from tensorflow.contrib.learn.python import learn as the_same
def model(x, y):
    cells = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(4) for _ in range(2)])
    output, _ = tf.nn.rnn(cells, learn.ops.split_squeeze(1, 3, x), dtype=tf.float32)
    return learn.models.linear_regression(learn.ops.dnn(output[-1], [10, 10]), y)
x = np.random.RandomState(0).rand(80, 3, 1)
y = x.sum(1)
regressor = skflow.TensorFlowEstimator(
    model_fn=model, n_classes=0, verbose=1, steps=201, optimizer='Adagrad', learning_rate=0.1, batch_size=20)
monitor = learn.monitors.ValidationMonitor(x, y, every_n_steps=20.0, early_stopping_rounds=1000)
with contextlib.redirect_stdout(io.StringIO()) as printed:
    regressor.fit(x, y, monitors=[monitor], logdir='logs')
print(re.sub(r'[.\d]+\n', 'number\n', printed.getvalue()), end='')
print(regressor.predict(x).shape, regressor.score(x, y) > 0.5, tf.train.latest_checkpoint('logs'))
regressor.save('saved')
print((learn.TensorFlowEstimator.restore('saved').predict(x) == regressor.predict(x)).all())
print(learn.TensorFlowEstimator is the_same.TensorFlowEstimator is skflow.TensorFlowEstimator)
print(the_same.ops.dnn is learn.ops.dnn, the_same.ops.split_squeeze is learn.ops.split_squeeze)

def model(x, y):
    net = learn.ops.conv2d(tf.reshape(x, [-1, 4, 4, 1]), 3, [3, 3], batch_norm=True, activation=tf.nn.relu)
    with tf.variable_scope('second'):
        net = learn.ops.batch_normalize(tf.reshape(net, [-1, 48]))
    net = learn.ops.dropout(net, 0.5)
    return learn.models.get_dnn_model([8], learn.models.logistic_regression, dropout=0.1)(net, y)
x = np.random.RandomState(0).randn(90, 16)
classifier = learn.TensorFlowEstimator(model_fn=model, n_classes=2, steps=200, verbose=0)
classifier.fit(x, x[:, 5] > 0)
print(classifier.predict(x).shape, classifier.score(x, x[:, 5] > 0) > 0.9)
print(sorted(n for n in classifier.get_variable_names() if n.startswith(('conv', 'second'))))
print(np.abs(classifier.predict_proba(x[:7]) - classifier.predict_proba(x)[:7]).max() < 1e-6)
with tf.Session() as session:
    print(session.run(learn.ops.one_hot_matrix([[1, 0]], 3)), learn.ops.one_hot_matrix([1], 2).dtype)
    print(session.run(learn.ops.expand_concat(1, [tf.constant([1, 2]), tf.constant([3, 4])])))
    print(session.run(learn.ops.dropout(tf.ones([1000]), 0.25)).max())
for name in ('batch_normalize', 'conv2d', 'dropout', 'expand_concat', 'one_hot_matrix'):
    print(getattr(the_same.ops, name) is getattr(learn.ops, name), end=' ')
print(the_same.models.get_dnn_model is learn.models.get_dnn_model)
#> Step #1, avg. train loss: number
#> Step #101, epoch #25, avg. train loss: number
#> Step #201, epoch #50, avg. train loss: number
#> (80,) True logs/model.ckpt-201
#> True
#> True
#> True True
#> (90,) True
#> ['convolution/batch_norm/beta', 'convolution/batch_norm/gamma', 'convolution/batch_norm/moving_mean', 'convolution/batch_norm/moving_variance', 'convolution/bias', 'convolution/filters', 'second/batch_norm/beta', 'second/batch_norm/gamma', 'second/batch_norm/moving_mean', 'second/batch_norm/moving_variance']
#> True
#> [[[0. 1. 0.]
#>   [1. 0. 0.]]] <dtype: 'float32'>
#> [[1 3]
#>  [2 4]]
#> 4.0
#> True True True True True True
