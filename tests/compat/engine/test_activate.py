"""Activation and its undoing: nothing is left changed, and libraries are unharmed."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

_SNAPSHOT = """
import builtins, os, sys, types

def gradients():
    ops = sys.modules.get("tensorflow.python.framework.ops")
    return ops.gradient_registry._registry if ops else {}

def snapshot():
    '''Every attribute of every loaded module and of every class that it defines.'''
    taken = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(("tfgraphtools", "__main__", "__mp_main__")):
            continue
        if not isinstance(module, types.ModuleType):
            continue
        for attribute, value in list(vars(module).items()):
            taken[name, attribute] = id(value)
            if isinstance(value, type) and value.__module__ == name:
                for own, held in list(vars(value).items()):
                    taken[name, attribute, own] = id(held)
    for name, entry in gradients().items():
        taken["gradient", name] = id(entry["type"])
    taken["environ"] = sorted(os.environ.items())
    taken["meta_path"] = list(map(id, sys.meta_path))
    taken["path"] = list(sys.path)
    return taken

def changes(before, after):
    return sorted(str(key) for key in before if key not in after or after[key] != before[key])

def additions(before, after):
    loaded = {key[0] for key in before if isinstance(key, tuple)}
    return sorted(str(key) for key in after if key not in before and key[0] in loaded)
"""

_EVERYTHING = """
import os
os.environ["TF_USE_LEGACY_KERAS"] = "1"
import absl.flags, importlib, multiprocessing.spawn, numpy, tensorflow, tf_keras
import tensorflow.python.platform.flags
from tfgraphtools import compat, _tf
tensorflow.compat.v1.layers.dense, tensorflow.compat.v1.nn.rnn_cell.LSTMCell  # lazy modules
"""

_USE = """
handle = compat.activate(options)
handle.deactivate(), compat.activate(options)  # the first use loads modules of TF and of ours
import tensorflow as tf
tf.mul, tf.app.flags.FLAGS, tf.layers.dense, tf.train.SummaryWriter
from tensorflow.python.ops import rnn_cell, array_ops
from tensorflow.python.layers import base
array_ops.stack, rnn_cell.LSTMCell, base.Layer
import old_user
with tf.Graph().as_default():
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [None, 3])
    tf.gradients(tf.layers.dense(tf.nn.dropout(x, 0.5), 2), x)
    tf.data.Dataset.range(3).shuffle(2).repeat().make_one_shot_iterator()
    tf.signal.stft(x, 2, 1), tf.random_normal([])
"""


@pytest.mark.parametrize("options", ["Options()", "Options(seeds='tf1')"])
def test_deactivate_restores_everything(options, compat_server, tmp_path):
    """Before and after: every attribute of every module and class, gradients, finders..."""
    (tmp_path / "old_user.py").write_text("import tensorflow as tf\nVALUE = tf.mul\n")
    (tmp_path / "check.py").write_text(
        _SNAPSHOT
        + _EVERYTHING
        + f"from tfgraphtools.compat.engine.options import Options\noptions = {options}\n"
        + "def use():\n    "
        + "    ".join(line + "\n" for line in _USE.strip().splitlines())
        + """
    compat.activate().deactivate()
use()
before = snapshot()
use()
after = snapshot()
print(changes(before, after), additions(before, after))
import tensorflow as tf
print(hasattr(tf, "mul"), tf.executing_eagerly(), "old_user" in __import__("sys").modules)
compat.activate(options)
import tensorflow as tf
active = snapshot()
print(hasattr(tf, "mul"), bool(changes(before, active)))
print(any(key[0] == "gradient" and active[key] != before[key] for key in before))
"""
    )
    done = compat_server.run_python(tmp_path, "check.py")
    printed = done.out.splitlines()
    has_gradients = str("seeds" in options)
    assert printed == ["[] []", "False True False", "True True", has_gradients], done.err[-3000:]


def test_the_handle(compat_server, tmp_path):
    """A context manager, undone as often as one likes; activated twice it is one."""
    (tmp_path / "check.py").write_text(
        """
from tfgraphtools import compat
print(compat.is_active())
with compat.activate() as handle:
    print(compat.activate() is handle, compat.is_active())
    import tensorflow as tf
    print(tf.mul(2, 3).op.type)
handle.deactivate()
handle.deactivate()
import tensorflow as tf
print(compat.is_active(), hasattr(tf, "placeholder"), tf.executing_eagerly())
try:
    with compat.activate():
        raise KeyError("inside")
except KeyError:
    print(compat.is_active())
