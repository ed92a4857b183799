# %% tensorflow.python.layers.base.Layer [fails-not: other classes]
# %%+ tensorflow.python.layers.base.keras_style_scope
# %%+ tensorflow.python.layers.base.set_keras_style tensorflow.python.layers.base.InputSpec
import tensorflow as tf
from tensorflow.python.layers import base
NAMES = """
Layer keras_style_scope set_keras_style InputSpec
"""
for name in NAMES.split():
    value = getattr(base, name)
    print(name, issubclass(value, tf.layers.Layer) if isinstance(value, type) else value is None)

# %% tensorflow.python.layers.core.Dense [fails-not: other classes]
# %%+ tensorflow.python.layers.core.Dropout tensorflow.python.layers.core.Flatten
# %%+ tensorflow.python.layers.core.dense tensorflow.python.layers.core.dropout
# %%+ tensorflow.python.layers.core.flatten tensorflow.python.layers.core.FullyConnected
# %%+ tensorflow.python.layers.core.fully_connected
import tensorflow as tf
from tensorflow.python.layers import core
NAMES = """
Dense Dropout Flatten dense dropout flatten FullyConnected fully_connected
"""
for name in NAMES.split():
    value = getattr(core, name)
    print(name, issubclass(value, tf.layers.Layer) if isinstance(value, type) else value is None)

# %% tensorflow.python.layers.convolutional.Conv1D [fails-not: other classes]
# %%+ tensorflow.python.layers.convolutional.Conv2D
# %%+ tensorflow.python.layers.convolutional.Conv2DTranspose
# %%+ tensorflow.python.layers.convolutional.Conv3D
# %%+ tensorflow.python.layers.convolutional.Conv3DTranspose
# %%+ tensorflow.python.layers.convolutional.Convolution1D
# %%+ tensorflow.python.layers.convolutional.Convolution2D
# %%+ tensorflow.python.layers.convolutional.Convolution2DTranspose
# %%+ tensorflow.python.layers.convolutional.Convolution3D
# %%+ tensorflow.python.layers.convolutional.Convolution3DTranspose
# %%+ tensorflow.python.layers.convolutional.SeparableConv1D
# %%+ tensorflow.python.layers.convolutional.SeparableConv2D
# %%+ tensorflow.python.layers.convolutional.SeparableConvolution2D
# %%+ tensorflow.python.layers.convolutional.conv1d tensorflow.python.layers.convolutional.conv2d
# %%+ tensorflow.python.layers.convolutional.conv2d_transpose
# %%+ tensorflow.python.layers.convolutional.conv3d
# %%+ tensorflow.python.layers.convolutional.conv3d_transpose
# %%+ tensorflow.python.layers.convolutional.separable_conv1d
# %%+ tensorflow.python.layers.convolutional.separable_conv2d
import tensorflow as tf
from tensorflow.python.layers import convolutional
NAMES = """
Conv1D Conv2D Conv2DTranspose Conv3D Conv3DTranspose Convolution1D Convolution2D
Convolution2DTranspose Convolution3D Convolution3DTranspose SeparableConv1D
SeparableConv2D SeparableConvolution2D conv1d conv2d conv2d_transpose conv3d
conv3d_transpose separable_conv1d separable_conv2d
"""
for name in NAMES.split():
    value = getattr(convolutional, name)
    print(name, issubclass(value, tf.layers.Layer) if isinstance(value, type) else value is None)

# %% tensorflow.python.layers.pooling.AveragePooling1D [fails-not: other classes]
# %%+ tensorflow.python.layers.pooling.AveragePooling2D
# %%+ tensorflow.python.layers.pooling.AveragePooling3D
# %%+ tensorflow.python.layers.pooling.MaxPooling1D tensorflow.python.layers.pooling.MaxPooling2D
# %%+ tensorflow.python.layers.pooling.MaxPooling3D
# %%+ tensorflow.python.layers.pooling.average_pooling1d
# %%+ tensorflow.python.layers.pooling.average_pooling2d
# %%+ tensorflow.python.layers.pooling.average_pooling3d
# %%+ tensorflow.python.layers.pooling.max_pooling1d
# %%+ tensorflow.python.layers.pooling.max_pooling2d
# %%+ tensorflow.python.layers.pooling.max_pooling3d
import tensorflow as tf
from tensorflow.python.layers import pooling
NAMES = """
AveragePooling1D AveragePooling2D AveragePooling3D MaxPooling1D MaxPooling2D
MaxPooling3D average_pooling1d average_pooling2d average_pooling3d max_pooling1d
max_pooling2d max_pooling3d
"""
for name in NAMES.split():
    value = getattr(pooling, name)
    print(name, issubclass(value, tf.layers.Layer) if isinstance(value, type) else value is None)

