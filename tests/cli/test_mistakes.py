"""Mistakes on the command line, of every command: one line says what to do, with exit code 2."""

import json
import os
import shlex
import sys

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli, compat

#: Id: (the command line, parts of what it says).
MISTAKES = {
    # the wrong order, the wrong place
    "a script as the command": ("a.py", "got 'a.py'", "To run it: tfgraphtools run a.py"),
    "an option before the command": ("ckpt --json ls m", "--json after 'tfgraphtools ckpt ls'"),
    "the command of --verify first": (
        "upgrade --verify a.py",
        "PATH: Python files",
        "before --verify",
        "upgrade src --verify -- python",
    ),
    "a graph that is absent": ("graph show absent.pb", "absent.pb: expected an existing file"),
    "an option of another command": (
        "run --match x a.py",
        "got --match",
        "of: ckpt ls, ckpt strip",
    ),
    "an option of --check alone": (
        "upgrade src --ignore-missing-imports",
        "expected --check",
        "upgrade src --check --ignore-missing-imports",
    ),
    "another command's option": ("doctor --write a.py", "got --write", "an option of: upgrade"),
    "another format's option": ("ckpt convert m n.npz --to npz --model a.py:f", "got --model"),
    "two sources of three": ("ckpt rename m n extra --rule w v", "got 'extra'", "has spaces"),
    "a wheel without --wheel": ("legacy install a.whl", "expected no more arguments, got 'a.whl'"),
    # a typo, another name
    "a command of another program": ("ckpt list m", "got 'list'", "Did you mean 'ls'?"),
    "a typo of legacy": ("legacy instal", "got 'instal'", "Did you mean 'install'?"),
    "a typo of kernel": ("kernel instal", "expected one of install, remove, got 'instal'"),
    "a shell that is none": ("completion tcsh", "expected one of bash, zsh, fish, got 'tcsh'"),
    "a sort that is none": ("ckpt ls m --sort date", "--sort: expected one of name, size"),
    "seeds that are none": ("run --seeds tf2 a.py", "--seeds: expected tf1, got 'tf2'"),
    "a dtype that is none": ("ckpt cast m n --to float17", "--to: expected", "got 'float17'"),
    "a tensor's output": ("ckpt show m dense/kernel:0", "Did you mean 'dense/kernel'?"),
    # nothing where something is needed
    "no script": ("run --", "expected a script, or -m and a module, got none", "train.py"),
    "no module": ("run -m", "run -m: expected the name of a module, got none", "For example"),
    "no code": ("run -c", "run -c: expected Python code, got none"),
    "no value": ("run --why", "--why: expected NAME, got none", "For example: tfgraphtools run"),
    "one value of two": ("ckpt rename m n --rule w", "expected PATTERN NEW, got fewer", "'fc/\\1'"),
    "no repository": ("revive nowhere", "the folder of a repository", "no such folder", "Give"),
    "no time": ("revive --seconds 0", "--seconds: expected more than 0, got 0", "For example"),
    "no path": ("upgrade", "expected PATH", "got none", "For example: tfgraphtools upgrade src"),
    "no code to look at": ("doctor", "expected PATH, got none. For example: tfgraphtools doctor"),
    "no action": ("kernel", "expected one of install, remove, got none", "install --prefix"),
    "no graph and no names": ("explain", "expected GRAPH and --y NAME and --x NAME", "got none"),
    "no graph to compare with": ("ckpt doctor m", "expected --graph FILE, got none", ".meta"),
    "no second checkpoint": ("ckpt diff m", "expected other, got none", "ckpt diff model.ckpt"),
    "no type": ("ckpt cast m n", "expected --to TYPE, got none", "--to float16"),
    "no Python for --python37": (
        "upgrade --python37 python3 a.py",
        "got no --verify",
        "--verify --",
    ),
    # numbers
    "no integer": ("ckpt ls m --depth x", "--depth: expected an integer, got 'x'"),
    "no number": ("run --tolerance x --compare p a.py", "--tolerance: expected a number, got 'x'"),
    "a tolerance below 0": ("ckpt verify m --against m --tolerance -1", "0 or more, got -1.0"),
    "a depth below 0": ("ckpt ls m --depth -1", "--depth: expected 0 or more, got -1"),
    "too many slices": (
        "ckpt partition m n --into dense/kernel 9",
        "--into dense/kernel: expected",
    ),
    "one weight for two": ("ckpt average n m m --weights 1", "Give one weight for each", "1 2"),
    # two that exclude each other
    "to write and only to check": ("upgrade --write --check a.py", "--write or --check, got both"),
    "a value for a switch": ("upgrade a.py --write=yes", "--write: expected no value, got 'yes'"),
    "a destination and in place": ("ckpt rename m n --in-place --rule a b", "got both"),
    # files and folders
    "a pattern for no file": ("doctor *.txt2", "got no such file", "No file matches the pattern"),
    "a path of Windows": (r"run C:\me\train.py", "got no such file", "in WSL, C: is /mnt/c"),
    "a backslash": (r"doctor src\train.py", "Write / between folders: src/train.py"),
    "an archive without main": ("run w.npz", "got an archive without __main__.py"),
    "a script as a module": ("run -m a.py", "the path of a file. Write: tfgraphtools run a.py"),
    "a script of a shell": ("run train.sh", "expected a Python script, got a script of a shell"),
    "a script that names a shell": ("run train", "got a script of a shell. Write 'tfgraphtools"),
    "an option of --verify alone": ("upgrade a.py --ignore x", "--ignore: expected --verify"),
    "JSON that is no notebook": ("run b.ipynb", "expected a notebook", "a file of another form"),
    "a folder for a report": ("run --report-to folder a.py", "a file to write, got the folder"),
    "a page in no folder": ("doctor --html no/x.html a.py", "got no folder no", "mkdir -p no"),
    "a page below a file": (
        "doctor --html a.py/x.html a.py",
        "a file in a folder, got a.py, a file",
    ),
    "a picture in a folder": ("ckpt show m dense/kernel --png folder", "--png: expected a file"),
    "a checkpoint below a file": ("ckpt cast m a.py/n --to float16", "a.py, a file"),
    "a file for a folder": ("ckpt recover a.py", "expected a folder, got a file"),
    "a checkpoint for code": ("doctor m", "got a checkpoint", "ckpt doctor m --graph m.meta"),
    "an index for code": ("doctor m.index", "got a checkpoint. Write: tfgraphtools ckpt doctor m"),
    "a graph beside code": ("doctor a.py g.meta", "got a graph and other paths", "doctor g.meta"),
    "a checkpoint for a graph": (
        "explain m --y l --x w",
        "a checkpoint. Write: tfgraphtools explain",
    ),
    "a folder for a graph": ("explain folder --y l --x w", "a folder without saved_model.pb"),
    "code for a graph": ("explain a.py --y l --x w", "expected a MetaGraph", "got another file"),
    "an empty file for a graph": ("ckpt doctor m --graph g.meta", "a graph, got no nodes"),
    "an empty archive": ("ckpt ls e.npz", "got bytes 0 to 8 of a file of 0: cut short"),
    "JSON of Python": ("ckpt rename m n --map p.json", "expected JSON", "double quotes"),
    "a wheel that is a folder": ("legacy install --wheel folder", "--wheel folder", "got a folder"),
    "a kernel without a name": ("kernel install --name= --prefix k", "--name: expected", "got ''"),
    "a kernel in a folder": ("kernel remove --name a/b", "expected a name of letters", "got 'a/b'"),
    "no such Python": ("run --compare nopython a.py", "--compare nopython:", "got no such program"),
}

