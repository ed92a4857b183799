"""The verdict on one derivative from numbers at many step sizes, in NumPy.

With one step size a jump looks like a wrong gradient, and a wrong step size
like a right one. With many, a jump is what stays when the step shrinks, a kink
is where the two sides disagree at every step, and roundoff is what grows.

No step fits every function: x**3 at 0 is flat, log ends at 0, sin(x) at 1e6
turns many times within a millionth of x. So steps shrink by a constant ratio,
two of them give an estimate without the leading error (Richardson), and the
distance between neighbouring estimates says how good they are. A good estimate
that agrees with the gradient ends the search.

A gradient is called wrong only where neighbouring steps agree with one another and
not with it. A difference that shrinks with the step belongs to the step: near a kink,
or where the second derivative is missing, as that of relu(x)**2 at 0 is.
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

#: What is assumed of a dtype: its precision, the relative tolerance, the largest step in
#: units of x, the ratio of two steps, how many steps there are at most, and the least number.
Precision = collections.namedtuple("Precision", "epsilon, tolerance, first, ratio, count, least")
COARSE = 1e-4  # the epsilon from which on a dtype is of half precision

PRECISIONS = {
    "float64": Precision(2.3e-16, 1e-6, 0.1, 4.0, 12, 5e-324),
    "float32": Precision(1.2e-7, 1e-3, 0.1, 4.0, 7, 1.4e-45),
    "float16": Precision(9.8e-4, 3e-2, 0.5, 2.0, 5, 6e-8),
    "bfloat16": Precision(7.9e-3, 1e-1, 0.5, 2.0, 4, 9.2e-41),
}
PRECISIONS["complex64"], PRECISIONS["complex128"] = PRECISIONS["float32"], PRECISIONS["float64"]

#: f at x - step, x, x + step along one direction; ``rounding`` bounds what rounding did to f.
Sample = collections.namedtuple("Sample", "step, below, middle, above, rounding")

#: A numeric derivative: its value, a bound of its error, and its smallest step's own quotient.
_Estimate = collections.namedtuple("_Estimate", "value, error, last")


def step_sizes(values, precision):
    """Returns falling step sizes for a direction in which these elements of x move.

    They begin in units of the largest element (at least 1), and go on below the
    smallest: log and sqrt end at 0.
    """
    sizes = np.abs(np.asarray(values, np.complex128))
    largest = max(1.0, sizes.max()) if sizes.size else 1.0
    smallest = sizes[sizes > 0].min() if (sizes > 0).any() else 1.0
    ratio, last = precision.ratio, precision.ratio ** -(precision.count - 1)
    steps = [precision.first * largest]
    lowest = max(precision.first * last, 16 * precision.epsilon * largest)
    while steps[-1] / ratio >= 0.99 * lowest:
        steps.append(steps[-1] / ratio)
    if precision.first * smallest < steps[-1] * ratio**2:
        below = precision.first * min(smallest, steps[-1])
        steps.extend(below * ratio**-k for k in range(precision.count))
    return steps


def diagnose(analytic, samples, tolerance, slack=0.0):
    """Returns (verdict, the numeric derivative) of one analytic derivative.

    Args:
      analytic: a number.
      samples: an iterable of `Sample` with falling steps; it is read as far as needed.
      tolerance: how far apart, relative to the larger, equal derivatives may be.
      slack: how far the analytic derivative may be off by its own rounding.
    """
    if not np.isfinite(analytic):
        return MISMATCH, _best(_usable(list(samples)))[0]
    read = []
    for sample in samples:
        read.append(sample)
        usable = _usable(read)
        if len(usable) < 3 or not np.isfinite(sample.below + sample.above):
            continue
        value, error, _ = _estimate(usable[-3:])
        scale = max(abs(analytic), abs(value))
        if error <= 0.1 * tolerance * scale and abs(value - analytic) <= 0.5 * tolerance * scale:
            return (KINK if _kinks(usable, tolerance) else MATCH), value
    if not read or not np.isfinite(read[0].middle):
        return MISMATCH, np.nan
    usable = _usable(read)
    if len(usable) < 2:
        usable = _one_sided(read)
        if len(usable) < 2:
            return ROUNDOFF, np.nan
    return _judge(analytic, usable, tolerance, slack)


def _judge(analytic, usable, tolerance, slack):
    """Returns the verdict when all steps were taken."""
    value, error, _ = _best(usable)
    if _jumps(usable):
        steady = _are_steady([sample.above - sample.below for sample in usable], 0.0)
        return (JUMP if steady else ROUNDOFF), value
    if abs(analytic) > slack and _flat(usable, analytic):
        return SURROGATE, 0.0
    scale = max(abs(analytic), abs(value))
    allowed = tolerance * scale + 2 * error + slack
    if _kinks(usable, tolerance):
        slopes = np.transpose([_slopes(sample) for sample in usable])
        between = tolerance * np.abs(slopes[:, -1]).max() + allowed
        if slopes[:, -1].min() - between <= analytic <= slopes[:, -1].max() + between:
            return KINK, value
        return (
            MISMATCH if all(_are_steady(slope, analytic) for slope in slopes) else ROUNDOFF
        ), value
    if abs(value - analytic) > allowed:
        quotients = [_quotient(sample) for sample in usable]
        if _are_steady(quotients, analytic) or _are_steady(_extrapolated(usable), analytic):
            return MISMATCH, value
        return (MATCH if _approach(quotients, analytic) else ROUNDOFF), value
    if error > 3 * tolerance * scale and scale > 0 and error > 1e-6:
        return ROUNDOFF, value
    return MATCH, value


def _are_steady(values, other):
    """Tells whether neighbouring values agree with one another and not with the other number."""
    width = min(3, len(values))
    windows = [np.asarray(values[i : i + width]) for i in range(len(values) - width + 1)]
    return any(
        np.ptp(window) <= 0.2 * np.abs(window - other).min()
        for window in windows
        if len(window) > 1
    )


def _approach(quotients, analytic):
    """Tells whether the quotients come closer to the gradient with each of the last steps."""
    distances = np.abs(np.subtract(quotients[-4:], analytic))
    return len(distances) > 2 and bool((distances[1:] <= 0.8 * distances[:-1]).all())


def _usable(samples):
    """Returns those whose steps stayed where the function is defined."""
    return [sample for sample in samples if np.isfinite(sample.below) and np.isfinite(sample.above)]


def _one_sided(samples):
    """Mirrors the samples, at the end of a domain, from the side that is there."""
    mirrored = []
    for sample in samples:
        if np.isfinite(sample.above):
            mirrored.append(sample._replace(below=2 * sample.middle - sample.above))
        elif np.isfinite(sample.below):
            mirrored.append(sample._replace(above=2 * sample.middle - sample.below))
    return mirrored


def _quotient(sample):
    return (sample.above - sample.below) / (2 * sample.step)


def _extrapolated(samples):
    """Returns the derivatives of neighbouring samples without the error of step**2."""
    quotients = [_quotient(sample) for sample in samples]
    return [
        fine + (fine - coarse) / ((a.step / b.step) ** 2 - 1)
        for a, b, coarse, fine in zip(samples, samples[1:], quotients, quotients[1:])
    ]


def _estimate(samples):
    """Returns the `_Estimate` of two or three samples with falling steps."""
    better, last = _extrapolated(samples), _quotient(samples[-1])
    spread = abs(better[-1] - (better[-2] if len(better) > 1 else last))
    noise = samples[-1].rounding / samples[-1].step
    return _Estimate(better[-1], spread + noise, last)


def clearest_step(samples):
    """Returns the step at which the derivative is known best, or None."""
    usable = _usable(samples)
    windows = [usable[i : i + 2] for i in range(len(usable) - 1)]
    return min(windows, key=lambda window: _estimate(window).error)[1].step if windows else None


def residual(analytic, sample):
    """Tells how far the derivative at one step is from the analytic one."""
    distance = abs(_quotient(sample) - analytic)
    return distance if np.isfinite(distance) else np.inf


def is_near_kink(analytic, samples, reach, tolerance):
    """Tells whether the gradient is a slope of y so near that rounding may cross the kink."""
    near = [sample for sample in _usable(samples) if sample.step <= reach][::-1]
    slopes = []
    for side in ("above", "below"):
        points = [(0.0, 0.0)]
        points += [(sample.step, getattr(sample, side) - sample.middle) for sample in near]
        sign = 1 if side == "above" else -1
        slopes += [sign * (b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(points, points[1:])]
    if not slopes:
        return False
    allowed = 0.5 * tolerance * np.abs(slopes).max()
    return min(slopes) - allowed <= analytic <= max(slopes) + allowed


def is_smooth(analytic, samples):
    """Tells whether the slopes of both sides are equal beside their distance from the gradient."""
    slopes = [_slopes(sample) for sample in _usable(samples)]
    return any(
        abs(right - left) < 0.2 * min(abs(right - analytic), abs(left - analytic))
        for right, left in slopes
    )


def _best(usable):
    """Returns the estimate of the least error that no smaller step contradicts.

    A large step may look good by coincidence: f(x + h) - f(x - h) of a sine is small
    beside any large h.
    """
    if len(usable) < 2:
        return _Estimate(np.nan, np.inf, np.nan)
    estimates = []
    windows = [(i, i + width) for width in (2, 3) for i in range(len(usable) - width + 1)]
    for start, end in windows:
        estimate = _estimate(usable[start:end])
        excess = 0.0
        for later in usable[end:]:
            bound = (
                2 * later.rounding / later.step
                + estimate.error
                + abs(estimate.value - estimate.last)
            )
            excess = max(excess, abs(_quotient(later) - estimate.value) - bound)
        estimates.append((excess > 0, estimate.error + max(excess, 0.0), estimate))
    contradicted, error, estimate = min(estimates, key=lambda item: item[:2])
    return estimate._replace(error=error if contradicted else estimate.error)


def _jumps(usable):
    """Tells whether the difference does not shrink with the step."""
    first, last = usable[max(0, len(usable) - 3)], usable[-1]
    change = abs(last.above - last.below)
    if change <= 8 * last.rounding:
        return False
    return change > abs(first.above - first.below) * max(0.5, 3 * last.step / first.step)


def _flat(usable, analytic):
    """Tells whether y does not move where the analytic gradient would have it move."""
    flat = []
    for sample in reversed(usable):
        if (
            max(abs(sample.above - sample.middle), abs(sample.middle - sample.below))
            > sample.rounding
        ):
            break
        flat.append(sample)
    return len(flat) > 1 and abs(analytic) * flat[-1].step > 2 * flat[-1].rounding + 1e-300


def _slopes(sample):
    """Returns (slope to the right, slope to the left)."""
    return (
        (sample.above - sample.middle) / sample.step,
        (sample.middle - sample.below) / sample.step,
    )


def _kinks(usable, tolerance):
    """Tells whether the slopes of the two sides disagree, by the same amount at every step."""
    first, last = usable[max(0, len(usable) - 3)], usable[-1]
    right, left = _slopes(last)
    gap, before = abs(right - left), abs(np.subtract(*_slopes(first)))
    noise = last.rounding / last.step
    large = gap > 10 * noise + 10 * tolerance * max(abs(right), abs(left))
    return bool(large and gap > 0.5 * before)
