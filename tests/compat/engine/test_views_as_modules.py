"""Views are modules for user code: their dictionary, their class, and what it makes."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

PROGRAM = """
import inspect, operator, random, sys, types
from operator import __eq__, __ge__
import numpy as np
import tensorflow as tf

assert operator.__eq__ is operator.eq is __eq__ and __ge__ is operator.ge
assert operator.__lt__(1, 2) and operator.__getitem__([3], 0) == 3
assert operator.__name__ == "operator"
module = type(sys)("new", "doc")
assert type(module) is types.ModuleType and module.__doc__ == "doc" and module.__name__ == "new"
module = type(np).__new__(type(np))
assert type(module) is types.ModuleType
class Lazy(type(np)):
    def __init__(self, name):
        type(np).__init__(self, name)
        self.log = []
    def __getattribute__(self, name):
        return type(np).__getattribute__(self, name)
    def __setattr__(self, name, value):
        type(np).__setattr__(self, name, value)
    def __getattr__(self, name):
        return "lazy " + name
lazy = Lazy("lazy")
assert lazy.other == "lazy other" and lazy.log == [] and isinstance(lazy, types.ModuleType)
assert repr(type(np)) == "<class 'module'>" and type(np).__name__ == "module"
assert inspect.ismodule(np) and isinstance(np, type(sys)) and not isinstance(np, Lazy)

for names in (vars(np), np.__dict__):
    assert isinstance(names, dict) and names["float32"] is np.float32
    assert names.get("array") is np.array
    assert "float" in names and names["float"] is float and names["__name__"] == "numpy"
    assert "nothing" not in names and names.get("nothing", 3) == 3
    try:
        names["nothing"]
    except KeyError:
        pass
    else:
        raise AssertionError
assert "tanh" in vars(tf.nn) and tf.nn.__dict__["tanh"] is tf.nn.tanh
assert vars(tf)["placeholder"] is tf.placeholder and vars(tf)["nn"] is tf.nn
assert vars(random)["shuffle"] == random.shuffle
np.__dict__["of_user"] = 5
assert np.of_user == 5 and np.__dict__["of_user"] == 5
del np.__dict__["of_user"]
assert not hasattr(np, "of_user")
vars(random).update(of_user=1)
assert random.of_user == vars(random).pop("of_user") and not hasattr(random, "of_user")
public = {name: value for name, value in vars(operator).items() if not name.startswith("_")}
assert public["add"] is operator.add and set(dir(operator)) >= set(public)
print("ok")
"""


def test_views(tf1_run_in, tmp_path):
    (tmp_path / "views.py").write_text(PROGRAM)
    result = tf1_run_in(tmp_path, "views.py")
    assert result.stdout == "ok\n", result.stderr
