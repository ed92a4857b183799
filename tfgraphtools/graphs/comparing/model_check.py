"""A converted model beside its graph: both run on the same inputs, and their outputs are compared.

It does not ask how a model was converted. A weight in the wrong order, a padding at another side or
two layers that were exchanged show in the outputs.
"""

import contextlib
import os
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from tfgraphtools.checkpoints.facts.graph_ops import Graph
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.errors import ArgumentError, GraphExportError
from tfgraphtools.graphs import showing
from tfgraphtools.graphs.comparing import model_calls, original_runs, random_inputs
from tfgraphtools.graphs.converting.extraction import PartOptions
from tfgraphtools.graphs.converting.session_runs import of_part
from tfgraphtools.graphs.converting.source_graphs import SourceGraph

_MOST_ALIKE = 40
_LAYERS = (
    "MatMul BiasAdd Conv2D Conv3D DepthwiseConv2dNative Conv2DBackpropInput Add AddV2 "
    "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3"
).split()


class OutputCheck(NamedTuple):
    """An output of a model beside that of its graph.

    Attributes:
      output: the tensor of the graph.
      of_model: which output of the model, counted from 0.
      difference: the largest absolute difference; inf if the shapes differ.
      largest: the largest absolute value of the graph's.
      is_certain: False if no tensor of the graph has its shape, or one that draws random numbers.
    """

    output: str
    of_model: int
    difference: float
    largest: float
    is_certain: bool = True

    @property
    def relative(self) -> float:
        """The difference as a share of the largest value."""
        return self.difference / self.largest if self.largest else self.difference


class ModelCheck(NamedTuple):
    """What `check_model` compared.

    Attributes:
      outputs: a list of `OutputCheck`.
      first_layer: the name of the first layer that differs, in the order of the graph, or None.
      runs: how many sets of inputs were tried.
      tolerance: the largest share of the largest value that counts as equal.
    """

    outputs: List[OutputCheck]
    first_layer: Optional[str]
    runs: int
    tolerance: float

    @property
    def ok(self) -> bool:
        """True if every output of the model is an output of the graph."""
        return all(row.relative <= self.tolerance for row in self.outputs)

    @property
    def is_comparable(self) -> bool:
        """True if each output of the model is equal, or certain to have one to be equal to."""
        return all(row.is_certain or row.relative <= self.tolerance for row in self.outputs)

    def __str__(self):
        lines = [
            f"{row.output}: differs by at most {row.difference:.3g} (largest value "
            f"{row.largest:.3g})" + ("" if row.relative <= self.tolerance else ": NOT EQUAL")
            for row in self.outputs
        ]
        if self.first_layer:
            lines.append(f"the first layer that differs: {self.first_layer}")
        return "\n".join(lines)


def check_model(
    checkpoint: Path,
    model: Any,
    inputs: Optional[Mapping[str, Sequence[Optional[int]]]] = None,
    graph: Optional[Path] = None,
    outputs: Optional[Sequence[str]] = None,
    tolerance: float = 1e-4,
    layers: Optional[Mapping[str, Any]] = None,
) -> ModelCheck:
    """Runs a graph and a model that was converted from it on the same inputs.

    It changes neither. The model infers; its inputs are those of the graph, in their order. A
    PyTorch model gets maps with channels first, and its outputs have them first, unless it
    refuses that or their shape is another.

    Args:
      checkpoint: the prefix of the checkpoint.
      model: a live ``torch.nn.Module`` or a Keras model that has the values.
      inputs: {input of the graph: shape}, None for a free size, in the order of the model's; what
        else the graph needs, such as labels, is fed to it alone. None takes the placeholders that
        the outputs need, with the shapes that they have.
      graph: the ``.meta``; the one beside the checkpoint by default.
      outputs: tensors of the graph; by default each output of the model is compared with those of
        its shape, of which the nearest counts.
      tolerance: the largest difference, as a share of the largest value of an output.
      layers: {layer of the model: tensors of the checkpoint}, to name the first that differs.

    Returns:
      A `ModelCheck`.

    Example:
      >>> print(check_model("model.ckpt-9", net, {"x": (None, 28, 28, 1)}))   # doctest: +SKIP
      logits: differs by at most 2.38e-07 (largest value 1.3)

    Raises:
      GraphExportError: the graph does not run on such inputs, or its outputs are not clear.
      ArgumentError: the model does not take the inputs of the graph.
    """
    place = os.fspath(graph) if graph is not None else os.fspath(checkpoint) + ".meta"
    wanted = list(outputs) if outputs else _likely(place)
    if not outputs and not inputs:
        wanted = _of_fewest_inputs(place, wanted, checkpoint)
    is_torch = hasattr(model, "named_modules")
    source = SourceGraph(place, wanted, None, PartOptions(checkpoint=checkpoint))
    shapes_of_inputs = {name.partition(":")[0]: shape for name, shape in (inputs or {}).items()}
    described = _described(source.part, shapes_of_inputs)
    caller = model_calls.of_torch(model) if is_torch else model_calls.of_keras(model)
    caller.of_graph = model_calls.channels_first(place)
    by_node = {tensor.partition(":")[0]: name for name, tensor in source.part.inputs.items()}
    caller.names = [by_node[node] for node in shapes_of_inputs or by_node]
    # Its graph does not become the default one, in which a Keras model would be called.
    with source.export() as export, contextlib.closing(export.session()) as session:
        attempts = random_inputs.attempts(described)
        original = of_part(source.part, session)
        _, runs, expected = original_runs.first_accepted(original, attempts, "random numbers")
        tensors, random = dict(source.part.outputs), set()
        if not outputs:
            tensors.update(_alike(caller, session, runs[0]))
            feeds = [{source.part.inputs[n]: array for n, array in run.items()} for run in runs]
            expected = [session.run(tensors, feed) for feed in feeds]
            tensors, random = _without_random(tensors, expected[0], session.run(tensors, feeds[0]))
        rows = _compared(caller, runs, expected, tensors, random)
        first = None
        if layers and any(row.relative > tolerance for row in rows):
            first = _first_layer(caller, session, source.part, runs[0], layers, tolerance)
    return ModelCheck(rows, first, len(runs), tolerance)


