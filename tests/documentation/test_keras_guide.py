"""The guide to Keras models runs as it stands, on a folder of old checkpoints."""

import pathlib
import re
import shlex

import numpy as np
import pytest

from tfgraphtools import checkpoints

pytestmark = pytest.mark.slow

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GUIDE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: What a TF1 program with MultiRNNCell, three layers and Adam left behind.
SCRIPT = """
import tensorflow as tf
tf1 = tf.compat.v1
tf1.disable_eager_execution()
shapes = {
    "rnn/basic_lstm_cell/kernel": [24, 64], "rnn/basic_lstm_cell/bias": [64],
    "dense/kernel": [16, 16], "dense/bias": [16], "dense_1/kernel": [16, 16], "dense_1/bias": [16],
    "dense_2/kernel": [16, 3], "dense_2/bias": [3],
}
ws = [tf1.get_variable(name, shape) for name, shape in shapes.items()]
step = tf1.train.get_or_create_global_step()
train = tf1.train.AdamOptimizer().minimize(tf1.add_n([tf.reduce_sum(w * w) for w in ws]), step)
saver = tf1.train.Saver()
with tf1.Session() as session:
    session.run(tf1.global_variables_initializer())
    for _ in range(3):
        session.run(train)
        saver.save(session, "old/model.ckpt", step, write_meta_graph=False)
"""


@pytest.fixture(scope="module")
def old(tmp_path_factory, this_server):
    folder = tmp_path_factory.mktemp("guide")
    (folder / "old").mkdir()
    this_server.run_python(folder, "-c", SCRIPT).checked()
    return folder


def test_guide(old, this_server):
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    guide = GUIDE.search((ROOT / "docs" / "guides" / "keras.md").read_text(encoding="utf-8"))
    name, source, commands = re.match(
        r"cat > (\S+) <<'END'\n(.*?)^END\n(.*)", guide.group(1), re.DOTALL | re.MULTILINE
    ).groups()
    (old / name).write_text(source)
    printed = ""
    for command in commands.splitlines():
        words = shlex.split(command, comments=True)
        start = {"tfgraphtools": ["-m", "tfgraphtools"], "python": []}[words[0]]
        printed += this_server.run_python(old, *start, *words[1:]).checked()
    assert "old/model.ckpt-3: 27 tensors" in printed and "all intact" in printed
    assert "new.keras: 9 weights, Adam after 3 steps" in printed
    assert_weights(old)


def assert_weights(old):
    """The file's weights are the checkpoint's: the dense layers were matched in their order."""
    h5py = pytest.importorskip("h5py")
    import io
    import zipfile

    with zipfile.ZipFile(str(old / "new.keras")) as archive:
        weights = h5py.File(io.BytesIO(archive.read("model.weights.h5")), "r")
    with checkpoints.open_checkpoint(str(old / "old")) as ckpt:
        for layer in ("dense", "dense_1", "dense_2"):
            for i, role in enumerate(("kernel", "bias")):
                found = np.asarray(weights[f"layers/{layer}/vars/{i}"])
                np.testing.assert_array_equal(found, ckpt[f"{layer}/{role}"])
