"""The frame of the command line: help, version, usage errors, exit codes."""

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

        def parse_args(self, argv):
            return type("Arguments", (), {"run": staticmethod(run)})

    monkeypatch.setattr(cli, "build_parser", _Parser)
    assert cli.main(["anything"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("tfgraphtools: ") and err.count("\n") == 1


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help(name, capsys):
    assert cli.main([name, "--help"]) == 0
    assert "usage: tfgraphtools " + name in capsys.readouterr().out
