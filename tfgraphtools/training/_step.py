"""The step that is being built, which all wrappers of a chain share.

The outermost of our optimizers opens it. Before the first op of the update is
built, every wrapper plans: it finds its masks and multipliers for the variables
that reach it, and these are read before anything changes. Then the wrappers build
from the outside in and write into the `Update` of each variable what they want
of the optimizer inside, which is driven once for all of them.
"""

import collections
import contextlib
import functools
import threading

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from tfgraphtools.training._update import Update
from tfgraphtools.training.steps import finite as _finite
from tfgraphtools.training.steps import half_states as _half_states
from tfgraphtools.training.steps import indexed_slices as _slices
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import unfinished as _unfinished
from tfgraphtools.training.steps import variable_locks as _locks

_building = threading.local()  # .steps: the steps that are being built, innermost last


class Step:
    """The work of one chain's wrappers in one step.

    Attributes:
      opener, opened_with: the wrapper that opened it, the outermost of ours, and its global step.
      global_step: what the wrapper that is building passes on as such, or None.
      is_passing: True in a `FlushStep` on its way to the accumulation: no wrapper works there.
      whole: True if nothing may change before every gradient is there.
      reads: tensors that are there before anything changes.
      taken: (name, variable or None) of what the wrappers have made: see `unfinished`.
      exclusive: variables that no other step may change meanwhile: see `lock`.
      unlocked: variables that a wrapper with ``threads="one"`` leaves without a lock.
      locks: the `Locks` that it holds meanwhile.
      skips: True if an optimizer of the chain has the step skipped where gradients are not finite.
      checks: the gradients to check, while the wrappers look ahead.
      when_skipped: functions that build the ops of a run that is skipped.
      looks: the `Looks` for halves of states, where the wrappers build what changes.
      constant: `tf.constant` for initial values, one for all variables.
    """

    is_passing = False

    def __init__(self, opener, pairs, global_step):
        self.opener, self.opened_with = opener, global_step
        self.global_step = global_step
        self.whole = self.skips = any(map(_optimizers.skips, _optimizers.chain(opener)))
        self.reads = []
        self.exclusive, self.unlocked = [], []
        self.locks = _locks.Locks()
        self.taken = []
        self.checks = _finite.Checks()
        self.when_skipped = []
        self.looks = None
        self.constant = functools.lru_cache(maxsize=None)(tf.constant)
        self._variables = [variable for _, variable in pairs]  # that the opener was given
        self._candidates = None
        self._plans = {}  # {id of a wrapper: [(keys of its variables, plan)]}
        self._begun = {}  # the same of the ops of `begin`
        self._updates = _select.Assignment()
        self._all = []  # the updates, in order
        self._updates_of = {}  # {id of an optimizer: those that it takes part in}
        self._ends = []  # see at_end
        self._strangers = []  # variables that an optimizer updated and no wrapper was given

    def plan(self, optimizer, pairs):
        """Makes an optimizer and all that it wraps plan what they do with these variables."""
        for _, variable in pairs:
            chain = self.update_of(variable).chain
            if not any(optimizer is known for known in chain):
                chain.append(optimizer)
        if hasattr(optimizer, "plan_step"):
            optimizer.plan_step(self, pairs)
        else:
            for inner in _optimizers.wrapped_by(optimizer):
                self.plan(inner, pairs)

    def put_plan(self, wrapper, pairs, plan):
        """Keeps what a wrapper has planned to do with these variables, for `plan_of`."""
        self._plans.setdefault(id(wrapper), []).append((_keys(pairs), plan))

    def plan_of(self, wrapper, pairs):
        """Returns what the wrapper planned for these variables (it may be there twice)."""
        keys_of_pairs = _keys(pairs)
        return next(plan for keys, plan in self._plans[id(wrapper)] if keys_of_pairs <= keys)

    def covers(self, wrapper, pairs):
        """Tells whether the wrapper has planned for these variables in this step."""
        keys_of_pairs = _keys(pairs)
        return any(keys_of_pairs <= keys for keys, _ in self._plans.get(id(wrapper), ()))

    def candidates(self):
        """Returns what the selectors of all wrappers choose among, indexed once."""
        if self._candidates is None:
            self._candidates = _select.Candidates(candidates(self._variables))
        return self._candidates

    def look_ahead(self, optimizer, pairs):
        """Makes an optimizer and all that it wraps put what they give on into the `checks`."""
        if hasattr(optimizer, "look_ahead"):
            optimizer.look_ahead(self, pairs)
        else:  # another library's, which may change the gradients in the step
            with self.checks.scaled_later():
                for inner in _optimizers.wrapped_by(optimizer):
                    self.look_ahead(inner, pairs)

    def begin(self, optimizer, pairs, outside):
        """Returns the ops that wrappers need before the first change.

        Each wrapper's `WrapperOptimizer.begin` is called once for the variables that it is there
        for: by the outermost one that changes them before its wrapped one does.
        """
        keys_of_pairs, calls = _keys(pairs), self._begun.setdefault(id(optimizer), [])
        for keys, ops in calls:
            if keys_of_pairs <= keys:
                return list(ops)
        ops = optimizer.begin(self, pairs, outside) if hasattr(optimizer, "begin") else []
        calls.append((keys_of_pairs, ops))
        return list(ops)

    def own_variable(self, known, make):
        """Returns the variable that a wrapper keeps once: that of ``make()``.

        Args:
          known: that of the step that the wrapper built before in this graph, or None.
        """
        return make()

    def if_finite(self, optimizer, pairs, build, inside=()):
        """Returns the op of ``build()``, which does nothing where a gradient is not finite.

        Args:
          optimizer: that ``build`` has take a step.
          pairs: what it is given.
          inside: the optimizers around it.
        """
        if not self.skips:
            return _half_states.with_looks(self, build)
        self.checks = _finite.Checks(any(map(_optimizers.skips, inside)))
        with v1.name_scope("finite"):
            self.look_ahead(optimizer, pairs)
            finite = self.checks.all_finite() if self.checks else None
        if finite is None:
            return _half_states.with_looks(self, build)
        with self.only_if(finite):
            taken = _tf.run_if(finite, lambda: _half_states.with_looks(self, build))
        builds = self.when_skipped
        return tf.group(taken, _tf.run_if(tf.logical_not(finite), lambda: _together(builds)))

    def lock(self, variable, threads):
        """Keeps other steps from changing a variable: of other workers, and of other threads.

        Args:
          threads: "several" or "one": how many run steps at a time, those of other workers too.
        """
        (self.exclusive if threads == "several" else self.unlocked).append(variable)

    @contextlib.contextmanager
    def counting(self, global_step):
        """Sets the global step that the wrapper that is building passes on, while open."""
        outer, self.global_step = self.global_step, global_step
        yield
        self.global_step = outer

    def at_end(self, build):
        """Makes ``build()`` create an op that runs when all wrappers have changed the variables."""
        self._ends.append(build)

    @contextlib.contextmanager
    def only_if(self, predicate):
        """Limits what is asked for `at_end`, while open, to runs where the predicate holds."""
        outer, self._ends = self._ends, []
        yield
        inner, self._ends = self._ends, outer
        if inner:
            self._ends.append(lambda: _tf.run_if(predicate, lambda: _together(inner)))

    def ended(self, op):
        """Returns the op that follows the given one and all that is for the end."""
        if not self._ends:
            return op
        with _tf.after([op]):
            return _together(self._ends)

    def changed(self):
        """Returns the variables that the step changes, the global step included."""
        variables = [update.variable for update in self._all]
        return variables + ([] if self.opened_with is None else [self.opened_with])

    def update_of(self, variable):
        """Returns the `Update` of a variable, or of the mirrored variable of which it is a copy."""
        if variable not in self._updates:
            self._updates.put(variable, Update(_tf.container(variable)))
            self._all.append(self._updates.get(variable))
        return self._updates.get(variable)

    def read(self, value, place):
        """Returns a value as at the start of the step: a number or array itself, else a tensor.

        Raises:
          ArgumentError: a tensor or variable of another graph.
        """
        if not (tf.is_tensor(value) or _tf.is_variable(value)):
            return value
        check_graph(value, place)
        tensor = value.read_value() if _tf.is_variable(value) else value
        with _tf.colocate_with(tensor.op):
            tensor = _tf.DeepCopy(x=tensor) if _tf.is_ref_buffer(tensor) else tensor
        self.reads.append(tensor)
        return tensor

    @contextlib.contextmanager
    def driving(self):
        """Makes the optimizers inside do the updates as the wrappers planned them, while open."""
        for update in self._all:
            for optimizer in update.chain:
                self._updates_of.setdefault(id(optimizer), []).append(update)
        with contextlib.ExitStack() as stack:
            for leaf in filter(_optimizers.has_hooks, self._leaves()):
                stack.enter_context(
                    _optimizers.driven(
                        leaf, self._update_by(leaf), self._slots_for, self._finish_of(leaf)
                    )
                )
            for update in self._all:
                stack.enter_context(update.constrained())
            yield
        self._check_done()

    def needs(self, grads):
        """Returns the tensors that the step takes in: gradients and hyperparameters."""
        graph, tensors = v1.get_default_graph(), _slices.parts(grads)
        context = graph._get_control_flow_context()
        for leaf in self._leaves():
            for name, value in vars(leaf).items():
                # Attributes like _lr_t are made again in every step.
                own = isinstance(value, tf.Tensor) and not name.endswith(("_t", "_tensor"))
                if own and getattr(value, "graph", None) is graph:
                    if _tf.control_flow_context(value.op) in (None, context):
                        tensors.append(value)
        return tensors

    def _leaves(self):
        leaves = collections.OrderedDict()  # {id: optimizer}
        for update in self._all:
            for optimizer in update.chain:
                if not _optimizers.wrapped_by(optimizer):
                    leaves.setdefault(id(optimizer), optimizer)
        return list(leaves.values())

    def _update_by(self, leaf):
        def update(hook, grad, variable):
            if variable not in self._updates:
                self._strangers.append(variable)
                return hook(grad, variable)
            return self._updates.get(variable).run(leaf, hook, grad, variable)

        return update

    def _finish_of(self, leaf):
        def finish():
            updates = self._updates_of.get(id(leaf), ())
            ratios = [update.trust for update in updates if update.trust is not None]
            finished = [ratio.finish() for ratio in {id(ratio): ratio for ratio in ratios}.values()]
            return [op for op in finished if op is not None]

        return finish

    def _slots_for(self, variable):
        update = self._updates.get(variable)
        return variable if update is None else update.stand_in(variable)

    def _check_done(self):
        """Raises where something was asked of an update that did not come by the hooks."""
        for update in self._all:
            if update.done or update.is_plain:
                continue
            leaf = update.chain[-1]
            if not _optimizers.applies_by_hooks(leaf) or self._strangers:
                raise OptimizerKindError(
                    f"{type(update.chain[0]).__name__} around {type(leaf).__name__}",
                    f"an optimizer whose hooks update {_select.listing([update.variable])}",
                    f"one that updates {_select.listing(self._strangers)} instead"
                    if self._strangers
                    else "one with an apply_gradients of its own, which no multiplier reaches",
                    "Give the variable an optimizer of its own: PartitionOptimizer([Group(...)]).",
                )


