"""The run-time assertion that frozen elements did not move."""

from typing import Optional, Union

import numpy as np

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, FrozenMovedError, MaskError
from tfgraphtools.training import _arguments, _step, _types
from tfgraphtools.training.freeze import FreezeOptimizer
from tfgraphtools.training.freezing import masks as _masks
from tfgraphtools.training.steps import optimizer_chain as _optimizers

#: Ops that are stateful to TensorFlow and only tell what is there.
_VARIABLES = frozenset(["VarHandleOp", "Variable", "VariableV2"])
_READS = _VARIABLES | frozenset(["DeepCopy", "ReadVariableOp", "ResourceGather"])


class FrozenGuardHook(v1.train.SessionRunHook):
    """Raises if a run changed an element that was frozen in it, by a single bit.

    Before a run it reads the masks, with that run's own feeds, and the frozen
    variables; after it, the variables again. It checks whatever writes to them:
    another optimizer, an assign op, another worker. The reads go through the
    host, so it is for finding a fault, or for every n-th run.

    A mask that hooks change between runs (`UnfreezeHook`) is read in the run itself:
    the hooks may be in any order. One that an op of the graph changes is read before.

    It knows the masks of its own worker. Where other workers, or threads, step with other masks,
    or have a step under way when a mask changes, it raises for elements that these moved: pass
    ``{selector: mask}`` of what nobody trains.

    It does nothing in a run that does not feed a placeholder that a mask is
    made of (an evaluation, say; what a ``FeedFnHook`` feeds is not seen, and a warning says at the
    end that no run was checked), and nothing to what it checks.

    Args:
      frozen: an optimizer that is, or wraps, a `FreezeOptimizer`; its slots, and
        other state, are checked too where it keeps them. Or ``{selector: mask}`` as for
        `FreezeOptimizer`, which checks the variables alone.
      every: check one run in this many, an int.

    Example:
      >>> hook = FrozenGuardHook(optimizer)
      >>> with tf.compat.v1.train.MonitoredTrainingSession(hooks=[hook]) as session:
      ...     session.run(train_op, {mask: now})

    Raises:
      FrozenMovedError: from ``session.run``: names the first element that moved,
        with its old and new value.
      ArgumentError: no FreezeOptimizer there; when the session begins: its step
        is not built.
      MaskError: when the session begins: a mask that is random or taken from an
        input pipeline, so that reading it again gives another one.
      NothingMatchedError, MatchedTwiceError: when the session begins.
    """

    def __init__(
        self, frozen: Union[v1.train.Optimizer, _types.BySelector], every: int = 1
    ) -> None:
        if isinstance(frozen, v1.train.Optimizer):
            self._guards = [_Guard.of_freezer(freezer) for freezer in _freezers(frozen)]
        else:
            self._guards = [_Guard.of_masks(frozen)]
        self._every = _arguments.check_count("FrozenGuardHook every", every)
        self._watched = []
        self._runs = 0
        self._has_checked = False
        self._before = None  # the checks of the run in progress: (watched, values)

    def begin(self) -> None:
        """Finds what to watch and makes the masks' tensors."""
        with v1.name_scope("FrozenGuard"):
            self._watched = [watched for guard in self._guards for watched in guard.watched()]

    def before_run(
        self, run_context: v1.train.SessionRunContext
    ) -> Optional[v1.train.SessionRunArgs]:
        """Reads the masks and what they freeze."""
        self._before = None
        self._runs += 1
        if self._runs % self._every:
            return
        feed = run_context.original_args.feed_dict or {}
        fed = _fed_names(feed, run_context.session.graph)
        checked = [watched for watched in self._watched if watched.placeholders <= fed]
        early = [() if watched.between_runs else watched.mask for watched in checked]
        late = [watched.mask if watched.between_runs else () for watched in checked]
        read = run_context.session.run([early, [watched.states for watched in checked]], feed)
        self._before = list(zip(checked, *read))
        self._has_checked = self._has_checked or bool(checked)
        return v1.train.SessionRunArgs(late)

    def after_run(
        self, run_context: v1.train.SessionRunContext, run_values: v1.train.SessionRunValues
    ) -> None:
        """Reads it again and compares."""
        if not self._before:
            return
        after = run_context.session.run([watched.states for watched, *_ in self._before])
        for (watched, early, before), late, now in zip(self._before, run_values.results, after):
            mask = late if watched.between_runs else early
            for state, old, new in zip(watched.states, before, now):
                moved = mask & _bits_differ(old, new)
                if not moved.any():
                    continue
                feed = run_context.original_args.feed_dict or {}
                if not (moved & run_context.session.run(watched.mask, feed)).any():
                    raise _released(state, self._runs)
                raise _moved(state, moved, old, new, self._runs)

    def end(self, session: v1.Session) -> None:
        """Warns where no run was checked: what other hooks feed is not known here."""
        if self._watched and self._runs >= self._every and not self._has_checked:
            v1.logging.warning(
                "FrozenGuardHook: none of %d runs fed %s to session.run, so none was checked. "
                "Masks that a FeedFnHook feeds are not seen: pass them in the call.",
                self._runs,
                ", ".join(
                    sorted(set().union(*[watched.placeholders for watched in self._watched]))
                ),
            )


