"""A program that prints, for each form of NumPy 1 in a table, what it gives: type and value.

``python form_program.py FORMS PROGRAM`` writes it, from a file with an expression a line. It runs
on NumPy 1.18 and under `run`.
"""

import pathlib
import sys

HEAD = '''
import bisect, collections, contextlib, copy, functools, heapq, io, itertools, json, math, operator
import pprint, warnings
import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")
A34 = np.arange(12).reshape(3, 4)


class Holder:
    def __init__(self, **named):
        self.__dict__.update(named)

    def pick(self, array):
        return array[self.i]


def pick(array, index):
    return array[index]


def index_list(size):
    return [list(range(size)), [0] * size]


def store(array, index, value):
    array = array.copy()
    array[index] = value
    return array


def add_at(array, index, value):
    array = array.copy()
    array[index] += value
    return array


def apply(function, *arguments):
    return function(*arguments)


def by_default(value, function=str):
    return function(value)


def twice(value):
    function = str
    other = function
    return function(value) + other(value)


show = str
TEXTS = {"s": str, "r": repr}


def by_table(name, value):
    return TEXTS[name](value)


class Shows:
    text = str

    def __init__(self, function=str):
        self.function = function
        self.own = str

    def both(self, value):
        return self.function(value) + self.own(value) + self.text(value)


def printed_by(value, function=print):
    file = io.StringIO()
    with contextlib.redirect_stdout(file):
        function(value)
    return file.getvalue()


def printed_by_name(value):
    function = print
    return printed_by(value, function)


def is_one(value):
    return value == 1


def remove(items, value):
    items.remove(value)
    return items


def sorted_in_place(items):
    items.sort()
    return items


def loops(array):
    while array:
        return "looped"
    return "not"


def asserted(array):
    try:
        assert array
    except AssertionError:
        return "failed"
    return "passed"


def printed(value):
    file = io.StringIO()
    print(value, file=file)
    return file.getvalue()


def print_to_text(*values):
    file = io.StringIO()
    apply(functools.partial(print, file=file), *values)
    return file.getvalue()


def iadd(a, b):
    a += b
    return a


def isub(a, b):
    a -= b
    return a


def imul(a, b):
    a *= b
    return a


def idiv(a, b):
    a /= b
    return a


def with_formatter(function):
    with np.printoptions(formatter={"all": lambda x: "<%s>" % (x - 1)}):
        return function()


def draw(name, *arguments):
    random = np.random.RandomState(7)
    if name == "shuffle_of":
        random.shuffle(arguments[0])
        return arguments[0]
    return getattr(random, name)(*arguments)


_DIGITS = {2: "%.3g", 4: "%.6g", 8: "%.13g"}


def number_text(value, size):
    if isinstance(value, complex):
        return number_text(value.real, size // 2) + "+" + number_text(value.imag, size // 2) + "j"
    if isinstance(value, float):
        return _DIGITS.get(size, "%.13g") % value
    return repr(value)


def described(value):
    """Returns type and value as text, which no mode of printing changes."""
    kind = type(value).__name__
    if isinstance(value, np.ndarray):
        items = ",".join(described(item) for item in value.reshape(-1)[:30])
        return "array %s %s [%s]" % (value.dtype.str, value.shape, items)
    if isinstance(value, np.generic):
        size = value.dtype.itemsize
        kind = "scalar" if value.dtype.names else value.dtype.str
        return kind + ":" + number_text(value.item(), size)
    if isinstance(value, np.dtype):
        return "dtype " + value.str
    if isinstance(value, dict):
        pairs = [described(key) + "=" + described(value[key]) for key in value]
        return kind + "{" + ",".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return kind + "(" + ",".join(described(item) for item in value) + ")"
    if isinstance(value, (float, complex)):
        return kind + ":" + number_text(value, 16 if kind == "complex" else 8)
    if isinstance(value, type):
        return "type " + value.__name__
    return kind + ":" + ascii(value)


def outcome(form):
    try:
        return described(form())
    except Exception as error:  # of NumPy's errors, which are new, the class of Python
        names = [cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins"]
        return "! " + names[0]


FORMS = [
'''

TAIL = """
]

for form in FORMS:
    print(outcome(form))
"""


def program_of(forms):
    """Returns the source of the program."""
    return HEAD + "".join(f"    lambda: {form},\n" for form in forms) + TAIL


if __name__ == "__main__":
    lines = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    pathlib.Path(sys.argv[2]).write_text(program_of(lines), encoding="utf-8")
