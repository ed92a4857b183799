"""Relatives of Adam for graph mode: AMSGrad, AdamW, NAdam and RAdam."""

import numpy as np

from tfgraphtools._tf import tf
from tfgraphtools.training import _types
from tfgraphtools.training.optimizers import rule_optimizer as _rule


class _AdamFamily(_rule.RuleOptimizer):
    """Base: two averages of the gradient and its square, and epsilon outside the root."""

    _slot_names = ("m", "v")

    def __init__(
        self,
        learning_rate: _types.Scalar,
        beta1: _types.Scalar,
        beta2: _types.Scalar,
        epsilon: _types.Scalar,
        use_locking: bool,
        name: str,
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        _rule.check_betas(type(self).__name__, beta1=beta1, beta2=beta2)
        _rule.check_not_negative(type(self).__name__, epsilon=epsilon)
        self._beta1, self._beta2, self._epsilon = beta1, beta2, epsilon

    def _averages(self, grad, slots):
        return {
            "m": _rule.mixed(slots["m"], grad, self._beta1),
            "v": _rule.mixed(slots["v"], tf.square(grad), self._beta2),
        }

    def _root(self, v, steps):
        """Returns the root of the average of squares, and epsilon: what a step is divided by."""
        return tf.sqrt(v / steps.debiased(self._beta2)) + _rule.scalar(self._epsilon, v.dtype)


class AMSGradOptimizer(_AdamFamily):
    """Adam that divides by the largest average of squares so far, and not by today's.

    It does nothing to variables without a gradient. A sparse gradient moves all rows, as under
    TensorFlow's Adam. Slots are ``m``, ``v`` and ``vhat``.

    Args:
      learning_rate: number from 0, scalar float tensor, or function that returns one.
      beta1, beta2: decay of the averages of gradients and of their squares, from 0 below 1.
      epsilon: number from 0, added to the root of the debiased average, as the paper's
        appendix and PyTorch do. (TensorFlow's Adam adds it before the debiasing.)
      use_locking: True has a ref variable locked while it is written.
      name: of the slots, and of the variable ``<name>/steps``.

    Example:
      >>> train_op = AMSGradOptimizer(1e-3).minimize(loss)

    Raises:
      ArgumentError: a number out of its range.

    Source: Reddi, Kale, Kumar, "On the convergence of Adam and beyond", ICLR 2018.
    """

    _slot_names = ("m", "v", "vhat")

    def __init__(
        self,
        learning_rate: _types.Scalar = 0.001,
        beta1: _types.Scalar = 0.9,
        beta2: _types.Scalar = 0.999,
        epsilon: _types.Scalar = 1e-8,
        use_locking: bool = False,
        name: str = "AMSGrad",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _new_values(self, value, grad, slots, rate, steps):
        """Returns the new values: see `RuleOptimizer`."""
        new = self._averages(grad, slots)
        new["vhat"] = tf.maximum(slots["vhat"], new["v"])
        mean = new["m"] / steps.debiased(self._beta1)
        return value - rate * mean / self._root(new["vhat"], steps), new


class AdamWOptimizer(_AdamFamily):
    """Adam with decoupled weight decay: ``var -= learning_rate * weight_decay * var``, too.

    The decay is of all variables that it trains, and follows the learning rate. Give those that
    shall not decay, such as biases, a group of their own:
    ``PartitionOptimizer([Group("decay", rank_at_least(2), AdamWOptimizer(1e-3, 0.01)),
    Group("rest", ".*/bias", AdamWOptimizer(1e-3, 0))])``. (`DecoupledWeightDecayOptimizer`
    decays as ``tf.contrib.opt.AdamWOptimizer`` did, without the learning rate.)

    It does nothing to variables without a gradient. A sparse gradient moves all rows, and all
    rows decay. Slots are ``m`` and ``v``.

    Args:
      learning_rate: number from 0, scalar float tensor, or function that returns one.
      weight_decay: number from 0 or scalar float tensor.
      beta1, beta2: decay of the averages of gradients and of their squares, from 0 below 1.
      epsilon: number from 0, added to the root of the debiased average.
      use_locking: True has a ref variable locked while it is written.
      name: of the slots, and of the variable ``<name>/steps``.

    Example:
      >>> train_op = AdamWOptimizer(1e-3, weight_decay=0.01).minimize(loss)

    Raises:
      ArgumentError: a number out of its range.

    Source: Loshchilov, Hutter, "Decoupled weight decay regularization", arXiv:1711.05101, with
    the decay times the learning rate, as PyTorch and Keras have it.
    """

    def __init__(
        self,
        learning_rate: _types.Scalar = 0.001,
        weight_decay: _types.Scalar = 0.01,
        beta1: _types.Scalar = 0.9,
        beta2: _types.Scalar = 0.999,
        epsilon: _types.Scalar = 1e-8,
        use_locking: bool = False,
        name: str = "AdamW",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        _rule.check_not_negative("AdamWOptimizer", weight_decay=weight_decay)
        self._weight_decay = weight_decay

    def _new_values(self, value, grad, slots, rate, steps):
        """Returns the new values: see `RuleOptimizer`."""
        new = self._averages(grad, slots)
        kept = value - rate * _rule.scalar(self._weight_decay, value.dtype) * value
        mean = new["m"] / steps.debiased(self._beta1)
        return kept - rate * mean / self._root(new["v"], steps), new


class NadamOptimizer(_AdamFamily):
    """Adam with Nesterov's momentum, whose momentum warms up.

    It does nothing to variables without a gradient. A sparse gradient moves all rows. Slots are
    ``m`` and ``v``; the product of the momenta is one more variable, ``<name>/momentum_product``.
    (``tf.contrib.opt.NadamOptimizer`` has no warm-up.)

    Args:
      learning_rate: number from 0, scalar float tensor, or function that returns one.
      beta1, beta2: decay of the averages of gradients and of their squares, from 0 below 1.
      epsilon: number from 0, added to the root of the debiased average.
      momentum_decay: number from 0: the momentum of step t is
        ``beta1 * (1 - 0.5 * 0.96 ** (t * momentum_decay))``.
      use_locking: True has a ref variable locked while it is written.
      name: of the slots, and of the variables ``<name>/...``.

    Example:
      >>> train_op = NadamOptimizer(2e-3).minimize(loss)

    Raises:
      ArgumentError: a number out of its range.

    Source: Dozat, "Incorporating Nesterov momentum into Adam", 2016, as PyTorch and Keras have it.
    """

    def __init__(
        self,
        learning_rate: _types.Scalar = 0.002,
        beta1: _types.Scalar = 0.9,
        beta2: _types.Scalar = 0.999,
        epsilon: _types.Scalar = 1e-8,
        momentum_decay: _types.Scalar = 0.004,
        use_locking: bool = False,
        name: str = "Nadam",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        _rule.check_not_negative("NadamOptimizer", momentum_decay=momentum_decay)
        self._momentum_decay = momentum_decay

    @property
    def _product_name(self):
        return f"{self._name}/momentum_product"

    def _create_slots(self, variables):
        super()._create_slots(variables)
        self._make_scalar(np.float64(1), self._product_name, variables)

    def _momentum(self, count):
        decayed = 0.96 ** (count * _rule.wide(self._momentum_decay))
        return _rule.wide(self._beta1) * (1 - 0.5 * decayed)

    def _new_values(self, value, grad, slots, rate, steps):
        """Returns the new values: see `RuleOptimizer`."""
        new = self._averages(grad, slots)
        before = self._non_slot(self._product_name).read_value()

        def of_gradient(count):
            momentum = self._momentum(count)
            return (1 - momentum) / (1 - before * momentum)

        def of_mean(count):
            momentum, following = self._momentum(count), self._momentum(count + 1)
            return following / (1 - before * momentum * following)

        look_ahead = steps.of(of_gradient) * grad + steps.of(of_mean) * new["m"]
        return value - rate * look_ahead / self._root(new["v"], steps), new

    def _counted(self):
        """Returns the ops that count a step: see `RuleOptimizer`."""
        product, steps = self._non_slot(self._product_name), self._non_slot(self._steps_name)
        momentum = self._momentum(tf.cast(steps.read_value() + 1, tf.float64))
        with tf.control_dependencies([momentum]):
            multiplied = product.assign(product.read_value() * momentum, read_value=False)
        with tf.control_dependencies([multiplied]):
            return super()._counted()


class RAdamOptimizer(_AdamFamily):
    """Adam that takes steps of plain momentum until its average of squares is to be trusted.

    It does nothing to variables without a gradient. A sparse gradient moves all rows. Slots are
    ``m`` and ``v``.

    Args:
      learning_rate: number from 0, scalar float tensor, or function that returns one.
      beta1, beta2: decay of the averages of gradients and of their squares, from 0 below 1.
      epsilon: number from 0, added to the root of the average of squares.
      use_locking: True has a ref variable locked while it is written.
      name: of the slots, and of the variable ``<name>/steps``.

    Example:
      >>> train_op = RAdamOptimizer(1e-3).minimize(loss)

    Raises:
      ArgumentError: a number out of its range.

    Source: Liu et al., "On the variance of the adaptive learning rate and beyond",
    arXiv:1908.03265, with the threshold of 5 that the authors' code and PyTorch have.
    """

    def __init__(
        self,
        learning_rate: _types.Scalar = 0.001,
        beta1: _types.Scalar = 0.9,
        beta2: _types.Scalar = 0.999,
        epsilon: _types.Scalar = 1e-8,
        use_locking: bool = False,
        name: str = "RAdam",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _new_values(self, value, grad, slots, rate, steps):
        """Returns the new values: see `RuleOptimizer`."""
        new = self._averages(grad, slots)
        mean = new["m"] / steps.debiased(self._beta1)
        root = tf.sqrt(new["v"]) + _rule.scalar(self._epsilon, value.dtype)
        adaptive = steps.of(self._rectified) * mean / root
        is_adaptive = steps.of(lambda count: self._length(count) - 5) > 0
        return value - rate * tf.where(is_adaptive, adaptive, mean), new

    def _length(self, count):
        """Returns how many gradients the average of squares stands for after so many steps."""
        power = _rule.wide(self._beta2) ** count
        return self._longest() - 2 * count * power / (1 - power)

    def _longest(self):
        return 2 / (1 - _rule.wide(self._beta2)) - 1

    def _rectified(self, count):
        longest, length = self._longest(), tf.maximum(self._length(count), 5)
        by_length = (length - 4) * (length - 2) * longest
        by_longest = (longest - 4) * (longest - 2) * length
        return tf.sqrt(by_length / by_longest * (1 - _rule.wide(self._beta2) ** count))
