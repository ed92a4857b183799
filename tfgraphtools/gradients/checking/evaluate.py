"""y at displaced values of x: the numbers that a numeric derivative is made of."""

import numpy as np

from tfgraphtools.gradients.checking.diagnose import COARSE, PRECISIONS, Sample, step_sizes


class Evaluator:
    """Runs y at values of x. Complex values count as pairs of real ones."""

    def __init__(self, session, y, fed, feed_dict, value):
        self._session, self._y, self._fed, self._feed_dict = session, y, fed, feed_dict
        self._dtype, self._value = value.dtype, _wide(value)
        self.middle = self.at(self._value)

    def feed(self, value, more=()):
        """The feed_dict with x at a value."""
        fed = dict(self._feed_dict)
        fed.update(more)
        fed[self._fed] = value
        return fed

    def at(self, value):
        """y, in double precision."""
        return _wide(self._session.run(self._y, self.feed(value.astype(self._dtype))))

    def is_stochastic(self):
        """True if y differs from run to run (NaN is equal to itself)."""
        return any(
            not np.array_equal(np.nan_to_num(self.at(self._value)), np.nan_to_num(self.middle))
            for _ in range(2)
        )

    def gradient(self, tensor, weights, placeholder):
        """The analytic gradient of y with these weights."""
        fed = self.feed(self._value.astype(self._dtype), {placeholder: weights})
        return _wide(self._session.run(tensor, fed))

    def weights(self, random=None):
        """Weights of y: ones, or random ones."""
        if random is None:
            return np.ones(self.middle.shape, self.middle.dtype)
        found = random.uniform(0.5, 1.5, self.middle.shape)
        if np.iscomplexobj(self.middle):
            found = found + 1j * random.uniform(0.5, 1.5, self.middle.shape)
        return found

    def line(self, move, steps, precision):
        """y along one direction, a `Line`."""
        values = self._value[move != 0] if self._value.ndim else self._value.reshape([1])
        if steps is None:
            sizes = step_sizes(values, precision)
        else:
            sizes = [step * max([1.0] + list(np.abs(values))) for step in steps]
        return Line(self, self._value, self._dtype, move, sizes, precision)


class Line:
    """y along one direction, evaluated step by step and only as far as asked for."""

    def __init__(self, evaluator, value, dtype, move, sizes, precision):
        self._evaluator, self._value, self._dtype = evaluator, value, dtype
        self.move, self._sizes = move, sizes
        self._epsilon, self._least = precision.epsilon, precision.least
        self._known = []  # (step, y below, y above), by falling step

    def samples(self, weights, gradient):
        """The `Sample`s of a weighted sum of y.

        Rounding is that of what moves, at this step or a larger one (a step may be too small to
        move a saturated y), and of what cancelled on the way to it.
        """
        middle = self._evaluator.middle
        moved = np.zeros(middle.shape, bool)
        on_the_way = np.linalg.norm(gradient * self._value)
        for number in range(len(self._sizes)):
            if number == len(self._known):
                self._known.append(self._evaluate(self._sizes[number]))
            step, below, above = self._known[number]
            if not step:
                continue  # x rounded away: so are all smaller steps
            moved = moved | (below != middle) | (above != middle)
            least = max(1e-300, self._least * np.abs(weights)[moved].sum())
            terms = np.abs(weights * middle)[moved].sum() + on_the_way
            yield Sample(
                step,
                _sum(weights, below - middle),
                _sum(weights, middle * 0.0),
                _sum(weights, above - middle),
                (1 if self._epsilon > COARSE else 4) * self._epsilon * terms + least,
            )

    def size(self):
        """The largest change of one y over the smallest step that was taken."""
        taken = [one for one in self._known if one[0]]
        if not taken:
            return 0.0
        change = np.abs(taken[-1][2] - taken[-1][1])
        return float(change.max()) if change.size else 0.0

    def _evaluate(self, size):
        """y at x + size and as far to the other side, with x as it was rounded."""
        up = _wide((self._value + size * self.move).astype(self._dtype))
        down = _wide((2 * self._value - up).astype(self._dtype))
        length = np.abs(up - down).sum() / np.abs(self.move).sum() / 2
        if not length:
            return 0.0, None, None
        return length, self._evaluator.at(down), self._evaluator.at(up)


def moves(value, max_elements, directions, random):
    """[(its name, a direction)]: every element, or random directions of a large x."""
    units = [("", 1.0)]
    if np.iscomplexobj(value):
        units = [(" (real part)", 1.0), (" (imaginary part)", 1j)]
    if value.size <= max_elements:
        for index in np.ndindex(*value.shape):
            for part, unit in units:
                move = np.zeros(value.shape, type(unit))
                move[index] = unit
                where = "x[{}]".format(", ".join(map(str, index))) if value.ndim else "x"
                yield where + part, move
        return
    for number in range(directions):
        move = random.choice([-1.0, 1.0], value.shape)
        if np.iscomplexobj(value):
            move = move * random.choice([1.0, 1j], value.shape)
        yield f"direction {number}", move


def along(gradient, move):
    """The derivative along a direction, by TF's convention of complex gradients."""
    return float(np.real(np.conj(gradient) * move).sum())


def precision_of(*dtypes):
    """That of the least precise of the dtypes."""
    return max((PRECISIONS[dtype.name] for dtype in dtypes), key=lambda one: one.epsilon)


def _wide(value):
    """An array in double precision."""
    value = np.asarray(value)
    return value.astype(np.complex128 if np.iscomplexobj(value) else np.float64)


def _sum(weights, values):
    """The real sum of which tf.gradients takes the derivative, given weights of y."""
    with np.errstate(invalid="ignore"):
        return float(np.real(np.conj(weights) * values).sum())
