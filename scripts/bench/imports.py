"""What a repeated import costs: statements inside functions, beside the same under plain Python.

Both take turns in one process, many times; printed are the nanoseconds of Python's own and the
median of the ratios; the aim for user code is 3. Code is the user's as it is loaded under compat
(``user``, ``python 2``, ``in package``: also for Python 2), the user's that was running before
``compat.activate()`` (``running``), and a library's while such code is watched (``library``).
Under ``tfgraphtools run`` nothing is watched: libraries import as usual. Words after the command
choose the statements that have them.
"""

import builtins
import gc
import importlib
import pathlib
import statistics
import sys
import tempfile
import time
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

#: (statement of old code, what Python's own time is taken of where that differs).
STATEMENTS = [
    ("import math", None),
    ("import os.path", None),
    ("import os.path as path", None),
    ("from json import dumps", None),
    ("from collections import deque, OrderedDict", None),
    ("from os import path", None),
    ("import tensorflow as tf", None),
    ("import numpy as np", None),
    ("import six", None),
    ("from six.moves import range", None),
    ("from numpy import float", "from numpy import float64"),
    ("from numpy import float32, array, zeros", None),
    ("from tensorflow.python.framework import ops", None),
    ("from tensorflow.python.ops import math_ops", None),
    ("from tensorflow.python.ops.math_ops import matmul", None),
    ("from tensorflow.python.framework.ops import Graph, Operation", None),
    ("from tensorflow import nn", "from tensorflow.compat.v1 import nn"),
    ("from tensorflow.keras import layers", None),
    ("import tensorflow.keras.layers as layers", None),
    ("import tensorflow.contrib.slim as slim", "import tensorflow.keras.layers as slim"),
    ("from tensorflow.contrib import slim", "from tensorflow.keras import layers"),
    ("import package_of_user.part", None),
    ("from package_of_user import part", None),
    ("from package_of_user.part import VALUE", None),
    ("import cPickle as pickle", "import pickle"),
]

#: The modules of the functions: they live as long as those.
_LIBRARIES = []

_COPIES, _REPEATS, _TURNS = 10, 30, 101


def main():
    """Prints the table of ratios."""
    chosen = [word for word in sys.argv[1:] if not word.startswith("-")]
    statements = [pair for pair in STATEMENTS if not chosen or any(c in pair[0] for c in chosen)]
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        _write(folder, statements)
        running = importlib.import_module("running_code")
        from tfgraphtools import compat

        with compat.activate():
            _print_ratios(statements, running)


def _write(folder, statements):
    package = pathlib.Path(folder, "package_of_user")
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "part.py").write_text("VALUE = 1\n")
    (package / "python2_part.py").write_text("print 'in a package'\n" + _functions(statements))
    for name in ("running_code", "user_code"):
        pathlib.Path(folder, name + ".py").write_text(_functions(statements))
    pathlib.Path(folder, "python2_code.py").write_text("x = 0777\n" + _functions(statements))


def _functions(statements):
    return f"REPEATS = (0,) * {_REPEATS}\n" + "".join(
        f"def f{i}():\n    for _ in REPEATS:\n" + f"        {statement}\n" * _COPIES
        for i, (statement, _) in enumerate(statements)
    )


def _print_ratios(statements, running):
    modules = {"user": importlib.import_module("user_code")}
    modules["python 2"] = importlib.import_module("python2_code")
    modules["in package"] = importlib.import_module("package_of_user.python2_part")
    modules["running"] = running
    columns = [*modules, "library"]
    print(f"{'':52}{'plain':>8}" + "".join(f"{name:>11}" for name in columns))
    for i, (statement, instead) in enumerate(statements):
        plain, library = [_function(instead or statement) for _ in range(2)]
        ways = {name: getattr(module, f"f{i}") for name, module in modules.items()}
        ways["library"] = library
        own, ratios = _ratios(plain, ways)
        print(
            f"{statement:52}{own * 1e9:5.0f} ns" + "".join(f"{r:11.2f}" for r in ratios), flush=True
        )


def _function(statement):
    """The statement in a function of a library."""
    file = statistics.__file__
    module = sys.modules["library"] = types.ModuleType("library")
    _LIBRARIES.append(module)
    vars(module).update(__file__=file, __builtins__=builtins)
    exec(_functions([(statement, None)]), vars(module))
    module.f0()
    return module.f0


def _ratios(plain, ways):
    """Seconds of one plain import, and for each way the median of the ratios to it."""
    before = builtins.__import__
    own, ratios = [], {name: [] for name in ways}
    for name, way in ways.items():
        try:
            way()
        except ImportError:
            ratios[name] = None
    gc.disable()
    for _ in range(_TURNS):
        for name, way in ways.items():
            if ratios[name] is None:
                continue
            builtins.__import__ = _PLAIN
            base = _seconds(plain)
            builtins.__import__ = before
            own.append(base)
            ratios[name].append(_seconds(way) / base)
    gc.enable()
    found = [statistics.median(r) if r else float("nan") for r in ratios.values()]
    return statistics.median(own) / (_COPIES * _REPEATS), found


_PLAIN = builtins.__import__


def _seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
