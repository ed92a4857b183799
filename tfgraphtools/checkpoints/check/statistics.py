"""Statistics of one tensor's values: extremes, moments, a histogram."""

import collections

import numpy as np

from tfgraphtools.checkpoints.format.type_hints import Array

#: ``counts[i]`` values lie between ``edges[i]`` and ``edges[i + 1]``. Moments and extremes are of
#: the finite values, and None if there are none, or for strings.
Statistics = collections.namedtuple(
    "Statistics", "elements finite nan infinite zeros minimum maximum mean std counts edges"
)

_BLOCK = 1 << 20  # elements at once
_DOWN = 2.0**-600  # brings any float64 to where squares and sums do not overflow


def statistics(array: Array, bins: int = 20) -> Statistics:
    """Returns the `Statistics` of an array; complex numbers by their magnitude.

    Args:
      array: any shape and type.
      bins: bars of the histogram.

    Example:
      >>> import numpy as np
      >>> found = statistics(np.array([1.0, 3.0, np.nan]))
      >>> found.nan, found.mean, found.maximum
      (1, 2.0, 3.0)
    """
    if array.dtype == object or not array.size:
        return Statistics(array.size, 0, 0, 0, 0, None, None, None, None, [], [])
    flat = array.reshape(-1)
    nan = infinite = zeros = finite = 0
    low, high, total = np.inf, -np.inf, 0.0
    for block, values in _blocks(flat):
        nan += int(np.isnan(block).sum()) if block.dtype.kind in "fc" else 0
        finite += len(values)
        infinite += len(block) - len(values)
        zeros += int((block == 0).sum())
        if len(values):
            low, high = min(low, values.min()), max(high, values.max())
            with np.errstate(over="ignore"):
                total += float(values.sum())
    infinite -= nan
    if not finite:
        return Statistics(array.size, 0, nan, infinite, zeros, None, None, None, None, [], [])
    with np.errstate(over="ignore"):
        is_huge = not (np.isfinite(total) and np.isfinite((high - low) ** 2 * finite))
    if is_huge:  # near the end of float64
        return _scaled_back(statistics(array * _DOWN, bins))
    mean = total / finite
    squares, counts, edges = _second_pass(flat, mean, low, high, bins)
    std = float(np.sqrt(squares / finite))
    return Statistics(
        array.size, finite, nan, infinite, zeros, float(low), float(high), mean, std, counts, edges
    )


def _blocks(flat):
    """Yields (block, its finite values as float64)."""
    for start in range(0, len(flat), _BLOCK):
        block = flat[start : start + _BLOCK]
        values = np.abs(block) if block.dtype.kind == "c" else block
        values = values.astype(np.float64)
        yield block, values[np.isfinite(values)]


def _second_pass(flat, mean, low, high, bins):
    """Returns (sum of squared deviations, counts, edges)."""
    if low == high:
        pad = max(0.5, abs(low) / 1000)
        low, high = low - pad, high + pad
    edges = low + (high - low) * (np.arange(bins + 1) / bins)
    counts, squares = np.zeros(bins, np.int64), 0.0
    for _, values in _blocks(flat):
        squares += float(((values - mean) ** 2).sum())
        # Not np.histogram: it refuses ranges in which two edges round to one number.
        bar = np.minimum(((values - low) / (high - low) * bins).astype(np.int64), bins - 1)
        counts += np.bincount(bar, minlength=bins)
    return squares, counts.tolist(), edges.tolist()


def _scaled_back(scaled):
    def up(value):
        return value / _DOWN

    return scaled._replace(
        minimum=up(scaled.minimum),
        maximum=up(scaled.maximum),
        mean=up(scaled.mean),
        std=up(scaled.std),
        edges=[up(edge) for edge in scaled.edges],
    )