def _likely(place):
    """Returns the likely outputs of a graph that are computed from floats."""
    rows = [row for row in showing.show(place).outputs if row.dtype.startswith(("float", "bf"))]
    if not rows:
        raise GraphExportError(
            place, "an output", "none that is likely", "Pass outputs=[...] (--outputs)."
        )
    return [row.name for row in rows]


def _of_fewest_inputs(place, wanted, checkpoint):
    """Returns the outputs that need the fewest inputs: a model takes no labels."""
    needed = {}
    for output in wanted:
        part = SourceGraph(place, [output], None, PartOptions(checkpoint=checkpoint)).part
        needed[output] = frozenset(part.inputs.values())
    fewest = min((inputs for inputs in needed.values() if inputs), key=len, default=frozenset())
    return [output for output in wanted if needed[output] == fewest]


def _described(part, shapes_of_inputs):
    """Returns {input: (NumPy dtype, shape)} of the placeholders that a part needs."""
    from tensorflow.compat import v1

    nodes = {node.name: node for node in part.meta.graph_def.node}
    unknown = sorted(
        set(shapes_of_inputs) - {tensor.partition(":")[0] for tensor in part.inputs.values()}
    )
    if unknown:
        raise ArgumentError(
            "check",
            "inputs that the outputs need: {}".format(", ".join(part.inputs) or "none"),
            unknown[0],
            "Write --check x=?,28,28,1, with a name of these.",
        )
    described = {}
    for name, tensor in part.inputs.items():
        node = nodes[tensor.partition(":")[0]]
        shape = node.attr["shape"].shape
        sizes = None
        if "shape" in node.attr and not shape.unknown_rank:
            sizes = tuple(None if size.size < 0 else size.size for size in shape.dim)
        dtype = v1.as_dtype(node.attr["dtype"].type).as_numpy_dtype
        described[name] = dtype, tuple(shapes_of_inputs.get(node.name, sizes) or ()) or sizes
    return described


# Outputs --------------------------------------------------------------------------


def _compared(caller, runs, expected, tensors, random):
    """Returns the `OutputCheck` list of the order of inputs that the model takes.

    Where more than one is taken, which no map's is, the nearest counts.
    """
    best, error = None, None
    for order in range(len(caller.orders(runs[0]))):
        try:
            outputs = [caller.call(caller.orders(run)[order])[0] for run in runs]
        except Exception as refused:  # a model may refuse an order as it likes
            error = error or refused
            continue
        rows = _nearest(caller, expected, tensors, outputs, random)
        if rows and (best is None or _worst(rows) < _worst(best)):
            best = rows
        if best and caller.is_first and any(array.ndim > 3 for array in runs[0].values()):
            break
    if best is None:
        raise ArgumentError(
            "check",
            "a model that takes the inputs of the graph: {}".format(", ".join(caller.names)),
            f"{type(error).__name__}: {error}" if error else "no outputs",
            "Give the shapes (--check x=?,28,28,1), or a model that is called with these inputs.",
        )
    return best


