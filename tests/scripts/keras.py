# %% keras [not-on-1.15: Keras 2 is not installed there] [options: --without keras.standalone]
# %%+ keras.layers.advanced_activations keras.layers.convolutional keras.layers.core
# %%+ keras.layers.embeddings keras.layers.local keras.layers.merge keras.layers.noise
# %%+ keras.layers.normalization keras.layers.pooling keras.layers.recurrent keras.layers.wrappers
# %%+ keras.engine keras.engine.topology keras.utils.np_utils keras.utils.data_utils
# %%+ keras.utils.generic_utils keras.preprocessing.image
import importlib
NAMES = """
keras
keras.layers.advanced_activations
keras.layers.convolutional
keras.layers.core
keras.layers.embeddings
keras.layers.local
keras.layers.merge
keras.layers.noise
keras.layers.normalization
keras.layers.pooling
keras.layers.recurrent
keras.layers.wrappers
keras.engine
keras.engine.topology
keras.utils.np_utils
keras.utils.data_utils
keras.utils.generic_utils
keras.preprocessing.image
"""
for name in NAMES.split():
    print(name, importlib.import_module(name) is not None)
#> keras True
#> keras.layers.advanced_activations True
#> keras.layers.convolutional True
#> keras.layers.core True
#> keras.layers.embeddings True
#> keras.layers.local True
#> keras.layers.merge True
#> keras.layers.noise True
#> keras.layers.normalization True
#> keras.layers.pooling True
#> keras.layers.recurrent True
#> keras.layers.wrappers True
#> keras.engine True
#> keras.engine.topology True
#> keras.utils.np_utils True
#> keras.utils.data_utils True
#> keras.utils.generic_utils True
#> keras.preprocessing.image True

# %% tensorflow.python.keras [not-on-1.15: several 1.x]
# %%+ tensorflow.python.keras._impl tensorflow.python.keras._impl.keras
# %%+ tensorflow.python.keras.layers.advanced_activations
# %%+ tensorflow.python.keras.layers.convolutional tensorflow.python.keras.layers.core
# %%+ tensorflow.python.keras.layers.embeddings tensorflow.python.keras.layers.local
# %%+ tensorflow.python.keras.layers.merge tensorflow.python.keras.layers.noise
# %%+ tensorflow.python.keras.layers.normalization tensorflow.python.keras.layers.pooling
# %%+ tensorflow.python.keras.layers.recurrent tensorflow.python.keras.layers.wrappers
# %%+ tensorflow.python.keras.engine tensorflow.python.keras.engine.topology
# %%+ tensorflow.python.keras.utils.np_utils tensorflow.python.keras.utils.data_utils
# %%+ tensorflow.python.keras.utils.generic_utils tensorflow.python.keras.preprocessing.image
# %%+ tensorflow.python.keras.preprocessing.sequence
import importlib
NAMES = """
tensorflow.python.keras
tensorflow.python.keras._impl
tensorflow.python.keras._impl.keras
tensorflow.python.keras.layers.advanced_activations
tensorflow.python.keras.layers.convolutional
tensorflow.python.keras.layers.core
tensorflow.python.keras.layers.embeddings
tensorflow.python.keras.layers.local
tensorflow.python.keras.layers.merge
tensorflow.python.keras.layers.noise
tensorflow.python.keras.layers.normalization
tensorflow.python.keras.layers.pooling
tensorflow.python.keras.layers.recurrent
tensorflow.python.keras.layers.wrappers
tensorflow.python.keras.engine
tensorflow.python.keras.engine.topology
tensorflow.python.keras.utils.np_utils
tensorflow.python.keras.utils.data_utils
tensorflow.python.keras.utils.generic_utils
tensorflow.python.keras.preprocessing.image
tensorflow.python.keras.preprocessing.sequence
"""
for name in NAMES.split():
    print(name, importlib.import_module(name) is not None)
#> tensorflow.python.keras True
#> tensorflow.python.keras._impl True
#> tensorflow.python.keras._impl.keras True
#> tensorflow.python.keras.layers.advanced_activations True
#> tensorflow.python.keras.layers.convolutional True
#> tensorflow.python.keras.layers.core True
#> tensorflow.python.keras.layers.embeddings True
#> tensorflow.python.keras.layers.local True
#> tensorflow.python.keras.layers.merge True
#> tensorflow.python.keras.layers.noise True
#> tensorflow.python.keras.layers.normalization True
#> tensorflow.python.keras.layers.pooling True
#> tensorflow.python.keras.layers.recurrent True
#> tensorflow.python.keras.layers.wrappers True
#> tensorflow.python.keras.engine True
#> tensorflow.python.keras.engine.topology True
#> tensorflow.python.keras.utils.np_utils True
#> tensorflow.python.keras.utils.data_utils True
#> tensorflow.python.keras.utils.generic_utils True
#> tensorflow.python.keras.preprocessing.image True
#> tensorflow.python.keras.preprocessing.sequence True

# %% keras [not-on-1.15: Keras 2 is not installed there] [options: --without keras.standalone]
import keras
import tensorflow as tf
from keras.layers.core import Dense
from keras.layers import Dense as same
print(Dense is same, Dense is tf.keras.layers.Dense)
print(issubclass(tf.layers.Layer, tf.keras.layers.Layer))
#> True True
#> True

# %% keras.backend.get_session keras.backend.set_session [not-on-1.15: Keras is not in it] [options: --without keras.standalone]
import tensorflow as tf
from keras import backend as K
session = tf.Session()
K.set_session(session)
print(K.get_session() is session, session.run(tf.constant(1)))
#> True 1

# %% keras.layers.CuDNNGRU keras.layers.CuDNNLSTM keras.initializers.normal keras.initializers.uniform keras.losses.cosine keras.losses.cosine_proximity keras.metrics.cosine keras.metrics.cosine_proximity [not-on-1.15: Keras itself is not there] [options: --without keras.standalone]
import tensorflow as tf
from keras import initializers, losses, metrics
from keras.layers import CuDNNGRU, CuDNNLSTM
for kind in (CuDNNGRU, CuDNNLSTM):
    print(kind(3).get_config()['units'], kind.__name__)
print(initializers.normal(stddev=0.).__class__.__name__, initializers.uniform().__class__.__name__)
one = tf.constant([[1., 0.]])
print(tf.Session().run([f(one, one) for f in (losses.cosine, losses.cosine_proximity, metrics.cosine, metrics.cosine_proximity)]))
#> 3 CuDNNGRU
#> 3 CuDNNLSTM
#> RandomNormal RandomUniform
#> [array([-1.], dtype=float32), array([-1.], dtype=float32), array([-1.], dtype=float32), array([-1.], dtype=float32)]

# %% tensorflow.python.keras.testing_utils tensorflow.python.keras.keras_parameterized [fails-not: False, a stale class]
import tensorflow as tf
from tensorflow.python.keras import keras_parameterized, testing_utils
print(issubclass(keras_parameterized.TestCase, tf.test.TestCase), callable(keras_parameterized.run_all_keras_modes))
(x, y), _ = testing_utils.get_test_data(10, 2, (3,), 4, random_seed=1)
print(x.shape, y.shape, isinstance(testing_utils.get_small_sequential_mlp(2, 2), tf.keras.Model))

