"""Gradual unfreezing: masks that change at given steps."""

from typing import Any, Mapping, Optional

import numpy as np

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, MaskError
from tfgraphtools.training import _types
from tfgraphtools.training import averages as _averages


class UnfreezeHook(v1.train.SessionRunHook):
    """Sets mask variables to new values when the global step reaches given steps.

    The masks are bool variables that a `FreezeOptimizer` freezes by. They are
    set from Python through their own initializers: no op joins the graph. A mask
    changes before the run that takes the step after the given one: ``{1000:
    {"mask": False}}`` trains from the 1001st step on. After a restore all that
    is due by then is set again, in order.

    In distributed training give it to the chief alone.

    It does nothing once the last change is made, and never to other variables.

    Args:
      schedule: ``{global step: {selector: value}}``: ints, selectors of bool
        variables, and bool arrays that broadcast to their shapes, True where
        frozen.

    Example:
      >>> frozen = tf.compat.v1.get_variable("frozen", initializer=True, trainable=False)
      >>> optimizer = FreezeOptimizer(tf.compat.v1.train.AdamOptimizer(), {"conv.*": frozen})
      >>> hook = UnfreezeHook({1000: {"frozen": False}})

    Raises:
      ArgumentError: an empty schedule, a step that is no int of at least 0; when
        the session begins: no global step in the graph, or one that nothing adds to.
      MaskError: a value that is not bool; when the session begins: a variable
        that is not bool, or a shape that does not broadcast.
      NothingMatchedError, MatchedTwiceError: when the session begins.
    """

    def __init__(self, schedule: Mapping[int, _types.BySelector]) -> None:
        self._schedule = sorted(schedule.items()) if hasattr(schedule, "items") else []
        for step, _ in self._schedule:
            if not isinstance(step, (int, np.integer)) or step < 0:
                raise ArgumentError(
                    "UnfreezeHook", "global steps as keys", repr(step), "Pass {1000: {...}}, say."
                )
        if not self._schedule:
            got = "none" if hasattr(schedule, "items") else repr(schedule)
            raise ArgumentError(
                "UnfreezeHook", "{step: {selector: value}}", got, "Pass {1000: {...}}, say."
            )
        self._changes = []  # (step, [(variable, value)]), in order
        self._next = 0  # the first change that is not made yet
        self._global_step = None

    def begin(self) -> None:
        """Finds the variables."""
        self._global_step = v1.train.get_global_step()
        if self._global_step is None:
            raise ArgumentError(
                "UnfreezeHook",
                "a global step to count by",
                "none in the graph",
                "Call tf.compat.v1.train.get_or_create_global_step() and pass it to minimize.",
            )
        if self._schedule[-1][0] > 0 and not _is_counted(self._global_step):
            raise ArgumentError(
                "UnfreezeHook",
                f"a global step that a step of training adds to, to reach {self._schedule[-1][0]}",
                f"{self._global_step.op.name!r}, to which no op adds",
                "Pass it: optimizer.minimize(loss, global_step=global_step).",
            )
        self._changes = [
            (step, _assignments(values, f"UnfreezeHook step {step}"))
            for step, values in self._schedule
        ]

    def after_create_session(self, session: v1.Session, coord: Any) -> None:
        """Starts the schedule again: a new session may be at any step."""
        self._next = 0

    def before_run(
        self, run_context: v1.train.SessionRunContext
    ) -> Optional[v1.train.SessionRunArgs]:
        """Makes the changes that are due."""
        if self._next == len(self._changes):
            return
        session = run_context.session
        step = session.run(self._global_step)
        while self._next < len(self._changes) and self._changes[self._next][0] <= step:
            _averages.load(session.run, self._changes[self._next][1])
            self._next += 1


def _is_counted(global_step):
    return any(_tf.is_written(_tf.handle_of(copy)) for copy in _tf.components(global_step))


def _assignments(values, place):
    """Returns [(variable, array of its shape)] for one step of the schedule."""
    variables = v1.global_variables() + v1.local_variables()
    value_of = _select.assign_values(values, variables, place)
    return [(v, _fitted(v, value_of.get(v), place)) for v in variables if v in value_of]


def _fitted(variable, value, place):
    value = np.array(value)
    if variable.dtype.base_dtype != tf.bool or value.dtype != bool:
        raise MaskError(
            f"{place} {_select.listing([variable])}",
            "a bool variable and a bool value, True where frozen",
            f"a {variable.dtype.base_dtype.name} variable and a value of dtype {value.dtype}",
            "Make the mask: tf.compat.v1.get_variable('frozen', initializer=True, trainable=False)",
        )
    try:
        return np.broadcast_to(value, variable.shape.as_list())
    except ValueError as error:
        raise MaskError(
            f"{place} {_select.listing([variable])}",
            f"a value that broadcasts to {variable.shape}",
            f"one of shape {value.shape}",
            "Pass a scalar to set the whole mask.",
        ) from error
