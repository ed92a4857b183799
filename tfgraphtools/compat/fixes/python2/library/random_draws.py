"""``random`` of Python 2: the same numbers from the same seed.

Source: ``random.py`` of Python 2.7.
"""

import functools
import math
import random

from tfgraphtools.compat.fixes.python.random_methods import old_methods


def _as_in_python37(name):
    """Returns a method that draws as Python 3.7 did, which is as Python 2 did."""

    def draw(self, *arguments):
        def original(other):
            return functools.partial(getattr(random.Random, other), self)

        return old_methods(original, lambda _: None)[name](*arguments)

    draw.__name__ = name
    return draw


class Random(random.Random):
    """The generator of Python 2; ``random()`` itself, and what uses it, is the same."""

    def seed(self, a=None, version=1):
        """Seeds the generator; text by the hash that it had."""
        super().seed(a, version=1)

    def randrange(self, start, stop=None, step=1):
        """Returns an integer of ``range(start, stop, step)``."""
        numbers = range(start) if stop is None else range(start, stop, step)
        return Random.choice(self, numbers) if numbers else super().randrange(start, stop, step)

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

    def sample(self, population, k):
        """Returns `k` different items."""
        size = len(population)
        if not 0 <= k <= size:
            raise ValueError("sample larger than population")
        most = 21 + (4 ** math.ceil(math.log(k * 3, 4)) if k > 5 else 0)
        if size <= most or hasattr(population, "keys"):
            pool, drawn = list(population), []
            for left in range(size, size - k, -1):
                place = int(self.random() * left)
                drawn.append(pool[place])
                pool[place] = pool[left - 1]
            return drawn
        if isinstance(population, (set, frozenset)):
            population = tuple(population)
        places = {}  # as a set that keeps the order
        while len(places) < k:
            places[int(self.random() * size)] = None
        return [population[place] for place in places]


_DRAWS = "randrange randint choice shuffle sample gammavariate betavariate".split()


def functions():
    """Returns the functions of the module, which share its state with those of libraries."""
    shared = random._inst
    return {name: functools.partial(getattr(Random, name), shared) for name in _DRAWS}


def seed(a=None):
    """Seeds the state of the module."""
    random.seed(a, version=1)