# %% tensorflow.python.keras.saving.hdf5_format tensorflow.python.keras.saving.model_config tensorflow.python.keras.saving.save tensorflow.python.keras.saving.saved_model tensorflow.python.keras.saving.saving_utils tensorflow.python.keras.optimizer_v2.learning_rate_schedule tensorflow.python.keras.premade tensorflow.python.keras.engine.training_arrays tensorflow.python.keras.engine.training_distributed tensorflow.python.keras.engine.training_eager tensorflow.python.keras.engine.training_generator tensorflow.python.keras.layers.convolutional_recurrent tensorflow.python.keras.layers.cudnn_recurrent tensorflow.python.keras.layers.dense_attention tensorflow.python.keras.layers.rnn_cell_wrapper_v2
import importlib
import tensorflow as tf
from tensorflow.python.keras.saving import hdf5_format
from tensorflow.python.keras.saving.saved_model import load, utils
for name, attribute in (
    ("saving.hdf5_format", "load_weights_from_hdf5_group"),
    ("saving.model_config", "model_from_json"),
    ("saving.save", "load_model"),
    ("saving.saving_utils", "trace_model_call"),
    ("saving.saved_model", "load"),
    ("engine.training_arrays", "model_iteration"),
    ("engine.training_distributed", "experimental_tpu_test_loop"),
    ("engine.training_eager", "train_on_batch"),
    ("engine.training_generator", "model_iteration"),
    ("layers.rnn_cell_wrapper_v2", "DropoutWrapper"),
):
    module = importlib.import_module("tensorflow.python.keras." + name)
    print(name, hasattr(module, attribute))
from tensorflow.python.keras.premade import linear
from tensorflow.python.keras.layers import convolutional_recurrent, cudnn_recurrent, dense_attention
from tensorflow.python.keras.optimizer_v2 import learning_rate_schedule
print(linear.LinearModel is tf.keras.experimental.LinearModel, hdf5_format.save_model_to_hdf5.__name__)
print(dense_attention.Attention is tf.keras.layers.Attention)
print(learning_rate_schedule.ExponentialDecay is tf.keras.optimizers.schedules.ExponentialDecay)
print(convolutional_recurrent.ConvLSTM2D is tf.keras.layers.ConvLSTM2D, hasattr(cudnn_recurrent, "CuDNNLSTM"))

# %% tensorflow.python.keras.engine.network tensorflow.python.keras.engine.network.Network
import tensorflow as tf
from tensorflow.python.keras.engine import network
class Net(network.Network):
    def __init__(self):
        super(Net, self).__init__(name="net")
        self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")
    def call(self, x):
        return self.dense(x)
net = Net()
y = net(tf.ones([1, 3]))
print(net.name, len(net.trainable_weights), len(net.layers), isinstance(tf.keras.Sequential(), network.Network))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(y))

# %% tensorflow.keras.initializers.Initializer [fails-not: False]
import tensorflow as tf
keras = tf.keras.initializers
for made in (tf.random_normal_initializer(), tf.zeros_initializer(), tf.glorot_uniform_initializer(), keras.he_normal(), keras.RandomNormal(), keras.get("uniform"), keras.VarianceScaling()):
    print(isinstance(made, keras.Initializer))
print(isinstance(tf.tanh, keras.Initializer), issubclass(tf.constant_initializer, keras.Initializer), keras.Initializer.__name__)

class Mine(keras.Initializer):
    def __init__(self, value):
        self.value = value

    def __call__(self, shape, dtype=None, partition_info=None):
        return tf.ones(shape, dtype) * self.value

    def get_config(self):
        return {"value": self.value}

layer = tf.keras.layers.Dense(2, kernel_initializer=Mine(3.0))
y = layer(tf.ones([1, 2]))
variable = tf.get_variable("v", [2], initializer=Mine(4.0))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run([y, variable]), sorted(layer.get_config()["kernel_initializer"]["config"].items()))
print(Mine.from_config(Mine(5.0).get_config()).value)

# %% tensorflow.keras.losses.cosine_proximity [fails-not: the other sign]
import numpy as np
import tensorflow as tf
keras = tf.keras
y_true, y_pred = tf.constant([[1.0, 0.0], [1.0, 2.0]]), tf.constant([[1.0, 1.0], [3.0, 0.0]])
names = "cosine_proximity cosine cosine_similarity".split()
with tf.Session() as session:
    for function in [getattr(keras.losses, name) for name in names] + [keras.losses.CosineSimilarity(axis=1), keras.losses.get("cosine_proximity"), keras.metrics.cosine, keras.metrics.cosine_proximity]:
        print(session.run(function(y_true, y_pred)))
model = keras.Sequential([keras.layers.Dense(2, input_dim=2, use_bias=False, kernel_initializer="ones")])
model.compile("sgd", "cosine_proximity", metrics=["cosine_proximity", keras.metrics.CosineSimilarity()])
print(model.train_on_batch(np.array([[1.0, 2.0]]), np.array([[1.0, 0.0]])), model.metrics_names, model.get_weights())

# %% tensorflow.keras.Sequential.predict_classes
import numpy as np
import tensorflow as tf
layers = tf.keras.layers
model = tf.keras.Sequential([layers.Dense(2, input_dim=2, kernel_initializer="ones", activation="softmax")])
print(model.predict_classes(np.ones((2, 2))), model.predict_proba(np.ones((1, 2))))
model = tf.keras.Sequential([layers.Dense(1, input_dim=2, activation="sigmoid", kernel_initializer="ones")])
print(model.predict_classes(np.array([[1, 2], [-1, -2]])), model.predict_classes(np.ones((1, 2)), batch_size=1).dtype)

# %% tensorflow.keras.preprocessing.image.apply_affine_transform [fails-not: turned the other way]
import numpy as np
import tensorflow as tf
image = tf.keras.preprocessing.image
generator = image.ImageDataGenerator(rotation_range=30, shear_range=20.0, zoom_range=[0.8, 1.2], horizontal_flip=True, width_shift_range=0.2, height_shift_range=2, channel_shift_range=3.0)
for seed in range(4):
    print(generator.random_transform(np.arange(75.0).reshape(5, 5, 3), seed=seed)[1:3, 1:3].round(3).tolist())
x, y = next(generator.flow(np.arange(2 * 4 * 4 * 3.0).reshape(2, 4, 4, 3), [0, 1], batch_size=2, seed=3))
print(x[:, 1, 1].round(3).tolist(), y)
pixels = np.arange(27.0).reshape(3, 3, 3)
for options in ({"theta": 20}, {"tx": 0.5}, {"zx": 0.9}, {"shear": 10}, {"theta": 20, "tx": 0.5, "ty": -1, "zx": 0.9, "zy": 1.1, "shear": 5}, {}):
    print(image.apply_affine_transform(pixels, fill_mode="reflect", **options)[0:2, 1].round(4).tolist())
np.random.seed(0)
print(image.random_rotation(pixels, 30, 0, 1, 2).round(3)[1].tolist(), image.random_zoom(pixels, (0.5, 1.5), 0, 1, 2).round(3)[1].tolist())

# %% tensorflow.keras.layers.Layer.apply
import tensorflow as tf
L = tf.keras.layers
x, y = tf.keras.Input((3,)), tf.keras.Input((3,))
norm, dense = L.BatchNormalization(), L.Dense(2, kernel_regularizer="l2", activity_regularizer="l1")
a, b = dense.apply(norm(x, training=True)), dense(norm(y, training=True))
def count(function, *inputs):
    return [len(function(each)) for each in inputs]
print(a.shape, count(norm.get_updates_for, x, y, [x, y], None), count(dense.get_losses_for, x, y, None))
model = tf.keras.Model([x, y], [a, b])
print(count(model.get_updates_for, x, y, None), count(model.get_losses_for, x, y, None))
old = tf.layers.Dense(2, kernel_regularizer=tf.keras.regularizers.l2(0.1))
print(old.apply(x).shape, count(old.get_losses_for, x, None), count(old.get_updates_for, None))
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self._layers.append(L.Dense(2))

    def call(self, inputs):
        return self._layers[0](inputs)

net = Net()
print(net(x).shape, len(net.layers), len(net.weights), len(model._layers))
net._layers = []
print(len(net.layers), len(net.weights))
class Counted(L.Layer):
    def build(self, shape):
        self.steps = self.add_weight("steps", [], initializer="zeros", trainable=False)

    def call(self, inputs):
        self.add_update(tf.assign_add(self.steps, 1.0), inputs)
        self.add_update([tf.assign_add(self.steps, tf.reduce_sum(inputs))], inputs=inputs)
        return inputs

