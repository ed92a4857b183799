"""One class Layer: internal modules of layers and RNN cells give those of tf_keras.

TF 2.x has three: tf_keras's, and stale ones behind ``tensorflow.python.keras``
and ``tensorflow.python.layers``, which do not know one another.
"""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import finding

_OLD = "tf_keras.src.legacy_tf_layers."
_CELLS = "tf_keras.src.layers.rnn.legacy_cells"
_WRAPPERS = "tf_keras.src.layers.rnn.legacy_cell_wrappers"

_CORE = "Dense Dropout Flatten dense dropout flatten"
_CONVOLUTIONAL = (
    "Conv1D Conv2D Conv2DTranspose Conv3D Conv3DTranspose Convolution1D Convolution2D "
    "Convolution2DTranspose Convolution3D Convolution3DTranspose SeparableConv1D "
    "SeparableConv2D SeparableConvolution2D conv1d conv2d conv2d_transpose conv3d "
    "conv3d_transpose separable_conv1d separable_conv2d"
)
_POOLING = (
    "AveragePooling1D AveragePooling2D AveragePooling3D MaxPooling1D MaxPooling2D MaxPooling3D "
    "average_pooling1d average_pooling2d average_pooling3d max_pooling1d max_pooling2d "
    "max_pooling3d"
)
_NORMALIZATION = "BatchNormalization batch_normalization"
_PLAIN_CELLS = (
    "BasicLSTMCell BasicRNNCell GRUCell LSTMCell LSTMStateTuple LayerRNNCell MultiRNNCell RNNCell"
)
_SCOPES = "CustomObjectScope custom_object_scope get_custom_objects"
_SERIALIZED = "deserialize_keras_object serialize_keras_object"
_RNN = "tf_keras.src.layers.rnn."
_COLUMNS = "tf_keras.src.feature_column."
_SEQUENCES = "SequenceFeatures"
_WRAPPED_CELLS = "DeviceWrapper DropoutWrapper ResidualWrapper assert_like_rnncell"

#: (module of tensorflow.python, where its names are now, the names)
ONE_LAYER = [
    ("layers.base", _OLD + "base", "Layer keras_style_scope set_keras_style"),
    ("layers.base", "tf_keras.src.engine.input_spec", "InputSpec"),
    ("layers.core", _OLD + "core", _CORE + " FullyConnected fully_connected"),
    ("layers.convolutional", _OLD + "convolutional", _CONVOLUTIONAL),
    ("layers.pooling", _OLD + "pooling", _POOLING),
    ("layers.normalization", _OLD + "normalization", _NORMALIZATION + " BatchNorm batch_norm"),
    ("layers.layers", _OLD + "base", "Layer"),
    ("layers.layers", "tf_keras.src.engine.input_spec", "InputSpec"),
    ("layers.layers", _OLD + "core", _CORE),
    ("layers.layers", _OLD + "convolutional", _CONVOLUTIONAL),
    ("layers.layers", _OLD + "pooling", _POOLING),
    ("layers.layers", _OLD + "normalization", _NORMALIZATION),
    ("ops.rnn_cell", _CELLS, _PLAIN_CELLS),
    ("ops.rnn_cell", _WRAPPERS, _WRAPPED_CELLS),
    ("ops.rnn_cell_impl", _CELLS, _PLAIN_CELLS),
    ("ops.rnn_cell_impl", _WRAPPERS, _WRAPPED_CELLS + " ASSERT_LIKE_RNNCELL_ERROR_REGEXP"),
    ("feature_column.feature_column_lib", _COLUMNS + "dense_features", "DenseFeatures"),
    ("feature_column.feature_column_lib", _COLUMNS + "sequence_feature_column", _SEQUENCES),
    ("feature_column.sequence_feature_column", _COLUMNS + "sequence_feature_column", _SEQUENCES),
    ("keras.layers.recurrent_v2", _RNN + "gru", "GRU"),
    ("keras.layers.recurrent_v2", _RNN + "lstm", "LSTM"),
    ("keras.layers.cudnn_recurrent", _RNN + "cudnn_gru", "CuDNNGRU"),
    ("keras.layers.cudnn_recurrent", _RNN + "cudnn_lstm", "CuDNNLSTM"),
    ("keras.utils.tf_utils", "tf_keras.src.utils.control_flow_util", "smart_cond"),
    ("keras.utils.generic_utils", "tf_keras.src.saving.object_registration", _SCOPES),
    ("keras.utils.generic_utils", "tf_keras.src.saving.legacy.serialization", _SERIALIZED),
]


def entries():
    """(full module name, name, today's module) of all names."""
    for module, place, names in ONE_LAYER:
        for name in names.split():
            yield "tensorflow.python." + module, name, place


TABLE = Table(
    "layers and RNN cells",
    "names",
    [
        Row(f"{module}.{name}", "TF 2.16", f"the one of {place}", finding(f"{place}:{name}"))
        for module, name, place in entries()
    ]
    + [
        Row(
            "tensorflow.python.keras.engine.network.Network",
            "TF 2.2",
            "is tf.keras.Model now",
            finding("tf_keras.src.engine.training:Model"),
        )
    ],
)
