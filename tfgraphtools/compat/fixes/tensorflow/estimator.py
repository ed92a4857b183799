"""``tf.estimator``, which TF 2.16 dropped: the last estimator, from the legacy installation."""

import importlib

from tfgraphtools.compat import legacy
from tfgraphtools.compat.contrib import stand_ins, without
from tfgraphtools.compat.engine import activation
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.views import lookup, tensorflow_v1

_API = "tensorflow_estimator.python.estimator.api._{}.estimator"
_LINEAR = "tensorflow_estimator.python.estimator.canned.linear"
_COLUMNS = "tensorflow.python.feature_column.feature_column_v2."


def _estimator(real):
    return _loaded(_API.format("v1"))


def _estimator_of_tf2(real):
    if not activation.is_active():  # plain Python, and code for TF 2: it stays eager
        tensorflow_v1.keep_v2_behavior()
    return _loaded(_API.format("v2"))


def _of_linear_estimators(name):
    return lambda real: getattr(_loaded(_LINEAR), name)


def _loaded(module):
    if legacy.find() is None:
        raise without.missing("tensorflow.estimator")
    return importlib.import_module(module)


TABLES = (
    Table(
        "the estimator",
        "names",
        [
            Fix(
                "tensorflow.estimator",
                "TF 2.16",
                "the estimator left TensorFlow; 'legacy install' installs its last release",
                _estimator,
            ),
            Fix(
                "tensorflow.compat.v2.estimator",
                "TF 2.16",
                "the estimator of TF 2; eager execution stays on",
                _estimator_of_tf2,
            ),
            *(
                Fix(
                    _COLUMNS + name,
                    "TF 2.4",
                    "the linear model of feature columns is the estimator's",
                    _of_linear_estimators(name),
                )
                for name in ("LinearModel", "_LinearModelLayer")
            ),
        ],
    ),
    Table(
        "estimators that were removed",
        "gone",
        [
            Fix("tensorflow.estimator.BoostedTrees" + name, "TF 2.16", stand_ins.BOOSTED_TREES)
            for name in ("Classifier", "Estimator", "Regressor")
        ],
    ),
)


def install(options):
    """Makes ``from tensorflow import *`` work where the estimator is not installed."""
    if legacy.find() is None:
        lookup.leave_out("tensorflow.estimator")