counted = Counted()
counted(x)
print(len(counted.updates), count(counted.get_updates_for, x, None))
inner = tf.keras.Sequential([L.Dense(2, input_shape=(3,))])
c, d = inner(x), inner(y)
outer = tf.keras.Model([x, y], L.Add()([c, d]))
print([layer["inbound_nodes"] for layer in outer.get_config()["layers"]])
again = tf.keras.Model.from_config(outer.get_config())
print([w.shape.as_list() for w in again.weights], tf.keras.models.clone_model(outer).output_shape)

# %% tensorflow.keras.layers.Layer.call [fails-not: it prints training=None too]
import tensorflow as tf

tf.enable_eager_execution()


class Scaled(tf.keras.layers.Layer):
    def call(self, inputs, by=1.0, **kwargs):
        print(sorted(kwargs.items()))
        return inputs * by


print(Scaled()(tf.ones([2]), by=3.0, seed=None).numpy(), Scaled()(tf.ones([1]), training=True).numpy())
Scaled()(tf.ones([1]), training=None)

# %% tensorflow.python.keras.mixed_precision.experimental tensorflow.python.keras.layers.normalization_v2
import tensorflow as tf
from tensorflow.python.keras.layers.normalization_v2 import BatchNormalization
from tensorflow.python.keras.mixed_precision.experimental import loss_scale_optimizer, policy
print(policy.Policy.__name__, loss_scale_optimizer.LossScaleOptimizer.__name__, BatchNormalization.__name__)

# %% tensorflow.python.keras.initializers.Constant [fails-not: those are the classes of TF 2.x]
# %%+ tensorflow.python.keras.initializers.Identity tensorflow.python.keras.initializers.Initializer
# %%+ tensorflow.python.keras.initializers.Ones tensorflow.python.keras.initializers.Orthogonal
# %%+ tensorflow.python.keras.initializers.RandomNormal
# %%+ tensorflow.python.keras.initializers.RandomUniform
# %%+ tensorflow.python.keras.initializers.TruncatedNormal
# %%+ tensorflow.python.keras.initializers.VarianceScaling
# %%+ tensorflow.python.keras.initializers.Zeros tensorflow.python.keras.initializers.constant
# %%+ tensorflow.python.keras.initializers.glorot_normal
# %%+ tensorflow.python.keras.initializers.glorot_uniform
# %%+ tensorflow.python.keras.initializers.he_normal tensorflow.python.keras.initializers.he_uniform
# %%+ tensorflow.python.keras.initializers.identity
# %%+ tensorflow.python.keras.initializers.lecun_normal
# %%+ tensorflow.python.keras.initializers.lecun_uniform tensorflow.python.keras.initializers.normal
# %%+ tensorflow.python.keras.initializers.ones tensorflow.python.keras.initializers.orthogonal
# %%+ tensorflow.python.keras.initializers.random_normal
# %%+ tensorflow.python.keras.initializers.random_uniform
# %%+ tensorflow.python.keras.initializers.truncated_normal
# %%+ tensorflow.python.keras.initializers.uniform tensorflow.python.keras.initializers.zeros
# %%+ tensorflow.python.keras.layers.BatchNormalization tensorflow.python.keras.layers.GRU
# %%+ tensorflow.python.keras.layers.GRUCell tensorflow.python.keras.layers.LSTM
# %%+ tensorflow.python.keras.layers.LSTMCell
# %%+ tensorflow.python.keras.layers.normalization.BatchNormalization
# %%+ tensorflow.python.keras.layers.recurrent.GRU tensorflow.python.keras.layers.recurrent.GRUCell
# %%+ tensorflow.python.keras.layers.recurrent.LSTM
# %%+ tensorflow.python.keras.layers.recurrent.LSTMCell
# %%+ tensorflow.python.keras.metrics.cosine_proximity
import numpy as np
import tensorflow as tf
from tensorflow.python.keras import initializers, layers, metrics
from tensorflow.python.keras.layers import normalization, recurrent
names = """
Constant Identity Initializer Ones Orthogonal RandomNormal RandomUniform TruncatedNormal
VarianceScaling Zeros constant glorot_normal glorot_uniform he_normal he_uniform identity
lecun_normal lecun_uniform normal ones orthogonal random_normal random_uniform truncated_normal
uniform zeros
"""
cells = "GRU GRUCell LSTM LSTMCell"
for module, public, names in (
    (layers, tf.keras.layers, "BatchNormalization " + cells), (recurrent, tf.keras.layers, cells),
    (normalization, tf.keras.layers, "BatchNormalization"),
    (initializers, tf.keras.initializers, names), (metrics, tf.keras.metrics, "cosine_proximity"),
):
    for name in names.split():
        print(name, getattr(module, name) is getattr(public, name))
with tf.Session() as session:
    layer = layers.GRU(2, kernel_initializer="ones", recurrent_initializer="ones")
    made = layer(tf.constant([[[0.5], [-0.25]]]))
    session.run(tf.global_variables_initializer())
    print([w.shape.as_list() for w in layer.weights], session.run(made))

# %% tensorflow.python.keras.engine.training_arrays
# %%+ tensorflow.python.keras.engine.training_distributed
# %%+ tensorflow.python.keras.engine.training_eager
# %%+ tensorflow.python.keras.engine.training_generator
# %%+ tensorflow.python.keras.layers.convolutional_recurrent
# %%+ tensorflow.python.keras.layers.cudnn_recurrent tensorflow.python.keras.layers.dense_attention
# %%+ tensorflow.python.keras.layers.normalization_v2 tensorflow.python.keras.layers.recurrent_v2
# %%+ tensorflow.python.keras.layers.rnn_cell_wrapper_v2
# %%+ tensorflow.python.keras.mixed_precision.experimental
# %%+ tensorflow.python.keras.mixed_precision.experimental.autocast_variable
# %%+ tensorflow.python.keras.mixed_precision.experimental.loss_scale_optimizer
# %%+ tensorflow.python.keras.mixed_precision.experimental.policy
# %%+ tensorflow.python.keras.mixed_precision.experimental.test_util
# %%+ tensorflow.python.keras.optimizer_v2.learning_rate_schedule tensorflow.python.keras.premade
# %%+ tensorflow.python.keras.premade.linear tensorflow.python.keras.premade.wide_deep
# %%+ tensorflow.python.keras.saving tensorflow.python.keras.saving.hdf5_format
# %%+ tensorflow.python.keras.saving.model_config tensorflow.python.keras.saving.save
# %%+ tensorflow.python.keras.saving.saved_model
# %%+ tensorflow.python.keras.saving.saved_model.constants
# %%+ tensorflow.python.keras.saving.saved_model.load
# %%+ tensorflow.python.keras.saving.saved_model.save
# %%+ tensorflow.python.keras.saving.saved_model.serialized_attributes
# %%+ tensorflow.python.keras.saving.saved_model.utils tensorflow.python.keras.saving.saving_utils
# %%+ tensorflow.python.keras.api tensorflow.python.keras.api._v1 tensorflow.python.keras.api.keras
# %%+ tensorflow.python.keras.api._v1.keras tensorflow.python.keras.api._v2
# %%+ tensorflow.python.keras.api._v2.keras tensorflow.python.keras.layers.recurrent_v2.GRU
# %%+ tensorflow.python.keras.layers.recurrent_v2.LSTM
# %%+ tensorflow.python.keras.layers.cudnn_recurrent.CuDNNGRU
# %%+ tensorflow.python.keras.layers.cudnn_recurrent.CuDNNLSTM
import importlib
for name in """
engine.training_arrays engine.training_distributed engine.training_eager engine.training_generator
layers.convolutional_recurrent layers.cudnn_recurrent layers.dense_attention
layers.normalization_v2 layers.recurrent_v2 layers.rnn_cell_wrapper_v2
mixed_precision.experimental mixed_precision.experimental.autocast_variable
mixed_precision.experimental.loss_scale_optimizer mixed_precision.experimental.policy
mixed_precision.experimental.test_util optimizer_v2.learning_rate_schedule premade premade.linear
premade.wide_deep saving saving.hdf5_format saving.model_config saving.save saving.saved_model
saving.saved_model.constants saving.saved_model.load saving.saved_model.save
saving.saved_model.serialized_attributes saving.saved_model.utils saving.saving_utils
""".split():
    print(name, importlib.import_module("tensorflow.python.keras." + name) is not None)
