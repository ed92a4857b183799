"""`graphs.diff`: the ops and outputs in which two graphs differ, and the first tensor."""

import collections
from typing import Any, List, Mapping, NamedTuple, Optional, Tuple

from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.errors import ArgumentError
from tfgraphtools.graphs.comparing import output_differences
from tfgraphtools.graphs.converting import first_difference, session_runs
from tfgraphtools.graphs.converting.extraction import PartOptions, Tensors
from tfgraphtools.graphs.converting.frozen_parts import FrozenPart
from tfgraphtools.graphs.converting.source_graphs import SourceGraph


class GraphDiff(NamedTuple):
    """The differences of two graphs.

    Attributes:
      structure: ``(scope, op, count in a, count in b)`` where the counts differ, of what the
        outputs need.
      differences: (name, difference, largest, relative, inputs, limit) of each output.
      first: the same of the first tensor, in the order of a, that has a name in both and differs;
        None where none does.
    """

    structure: List[Tuple[str, str, int, int]]
    differences: List[Any]
    first: Optional[Any]

    @property
    def are_equal(self) -> bool:
        """Whether all outputs are within their limits."""
        return all(row.relative <= row.limit for row in self.differences)


def diff(
    a: Path,
    b: Path,
    outputs: Tensors = None,
    inputs: Tensors = None,
    checkpoints: Tuple[Optional[Path], Optional[Path]] = (None, None),
    samples: Optional[Mapping[str, Any]] = None,
    tolerance: float = 1e-5,
    keep_training: bool = False,
) -> GraphDiff:
    """Compares two graphs: their ops by scope, and their outputs on the same inputs.

    Both are run as `extract` runs a graph, on numbers near 1, at corners, or on samples. It changes
    no file.

    Args:
      a, b: graphs, as in `show`.
      outputs, inputs: as in `extract`, of both graphs.
      checkpoints: the values of the variables of each; None takes the one beside the file.
      samples: {input: array} to run both with, and no others; None draws them.
      tolerance, keep_training: as in `extract`.

    Returns:
      A `GraphDiff`.

    Example:
      >>> diff("model.ckpt-9.meta", "frozen.pb", "probs").first            # doctest: +SKIP

    Raises:
      GraphExportError: as in `extract`, of either graph.
      ArgumentError: the graphs have other inputs.
    """
    options = PartOptions(checkpoints[0], keep_training=keep_training, samples=samples)
    comparisons = FrozenPart(a, outputs, inputs, options).comparisons
    left = SourceGraph(a, outputs, inputs, options)
    right = SourceGraph(b, outputs, inputs, options._replace(checkpoint=checkpoints[1]))
    if set(left.part.inputs) != set(right.part.inputs):
        raise ArgumentError(
            "inputs of both graphs",
            ", ".join(left.part.inputs) or "none",
            ", ".join(right.part.inputs) or "none",
            "Name tensors that both have (--inputs), or set placeholders of one.",
        )
    structure = _structure(left.part, right.part)
    with left.export() as export, export.session() as first_session:
        with right.export() as other, other.session() as session:
            run = session_runs.of_part(right.part, session)
            rows = output_differences.differences(comparisons, run, tolerance)
            worst = output_differences.worst_of(rows)
            first = None
            if worst.relative > worst.limit:
                tensors = (
                    first_difference.SessionTensors(side.place, opened, side.inputs)
                    for side, opened in ((left.part, first_session), (right.part, session))
                )
                first = first_difference.first(*tensors, comparisons, rows)
    return GraphDiff(structure, rows, first)


def _structure(left, right):
    """Returns the rows of `GraphDiff.structure`."""
    counts = [
        collections.Counter((_scope(node.name), node.op) for node in part.meta.graph_def.node)
        for part in (left, right)
    ]
    return [
        (*key, counts[0][key], counts[1][key])
        for key in sorted(set(counts[0]) | set(counts[1]))
        if counts[0][key] != counts[1][key]
    ]


def _scope(name):
    """Returns the first two scopes of a node."""
    return "/".join(name.split("/")[:-1][:2])
