"""``math``, ``random``, ``re``, ``struct``... as modules of Python 2 had them.

Their names are still there and mean something else: `math.floor` gave a float, so that
``math.floor(x) / 2`` was not floored, and a seeded `random.shuffle` drew in another way.

Source: the documentation and the behaviour of Python 2.7.
"""

import functools
import hashlib
import math
import random
import types

from tfgraphtools.compat.engine import registry, rows, views
from tfgraphtools.compat.fixes.python.python2.library import binary, expressions, texts
from tfgraphtools.compat.fixes.python.python2.table import MATH, RANDOM
from tfgraphtools.compat.fixes.python.random import old_methods


def has_another(name):
    """Whether code for Python 2 gets another module than others do for ``import name``."""
    return name in _MODULES


def module_for(name, importer):
    """What ``import name`` gives a Python 2 module, or None where it is what it ever was.

    Args:
      name: the name that is imported.
      importer: the globals of the module that imports it.
    """
    if name not in _MODULES or not importer or importer.get("__python2__") is None:
        return None
    row, make = _MODULES[name]
    return None if rows.is_off(row.name) else make()


def _beside(module, row, functions):
    """A module with these functions, and for the rest what user code finds in `module`."""

    def other(name):
        of_users = registry.concerns(module.__name__)
        return getattr(views.module(module.__name__) if of_users else module, name)

    made = types.ModuleType(module.__name__, module.__doc__)
    made.__getattr__ = other
    made.__all__ = [name for name in dir(module) if not name.startswith("_")]
    for name, function in functions.items():
        setattr(made, name, _reporting(row, function))
    return made


def _reporting(row, function):
    @functools.wraps(function)
    def call(*arguments, **options):
        rows.used(row)
        return function(*arguments, **options)

    return call


# math -----------------------------------------------------------------------


def _as_float(function):
    """`math.floor` or `math.ceil`, giving a float."""

    @functools.wraps(function)
    def rounded(x):
        x = float(x)
        return math.copysign(function(x), x) if math.isfinite(x) else x

    return rounded


@functools.lru_cache(maxsize=None)
def _math():
    return _beside(math, MATH, {"floor": _as_float(math.floor), "ceil": _as_float(math.ceil)})


# random ---------------------------------------------------------------------


class Random(random.Random):
    """Draws as Python 2's did; ``random()`` itself, and what uses it, is the same."""

    def seed(self, a=None, version=1):
        """Seeds; text by the hash that it had."""
        super().seed(a, version=1)

    def jumpahead(self, n):
        """Goes to another state, far away."""
        version, numbers, spare = self.getstate()
        shown = "({}L)".format("L, ".join(map(str, numbers)))
        suffix = "L" if isinstance(n, int) and not -(2**63) <= n < 2**63 else ""
        text = f"{n!r}{suffix}({version}, {shown}, {spare!r})"
        n = int(hashlib.sha512(text.encode()).hexdigest(), 16)
        numbers = list(numbers[:-1])
        for i in range(len(numbers) - 1, 1, -1):
            j = n % i
            numbers[i], numbers[j] = numbers[j], numbers[i]
        numbers = [(number + i + 1) % 2**32 for i, number in enumerate(numbers)]
        self.setstate((version, (*numbers, len(numbers)), spare))

    def randrange(self, start, stop=None, step=1):
        """An integer of ``range(start, stop, step)``."""
        numbers = range(start) if stop is None else range(start, stop, step)
        return Random.choice(self, numbers) if numbers else super().randrange(start, stop, step)

    def randint(self, a, b):
        """An integer from `a` to `b`."""
        return Random.randrange(self, a, b + 1)

    def choice(self, seq):
        """One of a sequence."""
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x, random=None):
        """Shuffles a list in place."""
        draw = random or self.random
        for last in reversed(range(1, len(x))):
            other = int(draw() * (last + 1))
            x[last], x[other] = x[other], x[last]

    def gammavariate(self, alpha, beta):
        """The gamma distribution."""
        return self._until_310("gammavariate", alpha, beta)

    def betavariate(self, alpha, beta):
        """The beta distribution."""
        return self._until_310("betavariate", alpha, beta)

    def _until_310(self, name, *arguments):
        def original(other):
            return functools.partial(getattr(random.Random, other), self)

        return old_methods(original, lambda _: None)[name](*arguments)

    def sample(self, population, k):
        """`k` different ones."""
        size = len(population)
        if not 0 <= k <= size:
            raise ValueError("sample larger than population")
        most = 21 + (4 ** math.ceil(math.log(k * 3, 4)) if k > 5 else 0)
        if size <= most or hasattr(population, "keys"):
            pool, found = list(population), []
            for left in range(size, size - k, -1):
                place = int(self.random() * left)
                found.append(pool[place])
                pool[place] = pool[left - 1]
            return found
        if isinstance(population, (set, frozenset)):
            population = tuple(population)
        places = {}  # as a set that keeps the order
        while len(places) < k:
            places[int(self.random() * size)] = None
        return [population[place] for place in places]


_DRAWS = "jumpahead randrange randint choice shuffle sample gammavariate betavariate".split()


def _bound(name, shared):
    if name.endswith("variate"):
        return lambda *arguments: Random._until_310(shared, name, *arguments)
    return functools.partial(getattr(Random, name), shared)


@functools.lru_cache(maxsize=None)
def _random():
    shared = random._inst  # whose state is that of the module's functions, for libraries too
    functions = {name: _bound(name, shared) for name in _DRAWS}
    made = _beside(random, RANDOM, functions)
    made.Random = Random
    made.seed = lambda a=None: random.seed(a, version=1)
    return made


@functools.lru_cache(maxsize=None)
def _hashlib():
    import hashlib

    names = "md5 sha1 sha224 sha256 sha384 sha512 new".split()
    return _beside(hashlib, texts.HASHES, {name: texts.hashing(name) for name in names})


@functools.lru_cache(maxsize=None)
def _tempfile():
    import tempfile

    names = "NamedTemporaryFile TemporaryFile SpooledTemporaryFile".split()
    return _beside(tempfile, binary.ROW, {name: texts.temporary(name) for name in names})


@functools.lru_cache(maxsize=None)
def _of_bytes(name):
    import importlib

    made = _beside(importlib.import_module(name), binary.ROW, binary.FUNCTIONS[name])
    for leaf, make in binary.CLASSES.get(name, {}).items():
        setattr(made, leaf, make())
    return made


@functools.lru_cache(maxsize=None)
def _re():
    import re

    made = _beside(re, expressions.ROW, {})
    for name, function in expressions.FUNCTIONS.items():
        setattr(made, name, function)
    return made


_MODULES = {
    "hashlib": (texts.HASHES, _hashlib),
    "math": (MATH, _math),
    "random": (RANDOM, _random),
    "re": (expressions.ROW, _re),
    "tempfile": (binary.ROW, _tempfile),
    **{name: (binary.ROW, functools.partial(_of_bytes, name)) for name in binary.FUNCTIONS},
}

TABLE = rows.Table(
    "text where Python 2 had bytes",
    "listed",
    [texts.HASHES, binary.ROW, expressions.ROW],
)
