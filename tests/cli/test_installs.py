"""Every command in every install: it works, or one sentence says what to install, with exit 2."""

import json
import os
import shlex
import subprocess
import sys
import textwrap

import installs
import pytest

from tfgraphtools import cli

pytestmark = [pytest.mark.slow, pytest.mark.once]

#: {install: (the extras, the packages that commands ask for and that it has)}.
INSTALLS = {
    "base": ("", set()),
    "tensorflow": ("tensorflow", {"tensorflow", "tf_keras", "keras", "h5py"}),
    "run": ("tensorflow,run", {"tensorflow", "tf_keras", "keras", "h5py", "fissix"}),
    "all": ("all", {*"tensorflow tf_keras keras h5py fissix matplotlib argcomplete".split()}),
}

CONVERT = "ckpt convert m.ckpt out/"
EXPORT = "ckpt convert --meta m.ckpt.meta --outputs=y m.ckpt out/"

#: (the command line, the package that it needs, the exit code where that is installed).
COMMANDS = [
    ("--version", None, 0),
    ("help ckpt ls", None, 0),
    ("completion bash", "argcomplete", 0),
    ("run one.py", "tensorflow", 0),
    ("run --list-fixes", None, 0),
    ("doctor source", "tensorflow", 0),
    ("doctor m.ckpt.meta", "tensorflow", 0),
    ("upgrade source", None, 0),
    ("upgrade two", "fissix", 0),
    ("kernel install --prefix out", "ipykernel", 0),
    ("legacy install --json", None, 2),
    ("legacy status", None, 1),
    ("legacy remove", None, 0),
    ("explain m.ckpt.meta --y loss --x w/kernel", "tensorflow", 0),
    ("revive source", None, 0),
    ("graph show m.ckpt.meta", None, 0),
    ("graph diff m.ckpt.meta m.ckpt.meta", None, 0),
    ("graph extract m.ckpt.meta --outputs loss --out out/loss.pb", "tensorflow", 0),
    ("graph source m.ckpt.meta --outputs loss --out out/source", "torch", 0),
    ("graph convert m.ckpt.meta --outputs loss --to tflite --out out/loss.tflite", "tensorflow", 0),
    ("ckpt ls m.ckpt", None, 0),
    ("ckpt ls https://127.0.0.1:1/m.ckpt", "fsspec", 2),
    ("ckpt show m.ckpt w/kernel", None, 0),
    ("ckpt show m.ckpt w/kernel --png out/w.png", "matplotlib", 0),
    ("ckpt families m.ckpt", None, 1),
    ("ckpt verify m.ckpt", None, 0),
    ("ckpt diff m.ckpt m.ckpt", None, 0),
    ("ckpt doctor m.ckpt --graph m.ckpt.meta", None, 0),
    ("ckpt doctor m.ckpt --graph m.ckpt.meta --ops", "tensorflow", 0),
    ("ckpt rename m.ckpt out/renamed --rule 'w/(.*)' 'v/\\1'", None, 0),
    ("ckpt strip m.ckpt out/stripped", None, 0),
    ("ckpt cast m.ckpt out/cast --to float16", None, 0),
    ("ckpt partition m.ckpt out/parts --into w/kernel 2", None, 0),
    ("ckpt average out/average m.ckpt m.ckpt", None, 0),
    ("ckpt split m.ckpt out/split --match 'w/.*' --rest out/rest", None, 0),
    ("ckpt merge out/merged out/split out/rest", None, 0),
    ("ckpt recover out", None, 0),
    ("ckpt convert m.ckpt out/a.npz --to npz", None, 0),
    ("ckpt convert m.ckpt out/a.safetensors --to safetensors", None, 0),
    ("ckpt convert m.ckpt out/object --to object --rule '(.*)' '\\1'", None, 0),
    (EXPORT + "saved --to saved_model", "tensorflow", 0),
    (EXPORT + "f.pb --to frozen", "tensorflow", 0),
    (CONVERT + "m.keras --to keras --model keras_model.py:build --drop-optimizer", "keras", 0),
    (CONVERT + "m.safetensors --to torch --model torch_model.py:build", "torch", 0),
    ("ckpt convert m.ckpt out/hf --to hf", None, 2),
    ("ckpt convert m.ckpt out/timm --to timm", None, 2),
    ("ckpt convert out/object out/tf1 --to tf1", None, 0),
]

