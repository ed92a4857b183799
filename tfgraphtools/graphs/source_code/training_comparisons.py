"""A written model in training mode, without dropout, beside the graph that trains."""

import numpy as np

from tfgraphtools.errors import DifferentOutputsError
from tfgraphtools.graphs.comparing import output_differences
from tfgraphtools.graphs.comparing.output_differences import Comparison
from tfgraphtools.graphs.source_code import gradient_comparisons, weights

_CORNER = output_differences.CORNER
MODE = " in training mode"


class TrainingRuns:
    """Runs of the graph that trains, without its dropout.

    Args:
      export: an `Export` of a part of `graph_parts.WITHOUT_DROPOUT`.
      session: its Session.
      comparisons: list of `Comparison`, whose inputs are fed again; those at corners are not.
    """

    def __init__(self, export, part, session, comparisons):
        self._export, self.part, self.session = export, part, session
        chosen = [row for row in comparisons if not row.inputs.startswith(_CORNER)]
        self.runs = [run for row in chosen for run in row.runs]
        self.averages, outputs = [], {}
        for run in self.runs:
            outputs[id(run)], averages = self._step(run)
            self.averages.append(averages)
        self.comparisons = [
            Comparison(row.inputs + MODE, row.runs, [outputs[id(run)] for run in row.runs])
            for row in chosen
        ]

    def _step(self, run):
        """Returns ({name: array} of the outputs, {variable: its value after the step})."""
        graph, part = self.session.graph, self.part
        updates = [graph.get_operation_by_name(name) for name in part.updates]
        feed = {part.inputs[name]: array for name, array in run.items()}
        outputs, _ = self.session.run([dict(part.outputs), updates], feed)
        reads = {name: row.snapshot_name for name, row in part.variables.items()}
        values = self.session.run(reads)
        if self._export is not None:
            self._export.values.restore(self.session)
        return outputs, values


def compare(originals, model, tensors, place, tolerance):
    """Returns list of `Difference` of outputs and moved averages.

    Args:
      originals: `TrainingRuns`.
      model: a `model_runs.ModelRuns` of their runs, in training mode.
      tensors: {key of the model: `Value`}.
      place: the folder, for errors.
      tolerance: the largest difference, as a share of the largest value.

    Raises:
      DifferentOutputsError: one is above its limit, or a gradient is.
    """
    rows = output_differences.differences(originals.comparisons, model, tolerance)
    output_differences.require_equal(place, rows)
    for number, values in enumerate(originals.averages):
        _require_averages(values, model.buffers(number), tensors, place, tolerance)
    if not gradient_comparisons.may_crash(originals.part):
        difference, key = gradient_comparisons.largest_difference(
            originals.session, originals.part, originals.runs[0], model.gradients, tensors
        )
        gradient_comparisons.require_small(place, difference, key)
    return rows


def _require_averages(values, buffers, tensors, place, tolerance):
    for key, array in buffers.items():
        value = tensors.get(key)
        if value is None or value.node.name not in values:
            continue
        expected = weights.with_steps(
            values[value.node.name], value.node.attributes.get("steps", ())
        )
        largest = max(float(np.abs(expected).max(initial=0)), 1e-30)
        difference = float(np.abs(expected - array).max(initial=0)) / largest
        if not difference <= tolerance:
            error = DifferentOutputsError(
                place,
                f"{key} within {tolerance:g} of the original's largest value after a step",
                f"{difference:.2g}",
                "Nothing was written.",
            )
            error.differences = []
            raise error
