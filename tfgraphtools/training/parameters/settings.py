"""Numbers of the training that a session can set while it runs: rates, decays, thresholds."""

from typing import Any, Mapping

import numpy as np

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _arguments, _types
from tfgraphtools.training.averages import load, runner


def setting(value: float, name: str) -> _types.Variable:
    """Returns a number to train with that `set_values` can change in a session.

    It is a float32 variable, not trainable, saved and restored with all others. It goes where a
    scalar tensor goes: as the rate of an optimizer, a multiplier, decay, threshold, coefficient.

    It changes nothing by itself, and costs no feed.

    Args:
      value: finite number: at first.
      name: of the variable.

    Example:
      >>> decay, norm = setting(1e-4, "decay"), setting(1.0, "norm")
      >>> optimizer = DecoupledWeightDecayOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), {".*/kernel": decay})
      >>> set_values(session, {"decay": 0.0})

    Raises:
      ArgumentError: no finite number; a variable of this name is there.
    """
    place = "setting"
    number = _arguments.check_number(f"{place} value", value, lambda x: True, "a finite number")
    with _tf.init_scope():
        graph = v1.get_default_graph()
        scope = graph.get_name_scope()
        whole_name = f"{scope}/{name}" if scope else name
        if graph.unique_name(whole_name, mark_as_used=False) != whole_name:
            raise ArgumentError(
                f"{place} name",
                "a name of its own in this graph",
                f"{whole_name!r} in use",
                "Make the setting once, and pass it on.",
            )
        return v1.Variable(np.float32(number), trainable=False, name=name, dtype=tf.float32)


def set_values(session: Any, values: Mapping[Any, float]) -> None:
    """Sets variables of a session, such as those of `setting`: all of them, or none.

    It adds no op, so it works on a finalized graph and between any two runs. The hooks of a
    MonitoredSession are not called.

    Args:
      session: a Session or MonitoredSession.
      values: ``{variable or its name: number or array of its shape}``.

    Example:
      >>> set_values(session, {"decay": 0.0, "norm": 0.5})

    Raises:
      ArgumentError: no variable of this name, or a value that does not fit.
    """
    with session.graph.as_default():
        by_name = {variable.op.name: variable for variable in v1.global_variables()}
    pairs = []
    for key, value in values.items():
        key = key.deref() if hasattr(key, "deref") else key
        variable = by_name.get(key) if isinstance(key, str) else key
        if not _tf.is_variable(variable):
            raise ArgumentError(
                "set_values",
                "variables, or names of variables of the session's graph",
                repr(key),
                f"There are {_select.listing(sorted(by_name))}.",
            )
        array = np.asarray(value)
        fits = array.dtype.kind in "fiu" and variable.shape.is_compatible_with(array.shape)
        if not fits:
            raise ArgumentError(
                f"set_values of {variable.op.name!r}",
                f"a number or array of shape {variable.shape}",
                repr(value),
                "Pass an array of the variable's shape.",
            )
        pairs.append((variable, array))
    load(runner(session), pairs)
