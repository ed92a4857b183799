"""Repeated imports in functions: plain Python is the oracle of what they see."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

_FILES = {
    "one.py": "VALUE = 1\nOTHER = 2\n",
    "pack/__init__.py": "KEPT = 'kept'\n",
    "pack/part.py": "VALUE = 'part'\n",
    "pack/late.py": "VALUE = 'late'\n",
    "pack/inner/__init__.py": "",
    "pack/inner/deep.py": "def up():\n    from .. import part\n    from . import deep\n"
    "    return part.VALUE, deep.__name__\n",
    "round_a.py": "def a():\n    import round_b\n    return round_b.b()\nimport round_b\n",
    "round_b.py": "import round_a\ndef b():\n    from round_a import a\n    return a.__name__\n",
    "breaks.py": "import sys\nsys.tries = getattr(sys, 'tries', 0) + 1\nraise ImportError('try')\n",
    "slow.py": "import time\ntime.sleep(0.3)\nDONE = True\n",
    "selfish.py": "import time\ndef again():\n    import selfish\n    from selfish import again\n"
    "again(), again()\ntime.sleep(0.6)\nDONE = True\n",
}

_START = """
import sys, types
from unittest import mock

def outcome(function):
    try:
        found = function()
    except Exception as error:
        return type(error).__name__, str(error).partition(" (")[0]
    return getattr(found, "VALUE", found if isinstance(found, (str, int)) else None)

def whole():
    import one
    return one

def named():
    from one import VALUE
    return VALUE

def dotted():
    import pack.part
    return pack.part

def another():
    import pack.part as own
    return own

def part():
    from pack import part
    return part

def all_outcomes():
    return [outcome(f) for f in (whole, named, dotted, another, part)]

print(all_outcomes(), all_outcomes())
"""

#: id -> a script below `_START`, which prints the same under plain Python and under compat.
_SCRIPTS = {
    "sys.modules patched": """
fake = types.SimpleNamespace(VALUE="fake", part=types.SimpleNamespace(VALUE="fake part"))
for name in ("one", "pack", "pack.part"):
    with mock.patch.dict(sys.modules, {name: fake}):
        print(name, all_outcomes(), all_outcomes())
    with mock.patch.dict(sys.modules, {name: None}):
        print(name, all_outcomes(), all_outcomes())
    print(all_outcomes())
""",
    "removed, and loaded anew": """
import importlib
first = whole(), dotted(), another(), part()
del sys.modules["one"]
print(whole() is first[0], whole() is sys.modules["one"])
del sys.modules["pack.part"]
print(another() is first[2], part() is first[3], all_outcomes())
del sys.modules["pack.part"], sys.modules["pack"].part
print(part() is first[3], dotted() is part(), another() is part())
sys.modules["one"].VALUE = 7
print(named(), importlib.reload(sys.modules["one"]).VALUE, named())
""",
    "an attribute changes": """
import one, pack
one.VALUE = "changed"
print(all_outcomes())
del one.VALUE
print(all_outcomes(), all_outcomes())
one.VALUE = 1
pack.part = types.SimpleNamespace(VALUE="put there")
print(all_outcomes())
del pack.part
print(outcome(another), outcome(part), all_outcomes())
""",
    "a submodule is loaded later": """
def late():
    from pack import late
    return late
def kept():
    from pack import KEPT
    return KEPT
def several():
    from pack import KEPT, late as other
    return KEPT + other.VALUE
def missing():
    from pack import nothing
print([outcome(f) for f in (kept, late, several, missing, missing)])
print([outcome(f) for f in (kept, late, several, missing, missing)])
""",
    "import a.b.c binds a": """
def deep():
    import pack.inner.deep
    return pack.__name__, sorted(locals())
def renamed():
    import pack.inner.deep as d, one as o, json.decoder
    return d.__name__, o.__name__, json.decoder.__name__, sorted(locals())
print([deep(), renamed()], [deep(), renamed()])
print(sys.modules["pack.inner.deep"].up(), sys.modules["pack.inner.deep"].up())
""",
    "scopes": """
bound = None
def at_module():
    global bound, pack
    import one as bound
    import pack.part
def outer():
    kept = None
    def inner():
        nonlocal kept
        import one as kept
    inner(), inner()
    return kept.__name__
class Private:
    def get(self):
        import one as __hidden
        class Inside:
            import one as held
        return __hidden.__name__, Inside.held.__name__, sorted(locals())
def generate():
    for _ in range(2):
        import one
        yield one.VALUE
        if True:
            import pack.part as own
        try:
            import json, nowhere_at_all
        except ImportError as error:
            yield str(error), json.__name__
        else:
            pass
        finally:
            import json.decoder as last
        yield own.VALUE, last is sys.modules["json.decoder"]
at_module(), at_module()
print(bound.__name__, pack.part.VALUE, outer(), Private().get(), Private().get(), list(generate()))
""",
    "a circle": """
