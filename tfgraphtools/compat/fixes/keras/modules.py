"""Modules of Keras 2, of its own and below ``tensorflow.python``, which are those of tf_keras."""

import importlib

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.keras import internals

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
KERAS.update(internals.MODULES)


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


TABLE = Table(
    "Keras 2",
    "modules",
    [
        Row(old, "Keras 3", f"Keras 2: the module {new}", _module_provider(new, old))
        for old, new in KERAS.items()
    ],
)
