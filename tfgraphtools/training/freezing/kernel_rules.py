"""Formulas of the kernels of TensorFlow's optimizers, for each element, for XLA to compute.

A rule has the kernel's operations in the kernel's order, each rounded by itself: its results have
the kernel's bits. Not here, as measured on TF 2.21: Adagrad, whose float32 kernel takes an
approximate 1 / sqrt(x) of the processor (1 of 25 elements differs in its last bit), and RMSProp,
whose kernel keeps the other one of two NaNs.

Source: tensorflow/core/kernels/training_ops.cc.
"""

import collections

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1

#: One pass over a state. slot: its name, None for the variable; rule: of a module, see
#: `_tf.one_pass`; others: names of the slots that it reads, too; scalars: what it takes beside
#: the gradient.
Pass = collections.namedtuple("Pass", "slot rule others scalars")

#: The dtypes whose results have the kernels' bits.
DTYPES = (tf.float16, tf.float32, tf.float64)


def passes(leaf, dtype):
    """Returns the `Pass` of each state, in an order in which each reads what is old yet.

    Args:
      leaf: an optimizer that `has_rules`, prepared.
      dtype: of the variable.
    """
    return _RULES[type(leaf)](leaf, lambda scalar: tf.cast(scalar, dtype))


def has_rules(leaf):
    """Tells whether an optimizer's kernel can be computed by XLA, bit for bit.

    A kernel that was not compiled by Clang may itself merge products and sums.
    """
    return type(leaf) in _RULES and "clang" in tf.version.COMPILER_VERSION.lower()


def _unless_frozen(rule):
    """Returns the rule that keeps the old value where its last tensor, of bools, is true."""

    def masked(rounded, value, *tensors):
        return _tf.where(tensors[-1], value, rule(rounded, value, *tensors[:-1]))

    return masked


@_unless_frozen
def _descended(rounded, value, grad, rate):
    return value - rounded(grad * rate)


@_unless_frozen
def _moved_by_momentum(rounded, value, old, grad, rate, momentum):
    return value - rounded(_gathered(rounded, old, grad, momentum) * rate)


@_unless_frozen
def _moved_by_nesterov(rounded, value, old, grad, rate, momentum):
    ahead = rounded(rounded(_gathered(rounded, old, grad, momentum) * momentum) * rate)
    return value - rounded(rounded(grad * rate) + ahead)


def _gathered(rounded, old, grad, momentum):
    return rounded(rounded(old * momentum) + grad)


_momentum = _unless_frozen(_gathered)


@_unless_frozen
def _moved_by_adam(rounded, value, old_mean, old_square, grad, rate, beta1, beta2, epsilon):
    mean = _averaged(rounded, old_mean, grad, beta1)
    root = rounded(tf.sqrt(_averaged_square(rounded, old_square, grad, beta2)))
    return value - rounded(rounded(mean * rate) / rounded(root + epsilon))


def _averaged(rounded, mean, value, beta):
    off = rounded(value - mean)
    return rounded(mean + rounded(off * (tf.ones([], beta.dtype) - beta)))


def _averaged_square(rounded, mean, grad, beta):
    return _averaged(rounded, mean, rounded(grad * grad), beta)


_mean = _unless_frozen(_averaged)
_square = _unless_frozen(_averaged_square)


def _of_descent(leaf, cast):
    return [Pass(None, _descended, [], [cast(leaf._learning_rate_tensor)])]


def _of_momentum(leaf, cast):
    rate, momentum = cast(leaf._learning_rate_tensor), cast(leaf._momentum_tensor)
    rule = _moved_by_nesterov if leaf._use_nesterov else _moved_by_momentum
    return [
        Pass(None, rule, ["momentum"], [rate, momentum]),
        Pass("momentum", _momentum, [], [momentum]),
    ]


def _of_adam(leaf, cast):
    power1, power2 = map(cast, leaf._get_beta_accumulators())
    rate, beta1, beta2, epsilon = map(
        cast, (leaf._lr_t, leaf._beta1_t, leaf._beta2_t, leaf._epsilon_t)
    )
    unit = tf.ones([], rate.dtype)
    rate = rate * tf.sqrt(unit - power2) / (unit - power1)
    return [
        Pass(None, _moved_by_adam, ["m", "v"], [rate, beta1, beta2, epsilon]),
        Pass("m", _mean, [], [beta1]),
        Pass("v", _square, [], [beta2]),
    ]


_RULES = {
    v1.train.AdamOptimizer: _of_adam,
    v1.train.GradientDescentOptimizer: _of_descent,
    v1.train.MomentumOptimizer: _of_momentum,
}
