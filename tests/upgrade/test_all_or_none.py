"""`upgrade --write` is all or none: full disks, refused steps, and kills at any moment.

The oracle is the tree: every file is as it was, or every file is upgraded; or the next upgrade
refuses, names the files that are new, and `--recover` puts back the old ones.
"""

import errno
import json
import os
import pathlib
import resource
import subprocess
import sys

import pytest

from tfgraphtools import cli, upgrade
from tfgraphtools.errors import ArgumentError, DestinationError
from tfgraphtools.upgrade.trees import all_or_none

pytestmark = pytest.mark.once

OLD = "import tensorflow as tf\ny = tf.mul(1, 2)\n"
NAMES = ("a.py", "sub/b.py", "sub/deep/c.py", "d.py")

#: Replaces three files and makes one, in a child for each step of the file system; at that step the
#: child ends, or the step is refused.
STEPS = """
import errno, json, os, sys
from tfgraphtools.upgrade.trees import all_or_none
from tfgraphtools import files
how, top, backup = sys.argv[1], sys.argv[2], sys.argv[3] == "backup"
names = ("a.py", "sub/b.py", "sub/deep/c.py", "d.py")
EVENTS = {"open", "os.rename", "os.link", "os.remove", "os.chmod", "os.chown"}

def replacements(folder):
    paths = [os.path.join(folder, name) for name in names]
    for path in paths:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not path.endswith("d.py"):
            with open(path, "wb") as file:
                file.write(b"old " + path.encode())
            os.chmod(path, 0o640)
    return [
        all_or_none.Replacement(
            path, None if path.endswith("d.py") else b"old " + path.encode(), b"new" * 5000,
            path + ".orig" if backup and not path.endswith("d.py") else None)
        for path in paths
    ]

at = 0
while True:
    at += 1
    folder = os.path.join(top, str(at))
    changes = replacements(folder)
    child = os.fork()
    if child == 0:
        count = [0]
        def hook(event, arguments):
            if event in EVENTS and folder in str(arguments):
                count[0] += 1
                if count[0] == at and how == "kill":
                    os._exit(9)
                if count[0] == at or how == "refuse all" and count[0] > at:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sys.addaudithook(hook)
        try:
            all_or_none.replace_all(changes)
        except Exception as error:
            how = "done"
            with open(os.path.join(top, f"{at}.error"), "w") as file:
                file.write(f"{type(error).__name__}: {error}")
            os._exit(1)
        os._exit(0)
    code = os.waitpid(child, 0)[1] >> 8
    with open(os.path.join(top, f"{at}.code"), "w") as file:
        file.write(str(code))
    if code == 0 and how == "kill" or at == 70:
        break
"""


def run_steps(how, top, backup=""):
    """Runs `STEPS`; yields (folder, exit code, the error's text)."""
    command = [sys.executable, "-c", STEPS, how, str(top), backup]
    subprocess.run(command, check=True)
    for code in sorted(top.glob("*.code"), key=lambda path: int(path.stem)):
        error = code.with_suffix(".error")
        yield (
            code.with_suffix(""),
            int(code.read_text()),
            error.read_text() if error.exists() else "",
        )


def state_of(folder):
    """The state of each file: "old", "new" or "none"."""
    states = []
    for name in NAMES:
        path = folder / name
        if not path.exists():
            states.append("none")
        else:
            data = path.read_bytes()
            expected = b"old " + str(path).encode()
            assert data in (expected, b"new" * 5000)
            assert name == "d.py" or path.stat().st_mode & 0o777 == 0o640
            states.append("old" if data == expected else "new")
    return states


ALL_OLD, ALL_NEW = ["old", "old", "old", "none"], ["new"] * 4


@pytest.mark.parametrize("backup", ["", "backup"])
def test_a_kill_at_any_step(tmp_path, backup):
    mixed = 0
    for folder, code, _ in run_steps("kill", tmp_path, backup):
        state = state_of(folder)
        try:
            all_or_none.require_none_interrupted([str(folder / "sub" / "b.py")])
        except ArgumentError as error:
            mixed += state not in (ALL_OLD, ALL_NEW)
            assert f"{state.count('new')} of 4 files upgraded" in str(error)
            assert all((name in str(error)) == (s == "new") for name, s in zip(NAMES, state))
            assert "--recover" in str(error)
            assert upgrade.recover([str(folder)]) == [
                os.path.realpath(folder / name) for name, s in zip(NAMES, state) if s == "new"
            ]
            assert state_of(folder) == ALL_OLD
            assert not list(folder.rglob(".tfgraphtools-*"))
            all_or_none.require_none_interrupted([str(folder)])
        else:
            assert state == (ALL_NEW if code == 0 else state) and state in (ALL_OLD, ALL_NEW)
    assert mixed == 3  # the cases between two files were met


