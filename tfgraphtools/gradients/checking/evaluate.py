"""y at displaced values of x: the numbers that a numeric derivative is made of."""

import collections

import numpy as np

from tfgraphtools.gradients.checking.diagnose import COARSE, PRECISIONS, Sample, step_sizes


class Evaluator:
    """Runs y at values of x. Complex values count as pairs of real ones."""

    def __init__(self, session, y, fed, feed_dict, value):
        self._session, self._y, self._fed, self._feed_dict = session, y, fed, feed_dict
        self._dtype, self._copy = value.dtype, None
        self.value = as_double(value)
        self.middle = self.at(self.value)

    def feed(self, value, more=()):
        """Returns the feed_dict with x at a value."""
        fed = dict(self._feed_dict)
        fed.update(more)
        fed[self._fed] = value
        return fed

    def rounded(self, value):
        """Returns the value of x that a run gets."""
        return value if self._copy else as_double(value.astype(self._dtype))

    def at(self, value):
        """Returns y, in double precision."""
        if self._copy:
            return as_double(self._copy.at(value))
        return as_double(self._session.run(self._y, self.feed(value.astype(self._dtype))))

    def use(self, copy, tolerance):
        """Evaluates a copy of higher precision from now on; False if it is another function."""
        moved = self.rounded(self.value * (1 + 1e-2) + 1e-2)
        for value in (self.value, moved):
            ours, others = self.at(value), as_double(copy.at(value))
            largest = np.abs(ours[np.isfinite(ours)]).max() if np.isfinite(ours).any() else 0.0
            if not np.allclose(ours, others, tolerance, tolerance * largest, equal_nan=True):
                return False
        self._copy = copy
        self.middle = self.at(self.value)
        return True

    def is_stochastic(self):
        """Tells whether y differs from run to run (NaN is equal to itself)."""
        return any(
            not np.array_equal(np.nan_to_num(self.at(self.value)), np.nan_to_num(self.middle))
            for _ in range(2)
        )

    def gradient(self, tensor, weights, placeholder, value=None):
        """Returns the analytic gradient of y with these weights, at a value of x."""
        value = self.value if value is None else value
        fed = self.feed(value.astype(self._dtype), {placeholder: weights})
        return as_double(self._session.run(tensor, fed))

    def neighbours(self, random, epsilon):
        """Yields two values of x that differ from it by rounding."""
        for _ in range(2):
            yield self.value * (1 + 2 * epsilon * random.choice([-1.0, 1.0], self.value.shape))

    def weights(self, random=None):
        """Returns weights of y: ones, or random ones."""
        if random is None:
            return np.ones(self.middle.shape, self.middle.dtype)
        weights = random.uniform(0.5, 1.5, self.middle.shape)
        if np.iscomplexobj(self.middle):
            weights = weights + 1j * random.uniform(0.5, 1.5, self.middle.shape)
        return weights

    def sizes(self, move, steps, precision):
        """Returns the step sizes for a direction, falling."""
        values = self.value[move != 0] if self.value.ndim else self.value.reshape([1])
        if steps is None and values.size > 1 and precision.epsilon < 1e-12:
            return [max(1.0, np.abs(values).max()) * 10.0**-k for k in range(2, 10)]
        if steps is None:
            return step_sizes(values, precision)
        return [step * max([1.0] + list(np.abs(values))) for step in steps]


#: A sum of the ys: their weights, the analytic gradient of it, how that changes by rounding, and
#: how much of the sum x makes by it.
#: How it is judged: the relative tolerance, what an analytic derivative may be off by in any case,
#: and the steps up to which the ops of y, in their own precision, may be on the other side of a
#: kink than in double precision. ``own`` is the same sum as the user's graph differentiates it,
#: where the gradient is that of a copy.
Weighting = collections.namedtuple(
    "Weighting",
    "weights, gradient, noise, size, tolerance, floor, reach, own, note",
    defaults=(0.0, 0.0, None, ""),
)


class Line:
    """Sums of y along one direction, evaluated step by step and only as far as asked for.

    Args:
      weightings: the `Weighting` of each sum.
    """

    def __init__(self, evaluator, move, sizes, weightings, precision):
        self._evaluator, self.move = evaluator, move
        self._sizes, self._weightings = sizes, weightings
        self._epsilon, self._least = precision.epsilon, precision.least
        self._moved = np.zeros(evaluator.middle.shape, bool)
        self._known = []  # for each step: None, or the Sample of each weighting
        self.size = 0.0  # the largest change of one y over the smallest step that was taken

    def samples(self, number):
        """Yields the `Sample`s of one of the sums."""
        for position in range(len(self._sizes)):
            if position == len(self._known):
                self._known.append(self._evaluate(self._sizes[position]))
            if self._known[position]:
                yield self._known[position][number]

    def analytic(self, weighting):
        """Returns (the derivative along the direction by the gradient, its rounding bound)."""
        own = sum(abs(along(noise, self.move)) for noise in weighting.noise)
        usual = 5 * np.sqrt(np.count_nonzero(self.move)) * np.median(np.abs(weighting.noise))
        return along(weighting.gradient, self.move), own + usual

    def _evaluate(self, size):
        """Returns y at x + size and as far to the other side, with x as it was rounded.

        Rounding is that of what moves, at this step or a larger one (a step may be too small to
        move a saturated y), and of what cancelled on the way to it.
        """
        evaluator, middle = self._evaluator, self._evaluator.middle
        up = evaluator.rounded(evaluator.value + size * self.move)
        down = evaluator.rounded(2 * evaluator.value - up)
        step = np.abs(up - down).sum() / np.abs(self.move).sum() / 2
        if not step:
            return None  # x rounded away: so are all smaller steps
        below, above = evaluator.at(down), evaluator.at(up)
        self._moved |= (below != middle) | (above != middle)
        self.size = float(np.abs(above - below).max()) if middle.size else 0.0
        return [self._sample(step, below, above, weights) for weights in self._weightings]

    def _sample(self, step, below, above, weighting):
        weights, middle = weighting.weights, self._evaluator.middle
        least = max(1e-300, self._least * np.abs(weights)[self._moved].sum())
        terms = np.abs(weights * middle)[self._moved].sum()
        terms += weighting.size
        return Sample(
            step,
            _sum(weights, below - middle),
            _sum(weights, middle * 0.0),
            _sum(weights, above - middle),
            (1 if self._epsilon > COARSE else 4) * self._epsilon * terms + least,
        )


def along(gradient, move):
    """Returns the derivative along a direction, by TF's convention of complex gradients."""
    return float(np.real(np.conj(gradient) * move).sum())


def precision_of(*dtypes):
    """Returns the precision of the least precise of the dtypes."""
    return max(
        (PRECISIONS[dtype.name] for dtype in dtypes), key=lambda precision: precision.epsilon
    )


def as_double(value):
    """Returns an array in double precision."""
    value = np.asarray(value)
    return value.astype(np.complex128 if np.iscomplexobj(value) else np.float64)


def _sum(weights, values):
    """Returns the real sum of which tf.gradients takes the derivative, given weights of y."""
    with np.errstate(invalid="ignore"):
        return float(np.real(np.conj(weights) * values).sum())
