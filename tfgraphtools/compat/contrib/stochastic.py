"""``tf.contrib.bayesflow.stochastic_tensor``: a distribution that stands for a value of its own.

Source: the API documentation of TF 1.2.
"""

import contextlib
import types

from tfgraphtools._tf import v1


class SampleValue:
    """The value is a sample.

    Args:
      shape: of the sample, before the distribution's own.
      stop_gradient: whether gradients pass through it.
    """

    def __init__(self, shape=(), stop_gradient=False):
        self.shape, self.stop_gradient = shape, stop_gradient

    def of(self, distribution):
        """The value of a distribution."""
        value = distribution.sample(self.shape)
        return v1.stop_gradient(value) if self.stop_gradient else value


class MeanValue:
    """The value is the mean."""

    def __init__(self, stop_gradient=False):
        self.stop_gradient = stop_gradient

    def of(self, distribution):
        """The value of a distribution."""
        value = distribution.mean()
        return v1.stop_gradient(value) if self.stop_gradient else value


#: The value types in force, the innermost last.
_VALUE_TYPES = []


@contextlib.contextmanager
def value_type(value):
    """Gives the tensors made inside values of this type (an instance or a class)."""
    _VALUE_TYPES.append(value() if isinstance(value, type) else value)
    try:
        yield _VALUE_TYPES[-1]
    finally:
        _VALUE_TYPES.pop()


def get_current_value_type():
    """The value type in force; a sample where none is."""
    return _VALUE_TYPES[-1] if _VALUE_TYPES else SampleValue()


class StochasticTensor:
    """Its value, wherever TensorFlow takes a tensor.

    Args:
      dist: a distribution.
      name: of the ops.
      dist_value_type: its own value type; None for the one in force.
    """

    def __init__(self, dist, name="StochasticTensor", dist_value_type=None, loss_fn=None):
        self.distribution, self.name = dist, name
        self.value_type = dist_value_type or get_current_value_type()
        with v1.name_scope(name):
            self._value = v1.identity(self.value_type.of(dist))

    def value(self, name=None):
        """The tensor."""
        return self._value if name is None else v1.identity(self._value, name)

    def mean(self, name=None):
        """The mean of the distribution."""
        return self.distribution.mean()

    def entropy(self, name=None):
        """The entropy of the distribution."""
        return self.distribution.entropy()

    @property
    def dtype(self):
        """The type of the value."""
        return self._value.dtype

    @property
    def graph(self):
        """The graph of the value."""
        return self._value.graph

    def get_shape(self):
        """The static shape of the value."""
        return self._value.shape

    def __tf_tensor__(self, dtype=None, name=None):
        return v1.convert_to_tensor(self._value, dtype, name)


def _operator(name):
    def operator(self, *others):
        return getattr(self._value, name)(*others)

    operator.__name__ = name
    return operator


for _name in v1.Tensor.OVERLOADABLE_OPERATORS - {"__eq__", "__ne__"}:
    setattr(StochasticTensor, _name, _operator(_name))


def module():
    """The module that user code gets."""
    made = types.ModuleType("tensorflow.contrib.bayesflow.stochastic_tensor", __doc__)
    for value in (
        SampleValue,
        MeanValue,
        value_type,
        get_current_value_type,
        StochasticTensor,
    ):
        setattr(made, value.__name__, value)
    return made
