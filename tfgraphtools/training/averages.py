"""The common part of the optimizers that average variables, and its use in evaluation."""

import collections
import contextlib
import functools
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _arguments, _step, _types, _wrapper
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import one_pass as _one_pass
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import unstarted as _unstarted

#: The end of the name of a float32 twin: see `Average`.
_WIDE = "Float32"


class AveragingOptimizer(_wrapper.WrapperOptimizer):
    """The base of the optimizers that keep an average of each variable beside it.

    An average is of the variable as the whole step leaves it, wherever among the
    wrappers this one stands: frozen elements are averaged as they are, and no
    average is a slot to a `FreezeOptimizer`.
    """

    keeps_frozen_elements = True
    steps_in_replicas = True

    #: An average is saved as ``<variable>/<slot>``; with a ``slot_name`` this is in it, too.
    slot = ""

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        selector: Optional[_types.Selector],
        threads: str,
        slot_name: Optional[str],
        name: str,
        fused: Optional[bool],
    ) -> None:
        kind = type(self).__name__
        _optimizers.check_optimizer(optimizer, kind)
        super().__init__([optimizer], name)
        if _arguments.check_slot_name(f"{kind} slot_name", slot_name) is not None:
            self.slot = f"{type(self).slot}_{slot_name}"
        self._selector = selector
        self._threads = _arguments.check_choice(f"{kind} threads", threads, _arguments.THREADS)
        self._fused = _arguments.check_choice(f"{kind} fused", fused, _one_pass.CHOICES)
        # graph: ([(variable, average)], the counter), or None for no average
        self._built_averages = {}

    def average(self, variable: _types.Variable) -> Optional[_types.Variable]:
        """Returns the variable that holds another's average; None before the step is built."""
        return v1.train.Optimizer.get_slot(self, _tf.without_keras(variable), self.slot)

    def variables_to_restore(
        self, variables: Optional[List[_types.Variable]] = None
    ) -> Dict[str, Union[_types.Variable, List[_types.Variable]]]:
        """Returns what a ``Saver`` restores to have averages in the place of the variables.

        It needs no step: a graph that only evaluates takes the averages from the
        checkpoint of one that trains.

        Args:
          variables: that have averages there; None: the trainable ones that the selector
            takes. All other global variables are restored as they are saved.

        Returns:
          ``{name in the checkpoint: variable}``; slices of one variable are in one list.

        Example:
          >>> saver = tf.compat.v1.train.Saver(optimizer.variables_to_restore())
          >>> saver.restore(session, path)
        """
        if variables is None:
            variables = self._chosen(v1.trainable_variables(), v1.trainable_variables())
        averaged = _select.expand(variables)
        average_of = {_tf.key(variable): self._saved_average(variable) for variable in averaged}
        names = {name + end for name in average_of.values() for end in ("", _WIDE)}
        mapping = {}
        for variable in averaged + v1.global_variables():
            name = average_of.get(_tf.key(variable), _saved_name(variable))
            if _tf.key(variable) not in average_of and name in names:
                continue  # an average of this graph
            if getattr(variable, "_save_slice_info", None) is None:
                mapping[name] = variable
            elif all(variable is not known for known in mapping.setdefault(name, [])):
                mapping[name].append(variable)
        return mapping

    def _saved_average(self, variable):
        """Returns the name of a variable's average in a checkpoint, of a step built or not."""
        average = self.average(variable)
        return f"{_saved_name(variable)}/{self.slot}" if average is None else _saved_name(average)

    @contextlib.contextmanager
    def swapped(self, session: Any) -> Iterator[Any]:
        """Puts the averages into the variables of a session while it is open.

        After it they hold what they held before, bit for bit. It adds no op, so it works
        on a finalized graph; the values pass through the host. Run no train op meanwhile.

        It does nothing before the first step, when there is no average yet.

        Args:
          session: a Session, or a MonitoredSession, whose hooks are not called.

        Example:
          >>> with optimizer.swapped(session):
          ...     accuracy = session.run(accuracy_op)

        Raises:
          ArgumentError: no step is built in the session's graph, or one that averages nothing.
        """
        run = runner(session)
        before = self.swap_in(run, session.graph)
        try:
            yield session
        finally:
            load(run, before)

    def swap_in(self, run: Any, graph: tf.Graph) -> List[Tuple[_types.Variable, Any]]:
        """Loads the averages into the variables, for `load` to put back what was there.

        Args:
          run: ``run(fetches, feed)`` of a session.
          graph: of the session.

        Returns:
          The variables with the values that they had.
        """
        known = self.averages_now(run, graph, f"{type(self).__name__}.swapped")
        before = [(variable, value) for variable, value, _ in known]
        if not known:
            return []
        try:
            load(run, [(variable, average) for variable, _, average in known])
        except BaseException:  # an interrupt, too, comes in the middle
            load(run, before)
            raise
        return before

    def averages_now(self, run: Any, graph: tf.Graph, place: str) -> List[Tuple[Any, Any, Any]]:
        """Returns (variable, its value, its average) of each variable whose average has begun.

        Args:
          run: ``run(fetches, feed)`` of a session.
          graph: of the session.
          place: who asks.
        """
        if graph not in self._built_averages:
            raise ArgumentError(
                place,
                "a session of the graph in which the step is built",
                "one of another graph",
                "Build the step first; a graph without it restores variables_to_restore().",
            )
        if self._built_averages[graph] is None:
            raise ArgumentError(
                place,
                "a step that averages a variable",
                "one whose selector takes only variables without a gradient",
                "Select variables that the step trains.",
            )
        averaged, _ = self._built_averages[graph]
        variables = [copy for state in averaged for copy in _tf.components(state.variable)]
        averages = [copy for state in averaged for copy in _tf.components(state.average)]
        known = zip(variables, *run([variables, averages], None))
        return [triple for triple in known if not _unstarted.array_is(triple[2])]

    def _chosen(self, variables, candidates):
        """Returns those of the variables that are averaged."""
        if self._selector is None:
            return list(variables)
        place = f"{type(self).__name__} selector"
        taken = _select.select(self._selector, candidates, place)
        keys = {_tf.key(variable) for variable in taken}
        return [v for v in variables if _tf.key(_tf.container(v)) in keys or _tf.key(v) in keys]

    def _plan(self, step, pairs):
        """Returns the averaged variables with their averages, made here outside of the step."""
        averaged = []
        trained = [variable for grad, variable in pairs if grad is not None]
        for variable in self._chosen(trained, step.candidates()):
            averaged.append(self._average_of(step, variable))
            step.whole = True
            step.lock(variable, self._threads)
        return _Averaged(averaged, self._read(step))

    def _read(self, step):
        """Returns what the averaging rate is computed from, as at the start of the step."""

    def _average_of(self, step, variable):
        """Returns the `Average` of a variable, made on first use."""
        dtype, wide = variable.dtype.base_dtype, None
        average = self._unstarted_slot(step, variable, self.slot, dtype)
        if dtype.size < 4:
            name = self.slot + _WIDE
            wide = self._unstarted_slot(step, variable, name, tf.float32)
        fused = _one_pass.is_used(self._fused, variable, type(self).__name__)
        return Average(variable, average, wide, fused)

    def begin(
        self, step: _step.Step, pairs: _types.Pairs, outside: Optional[str]
    ) -> List[tf.Operation]:
        """Returns the ops that start the averages, before a wrapper around changes a variable."""
        averaged, begun = step.plan_of(self, pairs).averages, []
        if averaged:
            counter = self._own_variable(
                step, *self._counter, [state.variable for state in averaged], outside
            )
            self._built_averages[_tf.root_graph()] = (averaged, counter)
            states = [(state.average, state.set) for state in averaged]
            counts = [
                (self._non_slot_dict[key, _tf.root_graph()], may_be_zero)
                for key, may_be_zero in self._needed_counts().items()
            ]
            new, started = _unstarted.start(step.looks, states, type(self).__name__, counts)
            begun = started + self._before(new, counter)
        return begun + super().begin(step, pairs, outside)

    def _apply(self, step, pairs, outside):
        begun = step.begin(self, pairs, outside)
        averaged, read = step.plan_of(self, pairs)
        if not averaged:
            self._built_averages.setdefault(_tf.root_graph())
        else:
            _, counter = self._built_averages[_tf.root_graph()]
            step.at_end(lambda: self._at_end(averaged, counter, read))
        for state in averaged:
            self.note(state.variable, average=self.slot)
        with _tf.after(begun):
            return self._apply_wrapped(step, pairs, outside)

    #: (name, initial value) of a variable that counts.
    _counter = ("", 0)

    def _needed_counts(self):
        """Returns the counts without which an average that was restored is none.

        ``{key: function that tells where it may be 0 beside an average, or None}``.
        """
        return {self._counter[0]: None}

    def _before(self, new, counter):
        """Returns further ops that the step waits for.

        Args:
          new: scalar tensors: which averages start in this run.
        """
        return []

    def _at_end(self, averaged, counter, read):
        """Returns the op that updates the averages."""
        raise NotImplementedError


