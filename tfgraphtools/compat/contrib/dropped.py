"""What contrib had in early 1.x and had lost by 1.15."""

import importlib

from tfgraphtools.compat.engine import registry, rows, views
from tfgraphtools.compat.engine.rows import Row, Table

_CONTRIB = "tensorflow.contrib."
_HERE = "tfgraphtools.compat.contrib."

#: Decoders of contrib.seq2seq, up to TF 1.1. TF 1.0's own source refuses variables that its scopes
#: share, which 1.15's layers make in another way.
DECODERS = (
    "attention_decoder_fn_inference",
    "attention_decoder_fn_train",
    "dynamic_rnn_decoder",
    "prepare_attention",
    "simple_decoder_fn_inference",
    "simple_decoder_fn_train",
)

#: Classes of contrib.data that became tf.data's in 1.4.
DATASETS = (
    "Dataset",
    "FixedLengthRecordDataset",
    "Iterator",
    "TFRecordDataset",
    "TextLineDataset",
)

#: Estimators of contrib.learn (skflow) up to 0.10.
ESTIMATORS = (
    "TensorFlowClassifier",
    "TensorFlowDNNClassifier",
    "TensorFlowDNNRegressor",
    "TensorFlowEstimator",
    "TensorFlowLinearClassifier",
    "TensorFlowLinearRegressor",
    "TensorFlowRNNClassifier",
    "TensorFlowRNNRegressor",
    "TensorFlowRegressor",
)


#: Its ops in learn.ops, and its model function in learn.models.
OPS = {
    "ops": (
        "batch_normalize",
        "conv2d",
        "dnn",
        "dropout",
        "expand_concat",
        "one_hot_matrix",
        "split_squeeze",
    ),
    "models": ("get_dnn_model",),
}

_LEARN = _CONTRIB + "learn."

#: Where contrib.learn itself takes all this from.
_BEHIND = _LEARN + "python.learn."


def _decoder(name):
    return lambda real: getattr(importlib.import_module(_HERE + "decoders"), name)


def _dataset(name):
    def provide(real):
        from tfgraphtools._tf import v1

        return getattr(v1.data, name)

    return provide


def _skflow(name):
    return lambda real: getattr(importlib.import_module(_HERE + "skflow"), name)


def _learn():
    return views.module(_CONTRIB + "learn")


def _core_cells():
    return importlib.import_module(_HERE + "core_cells").module()


def _cross_tower_ops():
    return importlib.import_module(_HERE + "reductions").cross_tower_ops()


def _layers_utils(real):
    return importlib.import_module(_CONTRIB + "layers.python.layers.utils")


def _stochastic_tensor(real):
    return importlib.import_module(_CONTRIB + "bayesflow.python.ops.stochastic_tensor")


TABLE = Table(
    "names that contrib dropped within 1.x",
    "names",
    [
        Row(
            _CONTRIB + "seq2seq." + name,
            "TF 1.2",
            "a decoder function of TF 1.0; its variables have the names of 1.0",
            _decoder(name),
        )
        for name in DECODERS
    ]
    + [
        Row(_CONTRIB + "data." + name, "TF 1.7", "tf.data." + name, _dataset(name))
        for name in DATASETS
    ]
    + [
        Row(
            _CONTRIB + "layers.utils",
            "TF 1.2",
            "contrib.layers.python.layers.utils",
            _layers_utils,
        ),
        Row(
            _CONTRIB + "bayesflow.stochastic_tensor",
            "TF 1.5",
            "tensors that are samples (or means) of a distribution",
            _stochastic_tensor,
        ),
    ],
)

SKFLOW = Table(
    "names that contrib.learn lost by 0.11",
    "names",
    [
        Row(
            _LEARN + name,
            "TF 0.11",
            "an estimator of skflow, based on 1.15's contrib.learn.Estimator",
            _skflow(name),
        )
        for name in ESTIMATORS
    ]
    + [
        Row(f"{_LEARN}{module}.{name}", "TF 0.11", "for models of skflow", _skflow(name))
        for module, names in OPS.items()
        for name in names
    ],
)

