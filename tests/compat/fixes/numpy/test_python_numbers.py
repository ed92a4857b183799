"""Operations of Python's own numbers, which the rewrite of NumPy's arithmetic leaves alone."""

import ast

import pytest
from call_counts import counted_calls

from tfgraphtools.compat.fixes.numpy.arithmetic import python_numbers

pytestmark = [pytest.mark.quick, pytest.mark.once]

#: Operations with a comment: "# python" where only Python's numbers can be its operands.
SOURCE = {
    "counters": """
def f(n):
    total = 0
    for i in range(n):
        total += i * i  # python
    return total - 1  # python
""",
    "constants, len, int and float": """
def f(x):
    size, rate = len(x) + 1, 0.5 * float(x)  # python
    half = -size / 2 if size else 0  # python
    return max(size, 3) + abs(half) + int(x)  # python
""",
    "enumerate": """
def f(xs):
    for i, x in enumerate(xs):
        a = i + 1  # python
        b = x + 1
""",
    "comparisons": """
def f(x):
    i = 0
    while i < len(x) and i != 3.5:  # python
        i += 1  # python
""",
    "arguments": """
def f(a, b=1, *c, **d):
    return a + b
""",
    "what is bound twice": """
def f(x):
    i = 0
    i = x
    return i + 1
""",
    "what is reached through another variable": """
def f(x):
    i = 0
    for _ in range(3):  # python
        j = i + 1
        i = j
        i = k = x
    return j + 1
""",
    "variables of a module": """
i = 0
def f():
    return i + 1
""",
    "global": """
def f():
    global i
    i = 0
    return i + 1
""",
    "nonlocal of another function": """
def f(x):
    i = 0
    def g():
        nonlocal i
        i = x
    g()
    return i + 1
""",
    "hidden": """
def f(x):
    i = 0
    exec(x)
    return i + 1
""",
    "builtins of one's own": """
from numpy import abs, float64 as float
def f(x):
    return float(x) + abs(1)
""",
    "import *": """
from pylab import *
def f(x):
    return float(x) + len(x)
""",
    "items, attributes and calls": """
def f(x):
    i = x[0]
    j = x.size
    k = g(1)
    return i + 1, j + 1, k + 1, sum(x) + 1, max(x) + 1
""",
    "with, except, import and for": """
def f(x):
    i = j = k = m = 0
    with x as i:
        import j
    try:
        pass
    except ValueError as k:
        pass
    for m in x:
        pass
    return i + 1, j + 1, k + 1, m + 1
""",
    "starred and several targets": """
def f(x):
    a, *b = x
    (c, d), e = x, 1
    f = g = 1
    return a + 1, c + 1
""",
    "a comprehension, and a variable of the module": """
def f(n):
    x = [i * 2 for i in range(n)]  # python
    return x
def g(n):
    x = [i * 2 for i in range(n)]
    return i * 0.5
""",
    "the first iterable of a comprehension": """
def f(n):
    return [i + 1 for i in range(
        i * 2)]
""",
    "a comprehension and a loop": """
def f(n):
    for i in range(n):
        x = [i + 1 for i in range(i * 2)]  # python
""",
    "a walrus in a default": """
def f(x):
    i = 0
    def g(y=(i := x)):
        pass
    return i + 1
""",
    "a starred value": """
def f(x, y):
    a, b, c = *x, 1, *y
    return b + 1
""",
    "defaults are of the function around": """
def f(x):
    k = 1
    def g(i=k + 1):  # python
        k = x
        return k + i
    def h(i=x + 1):
        x = 1
        return x + 1  # python
""",
    "text, truths and what they are in": """
def f(x, y):
    text, isnt, has = "%d" % x, x is not y, x in y
    no, line = not x, f"{x}"
    for name in ("a", "b"):
        has = text == name  # python
    for letter in "abc":
        text += letter  # python
    return no + 1, ", ".join(x) + line, x == 1, [  # python
        x == 1, f"{line}", y in x,  # python
        "a".split() == x, x.index(1) == 1]
""",
    "calls": """
def f(x, y):
    n = len(x)
    print(n, 1)  # python
    print(x, n)
    return range(n - 1), "%d %s" % (n, repr(n)), "%d" % x  # python
def g(x):
    n = len(x)
    return print(*x), print(n, sep=x), x(n)[0] + 1, str(x), max(x, n), "%s" % (x, n)
""",
    "tuples": """
def f(x):
    pair, other = (1, "a"), (1, x)
    a = pair == pair  # python
    a = pair == other
    a = other + other
""",
    "a comprehension of the same name": """
def f(x):
    i = 0
    y = [i for i in x]
    return i + 1
""",
}


@pytest.mark.parametrize("source", SOURCE.values(), ids=SOURCE)
def test_only_pythons_own_are_left_alone(source):
    tree = ast.parse(source)
    marked = python_numbers.in_tree(tree)
    lines = {node.lineno for node in ast.walk(tree) if node in marked}
    assert lines == {n for n, line in enumerate(source.splitlines(), 1) if "# python" in line}


def test_long_expressions_and_functions_are_read_in_linear_time():
    chain = ast.parse("def f(x):\n    y = " + " + ".join("1" * 1500))
    assert len(python_numbers.in_tree(chain)) == 1499  # and no RecursionError
    calls_of = {}
    for count in (150, 1500):
        steps = "".join(f"    a{n + 1} = a{n} + 1\n" for n in range(count))
        function = ast.parse(f"def f(x):\n    a0 = x\n{steps}")
        with counted_calls() as calls:
            assert not python_numbers.in_tree(function)
        calls_of[count] = calls[0]
    assert calls_of[1500] < 11 * calls_of[150]
