"""``random`` of Python 2: the same numbers from the same seed.

Source: ``random.py`` and ``_randommodule.c`` of Python 2.7.
"""

import functools
import hashlib
import math
import operator
import random

from tfgraphtools.compat.fixes.python.random_methods import old_methods
from tfgraphtools.compat.fixes.python2.containers import hashes

#: From here on, an integer is drawn from bits: a float has no more.
_WIDEST = 2**53


def _as_in_python37(name):
    """Returns a method that draws as Python 3.7 did, which is as Python 2 did."""

    def draw(self, *arguments, **options):
        def original(other):
            return functools.partial(getattr(random.Random, other), self)

        return old_methods(original, lambda _: None)[name](*arguments, **options)

    draw.__name__ = name
    return draw


def _below(generator, n):
    """Returns an integer from 0 to n - 1."""
    if n < _WIDEST:
        return int(generator.random() * n)
    bits = int(1.00001 + math.log(n - 1, 2.0))
    drawn = generator.getrandbits(bits)
    while drawn >= n:
        drawn = generator.getrandbits(bits)
    return drawn


def _whole(value, place):
    if int(value) != value:
        raise ValueError(f"non-integer {place} for randrange()")
    return int(value)


class Random(random.Random):
    """The generator of Python 2; ``random()`` itself, and what uses it, is the same."""

    def __new__(cls, *seed):
        return super().__new__(cls)

    def __init__(self, x=None):
        Random.seed(self, x)

    def seed(self, a=None):
        """Seeds the generator; all but integers by the hash that they had."""
        if a is not None:
            try:
                a = abs(operator.index(a))
            except TypeError:
                a = hashes.unsigned(a)
        random.Random.seed(self, a)

    def jumpahead(self, n):
        """Goes on as if many numbers had been drawn."""
        version, state, gauss_next = self.getstate()
        shown = ", ".join(f"{number}L" for number in state)
        is_long = not -(2**63) <= n < 2**63
        text = f"{n}{'L' if is_long else ''}({version}, ({shown}), {gauss_next!r})"
        far = int(hashlib.sha512(text.encode()).hexdigest(), 16)
        numbers = list(state[:-1])
        for place in range(len(numbers) - 1, 1, -1):
            other = far % place
            numbers[place], numbers[other] = numbers[other], numbers[place]
        numbers = [(number + place) % 2**32 for place, number in enumerate(numbers, 1)]
        self.setstate((version, (*numbers, len(numbers)), gauss_next))

    def randrange(self, start, stop=None, step=1):
        """Returns an integer of ``range(start, stop, step)``."""
        first = _whole(start, "arg 1")
        if stop is None:
            if first <= 0:
                raise ValueError("empty range for randrange()")
            return _below(self, first)
        width = _whole(stop, "stop") - first
        step = _whole(step, "step")
        if not step:
            raise ValueError("zero step for randrange()")
        count = (width + step - (1 if step > 0 else -1)) // step
        if count <= 0:
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
        return first + step * _below(self, count)

    def randint(self, a, b):
        """Returns an integer from `a` to `b`."""
        return Random.randrange(self, a, b + 1)

    def choice(self, seq):
        """Returns an item of a sequence."""
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x, random=None):
        """Shuffles a list in place."""
        draw = random or self.random
        for last in reversed(range(1, len(x))):
            other = int(draw() * (last + 1))
            x[last], x[other] = x[other], x[last]

    gammavariate = _as_in_python37("gammavariate")
    betavariate = _as_in_python37("betavariate")

    def paretovariate(self, alpha):
        """Draws from a Pareto distribution."""
        return 1.0 / pow(1.0 - self.random(), 1.0 / alpha)

    def triangular(self, low=0.0, high=1.0, mode=None):
        """Draws from a triangular distribution."""
        u = self.random()
        try:
            c = 0.5 if mode is None else (mode - low) / (high - low)
        except ZeroDivisionError:
            return low
        if u > c:
            u, c, low, high = 1.0 - u, 1.0 - c, high, low
        return low + (high - low) * (u * c) ** 0.5

    def expovariate(self, lambd):
        """Draws from an exponential distribution."""
        return -math.log(1.0 - self.random()) / lambd

    def sample(self, population, k):
        """Returns `k` different items."""
        size = len(population)
        if not 0 <= k <= size:
            raise ValueError("sample larger than population")
        k = int(k)
        most = 21 + (4 ** math.ceil(math.log(k * 3, 4)) if k > 5 else 0)
        if size <= most or hasattr(population, "keys"):
            pool, drawn = list(population), []
            for left in range(size, size - k, -1):
                place = int(self.random() * left)
                drawn.append(pool[place])
                pool[place] = pool[left - 1]
            return drawn
        if isinstance(population, (set, frozenset)):
            if k:
                self.random()  # in vain: a set has no items by number
            population = tuple(population)
        places = {}  # as a set that keeps the order
        while len(places) < k:
            places[int(self.random() * size)] = None
        return [population[place] for place in places]


_DRAWS = (
    "seed jumpahead randrange randint choice shuffle sample gammavariate betavariate "
    "paretovariate triangular expovariate"
).split()


def functions():
    """Returns the functions of the module, which share its state with those of libraries."""
    shared = random._inst
    return {name: functools.partial(getattr(Random, name), shared) for name in _DRAWS}
