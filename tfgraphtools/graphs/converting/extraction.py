"""`graphs.extract`: the part of a graph between tensors, as a GraphDef of its own."""

import collections
import os
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Union

from tfgraphtools.checkpoints.format import wire
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.plans.replacement import replacing
from tfgraphtools.graphs.comparing import output_differences
from tfgraphtools.graphs.converting import large_constants, session_runs
from tfgraphtools.graphs.converting.frozen_parts import FrozenPart

#: A tensor by name, several, or {name in the result: tensor}.
Tensors = Union[str, Sequence[str], Mapping[str, str], None]

#: What was written: ``inputs`` and ``outputs`` are {name: tensor}; ``initializers``: ops to run
#: once, which fill tables; ``changes``: what was changed for inference, and outputs whose
#: comparison says little, in words; ``differences``: (name, difference, largest, relative, inputs,
#: limit) of each output; ``ranges``: {input: (the least, the largest value)} that were compared.
Extraction = collections.namedtuple(
    "Extraction", "path inputs outputs nodes initializers changes differences ranges"
)


class PartOptions(NamedTuple):
    """How a part is cut: see `extract`."""

    checkpoint: Optional[Path] = None
    tags: Optional[Sequence[str]] = None
    keep_training: bool = False
    shapes: Mapping[str, Sequence[Optional[int]]] = {}
    rename: Mapping[str, str] = {}
    samples: Optional[Mapping[str, Any]] = None
    fold: bool = False
    constants: Mapping[str, Any] = {}


def extract(
    path: Path,
    destination: Path,
    outputs: Tensors = None,
    inputs: Tensors = None,
    shapes: Optional[Dict[str, Sequence[Optional[int]]]] = None,
    rename: Optional[Dict[str, str]] = None,
    checkpoint: Optional[Path] = None,
    fold: bool = False,
    keep_training: bool = False,
    samples: Optional[Mapping[str, Any]] = None,
    tolerance: float = 1e-5,
    tags: Optional[Sequence[str]] = None,
    overwrite: bool = False,
    constants: Optional[Mapping[str, Any]] = None,
) -> Any:
    """Writes the part of a graph between tensors as a GraphDef (``.pb``) with constants.

    A training graph becomes the one for inference, as in `checkpoints.to_frozen`. Nodes that only
    copy, check or print are taken out. The original and the result run on the same inputs before
    the result is put in its place: random numbers near 1, and, where the original takes them,
    negative, large and equal ones and each combination of flags.

    Args:
      path: a graph, as in `show`.
      destination: the file to write.
      outputs: names of ops or tensors; None takes those of the file's signature.
      inputs: the same for inputs; the graph is cut there. None: all placeholders that the outputs
        need.
      shapes: {input: shape}, None where it is any: fixes or frees sizes.
      rename: {input or output: new name}.
      checkpoint: the values of the variables; None takes the one beside the file.
      fold: multiply the scale of batch normalizations into the weights before them.
      keep_training: leave a training graph as it is.
      samples: {input: array} to run both with, and no others; None draws them.
      tolerance: the largest difference, as a share of the largest value of an output.
      tags: of a SavedModel with several graphs: those of one of them.
      overwrite: replace a file that is there.
      constants: {placeholder: value}: it becomes a constant, and what it does not choose is taken
        out, such as the branch of a flag that is False.

    Returns:
      An `Extraction`.

    Example:
      >>> extract("model.ckpt-9.meta", "pool5.pb", "pool5", "images")  # doctest: +SKIP

    Raises:
      GraphExportError: as in `checkpoints.to_frozen`; or the graph calls Python, or has its batch
        size in constants.
      DifferentOutputsError: the result computes something else. Nothing is written.
      ArgumentError: shapes, rename or samples name no input or output, or constants no
        placeholder; a constant of another dtype or shape.
      DestinationError: the path is taken.
    """
    options = PartOptions(
        checkpoint,
        tags,
        keep_training,
        shapes or {},
        rename or {},
        samples,
        fold,
        constants or {},
    )
    with replacing(destination, overwrite) as staged:
        part = FrozenPart(path, outputs, inputs, options)
        rows = _differences(part, tolerance)
        output_differences.require_equal(os.fspath(destination), rows, part.random)
        with open(staged, "wb") as file:
            file.writelines(_serialized(part.graph_def))
    return Extraction(
        os.fspath(destination),
        part.inputs,
        part.outputs,
        len(part.graph_def.node),
        part.initializers,
        part.changes,
        rows,
        part.ranges(),
    )


def _serialized(graph_def):
    """Yields the bytes of a GraphDef node by node: all at once they would be there twice."""
    for node in graph_def.node:
        yield wire.bytes_field(1, node.SerializeToString(deterministic=True))
    rest = type(graph_def)(version=graph_def.version)
    for field in ("library", "versions"):
        if graph_def.HasField(field):
            getattr(rest, field).CopyFrom(getattr(graph_def, field))
    yield rest.SerializeToString(deterministic=True)


def _differences(part, tolerance):
    """Returns the `Difference` of each output of a part in a Session of its own."""
    graph_def, arrays = large_constants.without(part.graph_def)
    with session_runs.imported(part.tf, graph_def, part.place) as session:
        run = session_runs.of_part(part, session, large_constants.feeds(arrays))
        return output_differences.differences(part.comparisons, run, tolerance)