import tensorflow as tf
from tensorflow.python.keras.api import _v1
from tensorflow.python.keras.api.keras import losses
from tensorflow.python.keras.api._v1.keras import layers
from tensorflow.python.keras.api._v2.keras.layers import GRU
from tensorflow.python.keras.layers import cudnn_recurrent, recurrent_v2
print(losses.mse is tf.keras.losses.mse, layers.GRU is tf.keras.layers.GRU, GRU is recurrent_v2.GRU, GRU is layers.GRU)
print(recurrent_v2.LSTM is layers.LSTM, cudnn_recurrent.CuDNNGRU.__name__, cudnn_recurrent.CuDNNLSTM.__name__)

# %% tensorflow.keras.Model.__copy__
import copy
import tensorflow as tf

class Net(tf.keras.Model):
    def __init__(self, units, name="net"):
        super(Net, self).__init__(name=name)
        self.dense = tf.keras.layers.Dense(units)
    def call(self, x):
        return self.dense(x)

net = Net(2)
early = copy.copy(net)
net(tf.ones([1, 3]))
models = [net, tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])]
inputs = tf.keras.Input((2,))
models.append(tf.keras.Model(inputs, tf.keras.layers.Dense(3)(inputs)))
for model in models:
    copied = copy.copy(model)
    print(type(copied) is type(model), copied is model, copied.name == model.name)
    print([a is b for a, b in zip(copied.weights, model.weights)], copied.layers[-1] is model.layers[-1])
    copied.extra = 1
    print(hasattr(model, "extra"))
print(early.dense is net.dense, len(early.weights))

# %% tensorflow.keras.Model._set_inputs
import numpy as np
import tensorflow as tf

tf.enable_eager_execution()

class Net(tf.keras.Model):
    def __init__(self):
        super(Net, self).__init__()
        self.dense, self.drop = tf.keras.layers.Dense(3), tf.keras.layers.Dropout(0.5)
    def call(self, x, training=None):
        return self.drop(self.dense(x), training=training)

class Two(tf.keras.Model):
    def __init__(self):
        super(Two, self).__init__()
        self.a, self.b = tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)
    def call(self, inputs):
        x, y = inputs
        return self.a(x), self.b(y)

cases = [(Net(), tf.zeros([2, 4]), {}), (Net(), np.ones([2, 4], np.float32), {"training": True}), (Net(), tf.keras.Input([4]), {})]
for model, x, options in cases + [(Two(), [np.ones((3, 4)), np.ones((3, 5))], {})]:
    model._set_inputs(x, **options)
    lines = []
    model.summary(print_fn=lines.append)
    print(model.built, model.count_params(), [v.shape.as_list() for v in model.variables], len(model.layers))
model = Net()
model.compile(optimizer=tf.train.GradientDescentOptimizer(0.1), loss="mse")
model._set_inputs(np.zeros([2, 4], np.float32))
model.fit(np.ones([4, 4], np.float32), np.ones([4, 3], np.float32), verbose=0)
print(len(model.variables), model.predict(np.zeros([5, 4], np.float32)).shape)

# %% tensorflow.keras.Model.predict
import numpy as np
import tensorflow as tf
tf.enable_eager_execution()
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
x = np.arange(8, dtype=np.float32).reshape(4, 2) / 8
model.fit(x, x[:, :1], batch_size=2, epochs=2, shuffle=False, verbose=0)
print(np.round(model.get_weights()[0], 4).tolist(), np.round(model.predict(x), 4).tolist())
print(np.round(model.evaluate(x, x[:, :1], verbose=0), 4))

# %% tensorflow.keras.Model.call [fails-not: True, the layer's own default]
import tensorflow as tf
tf.enable_eager_execution()

class Noise(tf.keras.layers.Layer):
    def call(self, x, training=True):
        return x + 1 if training else x

class Nested(tf.keras.layers.Layer):
    def __init__(self):
        super(Nested, self).__init__()
        self.inner = Noise()

    def call(self, x, training=True):
        return 10 * self.inner(x) if training else 2 * self.inner(x)

def results(*kinds):
    x = tf.keras.Input([1])
    for kind in kinds:
        model = tf.keras.Model(x, kind()(x))
        models = [model, tf.keras.Model(x, model(x)), tf.keras.Sequential([kind()]), tf.keras.Model(x, kind()(x, True)), kind()]
        yield [m(tf.ones([1, 1]), **how) for m in models for how in ({}, {"training": True}, {"training": False}, {"training": None})]

for found in results(Noise, Nested):
    print([float(y) for y in found])
tf.keras.backend.set_learning_phase(0)
for found in results(Noise, Nested):
    print([float(y) for y in found])
with tf.Graph().as_default(), tf.Session() as session:
    for found in results(Noise, Nested):
        print([y.item() for y in session.run(found)])

# %% tensorflow.keras.utils.multi_gpu_model tensorflow.python.keras.utils.io_utils
# %%+ tensorflow.python.keras.utils.multi_gpu_utils
import numpy as np
import tensorflow as tf
from tensorflow.python.keras.utils import io_utils, multi_gpu_utils
print(callable(io_utils.ask_to_proceed_with_overwrite))
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
for gpus in (1, [0], 2):
    try:
        tf.keras.utils.multi_gpu_model(model, gpus)
    except ValueError as error:
        print(str(error).partition(" However")[0])
multi_gpu_utils._get_available_devices = lambda: ["/device:CPU:0", "/device:GPU:0", "/device:GPU:1"]
tf.keras.backend.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
inputs = [tf.keras.Input([2], name="a"), tf.keras.Input([1], name="b")]
dense = tf.keras.layers.Dense(2, kernel_initializer="ones", name="d")
both = tf.keras.Model(inputs, [dense(inputs[0]), tf.keras.layers.Add(name="s")(inputs)])
many = tf.keras.utils.multi_gpu_model(both, gpus=2)
data = [np.arange(10.).reshape(5, 2), np.arange(5.).reshape(5, 1)]
for one, two in zip(both.predict(data), many.predict(data)):
    print(np.array_equal(one, two), one.tolist())
print([(l.name, type(l).__name__) for l in many.layers if l.name != "model"], many.output_names, [o.op.name for o in many.outputs], [o.device for o in many.outputs])
print(sorted({op.device for op in tf.get_default_graph().get_operations() if "replica" in op.name}))
many.compile(tf.keras.optimizers.SGD(.01), "mse")
many.fit(data, [np.ones((5, 2)), np.ones((5, 2))], batch_size=5, epochs=2, verbose=0)
print(dense.get_weights())
print(multi_gpu_utils.multi_gpu_model(both, [0, 1], cpu_merge=False, cpu_relocation=True).predict(data)[0].shape)

