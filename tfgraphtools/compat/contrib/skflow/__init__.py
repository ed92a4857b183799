"""The estimators of skflow that ``tf.contrib.learn`` had up to TF 0.10, and its ops.

Written again on contrib.learn's Estimator of 1.15, as 0.9 and 0.10 based them on
theirs. Imported when a script asks for one: it needs the legacy installation.
"""

from tfgraphtools.compat.contrib.skflow.base import TensorFlowEstimator
from tfgraphtools.compat.contrib.skflow.estimators import (
    TensorFlowClassifier,
    TensorFlowDNNClassifier,
    TensorFlowDNNRegressor,
    TensorFlowLinearClassifier,
    TensorFlowLinearRegressor,
    TensorFlowRegressor,
    TensorFlowRNNClassifier,
    TensorFlowRNNRegressor,
)
from tfgraphtools.compat.contrib.skflow.skflow_ops import (
    batch_normalize,
    conv2d,
    dnn,
    dropout,
    expand_concat,
    get_dnn_model,
    one_hot_matrix,
    split_squeeze,
)

__all__ = [
    "TensorFlowClassifier",
    "TensorFlowDNNClassifier",
    "TensorFlowDNNRegressor",
    "TensorFlowEstimator",
    "TensorFlowLinearClassifier",
    "TensorFlowLinearRegressor",
    "TensorFlowRNNClassifier",
    "TensorFlowRNNRegressor",
    "TensorFlowRegressor",
    "batch_normalize",
    "conv2d",
    "dnn",
    "dropout",
    "expand_concat",
    "get_dnn_model",
    "one_hot_matrix",
    "split_squeeze",
]
