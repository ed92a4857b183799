"""Names that are not installed are left; the oracle of TensorFlow's names is TensorFlow itself."""

import ast
import importlib
import json
import os
import subprocess
import sys

import pytest

from tfgraphtools.analysis import exports, installed, left, library_uses
from tfgraphtools.upgrade import modules

#: Source, and the names that are left of it: (line, name, a part of the reason).
CASES = {
    "all-there": ("import tensorflow.compat.v1 as tf\ntf.placeholder(tf.float32)\n", []),
    "a-typo": (
        "import tensorflow.compat.v1 as tf\ntf.placehodler(tf.float32)\n",
        [(2, "tensorflow.compat.v1.placehodler", "did you mean placeholder?")],
    ),
    "through-an-alias": (
        "import tensorflow as tf\nv1 = tf.compat.v1\nv1.mul(2, 3)\n",
        [(3, "tensorflow.compat.v1.mul", "no such name")],
    ),
    "from": (
        "from tensorflow.compat.v1.train import AdamOptimizer, Nothing\n",
        [(1, "tensorflow.compat.v1.train.Nothing", "no such name")],
    ),
    "a-module-that-is-gone": (
        "import tensorflow.contrib.slim as slim\n",
        [(1, "tensorflow.contrib", "no such name")],
    ),
    "by-import-module": (
        "import importlib as i\ni.import_module('tensorflow.contrib')\ni.import_module('.a')\n",
        [(2, "tensorflow.contrib", "no such name")],
    ),
    "by-patch": (
        "from unittest import mock\nmock.patch('numpy.float')\nmock.patch('numpy.abs')\n",
        [(2, "numpy.float", "no such name")],
    ),
    "handed-on": (
        "import numpy as np\nimport tensorflow as tf\nself = f = tf.Module()\n"
        "self.np = np\nf(tf, x=np)\ndef g(numpy=np):\n    return numpy.float\n",
        [(4, "numpy", "handed on"), (5, "tensorflow", "handed on")],
    ),
    "handed-on-in-pairs-and-classes": (
        "import numpy as np, pandas as pd, scipy\na, b = np, 1\nclass A:\n    lib = pd\n"
        "    def f(self):\n        return self.lib.Panel\nx = scipy if a else None\n",
        [
            (2, "numpy", "handed on"),
            (4, "pandas", "handed on"),
            (7, "scipy", "handed on"),
        ],
    ),
    "modules-handed-on": (
        "import tensorflow.compat.v1 as tf\nclass N:\n    def f(self):\n        self.nn = tf.nn\n"
        "    def g(self):\n        return tf.layers\nmap(0, tf.train)\nn = tf.nn\nn.relu(1)\n",
        [
            (4, "tensorflow.compat.v1.nn", "handed on"),
            (6, "tensorflow.compat.v1.layers", "handed on"),
            (7, "tensorflow.compat.v1.train", "handed on"),
        ],
    ),
    "imported-as-a-value": (
        "import importlib, sys\nm = __import__('tensorflow')\nimportlib.import_module('numpy')\n"
        "p = sys.modules['pandas']\n",
        [(2, "tensorflow", "handed on"), (4, "pandas", "handed on")],
    ),
    "one-or-the-other": (
        "import tensorflow as tf\nimport numpy as np\nm = tf or None\nprint(np and 1)\n",
        [(3, "tensorflow", "handed on")],
    ),
    "texts-that-are-run": (
        "eval('tf.mul(1, 2)')\nexec('a = 1')\ncompile('tf.x', '', 'eval')\n",
        [(1, "eval(...)", "a text that eval runs"), (3, "compile(...)", "compile runs")],
    ),
    "built-in-names-of-python-2": (
        "coerce(1, 2)\ndef f(cmp): return cmp\ntry:\n    unicode\nexcept NameError:\n    pass\n",
        [(1, "coerce", "Python 3 has no such name")],
    ),
    "looked-at-only": (
        "import numpy as np\nn = np\nn.abs(1)\nif np is not None and np:\n    print(np, f'{np}')\n"
        "getattr(np, 'abs'), hasattr(np, 'float'), dir(np), np.abs(1)\n",
        [],
    ),
    "of-a-class": (
        "import tensorflow.compat.v1 as tf\ntf.train.Saver.save\ntf.train.Saver.store\n",
        [(3, "tensorflow.compat.v1.train.Saver.store", "no such name")],
    ),
    "star": (
        "from keras.layers import *\nDense(3)\nMerge([])\n",
        [(3, "keras.layers.Merge", "no such name")],
    ),
    "star-and-a-name-of-ones-own": ("from keras.layers import *\nx = 1\nprint(x, __file__)\n", []),
    "numpy": ("import numpy as np\nnp.bool_\nnp.asscalar(3)\n", [(3, "numpy.asscalar", "")]),
    "scipy": ("from scipy.misc import imread\n", [(1, "scipy.misc.imread", "")]),
    "an-import-error": (
        "from sklearn.datasets import load_boston\n",
        [(1, "sklearn.datasets.load_boston", "has been removed from scikit-learn since")],
    ),
    "python": (
        "import string\nstring.letters\n",
        [(2, "string.letters", "did you mean ascii_letters?")],
    ),
    "a-module-of-python": ("import md5\n", [(1, "md5", "not installed")]),
    "of-a-parameter": ("import numpy as np\ndef f(np):\n    return np.asscalar\n", []),
    "a-variable-of-that-name": ("import copy\ncopy = f()\ncopy.layers\n", []),
    "set-by-the-program": (
        "import tensorflow as tf\ntf.flag = 3\nprint(tf.flag)\ntf.flog\n",
        [(4, "tensorflow.flog", "")],
    ),
    "arguments-of-methods": (
        "import tensorflow.compat.v1 as tf\ns = tf.train.Saver(max_to_keep=3)\n"
        "s.save(x, 'a', global_step=1)\ns.save(x, 'a', bogus=1)\nw = tf.summary.FileWriter('a')\n"
        "w.add_summary(x, 2)\nw.add_summary(x, 2, 3)\n"
        "tf.train.AdamOptimizer(0.1).minimize(x, var_lists=[])\n",
        [
            (4, "tensorflow.compat.v1.train.Saver.save(bogus=)", "no such argument"),
            (7, "tensorflow.compat.v1.summary.FileWriter.add_summary(...)", "takes 2 by position"),
            (8, "tensorflow.compat.v1.train.AdamOptimizer.minimize(var_lists=)", ""),
        ],
    ),
    "arguments-of-methods-of-what-is-not-known": (
        "import tensorflow.compat.v1 as tf\ns = tf.train.Saver()\ns = f(s)\ns.save(bogus=1)\n"
        "def g(t):\n    t.save(bogus=1)\nclass S(tf.train.Saver):\n    pass\nu = S()\n"
        "u.save(bogus=1)\n",
        [],
    ),
    "private-names-of-a-base": (
        "import tensorflow.compat.v1 as tf\n"
        "class Builder(tf.saved_model.builder.SavedModelBuilder):\n    def save(self):\n"
        "        self._mine = self._own() or self._export_dir or self._add_collections\n"
        "        self._maybe_add_legacy_init_op(self._mine)\n"
        "    def _own(self):\n        return hasattr(self, '_asked') and self._asked\n",
        [(5, "self._maybe_add_legacy_init_op", "SavedModelBuilder has no such name")],
    ),
    "private-names-of-a-base-of-ones-own": (
        "import tensorflow.compat.v1 as tf\nclass A(Base):\n    def f(self):\n"
        "        return self._gone\nclass B(tf.train.Optimizer, Base):\n    def f(self):\n"
        "        return self._gone\n",
        [],
    ),
    "not-installed": (
        "import wxyz, wxyz.a\nwxyz.f()\n",
        [(1, "wxyz", "not looked at: wxyz is not installed")],
    ),
    "a-module-of-a-namespace": (
        "import google.no_such\nfrom google import colab_x\nimport google.protobuf.message\n",
        [
            (1, "google.no_such", "not looked at: google.no_such is not installed"),
            (2, "google.colab_x", "not looked at: google.colab_x is not installed"),
        ],
    ),
    "a-probe": ("try:\n    import md5\nexcept ImportError:\n    md5 = None\n", []),
    "any-error-of-a-loop": (
        "import numpy as np\ntry:\n    for i in x:\n        np.asscalar(i)\nexcept Exception:\n"
        "    pass\n",
        [(4, "numpy.asscalar", "")],
    ),
    "a-fallback": ("try:\n    import pickle\nexcept ImportError:\n    import cPickle\n", []),
    "a-branch-that-runs": (
        "import tensorflow as tf\nif tf.__version__ >= '2':\n    tf.mul\nelse:\n    tf.sub\n",
        [(3, "tensorflow.mul", "")],
    ),
    "an-answer-that-is-kept": (
        "import tensorflow as tf\nNEW = int(tf.__version__.split('.')[0]) > 1\n"
        "if not NEW:\n    tf.mul\n",
        [],
    ),
    "an-unknown-branch": (
        "import tensorflow as tf\nif f(tf.__version__):\n    tf.mul\n",
        [(3, "tensorflow.mul", "")],
    ),
    "hasattr": ("import tensorflow as tf\nif hasattr(tf, 'mul'):\n    tf.mul(2, 3)\n", []),
}


