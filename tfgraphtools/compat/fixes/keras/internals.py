"""Modules below ``tensorflow.python.keras``: where they are, and what 1.15's API had of them.

tf_keras has two versions of some classes. Its modules show that of TF 2.x where TF 2.x
imported them first; the API of 1.x, and so these modules on TF 1.15, had the other one.
"""

import types

from tfgraphtools.compat.engine.rows import Row, Table

#: Modules below ``tensorflow.python.keras``, and where they are below ``tf_keras.src``.
_MOVED = {
    "saving": "saving.legacy",
    "saving.hdf5_format": "saving.legacy.hdf5_format",
    "saving.model_config": "saving.legacy.model_config",
    "saving.save": "saving.legacy.save",
    "saving.saving_utils": "saving.legacy.saving_utils",
    "saving.saved_model": "saving.legacy.saved_model",
    "saving.saved_model.constants": "saving.legacy.saved_model.constants",
    "saving.saved_model.load": "saving.legacy.saved_model.load",
    "saving.saved_model.save": "saving.legacy.saved_model.save",
    "saving.saved_model.serialized_attributes": "saving.legacy.saved_model.serialized_attributes",
    "saving.saved_model.utils": "saving.legacy.saved_model.utils",
    "engine.training_arrays": "engine.training_arrays_v1",
    "engine.training_distributed": "engine.training_distributed_v1",
    "engine.training_eager": "engine.training_eager_v1",
    "engine.training_generator": "engine.training_generator_v1",
    "layers.convolutional_recurrent": "layers",
    "layers.cudnn_recurrent": "layers",
    "layers.dense_attention": "layers",
    "layers.normalization_v2": "layers.normalization.batch_normalization",
    "layers.recurrent_v2": "layers",
    "layers.rnn_cell_wrapper_v2": "layers.rnn.cell_wrappers",
    "mixed_precision.experimental": "mixed_precision",
    "mixed_precision.experimental.autocast_variable": "mixed_precision.autocast_variable",
    "mixed_precision.experimental.loss_scale_optimizer": "mixed_precision.loss_scale_optimizer",
    "mixed_precision.experimental.policy": "mixed_precision.policy",
    "mixed_precision.experimental.test_util": "mixed_precision.test_util",
    "optimizer_v2.learning_rate_schedule": "optimizers.schedules.learning_rate_schedule",
    "premade": "premade_models",
    "premade.linear": "premade_models.linear",
    "premade.wide_deep": "premade_models.wide_deep",
}

MODULES = {
    "tensorflow.python.keras." + name: "tf_keras.src." + place for name, place in _MOVED.items()
}

#: Copies of the API below ``tensorflow.python.keras``, which editors import from.
_API = {
    "": None,
    ".keras": "",
    "._v1": None,
    "._v1.keras": "",
    "._v2": None,
    "._v2.keras": ".compat.v2",
}

_RECURRENT = "GRU GRUCell LSTM LSTMCell"

#: Module below ``tensorflow.python.keras`` -> names in which it had what ``tf.keras`` has.
_AS_THE_API = {
    "initializers": (
        "Constant Identity Initializer Ones Orthogonal RandomNormal RandomUniform "
        "TruncatedNormal VarianceScaling Zeros constant glorot_normal glorot_uniform he_normal "
        "he_uniform identity lecun_normal lecun_uniform normal ones orthogonal random_normal "
        "random_uniform truncated_normal uniform zeros"
    ),
    "layers": "BatchNormalization " + _RECURRENT,
    "layers.normalization": "BatchNormalization",
    "layers.recurrent": _RECURRENT,
    "metrics": "cosine_proximity",
}


def _api_provider(place):
    def provide():
        from tfgraphtools.compat.engine import views

        if place is None:
            return types.ModuleType("api")
        return views.module("tensorflow" + place + ".keras")

    return provide


def _of_the_api(module, name):
    def provide(real):
        from tfgraphtools.compat.engine import views

        return getattr(views.module("tensorflow.keras." + module.partition(".")[0]), name)

    return provide


_COPIES = Table(
    "copies of the API of Keras",
    "modules",
    [
        Row(
            "tensorflow.python.keras.api" + name,
            "TF 2.16",
            "a copy of the API: tf.keras",
            _api_provider(place),
        )
        for name, place in _API.items()
    ],
)

_FACES = Table(
    "classes of Keras with a 1.x and a 2.x version",
    "names",
    [
        Row(
            f"tensorflow.python.keras.{module}.{name}",
            "TF 2.0",
            f"the class or function of 1.x: tf.keras.{module.partition('.')[0]}.{name}",
            _of_the_api(module, name),
        )
        for module, names in _AS_THE_API.items()
        for name in names.split()
    ],
)

TABLES = (_COPIES, _FACES)
