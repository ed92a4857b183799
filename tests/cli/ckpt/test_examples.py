"""Every example in a help works when it is typed."""

import re
import shlex
import shutil

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli
from tfgraphtools.cli.ckpt import GROUPS, examples
from tfgraphtools.cli.ckpt.convert_options import FORMATS, OPTIONS
from tfgraphtools.cli.ckpt.convert_options import GROUPS as OPTION_GROUPS

KERAS = (
    "import keras\n"
    "def build():\n"
    "    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name='dense')])\n"
)
TORCH = (
    "import torch\n"
    "class Net(torch.nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.dense = torch.nn.Linear(3, 2)\n"
)
#: Formats whose examples need the network of a family: `families` tests those.
OF_FAMILIES = ("hf", "timm")
#: Commands whose exit code 1 is an answer.
ANSWERS = ("diff", "doctor", "families")

LINES = [(name, line) for name, lines in examples.EXAMPLES.items() for line in lines]
LINES += [
    ("convert", line)
    for name, lines in examples.FORMATS.items()
    if name not in OF_FAMILIES
    for line in lines
]


@pytest.fixture(scope="module")
def files_of_examples(tmp_path_factory):
    """A folder with the files that the examples name."""
    tf = pytest.importorskip("tensorflow").compat.v1
    folder = tmp_path_factory.mktemp("examples")
    (folder / "train").mkdir()
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, (None, 3), name="x")
        with tf.variable_scope("dense"):
            kernel = tf.get_variable("kernel", (3, 2))
            bias = tf.get_variable("bias", (2,))
        output = tf.add(tf.matmul(x, kernel), bias, name="output")
        step = tf.train.get_or_create_global_step()
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(output), step)
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        saver.save(session, str(folder / "model.ckpt"), global_step=1000)
        for step in (1, 2):
            saver.save(session, str(folder / "train" / "m"), global_step=step)
    np.savez(str(folder / "other.npz"), **{"other/w": np.ones(2, np.float32)})
    checkpoints.from_npz(str(folder / "other.npz"), str(folder / "other.ckpt"))
    checkpoints.to_npz(str(folder / "model.ckpt-1000"), str(folder / "arrays.npz"))
    checkpoints.to_object_based(
        str(folder / "model.ckpt-1000"),
        str(folder / "object-0"),
        rules=[("(.*)", r"model/\1")],
        drop_optimizer=True,
    )
    (folder / "net.py").write_text(KERAS)
    (folder / "own.py").write_text(TORCH)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name, line", [pytest.param(*row, id=" ".join(row)) for row in LINES])
def test_examples(files_of_examples, tmp_path, monkeypatch, capsys, name, line):
    shutil.copytree(str(files_of_examples), str(tmp_path / "here"))
    monkeypatch.chdir(tmp_path / "here")
    words = shlex.split(line)
    if "own.py:Net" in words or "net.safetensors" in words:
        pytest.importorskip("torch")
    if words[0] == "net.safetensors":
        command = examples.FORMATS["torch"][0]
        assert cli.main(["ckpt", "convert", *shlex.split(command)]) == 0
    if "net.py:build" in words:
        pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
        from tensorflow.python.eager import context

        with context.eager_mode():
            assert cli.main(["ckpt", name, *words]) == 0, capsys.readouterr().err
        return
    assert cli.main(["ckpt", name, *words]) in ((0, 1) if name in ANSWERS else (0,))


def test_every_command_has_examples():
    commands = {name for names in GROUPS.values() for name in names}
    assert set(examples.EXAMPLES) == commands
    assert all(len(lines) in (2, 3) for lines in examples.EXAMPLES.values())
    assert set(examples.FORMATS) == set(FORMATS)


def test_every_option_is_in_one_group():
    grouped = [name for names in OPTION_GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(OPTIONS)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_help_of_one_format(name, capsys):
    assert cli.main(["ckpt", "convert", "--to", name, "--help"]) == 0
    shown = capsys.readouterr().out
    for option in OPTIONS:
        is_shown = re.search(rf"^  --{option}\b(?!-)", shown, re.MULTILINE) is not None
        assert is_shown == (option in FORMATS[name].options), option
    assert "(--to " not in shown
    assert all("tfgraphtools ckpt convert " + line in shown for line in examples.FORMATS[name])
