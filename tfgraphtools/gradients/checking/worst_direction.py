"""The worst of the directions in which x is moved.

Moving all elements of a large x at once crosses the kinks of some. So a direction in which
the gradient looks wrong is halved until the element is found that makes it so, and the
verdict is the one on that element.
"""

import numpy as np

from tfgraphtools.gradients.checking import diagnose
from tfgraphtools.gradients.checking.diagnose import (
    JUMP,
    KINK,
    MISMATCH,
    ORDER,
    ROUNDOFF,
    SURROGATE,
)
from tfgraphtools.gradients.checking.evaluate import Line

_MOST_EXCUSED = 8  # elements at kinks that one direction is tried without
_LARGEST, _DRAWN = 5, 15  # single elements of a large x: of the largest gradients, and others


class Search:
    """The directions of one x, and what is found along them.

    Args:
      evaluator: the `Evaluator` of y.
      weightings: the `Weighting` of each sum of the ys.
      steps: those of the user, or None.
      precision: the `Precision` that y is evaluated in.
    """

    def __init__(self, evaluator, weightings, steps, precision):
        self._evaluator, self._weightings = evaluator, weightings
        self._steps, self._precision = steps, precision
        self._lines = []

    def add(self, moves):
        """Adds directions: pairs of a name and an array like x."""
        self._lines += [(where, self._line(move)) for where, move in moves]

    def __len__(self):
        return len(self._lines)

    def worst(self, number):
        """Returns (verdict, where, analytic, numeric, size) of the worst direction for one sum.

        To find the element behind a wrong direction takes many runs: where a single element is
        wrong it is not looked for, and else up to the first that is.
        """
        findings, several = [], []
        for where, line in self._lines:
            finding = self._judged(where, line, number)
            moves_several = np.count_nonzero(line.move) > 1 and np.isfinite(finding[2])
            if moves_several and finding[0] in (JUMP, MISMATCH):
                several.append((finding, line))
            else:
                findings.append(finding)
        several.sort(key=lambda pair: _badness(pair[0]), reverse=True)
        for finding, line in several:
            if any(judged[0] == MISMATCH for judged in findings):
                break
            findings.append(self._narrowed(finding, line, number))
        return max(findings, key=_badness)

    def _line(self, move, sizes=None):
        sizes = self._evaluator.sizes(move, self._steps, self._precision) if not sizes else sizes
        return Line(self._evaluator, move, sizes, self._weightings, self._precision)

    def _judged(self, where, line, number):
        weighting = self._weightings[number]
        analytic, slack = line.analytic(weighting)
        verdict, numeric = diagnose.diagnose(
            analytic, line.samples(number), weighting.tolerance, slack + weighting.floor
        )
        if verdict == MISMATCH and weighting.reach and np.count_nonzero(line.move) == 1:
            samples, reach = list(line.samples(number)), weighting.reach
            moved = np.abs(self._evaluator.value[line.move != 0]).max()
            if moved and weighting.tolerance < 1e-2:  # so short that a slope hardly changes
                reach = min(reach, 4e-3 * moved)
            if diagnose.is_near_kink(analytic, samples, reach, weighting.tolerance):
                verdict = KINK
        if verdict == MISMATCH and weighting.own and np.isfinite(numeric):
            own, own_slack = line.analytic(weighting.own)
            if abs(own - numeric) < abs(own - analytic) - own_slack:
                verdict = ROUNDOFF  # the user's gradient is right: the copy has another one
        return verdict, where, analytic, float(numeric), line.size

    def _narrowed(self, finding, line, number):
        """Returns the finding for one element of the direction, which may be right alone."""
        whole, move = finding, line.move.copy()
        for _ in range(_MOST_EXCUSED):
            step = diagnose.clearest_step(list(line.samples(number)))
            if step is None:
                break
            index = self._culprit(move, number, step)
            own = self._judged(name_of(index), self._line(_only(move, [index])), number)
            if own[0] in (JUMP, MISMATCH, SURROGATE):
                return own
            if own[0] == ROUNDOFF and diagnose.is_smooth(whole[2], line.samples(number)):
                return whole  # too small a part of y to be seen alone
            move = _without(move, index)
            line = self._line(move)
            whole = self._judged(finding[1], line, number)
            if whole[0] not in (JUMP, MISMATCH):
                return whole
        return (ROUNDOFF,) + finding[1:]

    def _culprit(self, move, number, step):
        """Returns the index of the element that the largest part of the difference comes from."""
        elements = np.argwhere(move)
        while len(elements) > 1:
            halves = np.array_split(elements, 2)
            elements = max(halves, key=lambda half: self._residual(_only(move, half), number, step))
        return tuple(elements[0])

    def _residual(self, move, number, step):
        line = self._line(move, [step])
        for sample in line.samples(number):
            return diagnose.residual(line.analytic(self._weightings[number])[0], sample)
        return 0.0


def moves(value, gradient, max_elements, directions, random):
    """Yields [(its name, a direction)]: every element, or random directions and some elements."""
    units = [("", 1.0)]
    if np.iscomplexobj(value):
        units = [(" (real part)", 1.0), (" (imaginary part)", 1j)]
    indices = list(np.ndindex(*value.shape)) if value.size <= max_elements else []
    if value.size > max_elements:
        for number in range(directions):
            move = random.choice([-1.0, 1.0], value.shape)
            if np.iscomplexobj(value):
                move = move * random.choice([1.0, 1j], value.shape)
            yield f"direction {number}", move
        order = np.argsort(-np.abs(np.nan_to_num(gradient)), axis=None)
        chosen = [*order[:_LARGEST], *random.choice(value.size, _DRAWN)]
        indices = [np.unravel_index(position, value.shape) for position in dict.fromkeys(chosen)]
    for index in indices:
        for part, unit in units:
            move = np.zeros(value.shape, type(unit))
            move[index] = unit
            yield name_of(index) + part, move


def name_of(index):
    """Returns the text for an element of x."""
    return "x[{}]".format(", ".join(map(str, index))) if len(index) else "x"


def _only(move, indices):
    """Returns the direction with all but these elements at rest."""
    places = tuple(np.transpose(indices))
    part = np.zeros_like(move)
    part[places] = move[places]
    return part


def _without(move, index):
    part = move.copy()
    part[index] = 0
    return part


def _badness(finding):
    """Returns a key to order findings: by verdict, then by the derivatives' distance."""
    distance = abs(finding[2] - finding[3])
    return ORDER.index(finding[0]), np.inf if np.isnan(distance) else distance