def _nearest(caller, expected, tensors, outputs, random):
    """Returns the `OutputCheck` of each output of a model and the nearest tensor of the graph.

    Args:
      random: the shapes of the tensors of the graph that two runs do not agree on.
    """
    rows = []
    for number, value in enumerate(outputs[0]):
        candidates = [
            _row(caller, *tensor, number, expected, outputs) for tensor in tensors.items()
        ]
        row = min(candidates, key=lambda candidate: candidate.relative)
        moved = {value.shape, np.moveaxis(value, 1, -1).shape if value.ndim > 2 else value.shape}
        rows.append(row._replace(is_certain=row.is_certain and not moved & random))
    return rows


def _without_random(tensors, values, again):
    """Returns (the tensors on which two runs agree, the shapes of the others)."""
    same = {name: np.array_equal(values[name], again[name]) for name in tensors}
    is_nan = {name: np.isnan(values[name]).any() for name in tensors if not same[name]}
    random = {name for name in is_nan if not is_nan[name]}
    kept = {name: tensor for name, tensor in tensors.items() if name not in random}
    return kept or tensors, {np.shape(values[name]) for name in random}


def _alike(caller, session, run):
    """Returns {tensor: tensor} of the graph with the shape of an output of the model."""
    shapes = set()
    for order in caller.orders(run):
        try:
            values = caller.call(order)[0]
        except Exception:  # as in `_compared`, which says why
            continue
        for value in values:
            shapes.add(value.shape)
            if value.ndim > 2:
                shapes.add(np.moveaxis(value, 1, -1).shape)
                shapes.add(np.moveaxis(value, -1, 1).shape)
    names = []
    for op in session.graph.get_operations():
        tensor = op.outputs[0] if len(op.outputs) == 1 else None
        if tensor is None or not tensor.dtype.is_floating or "gradients" in op.name:
            continue
        is_computed = op.inputs and op.type not in ("Identity", "ReadVariableOp", "Assign")
        if is_computed and tensor.shape.rank is not None:
            if any(tensor.shape.is_compatible_with(shape) for shape in shapes):
                names.append(tensor.name)
    return {name: name for name in names[-_MOST_ALIKE:]}


def _worst(rows):
    return max(row.relative for row in rows)


def _row(caller, name, tensor, number, expected, outputs):
    difference, largest, is_alike = 0.0, 0.0, True
    for of_graph, of_model in zip(expected, outputs):
        left = np.asarray(of_graph[name], np.float64)
        right = caller.as_in_graph(of_model[number], tensor, left.shape)
        is_alike = is_alike and right is not None
        difference = max(difference, _difference(left, right))
        largest = max(largest, float(np.abs(left).max()) if left.size else 0.0)
    return OutputCheck(tensor, number, difference, largest, is_alike)


def _difference(left, right):
    """Returns the largest difference of two arrays of one shape; inf without the other."""
    if right is None:
        return np.inf
    if not left.size:
        return 0.0
    with np.errstate(invalid="ignore"):
        is_equal = (right == left) | (np.isnan(right) & np.isnan(left))
        distance = np.where(is_equal, 0, np.abs(right - left))
    return float(np.nan_to_num(distance, nan=np.inf).max())


# Layers -----------------------------------------------------------------------------


def _first_layer(caller, session, part, run, layers, tolerance):
    """Returns the first layer of the graph whose output no order of the model's agrees with."""
    graph = Graph(part.place)
    present = {node.name for node in session.graph.as_graph_def().node}
    rows = []
    for layer, tensors in layers.items():
        for tensor in tensors:
            for use in graph.readers(tensor):
                if use.node.op in _LAYERS and use.node.name in present:
                    rows.append((graph.place(use.node), layer, use.node.name + ":0"))
    last = {}
    for place, layer, tensor in sorted(rows):
        last[layer] = place, tensor
    feed = {part.inputs[name]: array for name, array in run.items()}
    for order in caller.orders(run):
        try:
            _, seen = caller.call(order)
        except Exception:  # as in `_compared`
            continue
        for layer, (_, tensor) in sorted(last.items(), key=lambda item: item[1][0]):
            if layer not in seen:
                continue
            value = np.asarray(session.run(tensor, feed), np.float64)
            limit = tolerance * max(float(np.abs(value).max()), 1e-30)
            own = caller.as_in_graph(seen[layer], tensor, value.shape)
            if min(_difference(value, own), _unordered(value, seen[layer])) > limit:
                return layer
        return None
    return None


def _unordered(left, right):
    """Returns the largest difference of the sorted values of each example: a map may be flat."""
    right = np.asarray(right, np.float64)
    if left.size != right.size or not left.size or left.shape[:1] != right.shape[:1]:
        return np.inf
    rows = [np.sort(array.reshape(len(array), -1), axis=1) for array in (left, right)]
    return float(np.nan_to_num(np.abs(rows[0] - rows[1]), nan=np.inf).max())