# %% keras.utils.multi_gpu_model [not-on-1.15: Keras itself is not there] [options: --without keras.standalone]
# %%+ keras.utils.io_utils
# %%+ keras.utils.multi_gpu_utils keras.utils.training_utils
# %%+ keras.utils.HDF5Matrix keras.utils.io_utils.HDF5Matrix keras.utils.convert_all_kernels_in_model
# %%+ keras.utils.layer_utils.convert_all_kernels_in_model keras.utils.conv_utils.convert_kernel
# %%+ keras.wrappers keras.wrappers.scikit_learn [needs: h5py] keras.utils.conv_utils keras.utils.layer_utils
# %%+ keras.utils.vis_utils keras.engine.network keras.engine.network.Network keras.objectives
# %%+ keras.layers.convolutional_recurrent keras.layers.cudnn_recurrent keras.backend.tensorflow_backend
import tensorflow as tf
from keras.utils import io_utils, multi_gpu_model, multi_gpu_utils, training_utils
from keras.utils import HDF5Matrix, conv_utils, convert_all_kernels_in_model, layer_utils
from keras.wrappers.scikit_learn import KerasClassifier
import keras, keras.backend.tensorflow_backend as KTF
from keras.engine.network import Network
from keras.layers.convolutional_recurrent import ConvLSTM2D
from keras.layers.cudnn_recurrent import CuDNNLSTM
from keras.objectives import mean_squared_error
from keras.utils.vis_utils import plot_model
print(callable(KTF.set_session), callable(plot_model), mean_squared_error is keras.losses.mean_squared_error, issubclass(keras.models.Model, Network), ConvLSTM2D is keras.layers.ConvLSTM2D, CuDNNLSTM.__name__)
print(io_utils.HDF5Matrix is HDF5Matrix, layer_utils.convert_all_kernels_in_model is convert_all_kernels_in_model, callable(conv_utils.convert_kernel), keras.wrappers.scikit_learn.KerasClassifier is KerasClassifier)
print(callable(io_utils.path_to_string), multi_gpu_model is training_utils.multi_gpu_model, multi_gpu_utils.multi_gpu_model is multi_gpu_model)
#> True True True True True CuDNNLSTM
#> True True True True
#> True True True

# %% keras.uses_learning_phase [not-on-1.15: until 1.12]
import tensorflow as tf
from tensorflow.keras import layers
x = tf.keras.Input([3])
dense, dropped = layers.Dense(2)(x), layers.Dropout(0.5)(x)
y = layers.Activation("relu")(dropped)
print(dense._uses_learning_phase, dropped._uses_learning_phase, y._uses_learning_phase)
print(tf.keras.Model(x, dense).uses_learning_phase, tf.keras.Model(x, [dense, y]).uses_learning_phase)
dense._uses_learning_phase = True
print(dense._uses_learning_phase, hasattr(3, "_uses_learning_phase"))
#> False True True
#> False True
#> True False

# %% tensorflow.keras.Model.input_spec
import numpy as np
import tensorflow as tf
ones = dict(kernel_initializer="ones")
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=[4], name="d", **ones)])
a = tf.keras.Input([4], name="a")
two = tf.keras.Model([a, tf.keras.Input([1], name="b")], tf.keras.layers.Dense(1, **ones)(a))
found = [model(tf.ones([2, 5, 4])), model({"x": tf.ones([2, 4])}), two([tf.ones([3, 2, 4]), tf.ones([1])])]
print([tf.keras.backend.get_value(tf.reduce_sum(each)).tolist() for each in found], [each.shape.as_list() for each in found])
i = tf.keras.Input([3, 1])
print(tf.keras.Model(i, tf.keras.layers.Lambda(lambda x: x * 2.0)(i))(tf.ones([2, 3])).shape)
print(model.input_spec, model.predict(np.ones([2, 4])).tolist())
try:
    print(model(tf.ones([2, 5])))
except Exception as error:
    print(isinstance(error, ValueError))

# %% tensorflow.keras.experimental.LinearCosineDecay tensorflow.keras.experimental.NoisyLinearCosineDecay
import tensorflow as tf
rate = tf.keras.experimental.LinearCosineDecay(0.1, 10)
noisy = tf.keras.experimental.NoisyLinearCosineDecay(0.1, 10, initial_variance=0.0)
with tf.Session() as session:
    print(session.run([[each(step) for step in [0, 3, 20]] for each in [rate, noisy]]), rate.get_config())

# %% tensorflow.keras.layers.RNN.build tensorflow.keras.layers.Layer.name [slow: builds many layers]
import tensorflow as tf
layers = tf.keras.layers
class SmallLSTM2Layer(layers.Layer):
    pass
class _B3Net(tf.layers.Layer):
    pass
for layer in [
    layers.LSTM(2), layers.GRU(2), layers.SimpleRNN(2), layers.RNN(layers.LSTMCell(2)),
    layers.RNN([layers.LSTMCell(2), layers.GRUCell(2)]), layers.Bidirectional(layers.LSTM(2)),
    layers.Bidirectional(layers.RNN(layers.GRUCell(2))), layers.TimeDistributed(layers.Dense(2)),
]:
    print([w.name for w in tf.keras.Sequential([layers.InputLayer([4, 3]), layer]).weights])
print(layers.ConvLSTM2D(2, 2).name, SmallLSTM2Layer().name, _B3Net().name, layers.GRU(2).name)

# %% tensorflow.python.keras.utils.tf_utils.smart_cond tensorflow.python.keras.utils.generic_utils.custom_object_scope
# %%+ tensorflow.python.keras.utils.generic_utils.CustomObjectScope tensorflow.python.keras.utils.generic_utils.get_custom_objects
# %%+ tensorflow.python.keras.utils.generic_utils.deserialize_keras_object tensorflow.python.keras.utils.generic_utils.serialize_keras_object
import tensorflow as tf
from tensorflow.python.keras.utils import tf_utils
from tensorflow.python.keras.utils.generic_utils import custom_object_scope, CustomObjectScope, get_custom_objects
print(tf_utils.smart_cond(True, lambda: 1, lambda: 2), tf_utils.smart_cond(False, lambda: 1, lambda: 2))
with tf.Session() as session:
    print(session.run(tf_utils.smart_cond(tf.constant(False), lambda: tf.constant(1), lambda: tf.constant(2))))
class Mine(tf.keras.layers.Layer):
    pass
with custom_object_scope({"Mine": Mine}), CustomObjectScope({"Other": Mine}):
    print(tf.keras.layers.deserialize({"class_name": "Mine", "config": {}}).name)
print(tf.keras.utils.get_custom_objects() is get_custom_objects())
from tensorflow.python.keras.utils.generic_utils import deserialize_keras_object, serialize_keras_object
config = serialize_keras_object(tf.keras.layers.Flatten(name="f"))
print(config["class_name"], config["config"]["name"], deserialize_keras_object(config, {"Flatten": tf.keras.layers.Flatten}).name)

# %% tensorflow.keras.callbacks.Callback tensorflow.keras.metrics [slow: trains]
import gc
import weakref
import numpy as np
import tensorflow as tf
tf.enable_eager_execution()
x = np.arange(20, dtype=np.float32).reshape(10, 2) / 8
y = x[:, :1] ** 2

def shown(logs):
    return [(k, round(float(v), 4)) for k, v in sorted((logs or {}).items()) if k != "outputs"]

