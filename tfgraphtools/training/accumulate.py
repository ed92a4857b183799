"""Gradient accumulation: one step of the optimizer for every k batches."""

import collections
from typing import Callable, List, Optional, Union

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from tfgraphtools.training import _arguments, _step, _types, _wrapper
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import gradient_sums as _sums
from tfgraphtools.training.steps import half_states as _half_states
from tfgraphtools.training.steps import indexed_slices as _slices
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import synchronous as _synchronous


class GradientAccumulationOptimizer(_wrapper.WrapperOptimizer):
    """Adds up the gradients of ``steps`` runs, then takes one step with their mean.

    The step is the wrapped optimizer's own, on the mean gradient; in the runs
    between, nothing of it happens: no variable, slot or ``beta1_power`` moves,
    and ``global_step`` stays. A sparse gradient stays sparse: the step sees the
    rows that any of the runs touched.

    Put it around the other wrappers: one around it sees every run, decays in each,
    and clips each gradient instead of the mean.

    It does nothing but take an ordinary step in every run if ``steps`` is 1.

    State, all of it in a stock ``Saver``'s checkpoint, so that training goes on
    in the middle of an accumulation: the sum is the slot ``<variable>/gradient_sum``
    (float32 for float16 and bfloat16 variables), the rows touched are
    ``<variable>/gradient_rows``, and the runs counted ``<name>/runs``. The sum of an element
    stays as it is in runs in which a `FreezeOptimizer`, inside or around, freezes it: they count
    as a gradient of zero. An element that is frozen when the step is due keeps its sum, and gets
    the mean over all runs of both periods (or more) in the first step in which it is not frozen.
    The runs of the periods before are in the slot ``<variable>/gradient_waits``, a float32 for
    each element, where a mask may change from run to run; a sum of zero waits for nothing. A
    variable that joins in the middle, in a graph that was restored, counts as one with gradients
    of zero before.

    A run that fails before it writes (an input that ends, a mask of a wrong shape, a value that
    is not fed) leaves all of this as it was. Where the wrapped optimizer's step itself fails (a
    transform that asserts, say), the run counts: the next one takes the step, with the mean
    of one run more.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``.
      steps: how many runs make one step: an int of at least 1; or, to let the batch grow, a
        scalar integer tensor or variable, or a function of the global step, which is read in
        every run (below 1 counts as 1). A schedule of the learning rate over ``global_step``
        counts steps, not runs.
      threads: ``"one"`` takes no lock, where one thread at a time runs the step: see
        `FreezeOptimizer`.
      slot_name: of a second one around the same variables: it is in the names of its slots,
        ``w/gradient_sum_<slot_name>``. None is the stock name; in a chain of several, that of
        ``name`` where it is given.
      name: of the scope of ops and state. Two of them in one graph need two names.

    Example:
      >>> optimizer = GradientAccumulationOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), steps=8)
      >>> train_op = optimizer.minimize(loss, global_step=global_step)  # run it per batch
      >>> growing = GradientAccumulationOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), steps=lambda step: 1 + step // 10000)

    Raises:
      ArgumentError: ``steps`` is no such number, or a function where the step is built without
        a global step; a second step is built with the same name in one graph, which would count
        every run twice.
      OptimizerKindError: when the step is built: a ``SyncReplicasOptimizer`` around, whose workers
        would wait for ever: it aggregates over steps by itself (``replicas_to_aggregate``).
    """

    counts_every_step = False
    steps_in_replicas = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        steps: Union[int, _types.Tensor, Callable[[_types.Tensor], _types.Tensor]],
        threads: str = "several",
        name: str = "GradientAccumulation",
        slot_name: Optional[str] = None,
    ) -> None:
        _optimizers.check_optimizer(optimizer, "GradientAccumulationOptimizer")
        super().__init__([optimizer], name)
        self._steps = _checked_steps(steps)
        place = "GradientAccumulationOptimizer threads"
        self._threads = _arguments.check_choice(place, threads, _arguments.THREADS)
        place = "GradientAccumulationOptimizer slot_name"
        self._slot_name = _arguments.check_slot_name(place, slot_name)
        self._built = {}  # graph: _Built

    def flush(self) -> tf.Operation:
        """Returns the op of a step with the mean of the runs since the last step, and no new batch.

        For the rest of an epoch that is no multiple of ``steps``: see `FlushHook`. It is a step
        of all our wrappers, those around this one included: their masks and multipliers hold.
        Run it when no other thread runs the train op, and feed what the wrappers are fed.

        It does nothing where no run is waiting.

        Raises:
          ArgumentError: no step is built in this graph.
          OptimizerKindError: an accumulation inside, which has a remainder of its own; a wrapper
            around that moves something in every run (decay, averages, Lookahead); copies of a
            ``MirroredStrategy`` outside of its scope.
        """
        place = "GradientAccumulationOptimizer.flush"
        if _tf.root_graph() not in self._built:
            raise ArgumentError(
                place,
                "a graph in which the step is built",
                "one without it",
                "Call minimize() or apply_gradients() before.",
            )
        if any(type(optimizer) is type(self) for optimizer in _optimizers.chain(self._wrapped[0])):
            raise OptimizerKindError(
                place,
                "no accumulation inside",
                "one, which would wait for more runs",
                "Multiply the steps, and use one GradientAccumulationOptimizer.",
            )
        built = self._built[_tf.root_graph()]
        mirrored = [v for v in (total.variable for total in built.sums) if _is_of_replicas(v)]
        if mirrored and not _distributed.is_active():
            raise OptimizerKindError(
                place,
                f"the strategy that {mirrored[0].op.name!r} has copies for",
                "none open",
                "Call it, and open the session of a FlushHook, in `with strategy.scope():`.",
            )
        for wrapper in built.around:
            if not getattr(wrapper, "is_flushed_through", False):
                kind = type(wrapper).__name__
                raise OptimizerKindError(
                    place,
                    "no wrapper around it that does more in a run than the step needs",
                    f"{kind}, of whose runs a flush is none",
                    f"Put it inside: GradientAccumulationOptimizer({kind}(...), steps).",
                )
        # The means, and not the sums: of half floats these may overflow.
        runs = tf.maximum(_tf.components(built.runs)[0].read_value(), 1)
        pairs = [(total.mean(runs), total.variable) for total in built.sums]
        with _optimizers.train_op_collection_kept():
            return built.opener._whole_step(pairs, built.global_step, "flush", _step.FlushStep)

    def _plan(self, step, pairs):
        """Lets only one thread or worker at a time add, or take the step."""
        step.whole = True
        if self._steps != 1:
            _synchronous.check_steps_in_every_run(pairs, type(self).__name__)
        trained = [(grad, variable) for grad, variable in pairs if grad is not None]
        for _, variable in trained:
            step.lock(variable, self._threads)
        for grad, _ in trained[:1]:
            return self._steps_of(step, grad)

    def _steps_of(self, step, grad):
        """Tells how many runs make this step: an int, or a tensor."""
        steps = self._steps
        if callable(steps) and not _tf.is_variable(steps):
            if step.opened_with is None:
                raise ArgumentError(
                    _STEPS,
                    "a global step to call the function with",
                    "none",
                    "Pass it: minimize(loss, global_step=tf.compat.v1.train.get_global_step()).",
                )
            steps = _checked_steps(steps(_tf.components(step.opened_with)[0].read_value()))
        _synchronous.check_not_fed(steps, grad, _STEPS)
        return step.read(steps, _STEPS)

    def look_ahead(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Shows the wrapped ones no gradients in this run: these go into the sums."""
        inside = _optimizers.chain(self._wrapped[0])
        if not step.is_passing and any(map(_optimizers.skips, inside)):
            step.checks.add(step, pairs)

    def begin(
        self, step: _step.Step, pairs: _types.Pairs, outside: Optional[str]
    ) -> List[tf.Operation]:
        """Returns None: the wrapped ones begin with the step that is due."""
        return []

    def _apply(self, step, pairs, outside):
        if step.is_passing:
            step.arrive()
            return self._flushed(step, outside)
        sums = [_sums.Sum(step, self._zeros, grad, v) for grad, v in pairs if grad is not None]
        steps = step.plan_of(self, pairs)
        for total in sums:
            self.note(total.variable, step=f"every {_shown(steps)} runs")
        runs = self._own_variable(step, "runs", 0, [total.variable for total in sums], outside)
        around = step.update_of(sums[0].variable).above(self)
        built = _Built(sums, runs, step.opener, around, step.opened_with)
        self._built[_tf.root_graph()] = built
        # The step waits for all sums, and so for every gradient: none of them sees
        # a variable that the step has changed. A sum always has its count beside it.
        grads = _slices.parts([grad for grad, _ in pairs if grad is not None])
        checked = step.looks.noticed(
            _half_states.Look(
                type(self).__name__,
                runs,
                [slot for total in sums for slot in total.slots],
                lambda: _tf.all_true([total.is_unused() for total in sums]),
            )
        )
        # A transform around this one may fail.
        with _tf.after([tensor.op for tensor in grads] + [checked]):
            adds = [total.add(step.update_of(total.variable)) for total in sums]
        with _tf.after(adds):
            count = _tf.components(runs)[0].read_value() + 1
            counted = _distributed.updated(runs, v1.assign, count)
            with _tf.after([counted]):
                is_due = tf.greater_equal(count, tf.cast(steps, count.dtype), name="is_due")
        return self._step_if(is_due, step, sums, runs, count, outside)

    def _zeros(self, step, variable, name, shape, dtype):
        """Returns a slot of zeros."""

        def make(name):
            return self._get_or_make_slot_with_initializer(
                variable, v1.zeros_initializer(), shape, dtype, name, name
            )

        default = "GradientAccumulation"
        name = self._name_of_slot(step, variable, name, self._slot_name, default)
        return self._own_slot(step, variable, name, make)

    def _flushed(self, step, outside):
        built = self._built[_tf.root_graph()]
        count = _tf.components(built.runs)[0].read_value()
        waiting = tf.greater(count, 0, name="waiting")
        return self._step_if(waiting, step, built.sums, built.runs, count, outside)

    def _step_if(self, predicate, step, sums, runs, count, outside):
        """Returns the op of the wrapped step with the means, where the predicate holds."""

        def take_step():
            means = [(total.mean(count), total.variable) for total in sums]
            stepped = step.if_finite(
                self._wrapped[0],
                means,
                lambda: self._apply_wrapped(step, means, outside),
                inside=step.update_of(sums[0].variable).above(self),
            )
            with _tf.after([stepped]):
                cleared = [total.clear(step.update_of(total.variable), count) for total in sums]
                cleared.append(_distributed.updated(runs, v1.assign, tf.zeros_like(count)))
                return tf.group(*cleared, name="cleared")

        with step.only_if(predicate):
            return _tf.run_if(predicate, take_step)


#: opener: the wrapper that opened the step, with its global step; around: the wrappers around.
_Built = collections.namedtuple("_Built", "sums runs opener around global_step")


_STEPS = "GradientAccumulationOptimizer steps"


def _checked_steps(steps):
    """Returns the steps; raises unless they are a positive int, an int tensor or a function."""
    if tf.is_tensor(steps) or _tf.is_variable(steps):
        if steps.dtype.is_integer and steps.shape.rank in (0, None):
            return steps
        got = f"a {steps.dtype.base_dtype.name} tensor of shape {steps.shape}"
        how = "Cast it: tf.cast(steps, tf.int64)."
        raise ArgumentError(_STEPS, "a scalar integer tensor", got, how)
    return steps if callable(steps) else _arguments.check_count(_STEPS, steps)


def _shown(steps):
    return f"{steps.name} of" if tf.is_tensor(steps) else steps


def _is_of_replicas(variable):
    return _tf.is_mirrored(_tf.container(variable))
