"""The estimators of skflow with a model of their own: linear, of dense layers, recurrent.

Each takes what `TensorFlowEstimator` takes, in the order of TF 0.8 to 0.10.
"""

import importlib
import inspect

from tfgraphtools._tf import v1
from tfgraphtools.compat.contrib.skflow import skflow_ops
from tfgraphtools.compat.contrib.skflow.base import TensorFlowEstimator

_models = importlib.import_module("tensorflow.contrib.learn.python.learn.models")

#: What `TensorFlowEstimator` takes beside its model.
_COMMON = inspect.signature(TensorFlowEstimator).parameters.keys() - {"model_fn"}


def _common(arguments):
    """Returns those arguments of an estimator that are for `TensorFlowEstimator`."""
    return {name: value for name, value in arguments.items() if name in _COMMON}


_REGRESSION, _CLASSIFICATION = "linear_regression/", "logistic_regression/"


class _Linear(TensorFlowEstimator):
    _scope = None

    @property
    def weights_(self):
        """[features, outputs]."""
        return self.get_tensor_value(self._scope + "weights")

    @property
    def bias_(self):
        """[outputs]."""
        return self.get_tensor_value(self._scope + "bias")


class TensorFlowLinearRegressor(_Linear):
    """Linear regression, from zeros on."""

    _scope = _REGRESSION

    def __init__(
        self,
        n_classes=0,
        batch_size=32,
        steps=200,
        optimizer="Adagrad",
        learning_rate=0.1,
        clip_gradients=5.0,
        continue_training=False,
        config=None,
        verbose=1,
        *,
        model_dir=None,
    ):
        super().__init__(_models.linear_regression_zero_init, **_common(locals()))


class TensorFlowLinearClassifier(_Linear):
    """Logistic regression, from zeros on."""

    _scope = _CLASSIFICATION

    def __init__(
        self,
        n_classes,
        batch_size=32,
        steps=200,
        optimizer="Adagrad",
        learning_rate=0.1,
        class_weight=None,
        clip_gradients=5.0,
        continue_training=False,
        config=None,
        verbose=1,
        *,
        model_dir=None,
    ):
        super().__init__(_models.logistic_regression_zero_init, **_common(locals()))


TensorFlowRegressor = TensorFlowLinearRegressor
TensorFlowClassifier = TensorFlowLinearClassifier


class _DNN(TensorFlowEstimator):
    _scope = None

    def _build(self, x, y):
        predict = getattr(_models, self._scope[:-1])
        return predict(skflow_ops.dnn(x, self.hidden_units, self.activation_fn, self.dropout), y)

    def _values(self, name):
        layers = range(len(self.hidden_units))
        hidden = [f"dnn/layer{number}/fully_connected/{name}" for number in layers]
        return [self.get_tensor_value(each) for each in [*hidden, self._scope + name]]

    @property
    def weights_(self):
        """Those of each layer, and of the regression on top."""
        return self._values("weights")

    @property
    def bias_(self):
        """Those of each layer, and of the regression on top."""
        return self._values("bias")


class TensorFlowDNNClassifier(_DNN):
    """Dense layers with logistic regression on top.

    Args:
      hidden_units: the width of each layer.
      dropout: the probability to drop an element of a layer while training; None for none.
      activation_fn: after each layer; None for none.
    """

    _scope = _CLASSIFICATION

    def __init__(
        self,
        hidden_units,
        n_classes,
        batch_size=32,
        steps=200,
        optimizer="Adagrad",
        learning_rate=0.1,
        class_weight=None,
        clip_gradients=5.0,
        continue_training=False,
        config=None,
        verbose=1,
        dropout=None,
        *,
        activation_fn=v1.nn.relu,
        model_dir=None,
    ):
        self.hidden_units, self.dropout = hidden_units, dropout
        self.activation_fn = activation_fn
        super().__init__(self._build, **_common(locals()))


class TensorFlowDNNRegressor(_DNN):
    """Dense layers with linear regression on top: see `TensorFlowDNNClassifier`."""

    _scope = _REGRESSION

    def __init__(
        self,
        hidden_units,
        n_classes=0,
        batch_size=32,
        steps=200,
        optimizer="Adagrad",
        learning_rate=0.1,
        clip_gradients=5.0,
        continue_training=False,
        config=None,
        verbose=1,
        dropout=None,
        *,
        activation_fn=v1.nn.relu,
        model_dir=None,
    ):
        self.hidden_units, self.dropout = hidden_units, dropout
        self.activation_fn = activation_fn
        super().__init__(self._build, **_common(locals()))


def null_input_op_fn(x):
    """Returns the inputs as they are."""
    return x


class _RNN(_Linear):
    _SHAPE = (
        "rnn_size cell_type num_layers input_op_fn initial_state bidirectional "
        "sequence_length attn_length attn_size attn_vec_size"
    ).split()

    def _keep(self, values):
        for name in self._SHAPE:
            setattr(self, name, values[name])

    def _build(self, x, y):
        return _models.get_rnn_model(
            self.rnn_size,
            self.cell_type,
            self.num_layers,
            self.input_op_fn,
            self.bidirectional,
            getattr(_models, self._scope[:-1]),
            self.sequence_length,
            self.initial_state,
            self.attn_length,
            self.attn_size,
            self.attn_vec_size,
        )(x, y)


class TensorFlowRNNClassifier(_RNN):
    """A recurrent network, with logistic regression on its last state.

    Args:
      rnn_size: units of a cell.
      cell_type: "rnn", "gru" or "lstm".
      num_layers: the number of stacked cells.
      input_op_fn: a function of x that returns the list of inputs, one for each step.
      initial_state: [batch, state] of the cells; None for zeros.
      bidirectional: whether another network goes through the steps backwards.
      sequence_length: [batch], how many steps count; None for all.
      attn_length, attn_size, attn_vec_size: of ``AttentionCellWrapper``; None for no attention.
    """

    _scope = _CLASSIFICATION

    def __init__(
        self,
        rnn_size,
        n_classes,
        cell_type="gru",
        num_layers=1,
        input_op_fn=null_input_op_fn,
        initial_state=None,
        bidirectional=False,
        sequence_length=None,
        attn_length=None,
        attn_size=None,
        attn_vec_size=None,
        batch_size=32,
        steps=50,
        optimizer="Adagrad",
        learning_rate=0.1,
        class_weight=None,
        clip_gradients=5.0,
        continue_training=False,
        config=None,
        verbose=1,
    ):
        self._keep(locals())
        super().__init__(self._build, **_common(locals()))


class TensorFlowRNNRegressor(_RNN):
    """A recurrent network, with linear regression on it: see `TensorFlowRNNClassifier`."""

    _scope = _REGRESSION

    def __init__(
        self,
        rnn_size,
        cell_type="gru",
        num_layers=1,
        input_op_fn=null_input_op_fn,
        initial_state=None,
        bidirectional=False,
        sequence_length=None,
        attn_length=None,
        attn_size=None,
        attn_vec_size=None,
        n_classes=0,
        batch_size=32,
        steps=50,
        optimizer="Adagrad",
        learning_rate=0.1,
        clip_gradients=5.0,
        continue_training=False,
        config=None,
        verbose=1,
    ):
        self._keep(locals())
        super().__init__(self._build, **_common(locals()))