#: The plan of a step: `Average` of each variable, and what the rate is computed from.
_Averaged = collections.namedtuple("_Averaged", "averages read")


class Average(collections.namedtuple("Average", "variable average wide fused")):
    """A variable with its average, which has the variable's dtype.

    The average of a half float has a float32 twin (else None), which keeps the bits that
    rounding would lose. It counts as long as it rounds to the average: not after a restore
    of the average alone. One that is fused moves in one pass over memory.
    """

    def move(self, rate, alone=None):
        """Returns the op that moves the average towards its variable by a share of the distance.

        Args:
          rate: scalar tensor: the share.
          alone: None, or scalar bool tensor: whether the average is the variable itself now.
        """
        if self.fused:
            tensors = [tf.cast(rate, self.average.dtype)] + ([] if alone is None else [alone])
            return _tf.one_pass(self.average, _moved_value, [self.variable], tensors)
        moved = functools.partial(_moved, alone=alone)
        wide = [] if self.wide is None else [self.wide]
        return _distributed.updated(self.average, moved, self.variable, rate, *wide)

    def set(self, condition=None):
        """Returns the op that sets the average to its variable where a condition is true."""
        averages = [state for state in (self.average, self.wide) if state is not None]
        return _tf.together([set_to(average, self.variable, condition) for average in averages])


