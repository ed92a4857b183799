"""Exponential and stochastic weight averages, around any optimizer."""

from typing import Callable, List, Optional, Union

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training import _arguments, _step, _types
from tfgraphtools.training import averages as _averages
from tfgraphtools.training.steps import distributed as _distributed


class ExponentialAverageOptimizer(_averages.AveragingOptimizer):
    """Keeps exponential moving averages of the variables that an optimizer trains.

    After each step ``average -= (1 - decay) * (average - variable)``, bit for bit as
    ``tf.train.ExponentialMovingAverage`` and under its names, so that either reads the
    other's checkpoints: the average of ``w`` is ``w/ExponentialMovingAverage``. (Where a
    checkpoint is TensorFlow's, initialise ``<name>/weight`` and leave it out of the ``Saver``.)
    It is of the variable as the whole step leaves it, wherever this optimizer stands. An average
    that was not restored starts from the variable as it is before the first step, restored
    variables included.

    It does nothing to the training.

    Use the averages: `swapped` for a session, `AverageHook` for a MonitoredSession,
    `variables_to_restore` for a ``Saver`` in a graph that only evaluates.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``.
      decay: number in ``[0, 1)`` or scalar float tensor, or a function that makes one of the
        number of averagings before (a scalar int64 tensor): a warm-up by a rule of your own,
        such as ``lambda count: 0.999 * (1 - tf.exp(-count / 2000))``. The count is the variable
        ``<name>/averagings``.
      every: average after one step in this many, an int: the steps of an epoch, say. The decay
        is then of each averaging.
      num_updates: None, or a scalar such as the global step, read at the start of the
        step: the decay is then at most ``(1 + num_updates) / (10 + num_updates)``.
      debias: True: the average of the values after each step alone, their weights made to
        add up to 1, as Adam corrects its moments (``zero_debias`` in TensorFlow).
      selector: which of the trained variables; None takes all.
      threads: as for `FreezeOptimizer`.
      slot_name: of a second one that keeps averages of the same variables: it is in the names
        that these have in a checkpoint, ``w/ExponentialMovingAverage_<slot_name>``. None is the
        stock name.
      fused: None: XLA moves the averages of large variables (a million elements or more) in one
        pass over memory, with the same bits: on TF 2, of resource variables of float32 and
        float64, in a process without a GPU. True: of all variables, which are refused where
        that cannot be; on a GPU the last bits may differ. False: of none.
      name: of the scope of ops and of ``<name>/weight``, the sum of the weights: 0 until the
        first step. Two of them in one graph need two names.

    Example:
      >>> optimizer = ExponentialAverageOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), decay=0.999)
      >>> train_op = optimizer.minimize(loss)

    Raises:
      ArgumentError: a decay outside ``[0, 1)``; ``num_updates`` is no number of steps; a second
        step built with the same name.
      NothingMatchedError: when the step is built: the selector takes no variable.

    Averages of float16 and bfloat16 variables have their dtype; a float32 twin,
    ``w/ExponentialMovingAverageFloat32``, keeps what rounding would lose.

    Source: tensorflow/python/training/moving_averages.py; Polyak, Juditsky, "Acceleration
    of stochastic approximation by averaging" (1992); Kingma, Ba, arXiv:1412.6980, section 3.
    """

    slot = "ExponentialMovingAverage"
    _counter = ("weight", 0.0)

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        decay: Union[_types.Scalar, Callable[[_types.Tensor], _types.Scalar]],
        num_updates: Optional[_types.Scalar] = None,
        debias: bool = False,
        selector: Optional[_types.Selector] = None,
        threads: str = "several",
        name: str = "ExponentialAverage",
        slot_name: Optional[str] = None,
        every: int = 1,
        fused: Optional[bool] = None,
    ) -> None:
        super().__init__(optimizer, selector, threads, slot_name, name, fused)
        if not _is_rule(decay):
            _check_decay(decay)
        if num_updates is not None:
            _arguments.check_steps("ExponentialAverageOptimizer num_updates", num_updates)
        self._decay = decay
        self._every = _arguments.check_count("ExponentialAverageOptimizer every", every)
        self._num_updates = num_updates
        self._debias = _arguments.check_choice(
            "ExponentialAverageOptimizer debias", debias, (False, True)
        )

    def begin(
        self, step: _step.Step, pairs: _types.Pairs, outside: Optional[str]
    ) -> List[tf.Operation]:
        """Begins as every average does; makes the counts of steps and of averagings it needs."""
        averaged = step.plan_of(self, pairs).averages
        if averaged:
            variables = [state.variable for state in averaged]
            if self._every > 1:
                self._own_variable(step, "steps", np.int64(0), variables, outside)
            if _is_rule(self._decay):
                self._own_variable(step, "averagings", np.int64(0), variables, outside)
        return super().begin(step, pairs, outside)

    def _needed_counts(self):
        counts = {"steps": None} if self._every > 1 else {}
        if _is_rule(self._decay):
            counts["averagings"] = self._has_not_averaged if self._every > 1 else None
        return counts

    def _has_not_averaged(self):
        """Tells, as a scalar tensor, whether the first averaging is still to come."""
        steps = self._non_slot_dict["steps", _tf.root_graph()]
        return _tf.components(steps)[0].read_value() < self._every

    def _read(self, step):
        place = "ExponentialAverageOptimizer"
        if _is_rule(self._decay):
            decay = tf.ones([])  # see `_decay_now`
        else:
            decay = tf.cast(step.read(self._decay, f"{place} decay"), tf.float32)
        if self._num_updates is None:
            return decay
        updates = tf.cast(step.read(self._num_updates, f"{place} num_updates"), tf.float32)
        return tf.minimum(decay, (1.0 + updates) / (10.0 + updates))

    def _before(self, new, counter):
        """Returns the op that sets the weight to 1 where averages were restored without it."""
        if not self._debias:
            return []
        weight = _tf.components(counter)[0].read_value()
        all_new = tf.reduce_all(tf.stack(new), name="all_new")
        is_unknown = tf.logical_and(tf.less_equal(weight, 0), tf.logical_not(all_new))

        def set_weight():
            return _distributed.updated(counter, v1.assign, tf.ones_like(weight))

        return [_tf.run_if(is_unknown, set_weight)]

    def _count(self, key):
        """Returns a count of ours with one more, and the op that sets it to this."""
        counter = self._non_slot_dict[key, _tf.root_graph()]
        count = _tf.components(counter)[0].read_value() + 1
        with _tf.after([count]):
            return count, _distributed.updated(counter, v1.assign, count)

    def _at_end(self, averaged, counter, read):
        if self._every == 1:
            return self._averaging(averaged, counter, read)
        steps, counted = self._count("steps")
        is_due = tf.equal(tf.math.floormod(steps, self._every), 0)
        return tf.group(
            counted, _tf.run_if(is_due, lambda: self._averaging(averaged, counter, read))
        )

    def _averaging(self, averaged, counter, read):
        counted_own = []
        if _is_rule(self._decay):
            count, counted = self._count("averagings")
            counted_own.append(counted)
            read = tf.minimum(read, tf.cast(_check_decay(self._decay(count - 1)), tf.float32))
        rate = 1.0 - read
        weight = tf.ones([])
        if self._debias:
            weight = read * _tf.components(counter)[0].read_value() + rate
            rate = rate / weight
        with _tf.after([rate, weight]):
            counted = _distributed.updated(counter, v1.assign, weight)
        return tf.group(counted, *counted_own, *[state.move(rate) for state in averaged])


