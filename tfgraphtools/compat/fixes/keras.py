"""One class Layer: internal modules of layers and RNN cells give those of tf_keras.

TF 2.x has three: tf_keras's, and stale ones behind ``tensorflow.python.keras``
and ``tensorflow.python.layers``, which do not know one another.
"""

import importlib

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import keras_internals

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


def _provider(module, name):
    return lambda real: getattr(importlib.import_module(module), name)


_NAMES = Table(
    "layers and RNN cells",
    "names",
    [
        Row(f"{module}.{name}", "TF 2.16", f"the one of {place}", _provider(place, name))
        for module, name, place in entries()
    ]
    + [
        Row(
            "tensorflow.python.keras.engine.network.Network",
            "TF 2.2",
            "is tf.keras.Model now",
            _provider("tf_keras.src.engine.training", "Model"),
        )
    ],
)

#: Modules of old Keras, by the name under which user code imports them, and today's.
KERAS = {
    "keras": "tf_keras",
    "tensorflow.python.keras": "tf_keras.src",
    "tensorflow.python.keras.optimizer_v2": "tf_keras.src.optimizers.legacy",
    "tensorflow.python.feature_column.dense_features": "tf_keras.src.feature_column.dense_features",
    "tensorflow.python.feature_column.dense_features_v2": (
        "tf_keras.src.feature_column.dense_features_v2"
    ),
    "tensorflow.python.keras.testing_utils": "tf_keras.src.testing_infra.test_utils",
    "tensorflow.python.keras.keras_parameterized": "tf_keras.src.testing_infra.test_combinations",
    "tensorflow.python.keras.engine.network": "tf_keras.src.engine.training",
    "tensorflow.python.keras.preprocessing.sequence": "tf_keras.preprocessing.sequence",
    "tensorflow.python.keras._impl": "tf_keras",
    "tensorflow.python.keras._impl.keras": "tf_keras.src",
}
for _package in ("keras", "tensorflow.python.keras"):
    for _name in (
        "advanced_activations",
        "convolutional",
        "core",
        "embeddings",
        "local",
        "merge",
        "noise",
        "normalization",
        "pooling",
        "recurrent",
        "wrappers",
    ):
        KERAS[f"{_package}.layers.{_name}"] = "tf_keras.src.layers"
    KERAS[_package + ".engine"] = "tf_keras.src.engine"
    KERAS[_package + ".engine.topology"] = "tf_keras.src.engine.base_layer"
    KERAS[_package + ".utils.np_utils"] = "tf_keras.src.utils.np_utils"
    KERAS[_package + ".utils.data_utils"] = "tf_keras.src.utils.data_utils"
    KERAS[_package + ".utils.generic_utils"] = "tf_keras.src.utils.generic_utils"
    KERAS[_package + ".utils.io_utils"] = "tf_keras.src.utils.io_utils"
    KERAS[_package + ".preprocessing.image"] = "tf_keras.src.preprocessing.image"
KERAS.update(keras_internals.MODULES)


#: What the backend of Keras with TensorFlow 1 had, and its 2.x face hides.
_SESSIONS = Table(
    "sessions of Keras 2",
    "names",
    [
        Row(
            "keras.backend." + name,
            "Keras 2.3",
            "the session of Keras's own graph code",
            _provider("tf_keras.src.backend", name),
        )
        for name in ("get_session", "set_session")
    ],
)

#: Module -> what Keras 2 had in it with TensorFlow 1, and tf_keras has in its 1.x face only.
_IN_V1 = {
    "initializers": "normal uniform",
    "layers": "CuDNNGRU CuDNNLSTM",
    "losses": "cosine cosine_proximity",
    "metrics": "cosine cosine_proximity",
}


def _distance(y_true, y_pred, axis=-1):
    """The cosine proximity of Keras 2.2: minus the similarity, which tf.keras of 1.15 had."""
    from tfgraphtools._tf import v1

    y_true, y_pred = (v1.nn.l2_normalize(value, axis=axis) for value in (y_true, y_pred))
    return -v1.reduce_sum(y_true * y_pred, axis=axis)


def _v1_provider(module, name):
    def provide(real):
        from tfgraphtools._tf import v1

        found = getattr(getattr(v1.keras, module), name)
        return _distance if name.startswith("cosine") else found

    return provide


_OF_V1 = Table(
    "names of Keras 2 with TensorFlow 1",
    "names",
    [
        Row(f"keras.{module}.{name}", "Keras 3", "the one of tf.keras", _v1_provider(module, name))
        for module, names in _IN_V1.items()
        for name in names.split()
    ],
)


def _module_provider(name, old):
    def provide():
        if old.partition(".")[0] == "keras":
            notices.once(
                "keras",
                "import keras imports tf_keras here: lr=, the defaults of optimizers, some "
                "activations and the sign of the loss 'cosine_proximity' differ from Keras 2.2.4,"
                " which 'tfgraphtools legacy install' installs",
            )
        return importlib.import_module(name)

    return provide


_MODULES = Table(
    "Keras 2",
    "modules",
    [
        Row(old, "Keras 3", f"Keras 2: the module {new}", _module_provider(new, old))
        for old, new in KERAS.items()
    ],
)

TABLES = (
    _NAMES,
    _SESSIONS,
    _OF_V1,
    _MODULES,
    *keras_internals.TABLES,
)
