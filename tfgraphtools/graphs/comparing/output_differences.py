"""The differences between the outputs of a graph and of its conversion."""

import collections
import os
from typing import Any, Dict, List, NamedTuple

import numpy as np

from tfgraphtools.errors import ArgumentError, DifferentOutputsError, GraphExportError

#: An output: the largest difference, the largest absolute value of the original, their ratio (by
#: the last axis; the share of elements that differ, where the values are no floating-point
#: numbers), the inputs, in words, of the runs in which it is largest, and its limit for these.
Difference = collections.namedtuple("Difference", "name difference largest relative inputs limit")


class Comparison(NamedTuple):
    """Runs of one kind of inputs.

    Attributes:
      inputs: what they are, in words.
      runs, expected: lists of {name: array}: the inputs, and the outputs of the original.
    """

    inputs: str
    runs: List[Dict[str, Any]]
    expected: List[Dict[str, Any]]

    @property
    def at_corners(self):
        return self.inputs.startswith(CORNER)

    def renamed(self, inputs, outputs):
        """Returns it with other names: {old name: new name} of both."""
        runs = [{inputs[name]: run[name] for name in run} for run in self.runs]
        expected = [{outputs[name]: row[name] for name in row} for row in self.expected]
        return self._replace(runs=runs, expected=expected)


#: How the words of inputs at corners begin.
CORNER = "inputs at a corner: "


#: The share of the largest value that rounding may change for inputs at corners: a softmax of 300
#: has lost three digits of float32 before it begins.
CORNER_TOLERANCE = 1e-3

#: Below it a difference may be that of oneDNN's kernels.
_OF_ONEDNN = 0.02

#: A column is compared by its own largest value, or by this share of the whole output's.
_LEAST_SHARE = 1 / 32


def differences(comparisons, run, tolerance):
    """Returns a `Difference` for each output: the worst over all comparisons.

    Args:
      comparisons: list of `Comparison`.
      run: the conversion, a function of {name: array} that returns such.
      tolerance: a share of the largest value of an output.

    Raises:
      ArgumentError: the tolerance is negative, or no number.
    """
    if not tolerance >= 0:  # NaN would accept everything
        fix = "Pass a share of the largest value, such as 1e-5."
        raise ArgumentError("tolerance", "a number from 0", tolerance, fix)
    worst = {}
    for comparison in comparisons:
        for row in _of(comparison, run, tolerance):
            if row.name not in worst or _excess(row) > _excess(worst[row.name]):
                worst[row.name] = row
    return list(worst.values())


def worst_of(rows):
    """Returns the `Difference` that is largest beside its limit."""
    return max(rows, key=_excess)


def _excess(row):
    return row.relative / max(row.limit, 1e-30)


def _of(comparison, run, tolerance):
    """Yields the `Difference` of each output in the runs of one comparison."""
    try:
        results = [run(arrays) for arrays in comparison.runs]
    except GraphExportError:
        if not comparison.at_corners:
            raise
        for name in comparison.expected[0]:  # the original runs on them
            yield Difference(name, np.inf, 0.0, np.inf, comparison.inputs, tolerance)
        return
    for name in comparison.expected[0]:
        pairs = [
            (np.asarray(left[name]), np.asarray(right[name]))
            for left, right in zip(comparison.expected, results)
        ]
        limit = tolerance
        if comparison.at_corners and pairs[0][0].dtype.kind in "fcV":
            pairs = [_where_finite(*pair) for pair in pairs]
            limit = max(tolerance, CORNER_TOLERANCE)
        yield Difference(name, *_widest(pairs), comparison.inputs, limit)


def _where_finite(expected, actual):
    """Returns both arrays with 0 where the original has no number either."""
    if expected.shape != actual.shape or expected.dtype.kind not in "fcV":
        return expected, actual
    is_finite = np.isfinite(_wide(expected))
    return np.where(is_finite, expected, 0), np.where(is_finite, actual, 0)


def untold(originals):
    """Returns, in words, the outputs whose comparison says little: the original's are all alike.

    Args:
      originals: as in `differences`.
    """
    notes = []
    for name in originals[0]:
        values = np.concatenate([np.asarray(run[name]).ravel() for run in originals])
        is_number = values.dtype.kind in "fc"
        if values.size < 2 or (values == values[0]).all() or (is_number and np.isnan(values).all()):
            what = f"{values[0]} alone" if values.size else "nothing"
            notes.append(
                f"{name}: the original gives {what} for these inputs, so the comparison says "
                "little: pass samples (--samples)"
            )
    return notes