def _left(source, legacy_keras=True):
    files = modules.Files(["/code/main.py"])
    tree = ast.parse(source)
    imported = [name for name, _ in library_uses.imported_names(tree)]
    libraries = installed.Libraries(legacy_keras, imported)
    known = exports.Exports(files, {})
    return left.left_in(tree, "/code/main.py", files, known, libraries, "2.21.0")


@pytest.mark.parametrize("case", CASES)
def test_what_is_left(case):
    source, expected = CASES[case]
    uses = _left(source)
    assert [(use.line, use.name) for use in uses] == [one[:2] for one in expected]
    for use, (_, _, part) in zip(uses, expected):
        assert part in f"{use.why}: {use.remedy}"


def test_keras_of_tensorflow_is_the_one_that_the_program_asks_for():
    source = "import tensorflow.compat.v1 as tf\ntf.layers.dense\ntf.keras.layers.CuDNNGRU\n"
    assert _left(source) == []
    (of_layers, of_keras) = _left(source, legacy_keras=False)
    assert of_layers.name == "tensorflow.compat.v1.layers"
    assert "TF_USE_LEGACY_KERAS" in of_layers.remedy
    assert of_keras.name == "tensorflow.compat.v1.keras.layers.CuDNNGRU"


def test_reading_imports_no_tensorflow():
    code = (
        "import sys\nfrom tfgraphtools.analysis import installed\n"
        "asked = installed.Libraries(True)\n"
        "assert asked.lacks('tensorflow.compat.v1.placeholder') is None\n"
        "assert asked.lacks('tf_keras.layers.Dense') is None\n"
        "assert asked.lacks('keras.layers.Dens').name == 'keras.layers.Dens'\n"
        "print({'tensorflow', 'keras', 'tf_keras'} & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert done.stdout.split() == [b"set()"]


#: Asks plain Python for the names on its stdin.
_ASK = """
import importlib, json, sys
import tensorflow, tensorflow.compat.v1, tf_keras, keras
there = []
for name in json.load(sys.stdin):
    root, *parts = name.split(".")
    value = importlib.import_module(root)
    try:
        for part in parts:
            value = getattr(value, part)
    except Exception:
        continue
    there.append(name)
print(json.dumps(there))
"""


@pytest.mark.parametrize("legacy", ["1", "0"])
def test_the_names_of_tensorflow_are_those_of_plain_python(legacy, names_of_tf1):
    """All names of TF 1.15, in three modules: two thirds are there, the others are not."""
    names = []
    for name in names_of_tf1:
        rest = name.partition(".")[2]
        names += [f"tensorflow.compat.v1.{rest}", name]
        if rest.startswith("keras."):
            names += [f"tf_{rest}", rest]
    environment = dict(os.environ, TF_USE_LEGACY_KERAS=legacy, TF_CPP_MIN_LOG_LEVEL="3")
    asked = subprocess.run(
        [sys.executable, "-c", _ASK],
        input=json.dumps(names),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        check=True,
        text=True,
    )
    there = set(json.loads(asked.stdout.splitlines()[-1]))
    libraries = installed.Libraries(legacy == "1")
    fine = {name for name in names if libraries.lacks(name) is None}
    assert len(there) > 5000 and len(set(names) - there) > 1000
    assert sorted(fine - there) == []
    # Without tf_keras the modules are there, and nothing in them.
    empty = {"tensorflow.compat.v1.layers", "tensorflow.compat.v1.nn.rnn_cell"}
    assert sorted(there - fine - empty) == []


def test_importlib_agrees_on_a_module():
    assert importlib.util.find_spec("tensorflow.python.framework") is not None
    assert installed.Libraries(True).lacks("tensorflow.python.framework.ops", True) is None
    missing = installed.Libraries(True).lacks("tensorflow.python.framwork.ops", True)
    assert missing.name == "tensorflow.python.framwork"
