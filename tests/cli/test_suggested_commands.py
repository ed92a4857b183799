"""Every command that a page, a message or a help suggests is typed here, or stands in a list.

Commands come from code in sentences of the pages and from the strings of the package. One without
arguments names a command, which must exist. Any other is completed by `STANDS_FOR` and typed in a
folder that has the files it names, unless `NOT_TYPED` says why not; then the command line must
accept it. Examples in a help, and blocks of the pages, have tests of their own (`test_examples`,
`tests/documentation/test_blocks.py`).
"""

import ast
import pathlib
import re
import shlex
import shutil
import sys

import numpy as np
import pytest
from doc_blocks import PAGES
from places import ROOT

import tfgraphtools
from tfgraphtools import cli, compat
from tfgraphtools.cli.doctor import _lines
from tfgraphtools.compat.doctor import report, statuses

pytestmark = pytest.mark.once

PACKAGE = pathlib.Path(tfgraphtools.__file__).resolve().parent
PARSERS = dict(cli.subcommands())
_NAMES = "run|doctor|upgrade|revive|kernel|legacy|explain|ckpt|graph|completion|help"

#: What is no command of ours -> why.
NO_COMMANDS = {
    r"^tfgraphtools \S+( --seeds=tf1)?(, .*|:.*)$": "the beginning of a message",
    r"^tfgraphtools (doctor|run) [a-z]+ Python": "a sentence",
    r"^tfgraphtools ckpt cast\)": "the end of a sentence",
    r"<": "HTML",
    r" \| [a-z]+ \|": "a list of commands",
    r"^tfgraphtools run, or": "a sentence",
    r" (draws|ends|would|has|with|and|or) ": "a sentence",
    r"^tfgraphtools .* \{command\}|\{action\}|tfgraphtools \{": "the name of a command is added",
}

#: Part of a command -> what a user types there. The first that fits wins.
STANDS_FOR = [
    (r"\{arguments\.name\} \{arguments\.checkpoint\}", "model.ckpt w"),
    (
        r"\{prefix\}|\{self\._part\.place\}|\{arguments\.checkpoint\}|CHECKPOINT|SOURCE\b",
        "model.ckpt",
    ),
    (r"NAME\b", "w"),
    (r"ckpt ls \{path\}", "ckpt ls model.ckpt"),
    (r"(?<=ckpt convert )--to keras$", "model.ckpt a.keras --to keras --model models.py:build"),
    (r"(?<=ckpt convert )--to tf1$", "model.ckpt new --to tf1 --rule a b"),
    (r"run --compare$", "run --compare python3.7 train.py"),
    (r"(?<= --to )\{name\} --out model\.\{name\}", "onnx --out model.onnx"),
    (r"\{path\}\.meta \.\.\.", "model.meta --y y --x w"),
    (r"doctor --graph \{\}|doctor --graph$", "doctor model.ckpt --graph model.meta"),
    (r"doctor --graph model\.ckpt$", "doctor model.ckpt --graph model.meta"),
    (r"\{weight\.dtype\}", "float16"),
    (r"cast --to float16 --only \{.*", "cast model.ckpt half --to float16 --only w"),
    (r"cast --to( float16 --only)?$", "cast model.ckpt half --to float16"),
    (r"verify --salvage OUT", "verify model.ckpt --salvage out"),
    (r"strip model\.ckpt OTHER --match w", "strip model.ckpt other --match w"),
    (r"constraints FILE( \{path\})?$", "constraints constraints.txt src"),
    (r"constraints\.txt \{self\.(path|words)\}", "constraints constraints.txt src"),
    (r"--wheel FILE", "--wheel x.whl"),
    (r"\{(self\.)?words\}|\{self\.path\}|\{paths?\}|\{repository\}|REPO\b", "src"),
    (r"\{first\}|\{word\}|\{script\}|SCRIPT\b", "train.py"),
    (r"--v1-package( \{package\})?", "--v1-package old"),
    (r"--without( \{name\})?( \.\.\.)?$", "--without tensorflow.add train.py"),
    (r"\{name\}=\.\.\.", "--ignore=x"),
    (r"src\{verify\}", "src"),
    (r"upgrade \{\}", "upgrade src"),
    (r"python \{\}", "python train.py"),
    (r"PYTHON(37)?\b", "python3.7"),
    (r"graph show FILE", "graph show model.meta"),
    (r"COMMAND", "run"),
    (r"\.\.\. --use-ema", "model.ckpt new.npz --to npz --use-ema"),
    (r"revive \.\.\.", "revive src"),
    (r"revive --yes", "revive src --yes"),
    (r" \.\.\.$", " train.py"),
    (r" \| head$", ""),
]

#: Beginning of a command -> why it is not typed here. The command line must accept it.
NOT_TYPED = {
    "run": "tests/cli/test_examples.py and tests/runner run scripts",
    "doctor": "tests/compat/doctor examines code",
    "upgrade": "tests/upgrade writes code",
    "revive": "tests/revive does all stages",
    "kernel": "tests/cli/test_kernel.py installs and removes one",
    "legacy install": "it downloads 155 MB; tests/cli/test_legacy.py installs a small package",
    "legacy remove": "tests/cli/test_legacy.py",
    "completion": "tests/cli/test_consistency.py reads the script in a shell",
    "graph convert": "it needs tf2onnx; tests/graphs/test_convert.py converts",
    "graph source": "it needs torch; tests/graphs/test_source.py writes code",
    "graph extract": "tests/graphs/test_extract.py",
    "explain": "tests/cli/test_examples.py explains a gradient",
    "ckpt convert": "tests/cli/ckpt/test_examples.py converts to each format",
}


