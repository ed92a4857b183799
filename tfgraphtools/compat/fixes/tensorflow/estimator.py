"""``tf.estimator``, which TF 2.16 dropped: the last estimator, from the legacy installation."""

import importlib

from tfgraphtools.compat import legacy
from tfgraphtools.compat.contrib import stand_ins, without
from tfgraphtools.compat.engine import activation, replacing, rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.views import lookup, tensorflow_v1
from tfgraphtools.compat.fixes.tensorflow import dtypes
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

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


_TEXTS = Fix(
    "tensorflow.estimator.inputs.numpy_input_fn",
    "pandas 3.0",
    "takes column.values of texts, an array of NumPy before pandas 3",
    cannot="write column.to_numpy(object)",
)
_INPUTS = "tensorflow_estimator.python.estimator.inputs."


def _as_array(value):
    """Returns an array of texts of pandas as one of NumPy, and all else as it is."""
    if value is None or not dtypes.is_of_texts(getattr(value, "dtype", None)):
        return value
    import numpy as np
    import pandas as pd

    if not isinstance(value, pd.api.extensions.ExtensionArray):
        return value
    rows.used(_TEXTS)
    return np.asarray(value, dtype=object)


@replaces(_INPUTS + "numpy_io:numpy_input_fn", row=_TEXTS)
def _numpy_input_fn(original, x, y=None, *arguments, **options):
    return original(_as_array(x), _as_array(y), *arguments, **options)


@replaces(_INPUTS + "queues.feeding_functions:_enqueue_data", row=_TEXTS)
def _enqueue_data(original, data, *arguments, **options):
    return original(_as_array(data), *arguments, **options)


TABLES = (
    replacing.table("texts of pandas for estimators", _numpy_input_fn, _enqueue_data),
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
    replacing.install_after_import(_numpy_input_fn, _enqueue_data)
    if legacy.find() is None:
        lookup.leave_out("tensorflow.estimator")
