"""Parts of Keras that ``tensorflow.python`` had: tf_keras has them."""

from tfgraphtools.compat.fixes.build import moved

_PYTHON = "tensorflow.python."

#: What tests combine with strategies, of which Keras has the names by now.
_COMBINED = (
    "adagrad_optimizer_keras_v2_fn adagrad_optimizer_v1_fn adam_optimizer_keras_v2_fn "
    "adam_optimizer_v1_fn distributions_and_v1_and_v2_optimizers distributions_and_v1_optimizers "
    "distributions_and_v2_optimizers gradient_descent_optimizer_keras_v2_fn "
    "gradient_descent_optimizer_v1_fn optimizers_v1 optimizers_v1_and_v2 optimizers_v2 "
    "rmsprop_optimizer_keras_v2_fn rmsprop_optimizer_v1_fn"
).split()

ROWS = [
    *moved(
        _PYTHON + "ops.summary_ops_v2",
        "TF 2.5",
        {"keras_model": "tf_keras.src.callbacks:keras_model_summary"},
        "writes a model's configuration; Keras has it",
    ),
    *moved(
        _PYTHON + "layers.base",
        "TF 1.3",
        {"_Layer": "tf_keras.src.legacy_tf_layers.base:Layer"},
        "Layer",
    ),
    *moved(
        _PYTHON + "distribute.strategy_combinations",
        "TF 2.6",
        {name: "tf_keras.src.distribute.optimizer_combinations:" + name for name in _COMBINED},
        "Keras has it today: an optimizer for tests of strategies",
    ),
]