def _in_pages():
    pages = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    for page in pages:
        text = " ".join(page.read_text(encoding="utf-8").split())
        for command in re.findall(r"(?<!`)`(tfgraphtools [^`]+)`(?!`)", text):
            yield page.name, command


def _in_strings():
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for text in _texts(tree):
            for command in re.findall(rf"tfgraphtools (?:{_NAMES})\b[^'`\n]*", text):
                yield path.name, command


def _texts(tree):
    """Yields the texts of a module; what an f-string fills in is in braces."""
    inside = {
        id(value) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
        for value in node.values
    }  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                value.value
                if isinstance(value, ast.Constant)
                else f"{{{ast.unparse(value.value)}}}"
                for value in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in inside:
                yield node.value


def _completed(command):
    """Returns a suggested command as a user would type it; None for what is no command."""
    command = re.sub(r"[.,;:)\s]+$", "", command) if not command.endswith("...") else command
    if any(re.search(pattern, command) for pattern in NO_COMMANDS):
        return None
    command = re.split(r"[.;:] (?=[A-Z])|\)(?=$|[ .,;])|\"", command)[0]
    for pattern, typed in STANDS_FOR:
        command = re.sub(pattern, lambda _, typed=typed: typed, command)
    return command.strip()


def _suggested():
    """{command as it is typed: the files that suggest it}."""
    found = {}
    for file, command in [*_in_pages(), *_in_strings()]:
        typed = _completed(command)
        if typed:
            found.setdefault(typed, set()).add(file)
    return found


SUGGESTED = _suggested() if sys.version_info >= (3, 9) else {}  # it needs ast.unparse
ONLY_NAMES = [command for command in SUGGESTED if command in PARSERS]
WHOLE = sorted(set(SUGGESTED) - set(ONLY_NAMES) - {"tfgraphtools --help"})


def _is_typed(command):
    words = command.partition(" ")[2]
    return not any(words.startswith(beginning) for beginning in NOT_TYPED)


def test_there_are_commands():
    assert len(ONLY_NAMES) > 15 and len(WHOLE) > 40
    assert sum(map(_is_typed, WHOLE)) > 10


@pytest.mark.parametrize("command", WHOLE)
def test_the_command_line_accepts_it(command, capsys):
    words, parser = shlex.split(command)[1:], cli.build_parser()
    try:
        parser.parse_args(cli._divided(words, parser).own)
    except SystemExit as stop:
        assert not stop.code, (SUGGESTED[command], capsys.readouterr().err)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with the checkpoint and the graph that commands name."""
    tf = pytest.importorskip("tensorflow").compat.v1
    folder = tmp_path_factory.mktemp("suggested")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        w = tf.get_variable("w", initializer=np.ones((2, 2), np.float32))
        average = tf.get_variable("w/ExponentialMovingAverage", initializer=w.initial_value)
        tf.reduce_sum(w * average, name="y")
        tf.get_variable("a/b", initializer=1.0)
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        for name in ("model.ckpt", "model.ckpt-9", "model", "old", "folder/m"):
            (folder / name).parent.mkdir(exist_ok=True)
            saver.save(session, str(folder / name), write_meta_graph=False)
        for name in ("model.meta", "model.ckpt.meta"):
            tf.train.export_meta_graph(str(folder / name), graph=graph)
    (folder / "model.pb").write_bytes(graph.as_graph_def().SerializeToString())
    (folder / "renames.json").write_text('{"w": "v"}')
    return folder


@pytest.mark.parametrize("command", [command for command in WHOLE if _is_typed(command)])
def test_it_works_when_it_is_typed(command, files, tmp_path, monkeypatch, capsys):
    shutil.copytree(str(files), str(tmp_path / "here"))
    monkeypatch.chdir(tmp_path / "here")
    code = cli.main(shlex.split(command)[1:])
    is_answer = code == 1 and shlex.split(command)[1:3] in ANSWERS
    assert code == 0 or is_answer, (SUGGESTED[command], capsys.readouterr().err)


#: Commands that may answer 1.
ANSWERS = (["ckpt", "doctor"], ["ckpt", "families"], ["legacy", "status"])


@pytest.mark.skipif(compat.is_tf1(), reason="upgrade acts on TF 2.x")
def test_what_doctor_suggests_last_works(tmp_path, monkeypatch, capsys):
    """The sentence names a command that can be pasted, whatever the path."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old code").mkdir()
    (tmp_path / "old code" / "train.py").write_text("import tensorflow as tf\ntf.mul(1, 2)\n")
    place = (report.Place("train.py", 2),)
    status = statuses.Status("tensorflow.mul", statuses.PATCHED, "", "tensorflow.mul")
    last = list(_lines(report.Report("old code", 1, [report.Entry(status, place)]), False))[-1]
    command = re.search(r"tfgraphtools upgrade .*$", last.rpartition("; next")[2]).group()
    assert cli.main(shlex.split(command)[1:]) == 0
    assert "+++" in capsys.readouterr().out
