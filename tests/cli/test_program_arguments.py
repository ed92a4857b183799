"""What stands after a script or command belongs to it, exactly."""

import importlib

import pytest

from tfgraphtools import cli

#: Arguments of a script: abbreviations of our options, our options, "--", "-", text with spaces.
ARGUMENTS = [
    [],
    *[["--n=8"], ["--n", "8"], ["--list"], ["--v=2"], ["--v", "2"], ["--s=1"], ["--re=1"]],
    *[["-m"], ["-c"], ["-q"], ["-qm"], ["-h"], ["--help"], ["--version"], ["--verbose"]],
    *[["--"], ["--", "--n=8"], ["-"], ["a", "--", "-"], ["--list-fixes"], ["--json", "--json"]],
    *[["--seeds", "tf1"], ["--without"], ["--verify", "--", "x"], ["--compare=x"], ["--run", "a"]],
    *[["a b"], ["--name", "a b"], ["--name=a b"], [""], ["--empty", ""], ["-1"], ["-1e-3", "-x"]],
    *[["--k=-1"], ["@file"], ["--=1"], ["---"], ["=a"], ["-Wignore"], ["--i=1"], ["--w"]],
]

#: Options of ours -> what is read of them.
OPTIONS = {
    (): {},
    ("--",): {},
    ("-q",): {"quiet": True},
    ("--seeds", "tf1"): {"seeds": "tf1"},
    ("--seeds=tf1", "--"): {"seeds": "tf1"},
    ("--see", "tf1", "-q"): {"seeds": "tf1", "quiet": True},
    ("--without", "numpy", "--without=pandas"): {"without": ["numpy", "pandas"]},
    ("--ignore", r"-\d+ s", "--ignore=x"): {"ignore": [r"-\d+ s", "x"]},
    ("--ignore", "--n", "--report"): {"ignore": ["--n"], "report": True},
    ("--tolerance", "1e-3", "--list-patches"): {"tolerance": 1e-3, "list_patches": True},
    ("--verb", "--show", "--tol", "1"): {"verbose": True, "show_plots": True, "tolerance": 1},
}

#: How a program is named -> (options before it, the words that are left of it).
PROGRAMS = {
    ("train.py",): {},
    ("-",): {},
    ("a file.py",): {},
    ("-m", "package.train"): {"as_module": True},
    ("-qm", "package"): {"as_module": True, "quiet": True},
    ("-m", "-q", "package"): {"as_module": True, "quiet": True},
    ("-c", "print(1)"): {"as_text": True},
    ("-c", "-1"): {"as_text": True},
    ("-qc", "--n"): {"as_text": True, "quiet": True},
}


@pytest.fixture
def parsed(monkeypatch):
    """A function that gives the arguments that a command reads from a command line."""

    def read(name, *words):
        namespaces = []
        command = importlib.import_module("tfgraphtools.cli." + name)
        monkeypatch.setattr(command, "run", lambda arguments: namespaces.append(arguments) or 0)
        monkeypatch.delenv("TFGRAPHTOOLS_VERBOSE", raising=False)
        assert cli.main([name, *words]) == 0
        monkeypatch.delenv("TFGRAPHTOOLS_VERBOSE", raising=False)
        return vars(namespaces[0])

    return read


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("program", PROGRAMS, ids=" ".join)
def test_a_script(options, program, parsed):
    expected = {**OPTIONS[options], **PROGRAMS[program]}
    is_divided = options[-1:] == ("--",) and program[0] in ("-m", "-qm", "-c", "-qc")
    for words in ARGUMENTS[:: 1 if len(options) == 1 else 9] if not is_divided else ():
        read = parsed("run", *options, *program, *words)
        assert read["words"] == [program[-1], *words]
        assert {name: read[name] for name in expected} == expected
        unread = {"quiet", "seeds", "json", "list_fixes", "why", "compare"} - set(expected)
        assert not any(read[name] for name in unread)


@pytest.mark.parametrize("option", ["--verify", "--verif"])
@pytest.mark.parametrize("separator", [("--",), ()], ids=["separated", "not"])
def test_a_command_that_verifies(option, separator, parsed):
    for words in ARGUMENTS:
        command = ["python", "x.py", *words]
        before = ["src", "b.py", "--run-option", "--python2", "--run-option=-q", "--ignore", "-x"]
        read = parsed("upgrade", *before, option, *separator, *command)
        assert read["verify"] == command
        assert read["paths"] == ["src", "b.py"]
        assert (read["run_option"], read["ignore"]) == (["--python2", "-q"], ["-x"])
        assert not (read["json"] or read["write"] or read["select"])


@pytest.mark.parametrize("form", ["--run", "--run="], ids=["two-words", "one-word"])
def test_commands_of_a_repository(form, parsed):
    commands = ["python train.py --n=8", "-m pkg --yes", "--yes", "-c 'print(1)'", "a.sh -- x"]
    words = [f"{form}{text}" for text in commands]
    if form == "--run":
        words = [word for text in commands for word in (form, text)]
    read = parsed("revive", "repo", *words, "--resume")
    assert read["commands"] == commands
    assert (read["repository"], read["resume"], read["yes"]) == ("repo", True, False)


def test_paths_after_a_separator(parsed):
    assert parsed("upgrade", "--check", "--", "--verify")["paths"] == ["--verify"]


@pytest.mark.parametrize(
    "words, message",
    [
        (["run", "--sed", "tf1", "a.py"], "expected one of its options, got --sed"),
        (["run", "--l", "a.py"], "--list-fixes"),
        (["run", "--seeds", "tf2", "a.py"], "--seeds: expected tf1, got 'tf2'"),
        (["run", "--compare"], "--compare: expected"),
        (["upgrade", "a.py", "--n=8"], "--no-runtime"),
    ],
    ids=" ".join,
)
def test_a_mistake_in_our_options(words, message, capsys):
    assert cli.main(words) == 2
    assert message in capsys.readouterr().err