#: Commands that say something else on TF 1.15, where there is nothing to do.
ON_TF2 = ("upgrade", "revive", "doctor *", "doctor src")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder of what the command lines name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TFGRAPHTOOLS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "train.sh").write_text("python a.py\n")
    (tmp_path / "train").write_text("#!/usr/bin/env bash\npython a.py\n")
    (tmp_path / "b.ipynb").write_text(json.dumps({"name": "no notebook"}))
    (tmp_path / "p.json").write_text("{'old': 'new'}")
    for name in ("e.npz", "g.meta"):
        (tmp_path / name).write_bytes(b"")
    np.savez("w.npz", **{"dense/kernel": np.ones(3, "f4")})
    checkpoints.from_npz("w.npz", "m")


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake(case, files, capsys):
    line, *expected = MISTAKES[case]
    if compat.is_tf1() and line.startswith(ON_TF2):
        pytest.skip("there is nothing to do on TF 1.15")
    before = sorted(os.listdir("."))
    assert cli.main(shlex.split(line.replace("\\", "\\\\"))) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "Traceback" not in err, err
    assert [part for part in expected if part not in err] == [], err
    assert sorted(os.listdir(".")) == before


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_a_folder_that_may_not_be_written(files, capsys, monkeypatch):
    monkeypatch.setattr(
        os, "access", lambda path, mode: not path.endswith("folder")
    )  # root may write
    assert cli.main(["explain", "g.meta", "--y", "l", "--x", "w", "--dot", "folder/x.dot"]) == 2
    assert "--dot: expected a file that you may write, got folder/x.dot: permission denied" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "module, message",
    [
        ("nowhere", "got no such module"),
        ("nowhere.train", "got no such module"),
        ("pack", "got a package without __main__.py"),
        ("a.b", "got no such module"),
    ],
)
@pytest.mark.skipif(compat.is_tf1(), reason="run acts on TF 2.x")
def test_a_module_that_does_not_exist(module, message, compat_server, tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "a.py").write_text("")
    done = compat_server.run(tmp_path, "-m", module)
    assert done.code == 2 and message in done.err and "Traceback" not in done.err
    assert f"run -m {module}: expected a module that Python finds" in done.err


@pytest.mark.skipif(compat.is_tf1(), reason="run acts on TF 2.x")
def test_a_package_that_fails_shows_its_own_traceback(compat_server, tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("import no_such_library\n")
    (tmp_path / "pack" / "train.py").write_text("")
    done = compat_server.run(tmp_path, "-m", "pack.train")
    assert done.code == 1 and "No module named 'no_such_library'" in done.err
    assert "pack" in done.err and "Traceback" in done.err


def test_there_are_forty():
    assert len(MISTAKES) >= 40
    commands = {line.split()[0] for line, *_ in MISTAKES.values()}
    assert set(cli.COMMANDS) - {"help"} <= commands, sys.version