class FlushStep(Step):
    """The step of a `flush`: one that the wrappers have built before, with other gradients.

    These come from the sums of an accumulation. The wrappers around it pass them on as they are.
    """

    is_passing = True

    def arrive(self):
        """Tells the wrappers inside the accumulation that the step is theirs from here on."""
        self.is_passing = False

    def own_variable(self, known, make):
        """Returns the variable of the step before: a flush makes none."""
        return known


@contextlib.contextmanager
def opened(wrapper, pairs, global_step, kind=Step):
    """Opens the step that a wrapper takes part in: the one being built, or a new one.

    Args:
      global_step: what the wrapper was given as such.
      kind: `Step` or `FlushStep`, for a new one.

    Yields:
      (step, begin, finish): what is built while it is open waits for all that is read at
      the start; ``begin(build)`` is the op of ``build()``, in which the variables change;
      ``finish(op)`` is the last op, after the given one.
    """
    steps = _building.__dict__.setdefault("steps", [])
    for step in reversed(steps):
        if step.covers(wrapper, pairs):
            with step.counting(global_step):
                yield step, lambda build: build(), lambda op: op
            return
    step = kind(wrapper, pairs, global_step)
    if steps and step.skips:
        raise OptimizerKindError(
            f"{type(steps[-1].opener).__name__} around {type(wrapper).__name__}",
            "a chain of optimizers that shows the one that skips steps, for all to skip them",
            "another library's optimizer in between, which does not show what it wraps",
            "Put the one that skips around the whole: SkipNonFiniteOptimizer(...).",
        )
    try:
        step.plan(wrapper, pairs)
    except BaseException:
        _unfinished.leave(step.taken)
        raise
    _locks.note(wrapper, pairs, step.exclusive, step.unlocked)
    steps.append(step)
    try:
        grads = [grad for grad, _ in pairs if grad is not None]
        is_of_strategy = tf.distribute.has_strategy()
        waits = step.reads + (step.needs(grads) if step.whole or is_of_strategy else [])
        with _tf.after([tensor.op for tensor in waits]):
            held = {place for outer in steps[:-1] for place in outer.locks.places}
            step.locks = locks = _locks.Locks(step.exclusive, grads, step.changed(), held)
            with locks.held(), step.driving():
                yield (
                    step,
                    lambda build: step.if_finite(wrapper, pairs, build),
                    lambda op: locks.release(lambda: step.ended(op)),
                )
    except BaseException:
        _unfinished.leave(step.taken)
        raise
    finally:
        steps.remove(step)


def _keys(pairs):
    return {_tf.key(_tf.container(variable)) for _, variable in pairs}


def candidates(variables):
    """Returns what selectors choose among: the given variables and all trainable ones."""
    known = {}
    for variable in _select.expand(variables) + v1.trainable_variables():
        known.setdefault(_tf.key(variable), variable)
    return list(known.values())


def _together(builds):
    return _tf.together([build() for build in builds])


def check_graph(value, place):
    """Raises where a tensor or variable is not of the graph that is being built."""
    own = _tf.graph_of_variable(value)  # or of a tensor
    graph = v1.get_default_graph()
    while graph is not own:
        graph = getattr(graph, "outer_graph", None)
        if graph is None:
            where = "of eager execution" if own is None else "of another graph"
            raise ArgumentError(
                place,
                "a tensor or variable of the graph that the step is built in",
                f"{repr(value) if own is None else repr(value.name)} {where}",
                "Make it where the model is made, in the same tf.Graph().as_default().",
            )
