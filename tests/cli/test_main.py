"""The frame of the command line: help, version, usage errors, exit codes."""

import sys

import numpy as np
import pytest

import tfgraphtools
from tfgraphtools import cli
from tfgraphtools.errors import ArgumentError


@pytest.mark.parametrize("argv", [[], ["--help"]], ids=["no-words", "help"])
def test_help(argv, capsys):
    assert cli.main(argv) == 0
    assert "usage: tfgraphtools" in capsys.readouterr().out


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == "tfgraphtools " + tfgraphtools.__version__


def test_usage_error_is_one_line(capsys):
    assert cli.main(["--no-such-option"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "--help" in err


@pytest.mark.parametrize(
    "error",
    [
        ArgumentError("x", "a\nb", "c", "Do d."),
        FileNotFoundError(2, "No such file", "missing.ckpt"),
    ],
    ids=["ours", "the-system's"],
)
def test_an_error_is_one_line(error, capsys, monkeypatch):
    def run(arguments):
        raise error

    class _Parser:
        _actions = ()

        def parse_known_args(self, argv):
            return type("Arguments", (), {"run": staticmethod(run)}), []

    monkeypatch.setattr(cli, "build_parser", _Parser)
    assert cli.main(["anything"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("tfgraphtools: ") and err.count("\n") == 1


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help(name, capsys):
    assert cli.main([name, "--help"]) == 0
    assert "usage: tfgraphtools " + name in capsys.readouterr().out


MISTAKES = {
    "a file that is missing": ("upgrade nowhere.py", "expected a Python file", "got no such file"),
    "a file of another kind": ("doctor notes.txt", "expected a Python file", "got a .txt file"),
    "no script but a folder": ("run folder", "expected the file of a script", "__main__.py"),
    "a fix that is none": ("upgrade --select nofix a.py", "--select nofix: expected", "list-fixes"),
    "an option that is none": ("ckpt ls --jsn w.npz", "--jsn", "mean '--json'?", "ckpt ls --"),
    "no command": ("rnu a.py", "expected a command of run, ", "got 'rnu'", "mean 'run'?"),
    "no command of ckpt": ("ckpt veryfy w.npz", "got 'veryfy'", "mean 'verify'?"),
    "no format": ("ckpt convert w.npz n --to kears", "--to", "got 'kears'", "mean 'keras'?"),
    "nothing like it": ("ckpt ls --xyz w.npz", "expected one of its options", "got --xyz (see"),
    "a Python without TF 1": ("run --compare {python} a.py", "has TensorFlow 1.x, got", "Name one"),
    "a map that is missing": ("ckpt rename w.npz n --map m.json", "m.json: expected an", "Check"),
    "a pattern for no tensor": ("ckpt strip w.npz n --match x", "--match: expected", "got 'x'"),
    "slices of no tensor": ("ckpt partition w.npz n --into x 2", "--into: expected", "got 'x'"),
    "one source": ("ckpt merge new w.npz", "expected two checkpoints", "Pass all"),
    "no number": ("ckpt show w.npz w --slice abc", "--slice: expected", "got 'abc'"),
    "no destination": ("ckpt strip w.npz", "ckpt strip: expected a destination", "Give"),
    "no regular expression": ("ckpt ls w.npz --match (", "--match: expected", "backslash"),
    "no checkpoint": ("ckpt ls notes.txt", "got another file", "The prefix is"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_what_a_newcomer_is_told(case, capsys, monkeypatch, tmp_path):
    """What happened, what was expected, what it got, and how to fix it; in the terms of the CLI."""
    if sys.version_info < (3, 8) and MISTAKES[case][0].startswith(("upgrade", "doctor")):
        pytest.skip("there is nothing to do on TF 1.15")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name in ("a.py", "notes.txt"):
        (tmp_path / name).write_text("x = 1\n")
    np.savez("w.npz", w=np.ones(3, "f4"))
    command, *expected = MISTAKES[case]
    nowhere = str(tmp_path / "python3.7")
    assert cli.main([word.format(python=nowhere) for word in command.split()]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "Traceback" not in err
    assert [part for part in expected if part not in err] == [], err