def circle():
    import round_a
    return round_a.a()
print(circle(), circle())
""",
    "a module that breaks each time": """
def breaks():
    import breaks
def breaks_named():
    from breaks import anything
print([outcome(f) for f in (breaks, breaks, breaks_named, breaks_named)], sys.tries)
""",
    "threads": """
import threading
seen = []
def work():
    for _ in range(5):
        import slow
        from slow import DONE
        import slow as own
        seen.append(slow.DONE and DONE and own.DONE)
workers = [threading.Thread(target=work) for _ in range(6)]
for worker in workers: worker.start()
for worker in workers: worker.join()
print(len(seen), all(seen))

import time
def late():
    import selfish
    return selfish.DONE
worker = threading.Thread(target=late)
worker.start()
time.sleep(0.3)
print(late())
worker.join()
""",
    "__import__ replaced": """
import builtins
def both():
    import one, pack.part
    import pack.part as own
    from one import VALUE, OTHER as other
    from pack import part
    return one.VALUE, pack.part.VALUE, own.VALUE, VALUE, other
print(both())
asked, plain = [], builtins.__import__
def recording(name, globals=None, locals=None, fromlist=(), level=0):
    asked.append((name, fromlist, level, globals is vars(sys.modules[__name__])))
    return plain(name, globals, locals, fromlist, level)
def faking(name, *rest):
    if name == "one":
        raise ImportError("not now")
    return plain(name, *rest)
for _ in range(2):
    builtins.__import__ = recording
    try:
        print(both(), both())
    finally:
        builtins.__import__ = plain
    print(both())
    with mock.patch.object(builtins, "__import__", faking):
        print(all_outcomes(), all_outcomes())
    print(all_outcomes())
print(asked)
""",
    "calls of __import__ and importlib": """
import importlib
for _ in range(3):
    print(__import__("pack.part").__name__, __import__("pack.part", fromlist=["VALUE"]).__name__)
    print(__import__("pack", globals(), None, ("part",)).part.VALUE)
    print(__import__("pack", globals(), locals(), ["KEPT"], 0).KEPT)
    print(importlib.import_module("pack.part").VALUE)
module = __import__("pack", globals(), None, ("part",))
module.SET = 3
print(sys.modules["pack"].SET, module.KEPT)
""",
    "exec and eval": """
text = '''
def f():
    import one
    import pack.part as own
    from pack import part, KEPT
    return one.VALUE, own.VALUE, part.VALUE, KEPT
found = f(), f()
'''
for namespace in ({}, {"__name__": "elsewhere"}, {"__builtins__": {}}):
    try:
        exec(text, namespace)
        print(namespace["found"])
    except Exception as error:
        print(type(error).__name__, error)
print(eval("__import__('one').VALUE"), eval("whole().VALUE"))
space = {}
exec("from one import *", space)
one = whole()
one.ADDED = 5
exec("from one import *", space)
print(space["VALUE"], space["ADDED"])
try:
    exec(whole.__code__, {"__builtins__": {"__import__": lambda *a: 'own'}})
except Exception as error:
    print(type(error).__name__)
""",
    "lines": """
def traced():
    import one
    import pack.part as own
    from pack import (
        part,
        KEPT,
    )
    import one, json
    return 1
traced()
first = traced.__code__.co_firstlineno
for _ in range(2):
    lines = []
    def trace(frame, event, argument):
        if frame.f_code is traced.__code__ and event == "line":
            lines.append(frame.f_lineno - first)
        return trace
    sys.settrace(trace)
    traced()
    sys.settrace(None)
    print([line for at, line in enumerate(lines) if line not in lines[:at]])
def failing():
    x = 1
    import nowhere_at_all
try:
    failing()
except ImportError as error:
    tb = error.__traceback__.tb_next
    print(tb.tb_lineno - failing.__code__.co_firstlineno, error.name, error.__context__)
import inspect
print(inspect.getsource(failing))
""",
}

_WAYS = {
    "run": None,
    "loaded": "from tfgraphtools import compat\ncompat.activate()\nimport script\n",
    "running": "from tfgraphtools import compat\ncompat.activate()\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("imports")
    for name, text in _FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize("name", _SCRIPTS)
def test_a_repeated_import(name, way, folder, this_server, compat_server):
    if way == "running" and name == "__import__ replaced":
        pytest.skip("it gets the builtins of code that is loaded, and has Python's own")
    text = _START + _SCRIPTS[name]
    (folder / "script.py").write_text(text)
    expected = this_server.run_python(folder, "script.py").checked()
    if way == "run":
        done = compat_server.run(folder, "script.py")
    else:
        ours = _WAYS[way] + (text if way == "running" else "")
        (folder / "check.py").write_text(ours)
        done = compat_server.run_python(folder, "check.py")
    assert done.out == expected, done.err[-2000:]


#: What a view shows follows what is set on it, on the module behind it, and in sys.modules.
_OF_TENSORFLOW = """
import sys, types
from unittest import mock
import numpy as np
import tensorflow as tf
from tensorflow.python import framework