class Look(tf.keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        print([(k, self.params[k]) for k in ("batch_size", "do_validation", "epochs", "samples")])

    def on_batch_begin(self, batch, logs=None):
        print("begin", batch, shown(logs))

    def on_batch_end(self, batch, logs=None):
        print("end", batch, shown(logs))

    def on_test_batch_end(self, batch, logs=None):
        print("test", batch, shown(logs))

    def on_predict_batch_end(self, batch, logs=None):
        print("predict", batch, shown(logs))

    def on_epoch_end(self, epoch, logs=None):
        print("epoch", epoch, shown(logs))

class Saves(tf.keras.callbacks.ModelCheckpoint):
    def _save_model(self, *arguments, **options):
        print("saved")

def model(outputs):
    given = tf.keras.Input((2,))
    layers = [tf.keras.layers.Dense(1, kernel_initializer="ones", name=name)(given) for name in "ab"[:outputs]]
    made = tf.keras.Model(given, layers if outputs > 1 else layers[0])
    kinds = [tf.keras.metrics.MeanSquaredError(name="mine"), "mae", "mae", "accuracy"] if outputs == 1 else ["mae"]
    made.compile(tf.keras.optimizers.SGD(0.01), "mse", metrics=kinds, weighted_metrics=["mse"])
    return made

for outputs in (1, 2):
    wanted = y if outputs == 1 else [y, y]
    part = [y[:5]] * 2 if outputs == 2 else y[:5]
    made = model(outputs)
    history = made.fit(x, wanted, 4, epochs=2, shuffle=False, verbose=0, validation_data=(x[:5], part), callbacks=[Look(), Saves("x", save_freq=6)])
    print(sorted(history.history), made.metrics_names)
    for is_reset in (True, False, False, True, True):
        print(np.round(made.train_on_batch(x[:4], [y[:4]] * outputs, reset_metrics=is_reset), 4))
        print(np.round(made.test_on_batch(x[:3], [y[:3]] * outputs, reset_metrics=is_reset), 4))
    data = tf.data.Dataset.from_tensor_slices((x, y if outputs == 1 else (y, y))).batch(4)
    print(np.round(made.evaluate(data, verbose=0), 4), np.round(made.evaluate(data, steps=2, verbose=0), 4))
    history = made.fit(data, epochs=1, verbose=0, validation_data=data)
    print([(key, [round(float(number), 4) for number in value]) for key, value in sorted(history.history.items())])
made.predict(x, 4, callbacks=[Look()])

def forgotten():
    made = model(1)
    made.fit(x, y, verbose=0, validation_data=(x, y))
    made.evaluate(x, y, verbose=0)
    return weakref.ref(made)

gone = forgotten()
tf.keras.backend.clear_session()
gc.collect()
print(gone() is None)

# %% tensorflow.keras.layers.BatchNormalization.call [fails-not: it is a float32]
import numpy as np
import tensorflow as tf
x = tf.constant(np.arange(6.0).reshape(2, 3))
for make in (tf.layers.BatchNormalization, tf.keras.layers.BatchNormalization):
    for training in (False, True):
        layer = make()
        layer.build([None, 3])
        for given in (x, tf.cast(x, tf.float32), x):
            for call in (layer, layer.call):
                result = call(given, training=training)
                with tf.Session() as session:
                    session.run(tf.global_variables_initializer())
                    print(result.dtype.name, layer.dtype, session.run(result).round(4).tolist())

# %% tensorflow.keras.layers.LayerNormalization.call
import numpy as np
import tensorflow as tf
nan = float("nan")
x = tf.placeholder(tf.float32, [None, 2, 3])
layer = tf.keras.layers.LayerNormalization()
y = layer(x)
print(y.name, y.shape, [op.type for op in tf.get_default_graph().get_operations() if "Batch" in op.type])
deep = tf.keras.layers.LayerNormalization(axis=[1, 2], epsilon=0.1, center=False)(x)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    fed = {x: [[[1.0, 2.0, nan], [4.0, 6.0, 5.0]], [[1e30, 2.0, 3.0], [0.001, 0.002, 0.003]]]}
    for value in session.run([y, tf.gradients(y[1, 1], x)[0][1, 1], deep[1:]], fed):
        print((np.round(value, 4) + 0.0).tolist())
#> layer_normalization/batchnorm/add_1:0 (?, 2, 3) []
#> [[[nan, nan, nan], [-1.2237999439239502, 1.2237999439239502, 0.0]], [[0.0, 0.0, 0.0], [-0.031599998474121094, 0.0, 0.031599998474121094]]]
#> [0.0, 0.0, 0.0]
#> [[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]

# %% tensorflow.keras.models.model_from_yaml [not-on-1.15: PyYAML 6 refuses its call of load]
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,), activation="relu"), tf.keras.layers.Dense(1)])
text = model.to_yaml()
again = tf.keras.models.model_from_yaml(text)
print("class_name: Dense" in text, [layer.units for layer in again.layers], again.input_shape, [w.shape.as_list() for w in again.weights])
x = tf.keras.layers.Input([4], name="x")
functional = tf.keras.Model(x, tf.keras.layers.Dense(2, name="d")(x))
print(tf.keras.models.model_from_yaml(functional.to_yaml(default_flow_style=True)).get_layer("d").units)
#> True [3, 1] (None, 2) [[2, 3], [3], [3, 1], [1]]
#> 2

# %% tensorflow.keras.Sequential.get_config
import numpy as np
import tensorflow as tf
made = [
    tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,), name="a"), tf.keras.layers.Dense(1, name="b")]),
    tf.keras.Sequential([tf.keras.layers.InputLayer([2], name="x"), tf.keras.layers.Dense(3, name="c")]),
    tf.keras.Sequential([tf.keras.layers.Dense(3, name="d")]),
]
x = np.ones([1, 2], "float32")
for model in made:
    config = model.get_config()
    print([layer["class_name"] for layer in config["layers"]], config["layers"][0]["config"].get("batch_input_shape"))
    if model.built:
        again = tf.keras.Sequential.from_config(config)
        again.set_weights(model.get_weights())
        print(again.input_shape, [layer.name for layer in again.layers], np.allclose(again.predict(x), model.predict(x)))
        json = tf.keras.models.model_from_json(model.to_json())
        copy = tf.keras.models.clone_model(model)
        print(json.input_shape, len(json.layers), copy.output_shape, len(copy.layers))
made[0].save("model.h5")
loaded = tf.keras.models.load_model("model.h5", compile=False)
print([layer.name for layer in loaded.layers], np.allclose(loaded.predict(x), made[0].predict(x)))
#> ['Dense', 'Dense'] (None, 2)
#> (None, 2) ['a', 'b'] True
#> (None, 2) 2 (None, 1) 2
#> ['Dense'] (None, 2)
#> (None, 2) ['c'] True
#> (None, 2) 1 (None, 3) 1
#> ['Dense'] None
#> ['a', 'b'] True

# %% tensorflow.keras.layers.Layer.get_config
import json
import numpy as np
import tensorflow as tf
layers = tf.keras.layers
made = [
    layers.Conv2D(3, 2), layers.DepthwiseConv2D(2), layers.SeparableConv1D(3, 2), layers.Conv3DTranspose(3, 2),
    layers.GlobalMaxPooling1D(), layers.GlobalAveragePooling2D(), layers.GlobalMaxPooling3D(), layers.GaussianNoise(0.5),
    layers.GaussianDropout(0.5), layers.AlphaDropout(0.5), layers.Attention(causal=True), layers.AdditiveAttention(),
    layers.InputLayer([3]),
]
for one in made:
    print(type(one).__name__, *sorted(one.get_config()))
    again = type(one).from_config(one.get_config())
    print(again.get_config() == one.get_config())


class Mine:
    def __init__(self, units, use_scale=False, causal=False, name=None, trainable=True, dtype=None):
        self.causal = causal


class MyConv(tf.keras.layers.Conv2D):
    def get_config(self):
        return {**super().get_config(), "seed": None, "groups": 1}


