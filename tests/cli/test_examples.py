"""Every example in a help works when it is typed; those of ``ckpt`` have a test of their own."""

import hashlib
import shlex
import shutil
import zipfile

import pytest

from tfgraphtools import checkpoints, cli, compat
from tfgraphtools.cli import _examples
from tfgraphtools.cli.ckpt import examples as of_ckpt
from tfgraphtools.compat import legacy_packages

PARSERS = dict(cli.subcommands())

SCRIPT = """\
import sys
import tensorflow as tf
print(tf.Session().run(tf.mul(6, 7)), sys.argv[1:])
"""

#: The training, which leaves a checkpoint and its graph.
TRAINING = """\
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_eager_execution()
kernel = v1.get_variable("dense/kernel", [2, 2])
loss = v1.reduce_sum(kernel**2, name="loss")
with v1.Session() as session:
    session.run(v1.global_variables_initializer())
    v1.train.Saver([kernel]).save(session, "./model.ckpt", global_step=1000)
"""

#: The command lines, without the name of the program.
LINES = [
    " ".join(filter(None, [command, line]))
    for command, lines in _examples.EXAMPLES.items()
    for line in lines
]

#: Commands whose exit code 1 is an answer.
ANSWERS = ("legacy status",)


def test_every_command_has_examples():
    for name, parser in PARSERS.items():
        command = name.partition(" ")[2]
        group, _, subcommand = command.partition(" ")
        lines = of_ckpt.EXAMPLES.get(subcommand) if group == "ckpt" and subcommand else None
        lines = lines or _examples.EXAMPLES[command]
        assert all(f"{name} {line}".strip() in parser.format_help() for line in lines), name


@pytest.fixture(scope="module")
def project(tmp_path_factory, this_server):
    """A folder with the files that the examples name."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("train.py", "src/train.py", "package/train.py", "package/__init__.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("" if "__init__" in name else SCRIPT)
    this_server.run_python(folder, "-c", TRAINING).checked()
    return folder


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """The only package that `legacy install` then downloads, from a folder."""
    path = tmp_path / "wheels" / "thing-1.0-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(str(path), "w") as archive:
        archive.writestr("core/contrib/__init__.py", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    package = legacy_packages.Package("thing", "1.0", digest, (), (("core/contrib/", "contrib/"),))
    monkeypatch.setattr(legacy_packages, "PACKAGES", (package,))
    monkeypatch.setattr(legacy_packages, "fetched", lambda package, folder: path)
    monkeypatch.setenv("TFGRAPHTOOLS_CACHE", str(tmp_path / "cache"))


@pytest.mark.once
@pytest.mark.skipif(compat.is_tf1(), reason="doctor, upgrade and run act on TF 2.x")
@pytest.mark.parametrize("line", LINES)
def test_an_example(line, project, compat_server, tmp_path, monkeypatch, capsys, wheel):
    words = shlex.split(line)
    here = tmp_path / "here"
    shutil.copytree(str(project), str(here))
    monkeypatch.chdir(here)
    if words[0] == "completion":
        pytest.importorskip("argcomplete")
    if words[0] == "kernel":
        pytest.importorskip("ipykernel")
        assert cli.main(["kernel", "install", "--prefix", ".venv"]) == 0
    if words[:2] == ["graph", "source"]:
        pytest.importorskip("keras" if "keras" in words else "torch")
        pytest.importorskip("safetensors")
    if words[0] == "upgrade":
        words.append("--force")  # no checkout of git
    if words[0] == "run":
        done = compat_server.run(here, *words[1:])
        assert done.code == 0 and done.out.startswith("42"), done.err
    elif words[0] == "doctor":
        done = compat_server.run_python(here, "-m", "tfgraphtools", *words)
        assert done.code == 0, done.err
    else:
        code = cli.main(words)
        answers = (0, 1) if line.startswith((*ANSWERS, "upgrade src --check")) else (0,)
        assert code in answers, capsys.readouterr().err


def test_the_checkpoint_of_the_examples(project):
    with checkpoints.open_checkpoint(str(project / "model.ckpt-1000")) as ckpt:
        assert list(ckpt) == ["dense/kernel"]
