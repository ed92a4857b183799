"""Which names are TensorFlow's: imports, aliases, re-exports, shadowing."""

import os

import pytest

pytestmark = pytest.mark.quick

SESSION = "with tf.Session() as s:\n    pass\n"

#: id -> (source, what must be in the result, what must not)
CASES = {
    "import-as": ("import tensorflow as tf\n" + SESSION, ["import tensorflow.compat.v1 as tf"], []),
    "plain-import": (
        "import tensorflow\ntensorflow.Session()\n",
        ["import tensorflow.compat.v1 as tensorflow\n", "tensorflow.Session()"],
        [],
    ),
    "other-alias": (
        "import tensorflow as T\nT.mul(1, T.Session())\n",
        ["T.multiply(1,"],
        ["T.mul("],
    ),
    "from-import": (
        "from tensorflow import mul, Session\nmul(1, 2)\nSession()\n",
        ["from tensorflow.compat.v1 import", "multiply(1, 2)"],
        [" mul(", "\nmul("],
    ),
    "from-import-as": (
        "from tensorflow import mul as m, Session\nm(1, 2)\nSession()\n",
        ["multiply as m", "\nm(1, 2)"],
        [],
    ),
    "assigned-alias": (
        "import tensorflow as tf\nt = tf.train\nt.SummaryWriter(tf.Session())\n",
        ["tf.summary.FileWriter(tf.Session())"],
        ["t.Summary"],
    ),
    "parameter": (
        "import tensorflow as tf\ndef f(tf):\n    return tf.mul(1, 2)\ntf.Session()\n",
        ["return tf.mul(1, 2)"],
        [],
    ),
    "local-variable": (
        "import tensorflow as tf\ndef f():\n    tf = g()\n    return tf.mul(1)\ntf.Session()\n",
        ["return tf.mul(1)"],
        [],
    ),
    "loop-variable": (
        "import tensorflow as tf\nx = [tf.mul(1) for tf in y]\ntf.Session()\n",
        ["[tf.mul(1) for tf in y]"],
        [],
    ),
    "class-attribute": (
        "import tensorflow as tf\nclass A:\n    tf = 1\n    def f(self):\n"
        "        return tf.mul(1, tf.Session())\n",
        ["return tf.multiply("],
        [],
    ),
    "inside-a-function": (
        "def f():\n    import tensorflow as tf\n    return tf.mul(1, tf.Session())\n",
        ["    import tensorflow.compat.v1 as tf\n    return tf.multiply("],
        [],
    ),
    "global": (
        "def load():\n    global tf\n    import tensorflow as tf\ndef f():\n"
        "    return tf.mul(1, tf.Session())\n",
        ["return tf.multiply("],
        [],
    ),
    "reassigned": (
        "import tensorflow as tf\ntf.Session\ntf = wrap(tf)\ntf.mul(1, 2)\n",
        ["tf.mul(1, 2)"],
        [],
    ),
    "guarded-import": (
        "try:\n    import tensorflow.compat.v1 as tf\nexcept ImportError:\n"
        "    import tensorflow as tf\ntf.Session()\n",
        ["except ImportError:\n    import tensorflow as tf\n"],
        ["compat.v1.compat"],
    ),
    "default-argument": (
        "import tensorflow as tf\ndef f(tf=tf.mul(1, tf.Session())):\n    tf.mul\n",
        ["f(tf=tf.multiply(1,", "    tf.mul\n"],
        [],
    ),
    "string": (
        "import tensorflow as tf\nx = 'tf.mul'  # tf.mul\ntf.Session()\n",
        ["'tf.mul'  # tf.mul"],
        [],
    ),
    "two-on-a-line": (
        "import os, tensorflow as tf\nos.sep\ntf.Session()\n",
        ["import os, tensorflow.compat.v1 as tf\n"],
        [],
    ),
    "continued-chain": (
        "import tensorflow as tf\nx = (tf\n     .train\n     .Saver)(tf.Session())\n",
        ["x = (tf\n     .train\n     .Saver)"],
        [],
    ),
    "lambda": (
        "import tensorflow as tf\nf = lambda tf: tf.mul(1)\ntf.Session()\n",
        ["lambda tf: tf.mul(1)"],
        [],
    ),
    "f-string": (
        "import tensorflow as tf\nx = f'{tf.mul(1, 2)}'\ntf.Session()\n",
        [],
        ["multiplymul"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_names(name, upgraded):
    source, there, absent = CASES[name]
    new = upgraded(source)
    compile(new, name, "exec")
    for text in there:
        assert text in new, new
    for text in absent:
        assert text not in new, new


def test_reexports(upgraded):
    new = upgraded(
        {
            "common.py": "import tensorflow as tf\n",
            "pkg/__init__.py": "from .deep import tf\n",
            "pkg/deep.py": "import tensorflow as tf\n",
            "star.py": "from common import *\n",
            "main.py": "from common import tf\nimport pkg\nimport common as c\nimport star\n"
            "tf.mul(1, 2)\npkg.tf.mul(1, 2)\nc.tf.mul(1, 2)\nstar.tf.mul(1, tf.Session())\n",
        }
    )
    assert new["common.py"] == "import tensorflow.compat.v1 as tf\n"
    assert new["main.py"].count("tf.multiply(1") == 4, new["main.py"]


@pytest.mark.parametrize(
    "source, line, word",
    [
        ("import tensorflow as tf\ntf.Session()\nx = getattr(tf, name)\n", 3, "getattr"),
        ("from tensorflow import *\nSession()\n", 1, "import *"),
        ("import tensorflow as tf\ntf.Session()\nfor tf in x: tf.mul\n", 1, "assigned elsewhere"),
    ],
    ids=["getattr", "star", "shadowed"],
)
def test_what_is_reported(source, line, word, upgraded):
    upgraded(source + "import tensorflow as t\nt.placeholder\n")
    found = [f for _, f in upgraded.report.unresolved() if f.line == line]
    assert found and word in found[0].name + found[0].detail


def test_a_star_in_a_package_takes_its_path(upgraded):
    """TF 2.x lists ``__path__`` in ``tensorflow.compat.v1.__all__``."""
    star = "import tensorflow as t\nt.placeholder\nfrom tensorflow.compat.v1 import *\n"
    upgraded({"net/__init__.py": star, "net/layers.py": star})
    details = {path: found.detail for path, found in upgraded.report.unresolved()}
    takes_path = {os.path.basename(path): "__path__" in detail for path, detail in details.items()}
    assert takes_path == {"__init__.py": True, "layers.py": False}


def test_a_module_with_the_name_of_a_library(upgraded):
    """In a package it is no match for the library; Python 3 imports the library."""
    sources = {
        "net/__init__.py": "",
        "net/tensorflow.py": "x = 1\n",
        "net/layers.py": "import tensorflow as tf\n\ndef f():\n    return tf.Session()\n",
    }
    assert "import tensorflow.compat.v1 as tf" in upgraded(sources)["net/layers.py"]


def test_a_module_that_is_imported_when_it_is_needed(upgraded):
    new = upgraded(
        "tf = np = None\n\n\ndef load():\n    global tf, np, cPickle\n"
        "    import tensorflow as tf\n    import numpy as np\n    import cPickle\n\n\n"
        "def main():\n    load()\n    cPickle.dumps(tf.mul(np.float(1), 2))\n\n\nmain()\n"
    )
    assert new == (
        "import tensorflow.compat.v1 as tf_v1\n\ntf_v1.disable_v2_behavior()\n"
        "tf = np = None\n\n\ndef load():\n    global tf, np, cPickle\n"
        "    import tensorflow.compat.v1 as tf\n    import numpy as np\n"
        "    import pickle as cPickle\n\n\n"
        "def main():\n    load()\n    cPickle.dumps(tf.multiply(float(1), 2))\n\n\nmain()\n"
    )
    assert upgraded.report.left == 0


def test_an_import_alone_in_its_block_leaves_a_block(upgraded):
    source = "import tensorflow as tf\nif tf.Session():\n    import numpy as np\nx = np.float(1)\n"
    assert upgraded(source).endswith("if tf.Session():\n    pass\nx = float(1)\n")
