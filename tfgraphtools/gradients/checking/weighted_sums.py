"""The sums of y whose gradients are checked, and the verdict that they give together.

A plain sum may hide an error that a randomly weighted one shows, and rounding in float16 one that
the same backward ops show in double precision.
"""

import numpy as np

from tfgraphtools.gradients.checking.diagnose import MATCH, MISMATCH, PRECISIONS, ROUNDOFF
from tfgraphtools.gradients.checking.evaluate import Weighting, as_double


def weightings(evaluate, gradient_at, copy, own, tolerance, random):
    """Returns the `Weighting` of the plain and a random sum of y, and of both in double precision.

    Args:
      gradient_at: ``(value of x, weights of y) -> gradient`` of the user's graph.
      copy: the `WideCopy` that y is evaluated by, or None.
      own: the `Precision` of the user's graph.
      tolerance: that of the user, or of the dtype.
      random: a RandomState.
    """
    drawn = [evaluate.weights(), evaluate.weights(random)]
    notes = ["", " (y weighted at random)"]
    if evaluate.middle.size == 1:
        drawn.pop()
    result = [_weighting(gradient_at, weights, evaluate, own, random) for weights in drawn]
    largest = max(1.0, np.abs(evaluate.value).max())
    floor = 0.0 if copy is None else 4 * own.epsilon * _unit(evaluate)
    reach = 0.0 if copy is None else 64 * own.epsilon * largest
    result = [
        weighting._replace(tolerance=tolerance, floor=floor, reach=reach, note=note)
        for weighting, note in zip(result, notes)
    ]
    if copy is None or copy.gradient(evaluate.value, drawn[0]) is None:
        return result
    # Of rounding, the constants are left that a gradient function has of its own.
    finer, double = min(tolerance, max(4 * own.epsilon, 1e-3)), PRECISIONS["float64"]
    random = np.random.RandomState(0)
    return result + [
        _weighting(copy.gradient, weighting.weights, evaluate, double, random)._replace(
            tolerance=finer, note=f"{weighting.note} (in double precision)", own=weighting
        )
        for weighting in result
    ]


def _weighting(gradient_at, weights, evaluate, precision, random):
    """Returns the gradient of a sum of y, and how it changes where x differs by rounding."""
    gradient = as_double(gradient_at(evaluate.value, weights))
    noise = [
        np.nan_to_num(as_double(gradient_at(near, weights)) - gradient)
        for near in evaluate.neighbours(random, precision.epsilon)
    ]
    size = np.linalg.norm(gradient * evaluate.value)
    return Weighting(weights, gradient, noise, size, precision.tolerance)


def _unit(evaluate):
    """Returns the size of y in units of x."""
    middle = np.abs(evaluate.middle[np.isfinite(evaluate.middle)])
    return middle.sum() / max(1.0, np.abs(evaluate.value).max())


def confirmed(findings, search, checked, epsilon):
    """Returns the finding for the plain sum of y, unless another sum shows an error that it hides.

    Args:
      findings: the finding for the plain sum.
      checked: the `Weighting`s of the search.
      epsilon: for half precision, where "match" needs the gradient in double precision: that of
        the dtype, else 0.
    """
    doubtful = bool(epsilon) and checked[-1].own is None
    for number, weighting in enumerate(checked[1:], 1):
        finding = verdict, _, analytic, numeric, _ = search.worst(number)
        if verdict == MISMATCH:
            return (MISMATCH, finding[1] + weighting.note) + finding[2:]
        if verdict == MATCH and weighting.own and epsilon:  # one rounded constant is half of it
            apart = abs(analytic - numeric)
            doubtful |= apart > 0.75 * epsilon * max(abs(analytic), abs(numeric))
    return (ROUNDOFF,) + findings[1:] if doubtful and findings[0] == MATCH else findings
