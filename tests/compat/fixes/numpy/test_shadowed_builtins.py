"""A name that one function binds means Python's own elsewhere: NumPy 1.18 judges."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

PROGRAM = """
import numpy as np

def shadows(print, str, repr, float, max, min, sorted, bool, any, int):
    return print(str(repr(float(max(min(sorted(bool(any(int)))))))))

class Shadows:
    print = str = repr = float = staticmethod(lambda *values: "of the class")

def local():
    str = lambda value: "of the function"
    return str([np.float32(0.5)])

numbers = [np.float32(0.1), 0.1]
print([np.float32(0.5)], local(), Shadows.str(1))
print(str([np.float32(0.5)]), repr([np.float64(0.25)]), "".join(map(str, [[np.float32(0.5)]])))
print(max(numbers) == numbers[0], min(numbers) == 0.1, sorted(numbers)[0] == 0.1)
print(bool(np.array([])), float(np.ones([1])), int(np.ones([1])))
print(shadows(*[lambda value=None: value] * 9, int=3))
"""


def test_as_numpy_1(compat_server, tf1_server, tmp_path):
    (tmp_path / "script.py").write_text(PROGRAM)
    ours, theirs = (s.run(tmp_path, "script.py").checked() for s in (compat_server, tf1_server))
    assert ours == theirs
