"""Restoring of what fits of a checkpoint; the rest starts as in a new training."""

import collections
import os
from typing import Any, Dict, List, Optional

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, NothingMatchedError
from tfgraphtools.training import _types
from tfgraphtools.training.averages import load, runner
from tfgraphtools.training.steps import half_states as _half_states
from tfgraphtools.training.steps import optimizer_chain as _optimizers


class PartialRestore:
    """The result of `restore_what_fits`; print it.

    Attributes:
      restored: names of the variables that have their values from the checkpoint.
      started: {name of each of the others: why}.
      unused: names in the checkpoint that no variable has.
    """

    def __init__(self, restored: List[str], started: Dict[str, str], unused: List[str]) -> None:
        self.restored, self.started, self.unused = restored, started, unused

    def __repr__(self):
        lines = [f"restored {len(self.restored)} variables:"]
        lines += [f"  {name}" for name in self.restored]
        lines += [f"initialised {len(self.started)} others:"]
        lines += [f"  {name}: {reason}" for name, reason in self.started.items()]
        lines += [f"unused in the checkpoint: {len(self.unused)}"]
        return "\n".join(lines + [f"  {name}" for name in self.unused])


def restore_what_fits(
    session: Any, path: str, variables: Optional[List[_types.Variable]] = None
) -> PartialRestore:
    """Restores the variables that a checkpoint has, and initialises the others.

    For the next phase of a training: a new head, variables that are released, another optimizer
    or wrapper. A variable is restored where the checkpoint has its name, shape and dtype. The
    others get their initial values: slots begin as in a new training, and what our wrappers
    average starts from the variable in the first step, restored or not. What means nothing
    without a count, such as a sum of gradients, is restored with the count, or neither is.

    It adds no op, so it works on a finalized graph; the values pass through the host. All
    are read before the first variable changes.

    It does nothing to variables that are not listed, where ``variables`` are.

    Args:
      session: a Session, or a MonitoredSession, whose hooks are not called.
      path: of a checkpoint of a ``Saver``, such as ``"model.ckpt-1000"``, or the folder of
        several, of which the last is taken.
      variables: which; None is all global variables of the graph.

    Returns:
      A `PartialRestore` that lists both.

    Example:
      >>> print(restore_what_fits(session, "phase1/model.ckpt-1000"))  # doctest: +SKIP

    Raises:
      ArgumentError: there is no checkpoint.
      NothingMatchedError: it has none of the variables.
    """
    reader = _reader(path)
    shapes, dtypes = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    parts_of = _by_saved_name(session.graph, variables)
    reasons = {name: _misfit(name, parts, shapes, dtypes) for name, parts in parts_of.items()}
    _keep_halves_together(reasons, session.graph)
    restored = [name for name, reason in reasons.items() if not reason]
    if not restored:
        raise NothingMatchedError(
            "restore_what_fits",
            f"a checkpoint with one of {_select.listing(list(parts_of))}",
            f"{path!r} with {_select.listing(sorted(shapes))}",
            "Restore one of the same model: its names are those of a Saver.",
        )
    values = [
        pair for name in restored for pair in _values(reader.get_tensor(name), parts_of[name])
    ]
    run = runner(session)
    load(run, values)
    started = {name: reason for name, reason in reasons.items() if reason}
    _initialize(run, session.graph, [part for name in started for part in parts_of[name]])
    return PartialRestore(restored, started, sorted(set(shapes) - set(restored)))


def _reader(path):
    place = "restore_what_fits path"
    path = os.fspath(path)
    prefix = v1.train.latest_checkpoint(path) if tf.io.gfile.isdir(path) else path
    if prefix is None or not v1.train.checkpoint_exists(prefix):
        raise ArgumentError(
            place,
            "the path of a checkpoint, or a folder with one",
            repr(path),
            "Pass what Saver.save() returned, such as 'folder/model.ckpt-1000'.",
        )
    return v1.train.NewCheckpointReader(prefix)


def _by_saved_name(graph, variables):
    """Returns {name in a checkpoint: variables}, of a partitioned variable all slices."""
    if variables is None:
        variables = graph.get_collection(v1.GraphKeys.GLOBAL_VARIABLES)
    parts_of = collections.OrderedDict()
    for variable in _select.expand(variables):
        variable = _tf.container(variable)
        parts = parts_of.setdefault(_select.names_of(variable)[-1], [])
        if all(variable is not part for part in parts):
            parts.append(variable)
    return parts_of


def _misfit(name, parts, shapes, dtypes):
    """Tells why a variable is not restored, or ""."""
    if name not in shapes:
        return "not in the checkpoint"
    info = getattr(parts[0], "_save_slice_info", None)
    whole = parts[0].shape if info is None else tf.TensorShape(info.full_shape)
    dtype = parts[0].dtype.base_dtype
    if dtypes[name] != dtype:
        return f"it is {dtype.name}, in the checkpoint {dtypes[name].name}"
    if not whole.is_fully_defined() or whole.as_list() != list(shapes[name]):
        return f"its shape is {whole}, in the checkpoint {tuple(shapes[name])}"
    return ""


def _keep_halves_together(reasons, graph):
    """Gives a reason to what a state has beside its count where the count has one, and back."""
    for halves in _half_states.known(graph):
        count, *slots = [
            _select.names_of(_tf.container(v))[-1] for v in [halves.count] + halves.slots
        ]
        if reasons.get(count, "it is not listed"):
            for slot in slots:
                if reasons.get(slot) == "":
                    reasons[slot] = f"its count {count} is not restored"
        elif all(reasons.get(slot, "it is not listed") for slot in slots):
            reasons[count] = "nothing that it counts is restored"


def _values(array, parts):
    """Yields (variable, value) of all slices and copies of a variable."""
    for part in parts:
        info, own = getattr(part, "_save_slice_info", None), array
        if info is not None:
            ranges = zip(info.var_offset, info.var_shape)
            own = array[tuple(slice(begin, begin + size) for begin, size in ranges)]
        for copy in _tf.components(part):
            yield copy, own


def _initialize(run, graph, variables):
    """Initialises variables; those that are trained first: others may be computed from them."""
    trained = graph.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES)
    keys = {_tf.key(_tf.container(variable)) for variable in trained}
    for is_trained in (True, False):
        own = [v for v in variables if (_tf.key(v) in keys) == is_trained]
        copies = [copy for variable in own for copy in _tf.components(variable)]
        if copies:
            run([_optimizers.as_operation(copy.initializer) for copy in copies], None)
