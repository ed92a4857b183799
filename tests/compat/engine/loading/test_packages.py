"""Installed packages are known as written for TF1 by their source, without a flag."""

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine.loading import packages

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = [pytest.mark.quick, pytest.mark.once]

#: the sources of a package -> a part of the reason; None where it is no package of TF1
SOURCES = {
    "no TensorFlow": (["import numpy"], None),
    "TF 2": (["import tensorflow as tf\ntf.function(tf.constant)"], None),
    "both": (["import tensorflow as tf\nif tf.__version__ < '2': tf.Session"], None),
    "contrib": (["import tensorflow.contrib.slim as slim"], "tensorflow.contrib"),
    "contrib, guarded": (["try:\n    import tensorflow.contrib\nexcept ImportError: pass"], None),
    "all of v1": (["from tensorflow.compat.v1 import *"], "tensorflow.compat.v1"),
    "an estimator": (
        ["import tensorflow as tf\nclass A(tf.estimator.Estimator): pass"],
        "tf.estimator",
    ),
    "a module that only TF 1 had": (
        ["from tensorflow.python.ops.seq2seq import embedding"],
        "tensorflow.python.ops.seq2seq",
    ),
    "the same, guarded": (
        ["try:\n    from tensorflow.python.ops.seq2seq import embedding\nexcept: pass"],
        None,
    ),
    "a module that early TF 2 had": (
        ["from tensorflow.python.training.tracking import base"],
        None,
    ),
    "attributes": (["import tensorflow as tf\ntf.placeholder", "import numpy"], "names of TF 1"),
    "names": (["from tensorflow import Session, placeholder\nSession()"], "names of TF 1"),
    "names of both": (["from tensorflow import Tensor, Variable"], None),
    "more files of TF 2": (
        [
            "import tensorflow as tf\ntf.placeholder",
            "import tensorflow as tf\ntf.GradientTape",
            "import tensorflow as tf\n@tf.function\ndef f(): pass",
        ],
        None,
    ),
}


@pytest.mark.parametrize("sources, words", SOURCES.values(), ids=SOURCES)
def test_what_makes_it_one(tmp_path, sources, words):
    for number, source in enumerate(sources):
        (tmp_path / f"part{number}.py").write_text(source + "\n")
    reason = packages.reason_for_tf1("no_such_distribution", str(tmp_path))
    assert (words is None and reason == "") or (words is not None and words in reason)


def test_a_link_to_nothing_among_the_sources(tmp_path):
    (tmp_path / ".#mod.py").symlink_to(tmp_path / "user@host.1")  # an editor's lock
    (tmp_path / "mod.py").write_text("import tensorflow.contrib.slim as slim")
    assert "tensorflow.contrib" in packages.reason_for_tf1("no_such_package", str(tmp_path))