def _moved_value(rounded, average, value, rate, alone=None):
    """Returns the new value of an average, as `_moved` computes it."""
    new = average - rounded((average - value) * rate)
    return new if alone is None else _tf.where(alone, value, new)


def _moved(average, variable, rate, wide=None, alone=None):
    value = variable.read_value()
    if wide is None:
        now = average.read_value()
        off = (now - value) * tf.cast(rate, now.dtype)
        if alone is None:
            return v1.assign_sub(average, off)
        return v1.assign(average, _tf.select(alone, value, now - off))
    now, old = average.read_value(), wide.read_value()
    value = tf.cast(value, old.dtype)
    old = _tf.select(tf.equal(tf.cast(old, now.dtype), now), old, tf.cast(now, old.dtype))
    new = old - (old - value) * tf.cast(rate, old.dtype)
    if alone is not None:
        new = _tf.select(alone, value, new)
    with _tf.after([new]):
        return tf.group(v1.assign(wide, new), v1.assign(average, tf.cast(new, now.dtype)))


def set_to(average, variable, condition=None):
    """Returns the op that sets a variable to another one, where a scalar condition is true."""

    def build(average, variable):
        value = tf.cast(variable.read_value(), average.dtype.base_dtype)
        if condition is not None:
            value = _tf.select(condition, value, average.read_value())
        return v1.assign(average, value)

    return _distributed.updated(average, build, variable)


def load(run, values):
    """Sets variables by their own initializers, which adds no op, in one run: all or none.

    The tensor that each was made from is fed: variables that share one take a run each.
    """
    rounds = [({}, [])]  # ({name of the tensor that is fed: value}, initializers)
    copies = [(copy, value) for variable, value in values for copy in _each_copy(variable)]
    for variable, value in copies:
        # Where init_from_checkpoint has replaced it, that of a ref variable is a tensor.
        initializer = _optimizers.as_operation(variable.initializer)
        name = initializer.inputs[1].name
        if all(name in feed for feed, _ in rounds):
            rounds.append(({}, []))
        feed, initializers = next(batch for batch in rounds if name not in batch[0])
        feed[name] = value.astype(variable.dtype.base_dtype.as_numpy_dtype)
        initializers.append(initializer)
    for feed, initializers in rounds:
        run(initializers, feed)


def _each_copy(variable):
    """Returns the copies of a mirrored variable; else the variable, which may be one of them."""
    return _tf.components(variable) if _tf.is_mirrored(variable) else [variable]


def runner(session):
    """Returns ``run(fetches, feed)`` of a session, of a MonitoredSession without its hooks."""
    if hasattr(session, "run_step_fn"):
        return lambda fetches, feed: session.run_step_fn(
            lambda step_context: step_context.session.run(fetches, feed)
        )
    return session.run


def _saved_name(variable):
    return _select.names_of(variable)[-1]