MODULES = Table(
    "modules that contrib renamed or split within 1.x",
    "modules",
    [
        Row(_CONTRIB + "skflow", "TF 0.11", "tf.contrib.learn", _learn),
        Row(
            _CONTRIB + "rnn.python.ops.core_rnn_cell_impl",
            "TF 1.2",
            "the cells, and _linear(args, output_size, bias, bias_start) of TF 1.1",
            _core_cells,
        ),
        Row(
            _CONTRIB + "distribute.python.cross_tower_ops",
            "TF 1.13",
            "tensorflow.python.distribute.cross_device_ops, with the names of 1.12",
            _cross_tower_ops,
        ),
    ],
)

#: Modules that 1.15 has no more: name below ``tensorflow`` -> (the first version without it, why).
LEFT = {
    "contrib.gan": (
        "TF 1.15",
        "TF 1.15 has none. It is a package of its own: tensorflow-gan, 'import tensorflow_gan'.",
    ),
    "contrib.kfac": (
        "TF 1.12",
        "TF 1.15 has none. It is a package of its own: kfac, 'import kfac'.",
    ),
    "contrib.linalg": (
        "TF 1.12",
        "TF 1.15 has none. Its operators are in tf.linalg; LinearOperatorTriL became "
        "tf.linalg.LinearOperatorLowerTriangular.",
    ),
    "contrib.lite": ("TF 1.14", "TF 1.15 has none. It became tf.lite."),
    **{
        "contrib.distributions.python.ops." + name: (
            "TF 1.4",
            "TF 1.15 has it as tensorflow.python.ops.distributions." + name + ".",
        )
        for name in (
            "bernoulli beta categorical dirichlet dirichlet_multinomial distribution exponential "
            "gamma kullback_leibler laplace multinomial normal student_t transformed_distribution "
            "uniform"
        ).split()
    },
    **{
        place + name: ("TF 1.15", "TF 1.15 has it as tf.estimator.experimental." + name + ".")
        for place in ("contrib.estimator.", "estimator.")
        for name in (
            "make_early_stopping_hook stop_if_higher_hook stop_if_lower_hook "
            "stop_if_no_decrease_hook stop_if_no_increase_hook"
        ).split()
    },
}

#: Names of contrib whose implementation was in TensorFlow's core: name -> why.
IN_CORE = {
    "distribute.MultiWorkerAllReduce": "TF 2.x has no such all-reduce. Use "
    "tf.contrib.distribute.CollectiveAllReduceStrategy, or another of tf.distribute's "
    "CrossDeviceOps.",
    "saved_model.load_keras_model": "TF 2.x reads no such export. Use tf.keras.models.load_model "
    "of a model that model.save(path) has written.",
    "saved_model.save_keras_model": "TF 2.x has no such export. Use model.save(path), which writes "
    "a SavedModel.",
}

GONE = Table(
    "names that contrib lost, and contrib.learn before 0.11",
    "gone",
    [Row("tensorflow." + name, since, why) for name, (since, why) in LEFT.items()]
    + [Row(_CONTRIB + name, "TF 2.0", why) for name, why in IN_CORE.items()]
    + [
        Row(
            _LEARN + name,
            "TF 0.9",
            "TF 0.9 removed it. Give TensorFlowEstimator a model that returns "
            "learn.models.linear_regression(learn.ops.dnn(x, hidden_units), x), and fit(x, x).",
        )
        for name in ("TensorFlowBaseTransformer", "TensorFlowDNNAutoencoder")
    ],
)


def install():
    """Gives ``tensorflow.contrib.learn.python.learn`` what contrib.learn gets.

    The ``import *`` of contrib.learn leaves them out: it would load all of them.
    """
    for row in SKFLOW.on():
        name = row.name[len(_LEARN) :]
        homes = ("", "estimators.") if name in ESTIMATORS else ("",)
        for home in homes:
            row_behind = Row(_BEHIND + home + name, None, "", _as(row))
            registry.register_attribute(row_behind, is_listed=False)


def _as(row):
    def provide(real):
        rows.used(row)
        return row.provide(real)

    return provide