class _Guard:
    """Masks by selector, which variables they are of, and what state goes with these."""

    def __init__(self, masks, variables, states_of):
        self._masks = masks
        self._variables = variables  # () -> the variables in question
        self._states_of = states_of

    @classmethod
    def of_masks(cls, frozen):
        """Guards the trainable variables of a dict's selectors, and those that are keys."""
        masks = _masks.by_selector(frozen, "FrozenGuardHook")
        named = [s for s, _ in masks if _tf.is_variable(s) or _tf.is_partitioned(s)]
        return cls(masks, lambda: _step.candidates(named), lambda variables: [[]] * len(variables))

    @classmethod
    def of_freezer(cls, freezer):
        """Guards what a FreezeOptimizer's steps freeze, and the state it keeps."""

        def frozen_variables():
            frozen_by_step = [v for v in v1.global_variables() if v.op.name in freezer.ways()]
            if not frozen_by_step:
                raise ArgumentError(
                    "FrozenGuardHook",
                    "an optimizer whose step freezes variables of this graph",
                    "no such step",
                    "Call minimize() or apply_gradients() before the session begins.",
                )
            return frozen_by_step

        def kept_state(variables):
            if freezer.slots_of_frozen != "keep":
                return [[] for _ in variables]
            return freezer._finder.states_of(variables, variables)

        return cls(freezer._frozen, frozen_variables, kept_state)

    def watched(self):
        """Returns a `_Watched` for each variable under a mask."""
        variables = self._variables()
        mask_of = _select.assign_values(self._masks, _step.candidates(variables), "FrozenGuardHook")
        return [
            _Watched(mask_of.get(v).of(v).tensor(), [v] + states)
            for v, states in zip(variables, self._states_of(variables))
            if v in mask_of
        ]


class _Watched:
    """The states that one mask freezes: a variable and its slots, of mirrored ones all copies."""

    def __init__(self, mask, states):
        self.mask = mask
        self.states = [copy for state in states for copy in _tf.components(state)]
        self.placeholders, read = _inputs_of(mask)
        #: True where only what comes between two runs, such as a hook, changes the mask's
        #: variables: in a run it may be read at any time.
        self.between_runs = not any(_tf.is_written(handle) for handle in read)


def _freezers(optimizer):
    """Returns the FreezeOptimizers among the optimizer and what it wraps."""
    freezers = [
        wrapped for wrapped in _optimizers.chain(optimizer) if isinstance(wrapped, FreezeOptimizer)
    ]
    if not freezers:
        raise ArgumentError(
            "FrozenGuardHook",
            "an optimizer that is, or wraps, a FreezeOptimizer",
            type(optimizer).__name__,
            "Pass {selector: mask} to guard variables that something else freezes.",
        )
    return freezers


def _inputs_of(mask):
    """Returns the names of the placeholders, and the variables' handles, that a mask is made of.

    Raises:
      MaskError: it cannot be read twice.
    """
    waiting, seen, placeholders, handles = [mask.op], set(), set(), []
    while waiting:
        op = waiting.pop()
        if op in seen:
            continue
        seen.add(op)
        waiting.extend([tensor.op for tensor in op.inputs] + list(op.control_inputs))
        if op.type == "Placeholder":
            placeholders.add(op.outputs[0].name)
        if op.type in _VARIABLES:
            handles.append(op.outputs[0])
        writes = any(argument.is_ref for argument in op.op_def.input_arg)
        if writes or (op.op_def.is_stateful and op.type not in _READS):
            raise MaskError(
                "FrozenGuardHook",
                "masks made of feeds, constants and variables",
                f"one that runs the op {op.name!r} of type {op.type}",
                "Read again, it would be another mask: feed it, or keep it in a variable.",
            )
    return placeholders, handles


def _fed_names(feed, graph):
    """Returns the names of the tensors that a run feeds."""
    names = set()
    for key in feed:
        parts = tf.nest.flatten(key, expand_composites=True) if not isinstance(key, str) else [key]
        names.update(graph.as_graph_element(part).name for part in parts)
    return names


def _bits_differ(old, new):
    """Returns, elementwise, True where two arrays of one dtype differ in any bit."""
    old, new = np.asarray(old), np.asarray(new)
    bytes_differ = np.frombuffer(old.tobytes(), np.uint8) != np.frombuffer(new.tobytes(), np.uint8)
    return bytes_differ.reshape(old.shape + (old.itemsize,)).any(-1)


def _released(state, runs):
    return FrozenMovedError(
        f"FrozenGuardHook after run {runs}",
        f"the mask of {_select.listing([state])} as it was when this hook read it",
        "one that has released the elements that moved since: another op, or another worker, "
        "changed the mask between this hook's reading and the step",
        "Change masks between runs only, by UnfreezeHook or variable.load(value).",
    )


def _moved(state, moved, old, new, runs):
    first = tuple(int(i) for i in np.argwhere(moved)[0])
    others = int(moved.sum()) - 1
    name = _select.listing([state]) + (str(list(first)) if first else "")
    return FrozenMovedError(
        f"FrozenGuardHook after run {runs}",
        f"{name} to stay {old[first]!s}, as it is frozen",
        str(new[first]) + (f" (and {others} more that moved)" if others else ""),
        "Look for what else writes to it: another train op, an assign, a wrapper around the "
        "FreezeOptimizer, a worker or thread with another mask; put the FreezeOptimizer around all "
        "that update the variable.",
    )
