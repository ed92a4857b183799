"""The first tensor in which two graphs differ, or a graph and its model."""

import numpy as np

from tfgraphtools.errors import GraphExportError
from tfgraphtools.graphs.comparing import output_differences
from tfgraphtools.graphs.converting import session_runs

_MOST_AT_ONCE = 200  # tensors that are fetched in one run
_OF_CONTROL_FLOW = ("Switch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond")


class SessionTensors:
    """Values of any tensors of a graph in a Session.

    Args:
      place: the file of the graph, for errors.
      session: a `Session`.
      inputs: {name: tensor}.

    Attributes:
      ops: {name of an op with a tensor of numbers: its type}, in the order of the graph.
    """

    def __init__(self, place, session, inputs):
        self._place, self._session, self._inputs = place, session, inputs
        self.ops = {
            op.name: op.type
            for op in session.graph.get_operations()
            if op.outputs and op.type not in _OF_CONTROL_FLOW and _is_number(op.outputs[0].dtype)
        }

    def __call__(self, names, arrays):
        """Returns {name: array} of ops that run; of others, such as a dead branch's, nothing."""
        if not names:
            return {}
        try:
            fetches = {name: name + ":0" for name in names}
            run = session_runs.SessionRuns(self._place, self._session, self._inputs, fetches)
            return run(arrays)
        except GraphExportError:
            if len(names) == 1:
                return {}
            half = len(names) // 2
            return {**self(names[:half], arrays), **self(names[half:], arrays)}


def _is_number(dtype):
    return dtype.is_floating or dtype.is_integer or dtype.is_complex or dtype.is_bool


def first(left, right, comparisons, rows):
    """Returns the `Difference` of the first tensor that differs as the outputs do, or None.

    Args:
      left: a `SessionTensors`, whose order counts.
      right: the same, or the tensors of a model: its ops are None, for they have no op of TF.
      comparisons: list of `output_differences.Comparison`.
      rows: the `Difference` of each output.
    """
    worst = output_differences.worst_of(rows)
    arrays = next(c.runs[0] for c in comparisons if c.inputs == worst.inputs)
    names = [name for name, op in left.ops.items() if right.ops.get(name, "") in (op, None)]
    for start in range(0, len(names), _MOST_AT_ONCE):
        expected = left(names[start : start + _MOST_AT_ONCE], arrays)
        actual = right(list(expected), arrays)
        pairs = {name: (value, actual[name]) for name, value in expected.items() if name in actual}
        for name, pair in pairs.items():
            if right.ops[name] is None and _is_another_layout(*pair):
                continue
            row = _difference(name, pair, worst)
            if row.relative > row.limit:
                return row
    return None


def _difference(name, pair, worst):
    """Returns the `Difference` of one tensor, with the limit of the worst output."""
    expected, actual = pair
    comparison = output_differences.Comparison(worst.inputs, [{}], [{name: expected}])
    return next(
        iter(output_differences.differences([comparison], lambda _: {name: actual}, worst.limit))
    )


def _is_another_layout(expected, actual):
    """Tells whether a model may keep the same values in another order of the axes."""
    expected, actual = np.asarray(expected), np.asarray(actual)
    if expected.size != actual.size or expected.dtype.kind != actual.dtype.kind:
        return True
    if expected.shape == actual.shape and np.array_equal(expected, actual):
        return False
    scale = max(float(np.abs(expected).max()), 1e-30) if expected.size else 1.0
    values = np.sort(expected, axis=None), np.sort(actual, axis=None)
    return np.allclose(*values, rtol=0, atol=1e-5 * scale, equal_nan=True)


def of_model(part, tensors, rows):
    """Returns the `Difference` of the first tensor of a model that is not its graph's, or None.

    Args:
      part: the `FrozenPart`.
      tensors: the model's, with `ops` {name: None}; a function of (names, arrays).
      rows: the `Difference` of each output.
    """
    try:
        with session_runs.imported(part.tf, part.graph_def, part.place) as session:
            original = SessionTensors(part.place, session, part.inputs)
            return first(original, tensors, part.comparisons, rows)
    except GraphExportError:  # it does not run on these inputs
        return None