def _is_rule(decay):
    """Tells whether a decay is a function, and no tensor or variable."""
    return callable(decay) and not (tf.is_tensor(decay) or _tf.is_variable(decay))


def _check_decay(decay):
    """Returns the decay; raises unless it is a number in [0, 1) or a scalar float tensor."""
    place = "ExponentialAverageOptimizer decay"
    _arguments.check_scalar(place, decay, lambda x: 0 <= x < 1, "a number in [0, 1)")
    return decay


class WeightAverageOptimizer(_averages.AveragingOptimizer):
    """Averages the variables at equal distances along the training, all with one weight (SWA).

    The average is of the variables after the steps ``start``, ``start + every``,
    ``start + 2 * every``...; before these it follows the variable. It is the slot
    ``w/WeightAverage``, of the variable as the whole step leaves it.

    It does nothing to the training. Batch normalisation's moving statistics are those
    of the variables, not of their averages: run the model over some training data with
    the averages (`swapped`) to update them.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``.
      start: the first step whose result is averaged, an int of at least 1.
      every: average the result of one step in this many, an int: the steps of an epoch, or
        of a cycle of the learning rate.
      selector: which of the trained variables; None takes all.
      threads: as for `FreezeOptimizer`.
      slot_name: of a second one that keeps averages of the same variables: it is in the names
        that these have in a checkpoint, ``w/WeightAverage_<slot_name>``. None is the stock name.
      fused: as for `ExponentialAverageOptimizer`.
      name: of the scope of ops and of ``<name>/steps``, which counts them. Two of them in
        one graph need two names.

    Example:
      >>> optimizer = WeightAverageOptimizer(
      ...     tf.compat.v1.train.MomentumOptimizer(0.05, 0.9), start=1000, every=100)
      >>> train_op = optimizer.minimize(loss)

    Raises:
      ArgumentError: no such int; a second step built with the same name.
      OptimizerKindError: when the step is built: ``fused=True`` where that cannot be.
      NothingMatchedError: when the step is built: the selector takes no variable.

    Source: Izmailov et al., "Averaging weights leads to wider optima and better
    generalization", arXiv:1803.05407, algorithm 1.
    """

    slot = "WeightAverage"
    _counter = ("steps", np.int64(0))

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        start: int = 1,
        every: int = 1,
        selector: Optional[_types.Selector] = None,
        threads: str = "several",
        name: str = "WeightAverage",
        slot_name: Optional[str] = None,
        fused: Optional[bool] = None,
    ) -> None:
        super().__init__(optimizer, selector, threads, slot_name, name, fused)
        self._start = _arguments.check_count("WeightAverageOptimizer start", start)
        self._every = _arguments.check_count("WeightAverageOptimizer every", every)

    def _at_end(self, averaged, counter, read):
        steps = _tf.components(counter)[0].read_value() + 1
        with _tf.after([steps]):
            counted = _distributed.updated(counter, v1.assign, steps)
        since = steps - self._start

        def average():
            number = since if self._every == 1 else since // self._every
            alone = number < 1
            rate = 1 / (1 + tf.cast(number, tf.float64))
            return _tf.together([state.move(rate, alone) for state in averaged])

        if self._every == 1:
            return tf.group(counted, average())
        is_snapshot = tf.logical_or(since < 0, tf.equal(tf.math.floormod(since, self._every), 0))
        return tf.group(counted, _tf.run_if(is_snapshot, average))
