"""The differences between the outputs of a graph and of its conversion."""

import collections

import numpy as np

from tfgraphtools.errors import ArgumentError, DifferentOutputsError

#: An output: the largest difference, the largest absolute value of the original, and their ratio
#: (the share of elements that differ, where the values are no floating-point numbers).
Difference = collections.namedtuple("Difference", "name difference largest relative")


def differences(originals, results):
    """Returns a `Difference` for each output, over all runs.

    Args:
      originals, results: lists of {name: array}, one a run.
    """
    rows = []
    for name in originals[0]:
        pairs = [
            (np.asarray(left[name]), np.asarray(right[name]))
            for left, right in zip(originals, results)
        ]
        rows.append(Difference(name, *_widest(pairs)))
    return rows


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
    largest = max(_magnitude(expected) for expected, _ in pairs)
    difference = max(_difference(expected, actual) for expected, actual in pairs)
    is_number = all(expected.dtype.kind in "fcV" for expected, _ in pairs)
    relative = difference / largest if is_number and largest else difference
    return difference, largest, relative


def _magnitude(array):
    if array.dtype.kind not in "fcViu" or not array.size:
        return 0.0
    absolute = np.abs(_wide(array))
    finite = absolute[np.isfinite(absolute)]
    return float(finite.max()) if finite.size else 0.0


def _difference(expected, actual):
    if expected.shape != actual.shape or expected.dtype.kind != actual.dtype.kind:
        return float("inf")
    if not expected.size:
        return 0.0
    if expected.dtype.kind not in "fcV":
        return float(np.mean(expected != actual))
    expected, actual = _wide(expected), _wide(actual)
    same = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
    with np.errstate(invalid="ignore"):
        absolute = np.where(same, 0, np.abs(expected - actual))
    return float(np.nan_to_num(absolute, nan=np.inf, posinf=np.inf).max())


def _wide(array):
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def require_equal(place, rows, tolerance, random=()):
    """Raises `DifferentOutputsError` if an output differs by more than the tolerance.

    Args:
      place: the file that is not written then.
      rows: list of `Difference`.
      tolerance: a share of the largest value of an output.
      random: the names of ops that draw random numbers, which explain a difference.
    """
    if not tolerance >= 0:  # NaN would accept everything
        fix = "Pass a share of the largest value, such as 1e-5."
        raise ArgumentError("tolerance", "a number from 0", tolerance, fix)
    worst = max(rows, key=lambda row: row.relative)
    if worst.relative > tolerance:
        fixes = ["Nothing was written."]
        if random:
            names = ", ".join(random[:4])
            fixes.append(f"{names} draws random numbers in each run: cut behind it (inputs).")
        if np.isfinite(worst.relative):
            fixes.append(
                "Set the environment variable TF_ENABLE_ONEDNN_OPTS=0 (oneDNN computes a layer "
                "normalization or gelu of constants less exactly), accept it with "
                f"tolerance={worst.relative * 2:.1g}, or take"
            )
        else:
            fixes.append("The shape or dtype is another, or a value is not finite: take")
        error = DifferentOutputsError(
            place,
            f"outputs within {tolerance:g} of the original's largest value",
            f"{worst.relative:.2g} in {worst.name}",
            " ".join([*fixes, "a smaller part to see which op differs."]),
        )
        error.differences = rows
        raise error