@pytest.mark.parametrize("backup", ["", "backup"])
def test_a_step_that_is_refused(tmp_path, backup):
    refusals = 0
    for folder, code, error in run_steps("refuse", tmp_path, backup):
        state = state_of(folder)
        strays = [path for path in folder.rglob("*") if ".tfgraphtools-" in path.name]
        if code == 0:
            assert state == ALL_NEW
            continue
        refusals += 1
        assert state == ALL_OLD and "all files are as they were" in error, error
        assert not list(folder.rglob("*.orig"))
        assert len(strays) <= 1  # the one whose removal was refused
    assert refusals > 10


def test_a_disk_that_stays_full(tmp_path):
    """Nothing can be put back either: the message names the files that are new."""
    named = 0
    for folder, code, error in run_steps("refuse all", tmp_path):
        state = state_of(folder)
        if code and state not in (ALL_OLD, ALL_NEW):
            named += 1
            new = [name for name, s in zip(NAMES, state) if s == "new"]
            assert all(name in error for name in new) and "--recover" in error
            assert upgrade.recover([str(folder)]) and state_of(folder) == ALL_OLD
    assert named


@pytest.mark.parametrize("room", [0, 1, 2, 3, 4])
def test_no_room_for_the_nth_file(tmp_path, room, capsys):
    """The size of files is limited, also for the superuser, so that the first `room` files fit."""
    before = {}
    for number in range(5):
        path = tmp_path / f"{'abcde'[number]}.py"
        path.write_text(OLD + "# x\n" * 400 * (number + 1))
        before[path] = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    report = upgrade.examine([str(tmp_path)])
    resource.setrlimit(resource.RLIMIT_FSIZE, (1600 * room + 1200, hard))
    try:
        with pytest.raises(DestinationError, match="all files are as they were"):
            report.write(force=True, backup=room % 2 == 0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.fixture
def interrupted(tmp_path):
    """A folder with an upgrade that was killed when one file of two was new."""
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(OLD)
    report = upgrade.examine([str(tmp_path)])
    code = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path)], cwd=str(pathlib.Path.cwd())
    ).returncode
    assert code == 9 and report.changed
    return tmp_path


_KILLED = """
import os, sys
from tfgraphtools import upgrade
report = upgrade.examine([sys.argv[1]])
def hook(event, arguments):
    if event == "os.rename" and str(arguments[1]).endswith("b.py"):
        os._exit(9)
sys.addaudithook(hook)
report.write(force=True)
"""


def test_the_command_refuses_and_recovers(interrupted, capsys):
    new = (interrupted / "a.py").read_text()
    assert "compat.v1" in new and (interrupted / "b.py").read_text() == OLD
    for words in (["--write", "--force"], ["--check"], []):
        assert cli.main(["upgrade", str(interrupted / "b.py"), *words]) == 2
        error = capsys.readouterr().err
        assert "1 of 2 files upgraded: " in error and "a.py" in error and "--recover" in error
    assert cli.main(["upgrade", str(interrupted), "--recover"]) == 0
    assert "a.py: the old file is back" in capsys.readouterr().out
    assert [(interrupted / name).read_text() for name in ("a.py", "b.py")] == [OLD, OLD]
    assert sorted(path.name for path in interrupted.iterdir()) == ["a.py", "b.py"]
    assert cli.main(["upgrade", str(interrupted), "--write", "--force"]) == 0
    assert "compat.v1" in (interrupted / "b.py").read_text()


def test_an_edit_since_then_is_not_lost(interrupted, capsys):
    (interrupted / "a.py").write_text("mine\n")
    assert cli.main(["upgrade", str(interrupted), "--recover"]) == 2
    error = capsys.readouterr().err
    assert "changed since then" in error and ".old" in error
    assert (interrupted / "a.py").read_text() == "mine\n"


@pytest.mark.parametrize(
    "entry",
    [
        "nothing",
        {"path": "OUT/x", "new": "OUT/.tfgraphtools-1.new", "old": None},
        {"path": "IN/x", "new": "OUT/x", "old": None},
        {"path": "IN/x", "new": "IN/.tfgraphtools-1.new", "old": "IN/x.py"},
        {"path": "IN/../../x", "new": "IN/../../.tfgraphtools-1.new", "old": None},
    ],
)
def test_a_journal_of_somebody_else(entry, tmp_path, capsys):
    """It cannot have files moved or removed."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    for path in (inside / "x", inside / "x.py", outside / "x", tmp_path / "x"):
        path.write_text("x")
    text = json.dumps({"files": [entry]}) if isinstance(entry, dict) else entry
    if isinstance(entry, dict):
        digest = all_or_none._digest(b"x")
        entry = dict(entry, before=None, after=digest)
        text = json.dumps({"files": [entry]})
    text = text.replace("IN", str(inside)).replace("OUT", str(outside))
    (inside / all_or_none.JOURNAL).write_text(text)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert cli.main(["upgrade", str(inside), "--recover"]) == 2
    assert "expected the journal of an upgrade" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_without_hard_links(tmp_path, monkeypatch):
    """FAT has none: the old file is copied."""

    def refused(*_):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refused)
    (tmp_path / "a.py").write_text(OLD)
    upgrade.examine([str(tmp_path)]).write(force=True)
    assert "compat.v1" in (tmp_path / "a.py").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]
