"""From numbers to a verdict: one derivative, several step sizes, plain NumPy.

With one step size a jump looks like a wrong gradient, and a wrong step size
like a right one. With two, a jump is what stays when the step shrinks, a kink
is where the two sides disagree at every step, and roundoff is what grows.
"""

import collections

import numpy as np

#: Verdicts, from the harmless to the wrong; the worst one of its elements is an input's.
MATCH, KINK, ROUNDOFF, SURROGATE, JUMP, STOCHASTIC, DISCONNECTED, MISMATCH = ORDER = (
    "match",
    "kink",
    "roundoff",
    "surrogate",
    "jump",
    "stochastic",
    "disconnected",
    "mismatch",
)

#: What is assumed of a dtype: its precision, the relative tolerance, and two steps.
Precision = collections.namedtuple("Precision", "epsilon, tolerance, steps")

PRECISIONS = {
    "float64": Precision(2.3e-16, 1e-6, (1e-3, 1e-5)),
    "float32": Precision(1.2e-7, 1e-3, (1e-2, 1e-3)),
    "float16": Precision(9.8e-4, 3e-2, (2.5e-1, 6.25e-2)),
    "bfloat16": Precision(7.9e-3, 1e-1, (5e-1, 1.25e-1)),
}

#: One derivative: y at x - step, x, x + step for each step, weighted and summed, and a
#: bound of what rounding can have done to such a sum; ``size`` is the largest change of one y.
Samples = collections.namedtuple("Samples", "steps, below, middle, above, rounding, size")


def diagnose(analytic, samples, tolerance):
    """(verdict, the numeric derivative) of one analytic derivative.

    Args:
      analytic: a number.
      samples: the `Samples` around the point.
      tolerance: how far apart, relative to the larger, equal derivatives may be.
    """
    steps = np.asarray(samples.steps)
    change = np.asarray(samples.above) - np.asarray(samples.below)
    central = change / (2 * steps)
    noise = samples.rounding / steps
    best = _best(central, steps, noise)
    numeric = central[best]
    if not (np.isfinite(analytic) and np.all(np.isfinite(change))):
        return MISMATCH, numeric
    if _jumps(change, steps, samples.rounding):
        return JUMP, numeric
    scale = max(abs(analytic), abs(numeric))
    truncation = abs(central[0] - central[-1]) * (steps[best] / steps[0]) ** 2
    allowed = tolerance * scale + truncation + noise[best]
    flat = np.all(np.abs(change) <= samples.rounding)
    if flat and abs(analytic) > noise[best] + 1e-30:
        return SURROGATE, 0.0
    if _kinks(samples, steps, noise, tolerance):
        right = (samples.above[best] - samples.middle) / steps[best]
        left = (samples.middle - samples.below[best]) / steps[best]
        slack = allowed + tolerance * max(abs(left), abs(right))
        between = min(left, right) - slack <= analytic <= max(left, right) + slack
        return (KINK if between else MISMATCH), numeric
    if abs(numeric - analytic) > allowed:
        return MISMATCH, numeric
    if noise[best] > 0.1 * scale and scale > 0 and noise[best] > tolerance:
        return ROUNDOFF, numeric
    return MATCH, numeric


def _best(central, steps, noise):
    """The step with the least of rounding and truncation together."""
    truncation = np.abs(central[0] - central[-1]) * (steps / steps[0]) ** 2
    return int(np.argmin(noise + truncation))


def _jumps(change, steps, rounding):
    """True if the difference does not shrink with the step."""
    if abs(change[-1]) <= 8 * rounding:
        return False
    shrunk = steps[-1] / steps[0]
    return abs(change[-1]) > abs(change[0]) * max(0.5, 3 * shrunk)


def _kinks(samples, steps, noise, tolerance):
    """True if the slopes of the two sides disagree, by the same amount at every step."""
    right = (np.asarray(samples.above) - samples.middle) / steps
    left = (samples.middle - np.asarray(samples.below)) / steps
    gap = np.abs(right - left)
    large = gap[-1] > 10 * noise[-1] + 10 * tolerance * max(abs(right[-1]), abs(left[-1]))
    return bool(large and gap[-1] > 0.5 * gap[0])