def taken():
    from tensorflow import nn, matmul as product
    from tensorflow.python.framework import ops
    from tensorflow.python.ops.math_ops import add
    from numpy import float, float32
    import numpy.random as random
    import tensorflow.contrib.slim as slim
    from tensorflow.contrib import layers
    import tensorflow.contrib.slim
    return [nn, product, ops, add, float, float32, random, slim, layers, tensorflow]

def changed():
    return [at for at, (a, b) in enumerate(zip(first, taken())) if a is not b]

first = taken()
print(changed(), first[0] is tf.nn, first[1] is tf.matmul, first[4].__name__, first[-1] is tf)
for owner, name in ((tf, "matmul"), (tf, "nn"), (framework, "ops"), (np, "float"), (np, "float32")):
    before = getattr(owner, name)
    setattr(owner, name, "mine")
    print(name, changed(), "mine" in taken())
    setattr(owner, name, before)
    print(changed())
with mock.patch("tensorflow.matmul", "theirs"):
    print(changed(), taken()[1])
from tensorflow.python.ops import math_ops
with mock.patch.object(math_ops, "add", "another"):
    print(changed(), taken()[3])
print(changed())

def called():
    return __import__("numpy", globals(), None, ("float32",))

called().ADDED = 5
called().ADDED += 1
print(np.ADDED, called().zeros is np.zeros)

def whole():
    import tensorflow as other_tf, numpy as other_np
    return other_tf is tf, other_np is np, other_tf is fake, other_np is fake

fake = types.ModuleType("fake")
print(whole(), whole())
with mock.patch.dict(sys.modules, {"tensorflow": fake, "numpy": fake}):
    print(whole())
print(whole())
with mock.patch.dict(sys.modules, {"numpy": None}):
    for _ in range(2):
        try:
            whole()
        except ImportError as error:
            print(error.name)
"""


def test_a_repeated_import_of_tensorflow(tmp_path, tf1_server, compat_server):
    (tmp_path / "script.py").write_text(_OF_TENSORFLOW)
    expected = tf1_server.run(tmp_path, "script.py").checked()
    assert compat_server.run(tmp_path, "script.py").checked() == expected


#: A module for Python 2 and one for Python 3 in a package that has a module of Python's name.
_PYTHON2 = {
    "own/__init__.py": "",
    "own/json.py": "NAME = 'own json'\ndef f():\n    import json\n    return `json`\n",
    "own/old.py": "print 'old'\n"
    "def f():\n    import json, math, os.path as path\n    from json import NAME\n"
    "    return json.NAME, NAME, math.floor(3.5), path.basename('a/b')\n",
    "own/new.py": "def f():\n    import json, math\n    from json import dumps\n"
    "    return json.__name__, dumps(1), math.floor(3.5)\n",
    "script.py": "import own.new\nprint(own.new.f(), own.new.f())\n"
    "if True:\n    import own.old\nfor _ in range(2):\n"
    "    print(own.old.f(), own.new.f())\n    own.json.f()\n",
}


def test_a_repeated_import_of_python2(tmp_path, compat_server):
    """As PEP 328 has it: Python 2 looks into the module's own package first."""
    for name, text in _PYTHON2.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    new, old = "('json', '1', 3)", "('own json', 'own json', 3.0, 'b')"
    expected = f"{new} {new}\nold\n" + f"{old} {new}\n" * 2
    assert compat_server.run(tmp_path, "script.py").checked() == expected


#: A mock stands for a module of Python's in code for Python 2 and Python 3.
_MOCKED = {
    "old.py": "print 'old'\ndef f():\n    import math\n    return math.floor(3.5)\n",
    "new.py": "def f():\n    import math\n    return math.floor(3.5)\n",
    "script.py": """
import math, sys, types
from unittest import mock
import new
if True:  # else the whole program is Python 2's
    import old
fake = types.ModuleType("fake")
fake.floor = lambda x: "fake"
print(new.f(), old.f(), new.f(), old.f())
with mock.patch.dict(sys.modules, math=fake):
    print(new.f(), old.f(), new.f(), old.f())
print(new.f(), old.f(), math.floor(3.5))
""",
}


def test_a_mock_for_a_module_that_python2_had_another(tmp_path, compat_server):
    """The outcome of both Pythons, and of one before and after the mock."""
    for name, text in _MOCKED.items():
        (tmp_path / name).write_text(text)
    expected = "old\n3 3.0 3 3.0\nfake fake fake fake\n3 3.0 3\n"
    assert compat_server.run(tmp_path, "script.py").checked() == expected
