"""What stands around a call takes whatever the function takes, by any name."""

import functools

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

PROGRAM = """
import math, numpy as np, unittest
one = np.ones(1)
print(math.isclose(1.0, one, rel_tol=1e-9), math.isclose(a=1.0, b=1.1, abs_tol=one))
print(math.prod([2, 3], start=2), math.prod([2.0, 3.0]), math.exp(one), math.copysign(one, -1))
print("{function} {name} {values}".format(function=1, name=2, values=one[0]))
print(float(one), int(np.array([[3]])), complex(one), float("1.5"), int("11", base=2), int())

class Any:
    def __init__(self, **named):
        self.named = named
    def __getattr__(self, name):
        return lambda *values, **named: (name, values, sorted(named))

every = Any()
names = "read range clip fill sort uint8 int64 sum max reshape resize assertEqual format".split()
for name in names:
    call = "every.%s(1, function=2, arguments=3, options=4, owner=5, original=6, cls=7)" % name
    print(eval(call, {"every": every}))
    print(eval("every.%s(function=2, method=3, a=4, self=5, error=6)" % name, {"every": every}))

def read(function, count=1):
    return function(count)

print(read(function=lambda count: count + 1, count=np.array([2])))
print(np.zeros(np.array([2]), dtype=np.int64), np.arange(stop=3, start=np.array([1])[0]))
print(np.zeros(shape=7 / 2).shape, np.uint8(300), np.array([1, 2], np.uint8).clip(0, 300).tolist())

class Refuses:
    calls = 0
    def read(self, *values):
        self.calls += 1
        raise TypeError("mine")

refuses = Refuses()
for call in ("refuses.read(1)", "refuses.read(one)", "math.exp('a')", "float([])"):
    try:
        eval(call)
    except TypeError as error:
        print(call, refuses.calls, error.__context__)
"""


def test_every_name(tf1_run_in, tmp_path):
    (tmp_path / "calls.py").write_text(PROGRAM)
    result = tf1_run_in(tmp_path, "calls.py")
    lines = result.stdout.splitlines()
    assert lines[:4] == [
        "True True",
        "12 6.0 2.718281828459045 -1.0",
        "1 2 1.0",
        "1.0 3 (1+0j) 1.5 3 0",
    ], result.stderr
    names = "read range clip fill sort uint8 int64 sum max reshape resize assertEqual format"
    for name, *pair in zip(names.split(), lines[4::2], lines[5::2]):
        options = "['arguments', 'cls', 'function', 'options', 'original', 'owner']"
        assert pair[0] == f"('{name}', (1,), {options})"
        assert pair[1] == f"('{name}', (), ['a', 'error', 'function', 'method', 'self'])"
    assert lines[30:] == [
        "[3]",
        "[0 0] [1 2]",
        "(3,) 44 [1, 2]",
        "refuses.read(1) 1 None",
        "refuses.read(one) 2 None",
        "math.exp('a') 2 None",
        "float([]) 2 None",
    ], lines


def test_sorted_takes_keys_that_equal_only_their_own_kind():
    """``functools.cmp_to_key`` makes such keys; Python sorts by them."""
    from tfgraphtools.compat.fixes.numpy.arithmetic import containers

    key = functools.cmp_to_key(lambda a, b: a - b)
    assert containers.HELPERS["sorted"]([3, 1, 2], key=key) == [1, 2, 3]