config = layers.Attention(causal=True).get_config()
print(Mine(3, **config).causal, layers.Attention.from_config(config).causal)
print([key in MyConv(3, 2).get_config() for key in ("seed", "groups")])
x = np.arange(6, dtype="float32").reshape([1, 3, 2]) / 6
a = tf.keras.Input([3, 2])
model = tf.keras.Model(a, layers.Attention(causal=True, name="look")([a, a]))
copy = tf.keras.models.model_from_json(model.to_json())
print(np.round(copy.predict(x), 4).tolist(), np.array_equal(copy.predict(x), model.predict(x)))
print(sorted(json.loads(tf.keras.Sequential([layers.Conv1D(2, 3, input_shape=(5, 1))]).to_json())["config"]["layers"][0]["config"]))
#> Conv2D activation activity_regularizer bias_constraint bias_initializer bias_regularizer data_format dilation_rate dtype filters kernel_constraint kernel_initializer kernel_regularizer kernel_size name padding strides trainable use_bias
#> True
#> DepthwiseConv2D activation activity_regularizer bias_constraint bias_initializer bias_regularizer data_format depth_multiplier depthwise_constraint depthwise_initializer depthwise_regularizer dilation_rate dtype kernel_size name padding strides trainable use_bias
#> True
#> SeparableConv1D activation activity_regularizer bias_constraint bias_initializer bias_regularizer data_format depth_multiplier depthwise_constraint depthwise_initializer depthwise_regularizer dilation_rate dtype filters kernel_constraint kernel_initializer kernel_regularizer kernel_size name padding pointwise_constraint pointwise_initializer pointwise_regularizer strides trainable use_bias
#> True
#> Conv3DTranspose activation activity_regularizer bias_constraint bias_initializer bias_regularizer data_format dtype filters kernel_constraint kernel_initializer kernel_regularizer kernel_size name output_padding padding strides trainable use_bias
#> True
#> GlobalMaxPooling1D data_format dtype name trainable
#> True
#> GlobalAveragePooling2D data_format dtype name trainable
#> True
#> GlobalMaxPooling3D data_format dtype name trainable
#> True
#> GaussianNoise dtype name stddev trainable
#> True
#> GaussianDropout dtype name rate trainable
#> True
#> AlphaDropout dtype name rate trainable
#> True
#> Attention causal dtype name trainable use_scale
#> True
#> AdditiveAttention causal dtype name trainable use_scale
#> True
#> InputLayer batch_input_shape dtype name ragged sparse
#> True
#> True True
#> [True, True]
#> [[[0.0, 0.16670000553131104], [0.18970000743865967, 0.3562999963760376], [0.4401000142097473, 0.6067000031471252]]] True
#> ['activation', 'activity_regularizer', 'batch_input_shape', 'bias_constraint', 'bias_initializer', 'bias_regularizer', 'data_format', 'dilation_rate', 'dtype', 'filters', 'kernel_constraint', 'kernel_initializer', 'kernel_regularizer', 'kernel_size', 'name', 'padding', 'strides', 'trainable', 'use_bias']

# %% tensorflow.keras.layers.Lambda.call
import numpy as np
import tensorflow as tf
K = tf.keras.backend
tf.enable_resource_variables()


def scaled(x):
    w = tf.Variable(np.full([2, 3], 0.5, "float32"), name="w")
    return tf.matmul(x, w) + tf.Variable([1.0, 2.0, 3.0], name="fixed", trainable=False)


def gained(x, training=None):
    with tf.variable_scope("gains", reuse=tf.AUTO_REUSE):
        gain = tf.get_variable("gain", [], initializer=tf.ones_initializer())
    return K.in_train_phase(x * gain * 2, x * gain, training)


def in_two(x):
    return x + tf.Variable(1.0) * tf.Variable(10.0)


a, b = tf.keras.Input([2]), tf.keras.Input([2])
layer = tf.keras.layers.Lambda(scaled, name="scale")
first, second = layer(a), layer(b)
print([w.name for w in layer.trainable_weights], layer(a) is first, [w.name for w in layer.non_trainable_weights])
gain = tf.keras.layers.Lambda(gained, name="gain")
model = tf.keras.Model([a, b], gain(tf.keras.layers.add([first, second])))
print(len(model.trainable_weights), len(model.weights), [w.shape for w in model.get_weights()])
model.compile(tf.keras.optimizers.SGD(0.001), "mse")
x = np.arange(8, dtype="float32").reshape([4, 2]) / 8
print(np.round(model.predict([x, x]), 4).tolist())
history = model.fit([x, x], np.ones([4, 3]), epochs=3, shuffle=False, batch_size=4, verbose=0)
print(np.round(history.history["loss"], 4).tolist())
print([np.round(w, 4).tolist() for w in model.get_weights()])
plain = tf.keras.layers.Lambda(lambda x, mask=None, n=1: (x * n, mask)[0], arguments={"n": 3})
print(K.eval(plain(tf.constant([1.0, 2.0]))).tolist(), len(plain.weights), plain.get_config()["arguments"]["n"])
two = tf.keras.layers.Lambda(in_two)
out = two(tf.keras.Input([1]))
print(len(two.weights))
#> ['scale/w:0'] False ['scale/fixed:0']
#> 2 3 [(2, 3), (3,), ()]
#> [[2.125, 4.125, 6.125], [2.625, 4.625, 6.625], [3.125, 5.125, 7.125], [3.625, 5.625, 7.625]]
#> [88.4792, 54.1837, 33.4635]
#> [[[0.4887999892234802, 0.4805999994277954, 0.4722999930381775], [0.48570001125335693, 0.4745999872684479, 0.4636000096797943]], [1.0, 2.0, 3.0], 0.5353999733924866]
#> [3.0, 6.0] 0 3
#> 1

# %% tensorflow.keras.utils.HDF5Matrix [needs: h5py]
# %%+ tensorflow.python.keras.utils.HDF5Matrix tensorflow.python.keras.utils.io_utils.HDF5Matrix
# %%+ tensorflow.contrib.keras.utils.HDF5Matrix [needs: contrib]
import os, tempfile
import h5py
import numpy as np
import tensorflow as tf
from tensorflow.python.keras.utils import HDF5Matrix as again
from tensorflow.python.keras.utils.io_utils import HDF5Matrix as same
HDF5Matrix = tf.keras.utils.HDF5Matrix
print(same is HDF5Matrix, again is HDF5Matrix, tf.contrib.keras.utils.HDF5Matrix is HDF5Matrix)
path = os.path.join(tempfile.mkdtemp(), "a.h5")
with h5py.File(path, "w") as f:
    f["x"] = np.arange(24.).reshape(12, 2).astype("f4")
    f["y"] = np.arange(12.).reshape(12, 1).astype("f4")
x, y = HDF5Matrix(path, "x", 2, 10), HDF5Matrix(path, "y", start=2, end=10, normalizer=lambda v: v / 2)
print(len(x), x.shape, x.dtype, x.ndim, int(x.size), x[1].tolist(), x[-1].tolist(), x[2:4].tolist(), x[6:].tolist(), x[:].shape, y[np.array([0, 2])].tolist(), y[[1, 7]].tolist())
for wrong in (8, slice(0, 9), [3, 8], np.array([8])):
    try:
        print(x[wrong])
    except IndexError:
        print("IndexError")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile("sgd", "mse")
print(model.predict(x, batch_size=3).ravel().tolist(), model.evaluate(x, y, verbose=0))
model.compile(tf.keras.optimizers.SGD(1e-3), "mse")
model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0)
model.fit(x, y, batch_size=8, epochs=1, shuffle="batch", verbose=0)
print(model.layers[0].get_weights())

# %% tensorflow.keras.utils.convert_all_kernels_in_model tensorflow.python.keras.utils.conv_utils.convert_kernel
# %%+ tensorflow.python.keras.utils.layer_utils.convert_all_kernels_in_model [needs: contrib]
# %%+ tensorflow.python.keras.utils.convert_all_kernels_in_model tensorflow.python.keras.utils.layer_utils.convert_kernel
# %%+ tensorflow.contrib.keras.utils.convert_all_kernels_in_model
import numpy as np
import tensorflow as tf
from tensorflow.python.keras.utils import conv_utils, convert_all_kernels_in_model, layer_utils
print(convert_all_kernels_in_model is layer_utils.convert_all_kernels_in_model is tf.contrib.keras.utils.convert_all_kernels_in_model, layer_utils.convert_kernel([[[1]]]).tolist())
L = tf.keras.layers
model = tf.keras.Sequential([L.Conv2D(2, 2, input_shape=(6, 6, 1)), L.Conv2DTranspose(1, 3), L.SeparableConv2D(1, 2), L.Flatten(), L.Dense(2)])
weights = [np.arange(w.size).reshape(w.shape).astype("f") for w in model.get_weights()]
model.set_weights(weights)
print(tf.keras.utils.convert_all_kernels_in_model(model))
for old, new in zip(weights, model.get_weights()):
    print(old.shape, np.array_equal(old, new), new.ravel()[:8].tolist())
