"""Names that contrib had in early 1.x and had lost by 1.15, and their replacements.

Names that have another place today, or none, are lines of ``removed.tsv``.
"""

import importlib

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.views import lookup

_HERE = "tfgraphtools.compat.contrib."
_SEQ2SEQ = "tensorflow.contrib.seq2seq."
_LEARN = "tensorflow.contrib.learn."

#: Decoders of contrib.seq2seq, up to TF 1.1. TF 1.0's own source refuses variables that its scopes
#: share, which 1.15's layers make in another way.
DECODERS = (
    "attention_decoder_fn_inference attention_decoder_fn_train dynamic_rnn_decoder "
    "prepare_attention simple_decoder_fn_inference simple_decoder_fn_train"
).split()

#: Estimators of contrib.learn (skflow) up to 0.10.
ESTIMATORS = (
    "TensorFlowClassifier TensorFlowDNNClassifier TensorFlowDNNRegressor TensorFlowEstimator "
    "TensorFlowLinearClassifier TensorFlowLinearRegressor TensorFlowRNNClassifier "
    "TensorFlowRNNRegressor TensorFlowRegressor"
).split()

#: Its ops in learn.ops, and its model function in learn.models.
OPS = (
    "ops.batch_normalize ops.conv2d ops.dnn ops.dropout ops.expand_concat ops.one_hot_matrix "
    "ops.split_squeeze models.get_dnn_model"
).split()


def _from(module, name):
    """Returns what provides a name of one of the modules beside this one."""
    leaf = name.rpartition(".")[2]
    return lambda real: getattr(importlib.import_module(_HERE + module), leaf)


def _core_cells():
    return importlib.import_module(_HERE + "core_cells").module()


TABLE = Table(
    "decoders that contrib.seq2seq dropped",
    "names",
    [
        Fix(
            _SEQ2SEQ + name,
            "TF 1.2",
            "a decoder function of TF 1.0; its variables have the names of 1.0",
            _from("decoders", name),
        )
        for name in DECODERS
    ],
)

_WHY = dict.fromkeys(ESTIMATORS, "an estimator of skflow, based on 1.15's contrib.learn.Estimator")

SKFLOW = Table(
    "names that contrib.learn lost by 0.11",
    "names",
    [
        Fix(_LEARN + name, "TF 0.11", _WHY.get(name, "for models of skflow"), _from("skflow", name))
        for name in (*ESTIMATORS, *OPS)
    ],
)

MODULES = Table(
    "modules that contrib split within 1.x",
    "modules",
    [
        Fix(
            "tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl",
            "TF 1.2",
            "the cells, and _linear(args, output_size, bias, bias_start) of TF 1.1",
            _core_cells,
        )
    ],
)


def install():
    """Gives ``tensorflow.contrib.learn.python.learn`` what contrib.learn gets.

    The ``import *`` of contrib.learn leaves them out: it would load all of them.
    """
    for row in SKFLOW.on():
        name = row.name[len(_LEARN) :]
        for home in ("", "estimators.") if name in ESTIMATORS else ("",):
            row_behind = Fix(_LEARN + "python.learn." + home + name, None, "", _as(row))
            lookup.register_attribute(row_behind, is_listed=False)


def _as(row):
    def provide(real):
        rows.used(row)
        return row.run(real)

    return provide
