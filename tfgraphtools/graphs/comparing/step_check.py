"""One step of an optimizer that was converted, beside that of its graph, on the same gradients.

No loss is needed: the gradients that the update ops of the graph read are fed with random numbers,
and the optimizer of the model gets the same numbers in its layout. What differs is the optimizer:
its slots, its count of steps, its settings.
"""

import collections
import os
from typing import Any, List, NamedTuple, Optional

import numpy as np

from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.graphs import cuts, metagraph
from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs.comparing import model_steps
from tfgraphtools.graphs.converting import session_runs

#: The inputs of update ops that are gradients.
_GRADIENTS = ("grad", "delta")
#: Ops whose values a session is given, or that wait for data.
_INPUTS = (
    "Placeholder PlaceholderV2 IteratorGetNext QueueDequeueV2 QueueDequeueManyV2 "
    "QueueDequeueUpToV2 ReaderReadV2 Unstage"
).split()
#: {type: the largest share of a value that the next one is away}
_ROUNDINGS = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}
_SEED = 0
_TOO_LARGE = 1 << 28  # elements of all variables: gradients of each are drawn, and moves kept


class StepDifference(NamedTuple):
    """The moves of a weight of the model and of its variable.

    Attributes:
      weight: its name in the model.
      difference: the largest absolute difference of the moves, beyond two roundings of the weight.
      largest: the largest absolute move of the variable.
    """

    weight: str
    difference: float
    largest: float

    @property
    def relative(self) -> float:
        """The difference as a share of the largest move."""
        return self.difference / self.largest if self.largest else self.difference


class StepCheck(NamedTuple):
    """What `check_step` compared.

    Attributes:
      rows: a list of `StepDifference`, one for each weight.
      tolerance: the largest share of the largest move that counts as equal.
    """

    rows: List[StepDifference]
    tolerance: float

    @property
    def ok(self) -> bool:
        """True if every weight moves as its variable does."""
        return all(row.relative <= self.tolerance for row in self.rows)

    def __str__(self):
        worst = max(self.rows, key=lambda row: row.relative)
        text = (
            f"one step on the same gradients: moves differ by at most {worst.difference:.3g} "
            f"(largest move {worst.largest:.3g}, {worst.weight})"
        )
        return text if self.ok else text + ": NOT EQUAL"


def check_step(plan: Any, graph: Optional[Path] = None, tolerance: float = 1e-4) -> StepCheck:
    """Gives the optimizer of a graph and the one that takes over its state the same gradients.

    It changes neither the model nor its optimizer.

    Args:
      plan: what `checkpoints.plan_torch` or `checkpoints.plan_keras` gives, with the state of an
        optimizer.
      graph: the ``.meta`` of the training; the one beside the checkpoint by default.
      tolerance: the largest difference of two moves, as a share of the largest.

    Returns:
      A `StepCheck`.

    Example:
      >>> plan = plan_torch(ckpt, net, optimizer=optimizer)            # doctest: +SKIP
      >>> print(check_step(plan))
      one step on the same gradients: moves differ by at most 1e-09 (largest move 0.01, fc.weight)

    Raises:
      GraphExportError: the graph has no update that can be run alone, such as one by rows; or
        another learning rate than the optimizer.
    """
    place = os.fspath(graph) if graph is not None else plan.checkpoint.prefix + ".meta"
    if plan.state is None:
        raise _refused(place, "a plan with an optimizer", "none", "Pass optimizer=...")
    matches = [match for match in plan.matches if match.fit.convert_slots is not None]
    tensors = {name for match in matches for name in match.fit.leaves.values()}
    old, new, gradients, rate = _step_of_graph(place, plan.checkpoint, tensors)
    step = model_steps.of(plan)
    rates = sorted(set(map(float, step.rates())))
    rounding = max(1e-6, float(np.finfo(rate.dtype).eps)) if rate.dtype.kind == "f" else 1e-2
    if any(not np.isclose(own, float(rate), rtol=rounding, atol=0) for own in rates):
        words = " and ".join(f"{own:.6g}" for own in rates)
        raise _refused(place, f"the learning rate of the optimizer, {words}", f"{float(rate):.6g}")
    moves = []
    for match in matches:
        names = match.fit.leaves
        if not set(names.values()) <= set(gradients):
            continue
        of_weights = match.fit.convert_slots({a: gradients[name] for a, name in names.items()})
        before, after = [
            match.fit.convert({a: side[name] for a, name in names.items()}) for side in (old, new)
        ]
        for role, array in of_weights.items():
            if role in match.target.weights:
                arrays = map(np.asarray, (array, before[role], after[role]))
                moves.append(model_steps.Move(match.target.weights[role], *arrays))
    rows = [_row(move, own) for move, own in zip(moves, step.moves(moves)) if own is not None]
    if not rows:
        raise _refused(place, "an update of a weight that the optimizer trains", "none")
    return StepCheck(rows, tolerance)


def _row(move, own):
    after = move.after.astype(np.float64)
    expected = after - move.before.astype(np.float64)
    # Two roundings of a weight are no difference: a move may be smaller than they are.
    rounding = 2 * _ROUNDINGS.get(move.weight.dtype, 0) * np.abs(after)
    difference = np.maximum(np.abs(own - expected) - rounding, 0)
    return StepDifference(
        move.weight.path,
        float(np.nan_to_num(difference, nan=np.inf).max(initial=0)),
        float(np.abs(expected).max(initial=0)),
    )


