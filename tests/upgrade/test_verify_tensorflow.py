"""The proof by running, with TensorFlow: against `tfgraphtools run`, and against TF 1.15 itself.

The scripts are seeded; a checkpoint and a text are written. An error of the upgrade has to show.
"""

import importlib.util
import os

import pytest

from tfgraphtools import upgrade
from tfgraphtools.upgrade.verify import verify

NEEDS = [name for name in ("tensorflow", "tf_keras") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(NEEDS), reason="needs " + " ".join(NEEDS))

#: Old names, layers, RNN cells, default seeds, a loop of training, files that are written.
SCRIPT = """\
import numpy as np
import tensorflow as tf

tf.set_random_seed(7)
np.random.seed(7)
x = tf.placeholder(tf.float32, [None, 4, 3])
cells = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(5) for _ in range(2)])
outputs, _ = tf.nn.dynamic_rnn(cells, x, dtype=tf.float32)
y = tf.layers.dense(outputs[:, -1], 2, activation=tf.nn.relu)
loss = tf.reduce_mean(tf.sub(y, tf.random_normal([2])) ** 2, reduction_indices=[0])
train = tf.train.AdamOptimizer(0.01).minimize(tf.reduce_sum(loss))
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    for step in range(5):
        batch = np.random.rand(6, 4, 3)
        values = session.run([loss, train], {x: batch})[0]
        print("step", step, "loss", " ".join("%.8f" % value for value in values))
    tf.train.Saver().save(session, "model")
with open("out.txt", "w") as file:
    file.write("done")
"""

#: The same numbers from both TensorFlows: seeds are given to the ops.
SEEDED = """\
import tensorflow as tf

w = tf.Variable(tf.random_normal([3, 2], seed=3), name="w")
y = tf.mul(tf.matmul([[1.0, 2.0, 3.0]], w), 2.0)
z = tf.concat(1, [y, [[1.0, 2.0]]])
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    print(" ".join("%.6f" % value for value in session.run(z)[0]))
    tf.train.Saver().save(session, "model")
"""


def _proof(folder, monkeypatch, script, **options):
    (folder / "train.py").write_text(script)
    monkeypatch.chdir(folder)
    return verify(upgrade.examine(["train.py"]), ["python", "train.py"], **options)


@pytest.mark.slow
def test_against_run(tmp_path, monkeypatch):
    proof = _proof(tmp_path, monkeypatch, SCRIPT)
    assert proof.before == "tfgraphtools run" and proof.holds, "\n".join(proof.lines())
    assert proof.printed.numbers >= 15 and proof.checked == 1 and proof.written >= 1


@pytest.mark.slow
def test_against_tf115(tmp_path, monkeypatch):
    python = os.environ.get("TFGRAPHTOOLS_TF1_PYTHON")
    if not python:
        pytest.skip("needs TF 1.15")
    old = SEEDED.replace("tf.mul(", "tf.multiply(").replace("tf.concat(1, [y", "tf.concat([y")
    old = old.replace("2.0]]])", "2.0]]], 1)")  # as 1.15 has them
    old += "import tensorflow.contrib.layers as layers\nprint(layers.flatten(z).shape)\n"
    if importlib.util.find_spec("tf_slim") is None:
        pytest.skip("needs tf_slim, or TF 1.15's own contrib")
    proof = _proof(tmp_path, monkeypatch, old, python37=python)
    assert proof.before == "TF 1.15" and proof.holds, "\n".join(proof.lines())
    assert proof.printed.numbers >= 4 and proof.checked == 1


@pytest.mark.slow
def test_a_wrong_change_shows(tmp_path, monkeypatch):
    """The proof is of the file as it would be written."""
    (tmp_path / "train.py").write_text(SEEDED)
    monkeypatch.chdir(tmp_path)
    report = upgrade.examine(["train.py"])
    (file,) = report.files
    report.files = [file._replace(after=file.after.replace(b"2.0)", b"2.5)"))]
    proof = verify(report, ["python", "train.py"])
    assert not proof.holds and proof.printed.first is not None