# %% tensorflow.python.layers.normalization.BatchNormalization [fails-not: other classes]
# %%+ [without-not: TensorFlow finds the layers that tf_keras moved]
# %%+ tensorflow.python.layers.normalization.batch_normalization
# %%+ tensorflow.python.layers.normalization.BatchNorm
# %%+ tensorflow.python.layers.normalization.batch_norm
import tensorflow as tf
from tensorflow.python.layers import normalization
NAMES = """
BatchNormalization batch_normalization BatchNorm batch_norm
"""
for name in NAMES.split():
    value = getattr(normalization, name)
    print(name, issubclass(value, tf.layers.Layer) if isinstance(value, type) else value is None)

# %% tensorflow.python.layers.layers.Layer [fails-not: other classes]
# %%+ tensorflow.python.layers.layers.InputSpec tensorflow.python.layers.layers.Dense
# %%+ tensorflow.python.layers.layers.Dropout tensorflow.python.layers.layers.Flatten
# %%+ tensorflow.python.layers.layers.dense tensorflow.python.layers.layers.dropout
# %%+ tensorflow.python.layers.layers.flatten tensorflow.python.layers.layers.Conv1D
# %%+ tensorflow.python.layers.layers.Conv2D tensorflow.python.layers.layers.Conv2DTranspose
# %%+ tensorflow.python.layers.layers.Conv3D tensorflow.python.layers.layers.Conv3DTranspose
# %%+ tensorflow.python.layers.layers.Convolution1D tensorflow.python.layers.layers.Convolution2D
# %%+ tensorflow.python.layers.layers.Convolution2DTranspose
# %%+ tensorflow.python.layers.layers.Convolution3D
# %%+ tensorflow.python.layers.layers.Convolution3DTranspose
# %%+ tensorflow.python.layers.layers.SeparableConv1D
# %%+ tensorflow.python.layers.layers.SeparableConv2D
# %%+ tensorflow.python.layers.layers.SeparableConvolution2D
# %%+ tensorflow.python.layers.layers.conv1d tensorflow.python.layers.layers.conv2d
# %%+ tensorflow.python.layers.layers.conv2d_transpose tensorflow.python.layers.layers.conv3d
# %%+ tensorflow.python.layers.layers.conv3d_transpose
# %%+ tensorflow.python.layers.layers.separable_conv1d
# %%+ tensorflow.python.layers.layers.separable_conv2d
# %%+ tensorflow.python.layers.layers.AveragePooling1D
# %%+ tensorflow.python.layers.layers.AveragePooling2D
# %%+ tensorflow.python.layers.layers.AveragePooling3D
# %%+ tensorflow.python.layers.layers.MaxPooling1D tensorflow.python.layers.layers.MaxPooling2D
# %%+ tensorflow.python.layers.layers.MaxPooling3D
# %%+ tensorflow.python.layers.layers.average_pooling1d
# %%+ tensorflow.python.layers.layers.average_pooling2d
# %%+ tensorflow.python.layers.layers.average_pooling3d
# %%+ tensorflow.python.layers.layers.max_pooling1d tensorflow.python.layers.layers.max_pooling2d
# %%+ tensorflow.python.layers.layers.max_pooling3d
# %%+ tensorflow.python.layers.layers.BatchNormalization
# %%+ tensorflow.python.layers.layers.batch_normalization
import tensorflow as tf
from tensorflow.python.layers import layers
NAMES = """
Layer InputSpec Dense Dropout Flatten dense dropout flatten Conv1D Conv2D
Conv2DTranspose Conv3D Conv3DTranspose Convolution1D Convolution2D
Convolution2DTranspose Convolution3D Convolution3DTranspose SeparableConv1D
SeparableConv2D SeparableConvolution2D conv1d conv2d conv2d_transpose conv3d
conv3d_transpose separable_conv1d separable_conv2d AveragePooling1D AveragePooling2D
AveragePooling3D MaxPooling1D MaxPooling2D MaxPooling3D average_pooling1d
average_pooling2d average_pooling3d max_pooling1d max_pooling2d max_pooling3d
BatchNormalization batch_normalization
"""
for name in NAMES.split():
    value = getattr(layers, name)
    print(name, issubclass(value, tf.layers.Layer) if isinstance(value, type) else value is None)

