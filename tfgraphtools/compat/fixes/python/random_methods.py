"""``random``: arguments that it took until Python 3.10, and the draws of Python 3.7."""

import functools
import math
import random
import types

from tfgraphtools.compat.engine.replacing import replaces, table
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import provides


def _whole(value):
    """Returns a float without a fraction as an int, and any other value itself."""
    if isinstance(value, float) and value == int(value):
        return int(value)
    return value


def _hash_of_python37(value):
    """Returns the hash of a value; that of tuples changed in Python 3.8."""
    if not isinstance(value, tuple):
        return hash(value)
    result, factor = 0x345678, 1000003
    for left, item in zip(reversed(range(len(value))), value):
        result = (result ^ _hash_of_python37(item)) * factor % 2**64
        factor += 82520 + 2 * left
    result = (result + 97531) % 2**64
    return -2 if result == 2**64 - 1 else result


def old_methods(original, used):
    """Returns the methods of random.Random that took more arguments: {name: function}.

    Args:
      original: returns today's method of a name.
      used: called with the name of a method where its call is an old one.
    """

    def sample(population, k, **options):
        if isinstance(population, (set, frozenset)) or not hasattr(population, "__getitem__"):
            used("sample")
            population = tuple(population)
        return original("sample")(population, _whole(k), **options)

    def shuffle(x, random=None):
        if random is None:
            return original("shuffle")(x)
        used("shuffle")
        for last in reversed(range(1, len(x))):
            other = int(random() * (last + 1))
            x[last], x[other] = x[other], x[last]

    def randrange(start, stop=None, step=1):
        values = [start, stop, step]
        fixed = [_whole(value) for value in values]
        if any(a is not b for a, b in zip(values, fixed)):
            used("randrange")
        return original("randrange")(*fixed)

    def randint(a, b):
        if _whole(a) is not a or _whole(b) is not b:
            used("randint")
        return original("randint")(_whole(a), _whole(b))

    def seed(a=None, version=2):
        if a is not None and not isinstance(a, (int, float, str, bytes, bytearray)):
            used("seed")
            a = _hash_of_python37(a) % 2**64
        return original("seed")(a, version)

    def gammavariate(alpha, beta):
        if alpha != 1.0:
            return original("gammavariate")(alpha, beta)
        used("gammavariate")
        u = original("random")()
        while u <= 1e-7:
            u = original("random")()
        return -math.log(u) * beta

    def betavariate(alpha, beta):
        y = gammavariate(alpha, 1.0)
        return y / (y + gammavariate(beta, 1.0)) if y else 0.0

    methods = (sample, shuffle, randrange, randint, seed, gammavariate, betavariate)
    return {f.__name__: f for f in methods}


_RANDOM = {
    "sample": "draws from sets, too, in the order of list(set)",
    "shuffle": "takes random=, too",
    "randrange": "takes floats without a fraction, too",
    "randint": "takes floats without a fraction, too",
    "gammavariate": "draws the same numbers as until Python 3.7",
    "betavariate": "draws the same numbers as until Python 3.7",
    "seed": "takes any hashable value (NumPy integers, tuples)",
}


#: Today's methods of random.Random, those of C, too.
_TODAYS = {name: getattr(random.Random, name) for name in _RANDOM}


def _call(name, used, generator, *arguments, **options):
    """Calls the old method of a generator, an object of random.Random."""

    def original(method):
        if method in _TODAYS:
            return functools.partial(_TODAYS[method], generator)
        return getattr(generator, method)  # ``random``, which classes of users define

    return old_methods(original, lambda _: used())[name](*arguments, **options)


def _random_row(name):
    def provide(real, used):
        @functools.wraps(_TODAYS[name])
        def method(self, *arguments, **options):
            return _call(name, used, self, *arguments, **options)

        return types.MethodType(method, real._inst)  # as it is there: it is pickled as that is

    since = "Python 3.8" if name in ("gammavariate", "betavariate") else "Python 3.11"
    return provides("random." + name, since, _RANDOM[name])(provide)


ROW = Fix(
    "random.Random",
    "Python 3.8",
    "its methods take the arguments that the functions of random took",
)


def _method(name):
    """Returns the replacement of a method: the class itself stays, as pickles name it."""

    def method(original, self, *arguments, **options):
        return _call(name, method_of_class.used, self, *arguments, **options)

    method_of_class = replaces("random:Random." + name, row=ROW)(method)
    return method_of_class


METHODS = tuple(map(_method, _RANDOM))

TABLE = Table("old calls of random", "calls", [_random_row(name) for name in _RANDOM])
OF_CLASS = table("old calls of methods of random.Random", *METHODS)
