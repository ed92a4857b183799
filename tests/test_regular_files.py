"""Endless and special files: each is named, and none is read."""

import os
import socket
import sys

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli, compat, regular_files, revive, upgrade
from tfgraphtools.compat.constraints import repository_pins
from tfgraphtools.compat.doctor import source_files

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(compat.is_tf1(), reason="these act on TF 2.x"),
    pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices of POSIX"),
]

GOOD = "import tensorflow as tf\ns = tf.Session()\n"


def _pipe(path):
    os.mkfifo(path)


def _socket(path):
    folder = os.getcwd()
    os.chdir(os.path.dirname(path))  # a socket's path is short
    try:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(os.path.basename(path))
    finally:
        os.chdir(folder)


def _huge(path):
    with open(path, "wb") as file:
        file.truncate(1 << 40)  # without blocks


def _link(target):
    return lambda path: os.symlink(target, path)


#: What stands at a path -> what the report says of it.
SPECIAL = {
    "zero": (_link("/dev/zero"), "a device, no regular file: not looked at"),
    "random": (_link("/dev/urandom"), "a device, no regular file: not looked at"),
    "pipe": (_pipe, "a pipe, no regular file: not looked at"),
    "socket": (_socket, "a socket, no regular file: not looked at"),
    "huge": (_huge, "larger than 8 MiB: not looked at"),
    "loop": (lambda path: os.symlink(os.path.basename(path), path), "Too many levels"),
    "nowhere": (_link("nowhere"), "No such file"),
}


@pytest.mark.parametrize("make, why", SPECIAL.values(), ids=SPECIAL)
def test_sources(make, why, tmp_path):
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "folder.py").mkdir()
    make(str(tmp_path / "p.py"))
    report = upgrade.examine([str(tmp_path)])
    assert [file.shown.rpartition("/")[2] for file in report.changed] == ["good.py"]
    (file,) = [file for file in report.files if file.error]
    assert why in file.error and file.path.endswith("p.py")
    assert why in source_files.read(str(tmp_path / "p.py")).error


#: Files that the plan reads of a repository.
READ = (
    "README.md", "requirements.txt", "setup.py", "setup.cfg", "pyproject.toml", "environment.yml",
    "Pipfile", "a.ipynb", "run.sh", ".travis.yml", "tool", "p.py",
)  # fmt: skip


@pytest.mark.parametrize("make", [pair[0] for pair in SPECIAL.values()], ids=SPECIAL)
def test_plan(make, tmp_path):
    (tmp_path / "good.py").write_text(GOOD)
    for name in READ:
        make(str(tmp_path / name))
    plan = revive.read(str(tmp_path))
    assert plan.is_of_tf1 and not plan.packages
    assert repository_pins.read(str(tmp_path)).date is None


def test_a_pipe_that_is_named(tmp_path, capsys):
    _pipe(str(tmp_path / "p.py"))
    for command in ("upgrade", "revive"):
        assert cli.main([command, str(tmp_path / "p.py")]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_limits(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\r\nb\rc")
    assert regular_files.read(str(path), 6) == b"a\r\nb\rc"
    assert regular_files.text(str(path)) == "a\nb\nc"
    assert regular_files.text(str(path), 5) == regular_files.text(str(tmp_path)) == ""
    with pytest.raises(OSError, match="larger than 5 bytes"):
        regular_files.read(str(path), 5)
    with pytest.raises(OSError, match="a folder"):
        regular_files.read(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", ["m.index", "m.npz", "m.h5", "m.meta", "m.pb", "m.pbtxt"])
def test_pipes_and_devices_as_checkpoints_and_graphs(name, tmp_path, capsys):
    reader = ("graph", "show") if name.endswith(("meta", "pb", "pbtxt")) else ("ckpt", "ls")
    os.mkfifo(str(tmp_path / name))
    os.symlink("/dev/zero", str(tmp_path / ("z" + name)))
    for path, kind in ((name, "a pipe"), ("z" + name, "a device")):
        assert cli.main([*reader, str(tmp_path / path)]) == 2
        assert kind + ", no regular file" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("command", [["ls"], ["verify"], ["show", "w"]], ids=lambda words: words[0])
def test_a_pipe_as_a_shard(command, tmp_path, capsys):
    np.savez(str(tmp_path / "m.npz"), w=np.zeros(3, "f"))
    checkpoints.from_npz(str(tmp_path / "m.npz"), str(tmp_path / "m"))
    (tmp_path / "m.npz").unlink()
    shard = tmp_path / "m.data-00000-of-00001"
    shard.unlink()
    os.mkfifo(str(shard))
    assert cli.main(["ckpt", command[0], str(tmp_path / "m"), *command[1:]]) == 2
    assert "a pipe, no regular file" in capsys.readouterr().err


def test_a_map_without_an_end(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tfgraphtools.cli.ckpt.maps._LARGEST", 1000)
    words = ["ckpt", "rename", str(tmp_path / "a"), str(tmp_path / "b"), "--map", "/dev/zero"]
    assert cli.main(words) == 2
    assert "MiB of JSON, got more" in capsys.readouterr().err