# %% tensorflow.python.ops.rnn_cell.BasicLSTMCell [fails-not: other classes]
# %%+ tensorflow.python.ops.rnn_cell.BasicRNNCell tensorflow.python.ops.rnn_cell.GRUCell
# %%+ tensorflow.python.ops.rnn_cell.LSTMCell tensorflow.python.ops.rnn_cell.LSTMStateTuple
# %%+ tensorflow.python.ops.rnn_cell.LayerRNNCell tensorflow.python.ops.rnn_cell.MultiRNNCell
# %%+ tensorflow.python.ops.rnn_cell.RNNCell tensorflow.python.ops.rnn_cell.DeviceWrapper
# %%+ tensorflow.python.ops.rnn_cell.DropoutWrapper tensorflow.python.ops.rnn_cell.ResidualWrapper
# %%+ tensorflow.python.ops.rnn_cell.assert_like_rnncell
import tensorflow as tf
from tensorflow.python.ops import rnn_cell
NAMES = """
BasicLSTMCell BasicRNNCell GRUCell LSTMCell LSTMStateTuple LayerRNNCell MultiRNNCell
RNNCell DeviceWrapper DropoutWrapper ResidualWrapper assert_like_rnncell
"""
for name in NAMES.split():
    value = getattr(rnn_cell, name)
    print(name, issubclass(value, tf.layers.Layer) if isinstance(value, type) else value is None)

# %% tensorflow.python.feature_column.feature_column_lib.DenseFeatures
# %%+ tensorflow.python.feature_column.feature_column_lib.SequenceFeatures
# %%+ tensorflow.python.feature_column.sequence_feature_column.SequenceFeatures
import tensorflow as tf
from tensorflow.python.feature_column import feature_column_lib, sequence_feature_column
column = tf.feature_column.numeric_column("x", shape=[2])
layer, taken = feature_column_lib.DenseFeatures([column], name="encoding"), {}
layer({"x": [[1.0, 2.0]]}, cols_to_output_tensors=taken)
print(tf.Session().run(taken[column]).tolist(), layer.name)
words = tf.feature_column.sequence_numeric_column("w")
text = tf.SparseTensor([[0, 0], [0, 1]], [3.0, 4.0], [1, 2])
for module in (feature_column_lib, sequence_feature_column):
    print([tf.Session().run(one).tolist() for one in module.SequenceFeatures([words])({"w": text})])

# %% tensorflow.python.ops.rnn_cell_impl.BasicLSTMCell [fails-not: other classes]
# %%+ tensorflow.python.ops.rnn_cell_impl.BasicRNNCell tensorflow.python.ops.rnn_cell_impl.GRUCell
# %%+ tensorflow.python.ops.rnn_cell_impl.LSTMCell
# %%+ tensorflow.python.ops.rnn_cell_impl.LSTMStateTuple
# %%+ tensorflow.python.ops.rnn_cell_impl.LayerRNNCell
# %%+ tensorflow.python.ops.rnn_cell_impl.MultiRNNCell tensorflow.python.ops.rnn_cell_impl.RNNCell
# %%+ tensorflow.python.ops.rnn_cell_impl.DeviceWrapper
# %%+ tensorflow.python.ops.rnn_cell_impl.DropoutWrapper
# %%+ tensorflow.python.ops.rnn_cell_impl.ResidualWrapper
# %%+ tensorflow.python.ops.rnn_cell_impl.assert_like_rnncell
# %%+ tensorflow.python.ops.rnn_cell_impl.ASSERT_LIKE_RNNCELL_ERROR_REGEXP
import tensorflow as tf
from tensorflow.python.ops import rnn_cell_impl
NAMES = """
BasicLSTMCell BasicRNNCell GRUCell LSTMCell LSTMStateTuple LayerRNNCell MultiRNNCell
RNNCell DeviceWrapper DropoutWrapper ResidualWrapper assert_like_rnncell
ASSERT_LIKE_RNNCELL_ERROR_REGEXP
"""
for name in NAMES.split():
    value = getattr(rnn_cell_impl, name)
    print(name, issubclass(value, tf.layers.Layer) if isinstance(value, type) else value is None)

# %% variables.regularizers [fails-not: two calls]
import tensorflow as tf
calls = []

def regularizer(weights):
    calls.append(weights.op.name)
    return tf.nn.l2_loss(weights, name="l2")

with tf.variable_scope("a", regularizer=regularizer):
    tf.layers.dense(tf.ones([2, 3]), 2, name="d", use_bias=False)
    w = tf.get_variable("w", [2], regularizer=lambda v: None)
with tf.variable_scope("a", reuse=True, regularizer=regularizer):
    tf.get_variable("w", [2])
parts = tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2), regularizer=regularizer)
losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
print(calls, [loss.name for loss in losses], [isinstance(loss, tf.Tensor) for loss in losses])
print([op.name for op in tf.get_default_graph().get_operations() if "l2" in op.name], tf.losses.get_regularization_loss().name)
