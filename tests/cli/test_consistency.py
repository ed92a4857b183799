"""What holds for every command: --json, --verbose, help, completion, pipes, wording of errors."""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli
from tfgraphtools.cli import _streams, _tables, _wording, ckpt

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARSERS = dict(cli.subcommands())

#: Commands that print no table.
NO_TABLE = {
    "tfgraphtools completion",
    "tfgraphtools help",
    "tfgraphtools kernel",
    "tfgraphtools legacy install",
    "tfgraphtools legacy remove",
}
LEAVES = sorted(name for name, parser in PARSERS.items() if parser.get_default("parser") is parser)


def options(name):
    return {option for action in PARSERS[name]._actions for option in action.option_strings}


@pytest.fixture
def many(tmp_path):
    """A checkpoint of so many tensors that its list fills a pipe."""
    np.savez(str(tmp_path / "m.npz"), **{f"layer_{i}/kernel": np.zeros(1) for i in range(3000)})
    checkpoints.from_npz(str(tmp_path / "m.npz"), str(tmp_path / "m"))
    return tmp_path / "m"


@pytest.mark.parametrize("name", LEAVES)
def test_options(name):
    assert {"--verbose", "--quiet", "-q"} <= options(name)
    assert ("--json" in options(name)) == (name not in NO_TABLE)


@pytest.mark.parametrize("name", sorted(PARSERS))
def test_help_of_a_command(name, capsys):
    assert cli.main(["help", *name.split()[1:]]) == 0
    assert capsys.readouterr().out.startswith("usage: " + name)


@pytest.mark.parametrize(
    "words, meant",
    [("ckpt lss", "ckpt ls"), ("grpah", "graph"), ("verfy", "ckpt verify"), ("ckpt", None)],
)
def test_help_of_no_command(words, meant, capsys):
    code, err = cli.main(["help", *words.split()]), capsys.readouterr().err
    assert (code, err) == (0, "") if meant is None else code == 2
    if meant:
        assert f"expected a command, got '{words}'. Did you mean '{meant}'?" in err


@pytest.mark.parametrize("group", ["ckpt", "graph", "legacy"])
def test_a_group_alone_shows_its_help(group, capsys):
    assert cli.main([group]) == 0
    assert capsys.readouterr().out == PARSERS["tfgraphtools " + group].format_help()


def test_quiet_prints_results_and_errors_alone(many, capsys):
    words = ["ckpt", "convert", str(many), str(many) + "2.npz", "--to", "npz"]
    assert cli.main(words) == 0 and "to load it" in capsys.readouterr().err
    assert cli.main([*words, "--force", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert out.endswith("KiB\n") and err == ""
    assert cli.main(["ckpt", "ls", "absent", "-q"]) == 2
    assert capsys.readouterr().err.startswith("tfgraphtools: absent: expected")


def test_errors_that_a_command_prints_itself_pass_quiet(capsys):
    with _streams.without_messages():
        print("note: something\ntfgraphtools: an error", file=sys.stderr)
        print("half a line", end="", file=sys.stderr)
    assert capsys.readouterr().err == "tfgraphtools: an error\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    "line, offered",
    [
        ("tfgraphtools ck", ["ckpt"]),
        ("tfgraphtools ckpt ver", ["verify"]),
        ("tfgraphtools ckpt verify --sal", ["--salvage"]),
        ("tfgraphtools ckpt ls my", ["my\\ model.index"]),
        ("tfgraphtools ckpt convert a b --to ker", ["keras"]),
    ],
    ids=["command", "subcommand", "option", "file-with-a-space", "format"],
)
def test_completion(line, offered, capsys, tmp_path):
    """A bash that has read the script offers what fits, as at a press of TAB."""
    pytest.importorskip("argcomplete")
    (tmp_path / "my model.index").write_bytes(b"")
    assert cli.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    program = tmp_path / "bin" / "tfgraphtools"
    program.parent.mkdir()
    start = "from tfgraphtools import cli; cli.console_main()"
    program.write_text(f"#!{sys.executable}\n{start}\n")
    program.chmod(0o755)
    script += f"""
        COMP_LINE={shlex.quote(line)}; COMP_POINT=${{#COMP_LINE}}; COMP_TYPE=9
        COMP_WORDS=($COMP_LINE); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _python_argcomplete tfgraphtools; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", script],
        stdout=subprocess.PIPE,
        cwd=str(tmp_path),
        env=dict(os.environ, PYTHONPATH=str(ROOT), PATH=path),
    )
    assert [word.strip() for word in done.stdout.decode().splitlines()] == offered


def test_a_closed_pipe_is_silent(many):
    command = f'"{sys.executable}" -m tfgraphtools ckpt ls "{many}" | head -n 1'
    done = subprocess.run(
        command,
        shell=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True,
    )
    assert done.stdout.startswith(b"name") and done.stderr == b""


def test_a_terminal_of_no_columns(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "0")
    assert _tables.terminal_width() is None


def test_verbose_shows_the_traceback(tmp_path, monkeypatch):
    monkeypatch.setenv("TFGRAPHTOOLS_VERBOSE", "")  # what main() sets is gone after the test
    with pytest.raises(FileNotFoundError):
        cli.main(["ckpt", "ls", str(tmp_path / "absent"), "--verbose"])


def test_recover_as_json(tmp_path, capsys):
    assert cli.main(["ckpt", "recover", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"folder": str(tmp_path), "interrupted_writes": 0}


@pytest.mark.parametrize(
    "command, message, expected",
    [
        ("ckpt rename", "Pass overwrite=True (--force).", "Pass --force."),
        ("ckpt rename", "plan(rename=...): expected a", "--rule: expected a"),
        ("ckpt convert", "Pass steps=... (--steps); 0 if", "Pass --steps; 0 if"),
        ("ckpt convert", "Use drop_optimizer=True (--drop-optimizer).", "Use --drop-optimizer."),
        ("ckpt convert", "the model sets epsilon=1e-07", "the model sets epsilon=1e-07"),
        ("ckpt show", "Pass bins=20.", "Pass --bins 20."),
    ],
)
def test_errors_speak_of_options(command, message, expected):
    assert _wording.as_options(message, PARSERS["tfgraphtools " + command]) == expected


@pytest.mark.parametrize("group", sorted(ckpt.GROUPS))
def test_a_subcommand_of_ckpt_loads_its_own_group(group):
    for name in ckpt.GROUPS[group]:
        commands = [full.split()[-1] for full, _ in cli.subcommands(cli.build_parser("ckpt", name))]
        assert commands[2:] == ckpt.GROUPS[group]