FILES = {
    "one.py": "import tensorflow as tf\nprint(tf.Session().run(tf.ones([])))\n",
    "source/one.py": "import tensorflow as tf\nprint(tf.Session().run(tf.ones([])))\n",
    "two/old.py": "print 'Python 2'\n",
    "keras_model.py": """
        import keras

        def build():
            return keras.Sequential([keras.Input([4]), keras.layers.Dense(3, name="w")])
    """,
    "torch_model.py": """
        import torch

        def build():
            return torch.nn.Linear(4, 3)
    """,
}

MODEL = """
import tensorflow as tf
tf1 = tf.compat.v1
tf1.disable_eager_execution()
x = tf1.placeholder(tf.float32, [None, 4], name="x")
w = tf1.get_variable("w/kernel", [4, 3])
y = tf1.add(x @ w, tf1.get_variable("w/bias", [3]), name="y")
loss = tf1.reduce_mean(y**2, name="loss")
tf1.train.AdamOptimizer().minimize(loss)
with tf1.Session() as session:
    session.run(tf1.global_variables_initializer())
    tf1.train.Saver().save(session, "m.ckpt")
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A folder that has what the commands read."""
    folder = tmp_path_factory.mktemp("model")
    subprocess.run([sys.executable, "-c", MODEL], cwd=str(folder), check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def install_programs(tmp_path_factory):
    """A function that returns the programs of an install; each holds what the one before does."""
    installed = {}

    def programs(name):
        if name not in installed:
            names = list(INSTALLS)
            before = names[names.index(name) - 1] if name != names[0] else None
            folder = tmp_path_factory.mktemp("install")
            base = programs(before) if before else None
            installed[name] = installs.make(folder, INSTALLS[name][0], base=base)
        return installed[name]

    return programs


def _install_cases():
    """Returns the installs, of which CI makes two; all other tests of it have every extra."""
    return [
        pytest.param(name, marks=pytest.mark.slow(in_ci=2 * (name in ("base", "run"))))
        for name in INSTALLS
    ]


@pytest.fixture(scope="module", params=_install_cases())
def install(request, install_programs):
    """(the folder of an environment's programs, the packages that it has)."""
    return install_programs(request.param), INSTALLS[request.param][1]


def test_every_command_has_a_row():
    shown = {" ".join(shlex.split(line)[:depth]) for line, _, _ in COMMANDS for depth in (1, 2)}
    names = [name.partition(" ")[2] for name, parser in cli.subcommands()]
    assert [name for name in names if name and name not in shown] == []


def test_commands(install, model, tmp_path):
    """All rows in one test: the environment takes longer than the commands."""
    programs, packages = install
    for path in model.iterdir():
        os.link(str(path), str(tmp_path / path.name))
    (tmp_path / "out").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text), encoding="utf-8")
    failures = []
    for line, needed, exit_code in COMMANDS:
        complaint = _complaint(programs, tmp_path, line, needed, packages, exit_code)
        if complaint:
            failures.append(f"{line}: {complaint}")
    assert failures == [], json.dumps(failures, indent=1)


def _complaint(programs, folder, line, needed, packages, exit_code):
    """Returns what is wrong with how a command ended, or None."""
    done = installs.run(programs, ["tfgraphtools", *shlex.split(line)], folder)
    is_missing = needed is not None and needed not in packages
    expected = 2 if is_missing else exit_code
    if done.returncode != expected:
        return f"expected exit code {expected}, got {done.returncode}: {done.stderr}"
    if expected == 2 and done.stderr.count("\n") != 1:
        return f"expected one line, got {done.stderr}"
    if is_missing and needed not in done.stderr.lower().replace("pytorch", "torch"):
        return f"expected the name of {needed}, got {done.stderr}"
    of_tensorflow = () if line.startswith("run ") else ("WARNING", "cuda", "I0000", "E0000")
    if any(word in done.stderr for word in ("Traceback", *of_tensorflow)):
        return f"expected no log, got {done.stderr}"
    return None
