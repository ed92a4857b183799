"""Lookahead: slow weights that follow an optimizer's fast ones, around any optimizer."""

import collections
import functools
from typing import List, Optional

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training import _arguments, _step, _types, _wrapper
from tfgraphtools.training.averages import set_to
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import master_weight as _master
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import unstarted as _unstarted


class LookaheadOptimizer(_wrapper.WrapperOptimizer):
    """After every ``steps`` steps, pulls the variables back towards where they came from.

    ``slow += rate * (variable - slow)``, then ``variable = slow``. The optimizer's own
    slots go on. Frozen elements stay, and so do their slow weights, whether the
    `FreezeOptimizer` is inside or around.

    It does nothing to a variable in the steps between. A learning-rate multiplier of 0 in
    the last step of ``steps`` does not keep the variable: freeze it.

    The slow weights are the slots ``<variable>/slow``, and start as what the variables are
    before the first step, restored ones included; ``<name>/steps`` counts the steps.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``.
      steps: of the optimizer for one of the slow weights, an int of at least 1.
      rate: of the slow weights: number in ``(0, 1]`` or scalar float tensor.
      threads: as for `FreezeOptimizer`.
      slot_name: of a second one around the same variables: it is in the names of its slow
        weights, ``w/slow_<slot_name>``. None is the stock name; in a chain of several, that
        of ``name`` where it is given.
      name: of the scope of ops and state. Two of them in one graph need two names.

    Example:
      >>> optimizer = LookaheadOptimizer(tf.compat.v1.train.AdamOptimizer(1e-3), steps=5)
      >>> train_op = optimizer.minimize(loss)

    Raises:
      ArgumentError: no such int or rate; a second step built with the same name.

    Source: Zhang, Lucas, Hinton, Ba, "Lookahead optimizer: k steps forward, 1 step back",
    arXiv:1907.08610, algorithm 1.
    """

    keeps_frozen_elements = True
    moves_variables = True
    steps_in_replicas = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        steps: int = 5,
        rate: _types.Scalar = 0.5,
        threads: str = "several",
        name: str = "Lookahead",
        slot_name: Optional[str] = None,
    ) -> None:
        _optimizers.check_optimizer(optimizer, "LookaheadOptimizer")
        super().__init__([optimizer], name)
        self._steps = _arguments.check_count("LookaheadOptimizer steps", steps)
        place = "LookaheadOptimizer rate"
        _arguments.check_scalar(place, rate, lambda x: 0 < x <= 1, "a number in (0, 1]")
        self._rate = rate
        place = "LookaheadOptimizer slot_name"
        self._slot_name = _arguments.check_slot_name(place, slot_name)
        place = "LookaheadOptimizer threads"
        self._threads = _arguments.check_choice(place, threads, _arguments.THREADS)

    def slow(self, variable: _types.Variable) -> Optional[_types.Variable]:
        """Returns the variable with another's slow weights; None before the step is built."""
        variable = _tf.without_keras(variable)
        names = v1.train.Optimizer.get_slot_names(self)
        slots = (v1.train.Optimizer.get_slot(self, variable, name) for name in names)
        return next((slot for slot in slots if slot is not None), None)

    def _plan(self, step, pairs):
        """Returns the trained variables with their slow weights, made here: no slots."""
        trained = [variable for grad, variable in pairs if grad is not None]
        step.whole = True
        for variable in trained:
            step.lock(variable, self._threads)
        rate = step.read(self._rate, "LookaheadOptimizer rate")
        return _Slow([(v, self._slow_of(step, v)) for v in trained], rate)

    def _slow_of(self, step, variable):
        name = self._name_of_slot(step, variable, "slow", self._slot_name, "Lookahead")
        return self._unstarted_slot(step, variable, name, variable.dtype.base_dtype)

    def begin(
        self, step: _step.Step, pairs: _types.Pairs, outside: Optional[str]
    ) -> List[tf.Operation]:
        """Returns the op that starts the slow weights, before a wrapper around changes them."""
        trained, begun = step.plan_of(self, pairs).weights, []
        if trained:
            variables = [variable for variable, _ in trained]
            steps = self._own_variable(step, "steps", np.int64(0), variables, outside)
            pairs_to_start = [(slow, functools.partial(set_to, slow, v)) for v, slow in trained]
            kind = type(self).__name__
            _, begun = _unstarted.start(step.looks, pairs_to_start, kind, [(steps, None)])
        return begun + super().begin(step, pairs, outside)

    def _apply(self, step, pairs, outside):
        begun = step.begin(self, pairs, outside)
        trained, rate = step.plan_of(self, pairs)
        if not trained:
            return tf.no_op()
        _master.check_none([step.update_of(v) for v, _ in trained], type(self).__name__)
        counter = self._non_slot_dict["steps", _tf.root_graph()]
        for variable, _ in trained:
            self.note(variable, lookahead=f"every {self._steps} steps")
        with _tf.after(begun):
            stepped = self._apply_wrapped(step, pairs, outside)
        with _tf.after([stepped]):
            count = _tf.components(counter)[0].read_value() + 1
            counted = _distributed.updated(counter, v1.assign, count)
            with v1.control_dependencies([counted]):
                is_due = tf.equal(tf.math.floormod(count, self._steps), 0)

            def sync():
                return _tf.together(
                    [_synced(step.update_of(v), v, slow, rate) for v, slow in trained]
                )

            return _tf.run_if(is_due, sync)


#: The plan of a step: (variable, its slow weights) of each one, and the rate.
_Slow = collections.namedtuple("_Slow", "weights rate")


def _synced(update, variable, slow, rate):
    """Returns the op that moves the slow weights and sets the variable to them."""

    def build(variable, slow, rate):
        fast, old = variable.read_value(), slow.read_value()
        new = old + tf.cast(rate, old.dtype) * (fast - old)
        if not update.frozen:
            return tf.group(v1.assign(slow, new), v1.assign(variable, new))
        now = update.unless_frozen(new, fast)
        new = update.unless_frozen(new, old)
        with _tf.after([new, now]):
            return tf.group(v1.assign(slow, new), v1.assign(variable, now))

    return _distributed.updated(variable, build, slow, rate)
