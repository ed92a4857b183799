"""``tf.estimator``, which TF 2.16 dropped: the last estimator, from the legacy installation."""

import importlib

from tfgraphtools.compat import legacy
from tfgraphtools.compat.contrib import gone, without
from tfgraphtools.compat.engine import registry
from tfgraphtools.compat.engine.rows import Row, Table

_API = "tensorflow_estimator.python.estimator.api._v1.estimator"
_LINEAR = "tensorflow_estimator.python.estimator.canned.linear"
_COLUMNS = "tensorflow.python.feature_column.feature_column_v2."


def _from_legacy(name, module, attribute=None):
    """Returns a function that provides a module of the last estimator, or what it has."""

    def provide(real):
        if legacy.find() is None:
            raise without.missing(name)
        module_of_name = importlib.import_module(module)
        return getattr(module_of_name, attribute) if attribute else module_of_name

    return provide


TABLES = (
    Table(
        "the estimator",
        "names",
        [
            Row(
                "tensorflow.estimator",
                "TF 2.16",
                "the estimator left TensorFlow; 'legacy install' installs its last release",
                _from_legacy("tensorflow.estimator", _API),
            ),
            *(
                Row(
                    _COLUMNS + name,
                    "TF 2.4",
                    "the linear model of feature columns is the estimator's",
                    _from_legacy(_COLUMNS + name, _LINEAR, name),
                )
                for name in ("LinearModel", "_LinearModelLayer")
            ),
        ],
    ),
    Table(
        "estimators that were removed",
        "gone",
        [
            Row("tensorflow.estimator.BoostedTrees" + name, "TF 2.16", gone.BOOSTED_TREES)
            for name in ("Classifier", "Estimator", "Regressor")
        ],
    ),
)


def install(options):
    """Makes ``from tensorflow import *`` work where the estimator is not installed."""
    if legacy.find() is None:
        registry.leave_out("tensorflow.estimator")