layer_utils.convert_all_kernels_in_model(model)
print(all(np.array_equal(old, new) for old, new in zip(weights, model.get_weights())))
print(conv_utils.convert_kernel(np.arange(12).reshape(3, 2, 2)).tolist())
for shape in ((2, 2), (1,) * 6):
    try:
        conv_utils.convert_kernel(np.zeros(shape))
    except ValueError as error:
        print(error)

# %% tensorflow.keras.experimental.PeepholeLSTMCell tensorflow.python.keras.layers.PeepholeLSTMCell
# %%+ tensorflow.python.keras.layers.recurrent.PeepholeLSTMCell tensorflow.python.keras.layers.serialization.PeepholeLSTMCell
# %%+ tensorflow.compat.v2.keras.experimental.PeepholeLSTMCell
import numpy as np
import tensorflow as tf
from tensorflow.python.keras.layers import PeepholeLSTMCell, recurrent, serialization
print(serialization.PeepholeLSTMCell is tf.compat.v2.keras.experimental.PeepholeLSTMCell)
print(PeepholeLSTMCell is tf.keras.experimental.PeepholeLSTMCell is recurrent.PeepholeLSTMCell)
x = np.linspace(-1, 1, 24).reshape(2, 4, 3).astype("f")
for options in ({}, {"implementation": 2}, {"recurrent_activation": "sigmoid", "unit_forget_bias": False}):
    cells = [PeepholeLSTMCell(size, kernel_initializer="ones", recurrent_initializer="ones", **options) for size in (2, 3)]
    model = tf.keras.Sequential([tf.keras.layers.RNN(cells, input_shape=(4, 3))])
    print([(w.name.split("/")[-1], w.shape.as_list()) for w in model.weights])
    print(model.predict(x).round(4).tolist())
    config = cells[0].get_config()
    print(PeepholeLSTMCell.from_config(config).units, issubclass(PeepholeLSTMCell, tf.keras.layers.LSTMCell))

# %% tensorflow.keras.mixed_precision.experimental tensorflow.compat.v2.keras.mixed_precision.experimental
import tensorflow as tf
mp = tf.keras.mixed_precision.experimental
print(sorted(name for name in dir(mp) if name[0] != "_"))
policy = mp.Policy("mixed_float16")
print(policy.name, policy.compute_dtype, policy.variable_dtype, tf.compat.v2.keras.mixed_precision.experimental.Policy is mp.Policy)
try:
    mp.set_policy("mixed_float16")
except ValueError as error:
    print("TensorFlow 2" in str(error))
from tensorflow.keras.mixed_precision import experimental as mixed_precision
scaled = mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(.1), 128.)
print(isinstance(scaled, mp.LossScaleOptimizer))

# %% tensorflow.keras.experimental.load_from_saved_model tensorflow.contrib.saved_model.load_keras_model [needs: contrib]
# %%+ tensorflow.python.keras.engine.saving.load_from_saved_model tensorflow.python.keras.saving.load_from_saved_model
import os, tempfile
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer="ones", input_shape=(2,))])
x = np.arange(6.).reshape(3, 2)
folder = tempfile.mkdtemp()
os.mkdir(os.path.join(folder, "assets"))
with open(os.path.join(folder, "assets", "saved_model.json"), "w") as f:
    f.write(model.to_json())
model.save_weights(os.path.join(folder, "variables", "variables"), save_format="tf")
from tensorflow.python.keras import saving
from tensorflow.python.keras.engine import saving as old_saving
load = tf.keras.experimental.load_from_saved_model
print(saving.load_from_saved_model is load, old_saving.load_from_saved_model is load)
for function in (load, tf.contrib.saved_model.load_keras_model):
    print(np.array_equal(function(folder).predict(x), model.predict(x)))

# %% tensorflow.keras.wrappers tensorflow.keras.wrappers.scikit_learn tensorflow.python.keras.wrappers.scikit_learn
# %%+ tensorflow.python.keras.wrappers tensorflow.contrib.keras.wrappers tensorflow.contrib.keras.wrappers.scikit_learn
# %%+ tensorflow.keras.premade [needs: sklearn contrib]
import numpy as np
import tensorflow as tf
from tensorflow.keras.wrappers.scikit_learn import KerasClassifier, KerasRegressor
from tensorflow.python.keras.wrappers import scikit_learn
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from tensorflow.keras import premade
print(tf.contrib.keras.wrappers.scikit_learn.KerasClassifier is KerasClassifier)
print(KerasClassifier is tf.keras.wrappers.scikit_learn.KerasClassifier, scikit_learn.KerasRegressor is KerasRegressor)
L = tf.keras.layers
rng = np.random.RandomState(0)
x = rng.rand(30, 4).astype("f")
labels = np.array(["a", "b", "c"])[np.arange(30) % 3]
def build(hidden=3, outputs=3, loss="categorical_crossentropy", activation="softmax", rate=0.1):
    model = tf.keras.Sequential([L.Dense(hidden, kernel_initializer="ones", input_dim=4), L.Dense(outputs, activation=activation, kernel_initializer=tf.keras.initializers.Constant(0.1))])
    model.compile(tf.keras.optimizers.SGD(rate), loss, metrics=["accuracy"])
    return model
many = KerasClassifier(build, epochs=2, batch_size=10, verbose=0, shuffle=False, hidden=2)
history = many.fit(x, labels)
print(type(history).__name__, np.round(history.history["loss"], 4).tolist(), many.classes_.tolist(), many.n_classes_)
print(many.predict(x[:3]).tolist(), many.predict_proba(x[:2]).round(3).tolist(), round(float(many.score(x, labels)), 4))
two = KerasClassifier(build_fn=build, outputs=1, loss="binary_crossentropy", activation="sigmoid", epochs=1, verbose=0, shuffle=False)
two.fit(x, np.arange(30) % 2)
print(two.predict(x[:2]).shape, two.predict_proba(x[:2]).shape, sorted(two.get_params()), two.set_params(hidden=5).sk_params["hidden"])
line = KerasRegressor(build, outputs=1, loss="mse", activation=None, verbose=0, shuffle=False)
line.fit(x, x.sum(axis=1), epochs=3, batch_size=10)
print(line.predict(x[:3]).round(4).tolist(), line.predict(x[:1]).shape, round(float(line.score(x, x.sum(axis=1))), 4))
both = Pipeline([("scale", StandardScaler()), ("net", KerasRegressor(build, outputs=1, loss="mse", activation=None, epochs=2, verbose=0, shuffle=False))])
print(np.round(cross_val_score(both, x, x[:, 0], cv=KFold(3)), 4).tolist())
search = GridSearchCV(KerasClassifier(build, verbose=0, shuffle=False), {"hidden": [2, 3], "epochs": [1, 2]}, cv=KFold(2))
print(sorted(search.fit(x, labels).best_params_))
class Own(KerasClassifier):
    def __call__(self, rate=0.2):
        return build(rate=rate)
print(Own(rate=0.3, verbose=0).fit(x, labels).epoch)
class Builder(object):
    def __call__(self, rate=0.2):
        return build(rate=rate)
print(KerasClassifier(Builder(), rate=0.3, verbose=0).fit(x, labels).epoch)
try:
    KerasClassifier(build, hiden=3)
except ValueError as error:
    print(error)
try:
    KerasClassifier(build).fit(x, np.zeros([30, 1, 1]))
except ValueError as error:
    print(error)