"""
    )
    done = compat_server.run_python(tmp_path, "check.py")
    assert done.out.split() == "False True True Mul False False True False".split(), done.err


def test_importing_changes_nothing(plain_python, tmp_path):
    (tmp_path / "check.py").write_text(
        _SNAPSHOT
        + "import argparse, ast, hashlib, importlib.util, marshal, multiprocessing\n"
        + "import site, sysconfig\nbefore = snapshot()\n"
        + "import tfgraphtools.compat, tfgraphtools.runner\n"
        + "import tfgraphtools.compat.engine.rows as rows; rows.tables()\n"
        + "print(changes(before, snapshot()))\n"
    )
    done = plain_python("check.py")
    assert done.stdout == "[]\n", done.stderr


_LIBRARIES = """
import importlib.util, sys
def basics():
    seen = []
    import numpy as np
    seen.append(float(np.linalg.norm([3.0, 4.0])))
    for name in ("scipy.sparse", "scipy.optimize", "sklearn.linear_model", "pandas", "tf_keras"):
        if importlib.util.find_spec(name.partition(".")[0]):
            seen.append(importlib.import_module(name).__name__)
    if "scipy.optimize" in seen:
        import scipy.optimize
        seen.append(round(float(scipy.optimize.brentq(lambda x: x * x - 2, 0, 2)), 6))
    if "pandas" in seen:
        import pandas
        seen.append(int(pandas.DataFrame({"a": [1, 2, 2]}).groupby("a").size().max()))
    if "sklearn.linear_model" in seen:
        from sklearn.linear_model import LinearRegression
        seen.append(round(float(LinearRegression().fit([[0.0], [1.0]], [0.0, 2.0]).coef_[0]), 6))
    return seen
"""


def test_libraries_are_unharmed(compat_server, tmp_path):
    """Installed libraries work the same before, while and after, and never meet the facade."""
    (tmp_path / "library_basics.py").write_text(_LIBRARIES)
    (tmp_path / "check.py").write_text(
        "import os; os.environ['TF_USE_LEGACY_KERAS'] = '1'\n"
        + _LIBRARIES
        + """
before = basics()
from tfgraphtools import compat
with compat.activate():
    import tensorflow as tf
    import tf_keras, tf_keras.src.backend as inside
    print(inside.tf.__version__ != tf.__version__, hasattr(inside.tf, "mul"))
    during = basics()
print(before == during == basics(), before)
"""
    )
    done = compat_server.run_python(tmp_path, "check.py")
    assert done.out.startswith("True False\nTrue "), done.out + done.err[-2000:]


#: Imports names again and again, and changes sys.modules in between.
REPEATED_IMPORTS = """
import sys, types

def several():
    import one, json, tensorflow as tf
    from pack import part
    from tensorflow.python.ops import array_ops
    import tensorflow.keras.backend as backend
    from tensorflow.nn import rnn_cell
    from os import path as path_of
    import os.path
    return one, json, tf, part, array_ops, path_of, os, backend, rnn_cell

first = several()
assert all(a is b for a, b in zip(first, several()))
del sys.modules["one"]
other = several()
print(other[0] is first[0], other[1:] == first[1:])
sys.modules["one"] = types.SimpleNamespace(VALUE=2)
print(several()[0].VALUE)
behind = sys.modules["json"]
sys.modules["json"] = None
try:
    several()
except ImportError as error:
    print(error.name)
sys.modules["json"] = types.ModuleType("fake")
print(several()[1].__name__)
sys.modules["json"] = behind
print(several()[1] is first[1])
del sys.modules["pack.part"], sys.modules["pack"].part
print(several()[3] is first[3])
del sys.modules["pack"]
print(several()[3] is first[3], several()[2] is first[2])

def late():
    from pack import missing

for _ in range(2):
    try:
        late()
    except ImportError as error:
        print(type(error).__name__)

"""

RUN_REPEATED_IMPORTS = """
from tfgraphtools import compat
compat.activate()
import old
"""


def test_repeated_imports(compat_server, tmp_path):
    """They see what was done to sys.modules in the meantime."""
    (tmp_path / "one.py").write_text("VALUE = 1\n")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "pack" / "part.py").write_text("VALUE = 1\n")
    (tmp_path / "old.py").write_text(REPEATED_IMPORTS)
    (tmp_path / "check.py").write_text(RUN_REPEATED_IMPORTS)
    done = compat_server.run_python(tmp_path, "check.py")
    wanted = "False True 2 json fake True False False True ImportError ImportError"
    assert done.out.split() == wanted.split(), done.out + done.err[-2000:]