def _widest(pairs):
    """Returns (difference, largest value, the largest ratio of both in a column)."""
    largest = max(_magnitude(expected) for expected, _ in pairs)
    by_pair = [_differences(expected, actual) for expected, actual in pairs]
    difference = max(float(array.max()) if array.size else 0.0 for array in by_pair)
    if not all(expected.dtype.kind in "fcV" for expected, _ in pairs) or not largest:
        return difference, largest, difference
    columns = _columns([expected for expected, _ in pairs])
    if columns is None or difference == np.inf:
        return difference, largest, difference / largest
    scales = np.maximum(columns, largest * _LEAST_SHARE)
    return (
        difference,
        largest,
        max(
            float((array.reshape(-1, len(scales)) / scales).max())
            for array in by_pair
            if array.size
        ),
    )


def _columns(arrays):
    """Returns the largest absolute value for each index of the last axis; None where it has none.

    A last axis whose size changes with the number of rows is no axis of columns.
    """
    sizes = {array.shape[-1] if array.ndim else None for array in arrays}
    if len(sizes) != 1 or sizes & {None, 0}:
        return None
    rows = np.concatenate([np.abs(_wide(array)).reshape(-1, *sizes) for array in arrays])
    return np.where(np.isfinite(rows), rows, 0).max(axis=0) if len(rows) else None


def _magnitude(array):
    if array.dtype.kind not in "fcViu" or not array.size:
        return 0.0
    absolute = np.abs(_wide(array))
    finite = absolute[np.isfinite(absolute)]
    return float(finite.max()) if finite.size else 0.0


def _differences(expected, actual):
    """Returns the absolute difference of each element; the share of others for what is no float."""
    if expected.shape != actual.shape or expected.dtype.kind != actual.dtype.kind:
        return np.array([np.inf])
    if expected.dtype.kind not in "fcV":
        return np.array([np.mean(expected != actual)]) if expected.size else np.array([])
    expected, actual = _wide(expected), _wide(actual)
    same = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
    with np.errstate(invalid="ignore"):
        absolute = np.where(same, 0, np.abs(expected - actual))
    return np.nan_to_num(absolute, nan=np.inf, posinf=np.inf)


def _wide(array):
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def require_equal(place, rows, random=(), first=None):
    """Raises `DifferentOutputsError` if an output differs by more than its limit.

    Args:
      place: the file that is not written then.
      rows: list of `Difference`.
      random: the names of ops that draw random numbers, which explain a difference.
      first: the `Difference` of the first tensor inside that differs, or None.
    """
    worst = worst_of(rows)
    if worst.relative <= worst.limit:
        return
    error = DifferentOutputsError(
        place,
        f"outputs within {worst.limit:g} of the original's largest value",
        f"{worst.relative:.2g} in {worst.name} for {worst.inputs}",
        " ".join(["Nothing was written.", *_place_of(first), *_remedies(worst, random)]),
    )
    error.differences = rows
    raise error


def _place_of(first):
    """Yields the sentence of the first tensor that differs."""
    if first is not None:
        yield f"The first tensor that differs is {first.name}, by {first.relative:.2g}."


def _remedies(worst, random):
    if random:
        names = ", ".join(random[:4])
        yield f"{names} draws random numbers in each run: cut behind it (inputs)."
    if worst.inputs.startswith(CORNER):
        yield (
            "If your inputs never look so, pass some of them, with which alone it is compared "
            "then: samples (--samples data.npz)."
        )
    if np.isfinite(worst.relative):
        if worst.relative < _OF_ONEDNN and os.environ.get("TF_ENABLE_ONEDNN_OPTS") != "0":
            yield (
                "Set the environment variable TF_ENABLE_ONEDNN_OPTS=0 (oneDNN computes a layer "
                "normalization or gelu of constants less exactly)."
            )
        yield f"Accept it with tolerance={worst.relative * 2:.1g}, or take"
    else:
        yield "The shape or dtype is another, or a value is not finite: take"
    yield "a smaller part to see which op differs."
