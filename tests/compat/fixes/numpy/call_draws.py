"""Draws calls of NumPy's functions, methods and types, and tells what each gives.

    python call_draws.py SEED COUNT FILE   by NumPy 1: FILE is a program of calls that it takes
    python FILE                            by any NumPy: what each gives, a line of JSON

Operands are Python's numbers, NumPy scalars, arrays of 0 to 2 dimensions and lists, of every
type, many of them out of the range of the other one.
"""

import random
import resource
import sys
import warnings

import numpy as np

_TYPES = "bool_ int8 uint8 int16 int32 int64 uint64 float16 float32 float64".split()
_NUMBERS = "0 1 2 3 7 100 200 300 -1 -3 70000 0.1 2.5 0.9 1e6 True".split()
_LARGE = "1e60 2**40 2**63 -129 1e300".split()
_FORMS = (
    "{0}",
    "np.array({0}).astype(np.{3})[()]",
    "np.array({0}).astype(np.{3})",
    "np.array([{0}, {1}, {2}]).astype(np.{3})",
    "np.array([[{0}, {1}], [{2}, {1}]]).astype(np.{3})",
    "[{0}, np.array({1}).astype(np.{3})[()], {2}]",
)
_UFUNCS = (
    "add subtract multiply divide true_divide floor_divide mod remainder fmod power "
    "maximum minimum fmax fmin arctan2 hypot copysign divmod gcd lcm left_shift right_shift "
    "bitwise_and bitwise_or bitwise_xor less less_equal greater greater_equal equal not_equal"
).split()
_FUNCTIONS = (
    "where select choose concatenate append stack hstack vstack clip full full_like result_type "
    "can_cast setdiff1d interp polyval linspace arange mean sum prod cumsum std "
    "median average dot outer inner kron cross matmul tensordot einsum diff ediff1d digitize "
    "histogram bincount unique searchsorted round around trunc sign square sqrt exp log abs "
    "percentile quantile nan_to_num tile repeat roll pad delete trapz convolve correlate "
    "fill_diagonal clip allclose isclose array_equal argmax argsort"
).split()
_METHODS = (
    "clip dot mean sum std prod cumsum max min take repeat searchsorted fill choose argmin "
    "argmax ptp tolist __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __radd__ "
    "__rsub__ __rmul__ __iadd__ __lt__ __eq__ __and__ __lshift__ __divmod__ __rpow__"
).split()
_PYTHONS = "max min sum abs divmod pow round int float bool list math.sqrt operator.mul".split()
_BRACKETS = (
    "np.r_[{0}, {1}]",
    "np.c_[{0}, {1}]",
    "np.ma.array({0}) * {1}",
    "np.where([True, False], {0}, {1})",
    "np.select([np.array([True, False])], [{0}], {1})",
    "np.choose([0, 1], [{0}, {1}])",
    "{0} // {1}",
    "{0} in {1}",
    *[f"stored({{0}}, {{1}}, {place})" for place in range(5)],
)

HEADER = """
import functools, json, math, operator, sys, warnings
import numpy as np

def first(x, v): x[0] = v
def rest(x, v): x[1:] = v
def every(x, v): x[...] = v
def some(x, v): x[x > 1] = v
def listed(x, v): x[[0, 1]] = v

def stored(x, v, place):
    (first, rest, every, some, listed)[place](x, v)
    return x

def after(x, call):
    found = call(x)
    return (found, x) if isinstance(x, np.ndarray) else found

def words(value):
    if isinstance(value, np.ma.MaskedArray):
        return ["masked", str(value.dtype), repr(value.tolist())]
    if isinstance(value, (np.ndarray, np.generic)):
        kind = "array" if isinstance(value, np.ndarray) else "scalar"
        numbers = [words(v) if value.dtype.kind == "O" else str(v) for v in value.ravel().tolist()]
        return [kind, str(value.dtype), list(value.shape), numbers[:100]]
    if isinstance(value, (list, tuple)):
        return [type(value) is list, [words(v) for v in value]]
    if isinstance(value, np.dtype):
        return ["dtype", str(value)]
    return [type(value).__name__, str(value)]

def answer(call):
    try:
        return words(call())
    except Exception as error:
        return ["!" + type(error).__name__, str(error)]
"""


class Drawer:
    """Draws calls by a seed."""

    def __init__(self, seed):
        self._draw = random.Random(seed)

    def _operand(self):
        numbers = [
            self._draw.choice(_NUMBERS if self._draw.random() < 0.92 else _LARGE) for _ in range(3)
        ]
        return self._draw.choice(_FORMS).format(*numbers, self._draw.choice(_TYPES))

    def call(self):
        """A call, which NumPy 1 need not take."""
        kind, one, two = self._draw.randrange(8), self._operand(), self._operand()
        some = ", ".join(self._operand() for _ in range(self._draw.choice([0, 1, 1, 2])))
        if kind < 2:
            return f"np.{self._draw.choice(_UFUNCS)}({one}, {two})"
        if kind < 4:
            return (
                f"np.{self._draw.choice(_FUNCTIONS)}({', '.join([one, some] if some else [one])})"
            )
        if kind == 4:
            return f"after({one}, lambda x: x.{self._draw.choice(_METHODS)}({some}))"
        if kind == 5:
            return f"{self._draw.choice(_PYTHONS)}({', '.join([one, some] if some else [one])})"
        if kind == 6:
            return self._draw.choice(_BRACKETS).format(one, two)
        return f"np.{self._draw.choice(_TYPES)}({one})"


def program(calls):
    """A program that prints what the calls give, a line each."""
    body = "".join(f"    lambda: {call},\n" for call in calls)
    main = "warnings.simplefilter('ignore')\nnp.seterr(all='ignore')\n"
    main += "for call in CALLS:\n    print(json.dumps(answer(call)))\n"
    return f"{HEADER}\nCALLS = [\n{body}]\n{main}"


def calls_of(text):
    """The calls of a program."""
    body = text.partition("CALLS = [\n")[2].partition("\n]\n")[0]
    return [line[len("    lambda: ") : -1] for line in body.splitlines()]


def main(seed, count, file):
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # np.arange(1e60)
    scope, drawer, calls = {}, Drawer(int(seed)), []
    exec(HEADER, scope)
    while len(calls) < int(count):
        call = drawer.call()
        if not str(scope["answer"](eval("lambda: " + call, scope))[0]).startswith("!"):
            calls.append(call)
    with open(file, "w") as stream:
        stream.write(program(calls))


if __name__ == "__main__":
    main(*sys.argv[1:])