def _step_of_graph(place, ckpt, tensors):
    """Returns ({tensor: values before}, {tensor: after}, {tensor: gradient}, the rate)."""
    from tensorflow.compat import v1

    nodes, restores = metagraph.nodes(place)
    names = metagraph.restored_by(nodes, restores)
    meta = v1.MetaGraphDef()
    with open(place, "rb") as file:
        meta.ParseFromString(file.read())
    _without_waiting(meta.graph_def)
    with v1.Graph().as_default() as graph:
        try:
            v1.import_graph_def(meta.graph_def, name="")
        except (ValueError, KeyError) as error:
            raise _refused(
                place, "a graph that TensorFlow imports", " ".join(str(error).split())
            ) from error
        updates = {}
        for op in graph.get_operations():
            variable = op.inputs[0].op.name if op.inputs else None
            tensor, spec = names.get(variable, (variable, ""))
            if tensor in tensors and "Apply" in op.type:
                if "SparseApply" in op.type or spec or tensor in updates:
                    kind = "one by rows" if "Sparse" in op.type else "one in parts"
                    raise _refused(place, f"one update of all of {tensor!r}", kind)
                updates[tensor] = op
        if not updates:
            raise _refused(place, "an update of the variables by one op each", "none")
        return _updated(place, graph, ckpt, names, updates)


def _without_waiting(graph_def):
    """Removes the control inputs that need inputs of the graph, such as updates of averages."""
    readers, needing = collections.defaultdict(list), []
    for node in graph_def.node:
        if node.op in _INPUTS:
            needing.append(node.name)
        for tensor in node.input:
            readers[cuts.split_tensor(tensor.lstrip("^"))[0]].append(node.name)
    needed = set(needing)
    while needing:
        for name in readers[needing.pop()]:
            if name not in needed:
                needed.add(name)
                needing.append(name)
    for node in graph_def.node:
        kept = [t for t in node.input if not (t.startswith("^") and t[1:] in needed)]
        if len(kept) < len(node.input):
            del node.input[:]
            node.input.extend(kept)


def _updated(place, graph, ckpt, names, updates):
    from tensorflow import errors
    from tensorflow.compat import v1

    random, gradients, feed = np.random.RandomState(_SEED), {}, {}
    if sum(int(np.prod(ckpt.store.summary(tensor)[1])) for tensor in updates) > _TOO_LARGE:
        raise _refused(place, "a model of which two copies fit into memory", "a larger one")
    for tensor, op in sorted(updates.items()):
        gradient = _input(op, _GRADIENTS)
        shape = ckpt.store.summary(tensor)[1]
        values = random.standard_normal(shape).astype(gradient.dtype.as_numpy_dtype)
        if gradient in feed:
            raise _refused(place, "a gradient for each variable", f"one for {tensor!r} and others")
        gradients[tensor], feed[gradient] = values, values
    read = {tensor: _read_of(graph, op.inputs[0]) for tensor, op in updates.items()}
    rate = {tensor: _input(op, ("lr", "alpha")) for tensor, op in updates.items()}
    try:
        with v1.Session(graph=graph) as session:
            _restore(session, graph, ckpt, names)
            old, rates = session.run([read, rate])
            session.run([op for _, op in sorted(updates.items())], feed)
            new = session.run(read)
    except errors.OpError as error:
        problem = session_runs.reason_of(error)
        raise _refused(place, "an update that runs on gradients alone", problem) from error
    distinct = sorted({float(value) for value in rates.values()})
    if len(distinct) > 1:
        raise _refused(place, "one learning rate", " and ".join(map(str, distinct)))
    return old, new, gradients, np.asarray(next(iter(rates.values())))


def _input(op, names):
    """Returns the input of an update op that has one of some names."""
    for argument, tensor in zip(op.op_def.input_arg, op.inputs):
        if argument.name in names:
            return tensor
    raise _refused(op.name, "an update with " + " or ".join(names), op.type)


def _read_of(graph, handle):
    """Returns a tensor of the values of a variable that reads them when it is run."""
    from tensorflow.compat import v1

    if handle.dtype != v1.resource:
        return handle
    for reader in handle.consumers():
        if reader.type == "ReadVariableOp" and not reader.control_inputs:
            return reader.outputs[0]
    raise _refused(graph, "a read of every variable", f"none of {handle.op.name}")


def _restore(session, graph, ckpt, names):
    """Gives variables what the checkpoint has: by their initial assignments, as any Saver does."""
    feed, assigns = {}, []
    for op in graph.get_operations():
        if op.type not in ("Assign", "AssignVariableOp") or op.inputs[0].op.name not in names:
            continue
        tensor, spec = names[op.inputs[0].op.name]
        is_initial = op.name.endswith("/Assign") or op.name.endswith("/Initializer/Assign")
        if is_initial and not spec and tensor in ckpt:
            values = ckpt.read(tensor)
            if op.inputs[1] in feed and not np.array_equal(feed[op.inputs[1]], values):
                raise _refused(op.name, "an initial value for each variable", "one for several")
            feed[op.inputs[1]] = values.astype(op.inputs[1].dtype.as_numpy_dtype, copy=False)
            assigns.append(op)
    session.run(assigns, feed)


def _refused(place, expected, problem, next_step="Compare the models over some steps yourself."):
    return GraphExportError(str(place), expected, problem, next_step)
