"""Learning rates that follow the global step, as values of the graph.

Each is a float32 scalar tensor, computed in float64: the rate of an optimizer, or the decay,
multiplier or threshold of a wrapper. Nothing is to be fed or set.
"""

import math

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training import _arguments, _types


def warm_up(step: _types.Scalar, steps: int, rate: _types.Scalar) -> _types.Tensor:
    """Returns a rate that grows in equal parts over the first steps, and stays.

    ``rate * min(1, (step + 1) / steps)``: the first step is at ``rate / steps``, and the one
    that is number ``steps`` the first at the whole rate. It does nothing after them.

    Args:
      step: the global step: a scalar integer tensor or variable.
      steps: an int of at least 1.
      rate: positive number or scalar tensor, another schedule among them.

    Example:
      >>> step = tf.compat.v1.train.get_or_create_global_step()
      >>> rate = warm_up(step, 1000, cosine(step, 100000, 1e-3))
      >>> optimizer = tf.compat.v1.train.AdamOptimizer(rate)

    Raises:
      ArgumentError: no such number.

    Source: Goyal et al., "Accurate, large minibatch SGD", arXiv:1706.02677, section 2.2.
    """
    steps = _arguments.check_count("warm_up steps", steps)
    _check_rate("warm_up rate", rate)
    with v1.name_scope("warm_up"):
        share = tf.minimum((_count("warm_up step", step) + 1) / steps, 1.0)
        return tf.cast(_tf.in_dtype(rate, tf.float64) * share, tf.float32, name="rate")


def cosine(
    step: _types.Scalar, steps: int, first: _types.Scalar, last: _types.Scalar = 0.0
) -> _types.Tensor:
    """Returns a rate that falls along half of a cosine from the first to the last one.

    ``last + (first - last) * (1 + cos(pi * step / steps)) / 2``; after ``steps`` it stays.

    Args:
      step: the global step: a scalar integer tensor or variable.
      steps: an int of at least 1.
      first: positive number or scalar tensor: the rate of step 0.
      last: number from 0 or scalar tensor: the rate from step ``steps`` on.

    Example:
      >>> rate = cosine(tf.compat.v1.train.get_or_create_global_step(), 100000, 1e-3, 1e-5)

    Raises:
      ArgumentError: no such number.

    Source: Loshchilov, Hutter, "SGDR", arXiv:1608.03983, equation 5, without restarts.
    """
    steps = _arguments.check_count("cosine steps", steps)
    _check_rate("cosine first", first)
    _arguments.check_scalar("cosine last", last, lambda x: x >= 0, "a number from 0")
    with v1.name_scope("cosine"):
        share = tf.minimum(_count("cosine step", step) / steps, 1.0)
        return tf.cast(_between(first, last, share), tf.float32, name="rate")


def one_cycle(
    step: _types.Scalar,
    steps: int,
    highest: _types.Scalar,
    rise: float = 0.3,
    first_share: float = 1 / 25,
    last_share: float = 1 / 250000,
) -> _types.Tensor:
    """Returns a rate that rises along half of a cosine, and falls along another to almost nothing.

    The numbers are those of ``torch.optim.lr_scheduler.OneCycleLR`` with its defaults. After
    ``steps`` it stays at the lowest.

    Args:
      step: the global step: a scalar integer tensor or variable.
      steps: an int of at least 2: of the whole cycle.
      highest: positive number or scalar tensor: the rate at the top.
      rise: number in ``(0, 1)``: the share of the steps in which it rises; these must be more
        than one step.
      first_share, last_share: numbers above 0: of the highest rate, at the first and the last step.

    Example:
      >>> rate = one_cycle(tf.compat.v1.train.get_or_create_global_step(), 20000, 0.1)

    Raises:
      ArgumentError: no such number.

    Source: Smith, Topin, "Super-convergence", arXiv:1708.07120; PyTorch's OneCycleLR.
    """
    steps = _arguments.check_count("one_cycle steps", steps)
    _check_rate("one_cycle highest", highest)
    rise = _arguments.check_number(
        "one_cycle rise", rise, lambda x: 1 < x * steps < steps - 1e-9, "a share of over one step"
    )
    shares = (("first_share", first_share), ("last_share", last_share))
    first_share, last_share = (
        _arguments.check_number(f"one_cycle {name}", x, lambda x: x > 0, "a number above 0")
        for name, x in shares
    )
    with v1.name_scope("one_cycle"):
        count, top = _count("one_cycle step", step), rise * steps - 1
        high = _tf.in_dtype(highest, tf.float64)
        rising = _between(high * first_share, high, count / top)
        share = tf.minimum((count - top) / (steps - 1 - top), 1.0)
        falling = _between(high, high * last_share, share)
        return tf.cast(_tf.where(count <= top, rising, falling), tf.float32, name="rate")


def _check_rate(place, rate):
    _arguments.check_scalar(place, rate, lambda x: x > 0, "a positive number")


def _count(place, step):
    """Returns the step as a scalar of float64."""
    _arguments.check_steps(place, step)
    if _tf.is_variable(step):
        step = _tf.components(step)[0].read_value()
    return _tf.in_dtype(step, tf.float64)


def _between(first, last, share):
    """Returns what is a share of the way from the first to the last, along half of a cosine."""
    first, last = (_tf.in_dtype(rate, tf.float64) for rate in (first, last))
    return last + (first - last) * (1 + tf.cos(math.pi * share)) / 2
