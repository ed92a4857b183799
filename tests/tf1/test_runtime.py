"""The runtime under plain Python: what it gives, and what it leaves alone."""

import os
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools import compat

ROOT = pathlib.Path(compat.__file__).resolve().parents[2]

if compat.is_tf1():
    pytest.skip("the runtime is for TF 2.x", allow_module_level=True)

#: One process shows it all: TensorFlow is imported once.
SCRIPT = """
import sys
hooks, finders, imports = list(sys.path_hooks), list(sys.meta_path), __import__
import tensorflow.compat.v1 as tf
from tfgraphtools import tf1
from tfgraphtools.tf1 import examples, layers
from tfgraphtools.tf1.libraries import cPickle, numpy as old
from tfgraphtools.tf1.libraries.builtins import cmp
import tfgraphtools.tf1.libraries.urllib2 as urllib2
from tfgraphtools.tf1.examples.tutorials.mnist import input_data
from tfgraphtools.tf1.python2 import divide
import numpy, pickle, urllib.request

tf.disable_v2_behavior()
assert tf1.mul is tf.multiply and tf1.train.SummaryWriter is tf.summary.FileWriter
assert old.asscalar(numpy.array([3])) == 3 and old.float is float and cmp(1, 2) == -1
assert cPickle.PickleError is pickle.PickleError and callable(urllib2.urlopen)
assert input_data.read_data_sets and divide(7, 2) == 3
assert tf1.attribute(numpy.array([3, 5]), "ptp")() == 2
assert layers.dense(tf.zeros([2, 3]), 4).shape.as_list() == [2, 4]
assert tf1.__version__ == "1.15.5" and "contrib" in dir(tf1)
for module, name in ((tf1, "nothing"), (tf1.libraries, "nothing"), (tf1.libraries.numpy, "no")):
    try:
        getattr(module, name)
    except AttributeError as error:
        assert "no attribute" in str(error), error
    else:
        raise AssertionError(name)
for source in ("from tfgraphtools.tf1 import nothing", "import tfgraphtools.tf1.nothing.at_all"):
    try:
        exec(source)
    except ImportError:
        pass
    else:
        raise AssertionError(source)
assert __import__ is imports and sys.path_hooks == hooks
assert not [one for one in sys.meta_path if "tfgraphtools.compat" in repr(one)]
assert not hasattr(numpy, "asscalar") and not hasattr(tf, "mul")
"""

FLAGS = """
from tfgraphtools.tf1 import flags
flags.DEFINE_integer("steps", 3, "")
flags.DEFINE_float("rate", 1, "")
flags.DEFINE_string("layers", [2, 3], "")
flags.DEFINE_boolean("plot", default=True, help="")
flags.DEFINE_integer(name="many", default_value=4, docstring="")
assert flags.FLAGS.many == 4
flags.DEFINE_string("log_dir", "logs", "")
FLAGS = flags.FLAGS
assert FLAGS.steps == 7 and FLAGS.plot is False and FLAGS.layers == [2, 3]
assert FLAGS.log_dir == "logs" and range(3)[FLAGS.rate] == 1
FLAGS.own = 0.5
assert FLAGS.own == 0.5 and FLAGS._parse_flags() and sorted(FLAGS.__flags)[0] == "layers"
assert FLAGS.__dict__["__flags"]["steps"].value == 7
from absl import flags as absl
assert absl.FLAGS.steps == 7 and "_parse_flags" not in dir(type(absl.FLAGS))
def main(argv):
    print(argv[1:])
flags.run()
"""

CONTRIB = """
import sys
import tensorflow.compat.v1 as tf
from tfgraphtools.tf1 import contrib
from tfgraphtools.tf1.contrib import slim
from tfgraphtools.tf1.contrib.rnn.python.ops import core_rnn_cell
import tfgraphtools.tf1.contrib.layers as layers
assert not tf.executing_eagerly()
x = tf.ones([2, 3])
assert slim.fully_connected(x, 4).shape.as_list() == [2, 4]
assert contrib.layers.l2_regularizer is layers.l2_regularizer
assert contrib.rnn.GRUCell is tf.nn.rnn_cell.GRUCell
assert contrib.crf.crf_decode and core_rnn_cell.EmbeddingWrapper
assert not [one for one in sys.meta_path if "tfgraphtools.compat" in repr(one)]
"""


@pytest.mark.parametrize(
    "source, words, printed",
    [
        (SCRIPT, (), ""),
        (FLAGS, ("--steps=7", "--plot", "False", "--unknown=1"), "['--unknown=1']\n"),
        (CONTRIB, (), ""),
    ],
    ids=["names", "flags", "contrib"],
)
def test_plain_python(source, words, printed, tmp_path, compat_server):
    if source is CONTRIB:
        from tfgraphtools.compat import legacy

        if legacy.find() is None:
            pytest.skip("needs the legacy installation")
    (tmp_path / "main.py").write_text(source, encoding="utf-8")
    if source is SCRIPT:  # in a process of its own: what the import sets, TensorFlow reads
        done = subprocess.run(
            [sys.executable, "main.py"], cwd=str(tmp_path), capture_output=True, text=True
        )
        assert (done.returncode, done.stdout) == (0, printed), done.stderr
    else:
        assert compat_server.run_python(tmp_path, "main.py", *words).checked() == printed


THREADS = """
import importlib.machinery, importlib.util, pathlib, sys, threading
from tfgraphtools.tf1 import _serving

class Waits:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == "of_another_thread":
            asked.set()
            assert left.wait(60)

asked, left, loaded = threading.Event(), threading.Event(), []
pathlib.Path("of_another_thread.py").write_text("value = 3")

def load():
    import of_another_thread
    loaded.append(of_another_thread.value)

thread = threading.Thread(target=load)
with _serving.in_force():
    assert importlib.util.find_spec("tensorflow.contrib") is not None
    sys.meta_path.insert(sys.meta_path.index(importlib.machinery.PathFinder), Waits)
    thread.start()
    assert asked.wait(60)
left.set()
thread.join()
assert loaded == [3], loaded
"""


def test_another_thread_finds_its_modules(tmp_path):
    """A finder that is taken away while another thread asks them all hid the one behind it."""
    (tmp_path / "script.py").write_text(THREADS)
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=str(tmp_path),
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
