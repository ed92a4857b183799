"""Every code block of the README and of docs/ runs and prints what the page says it prints.

The blocks of a page run in their order in one folder. By language:

- ``python`` runs in this process, in a new graph; a ``text`` block right after it is its output.
  With ``title="FILE"`` it is written to that file instead.
- ``console``: lines that start with ``$`` are commands, the others their output (``...`` stands
  for anything).
- ``sh`` is shown only, but each tfgraphtools command in it must parse.
- ``text`` and ``dockerfile`` are shown only.

``<!-- test: tf2 -->`` on a page: its blocks need TF 2.16; ``keras3``: and Keras 3; one of
`LIBRARIES`: and its packages; ``elsewhere``: a test of its own runs them.
"""

import contextlib
import importlib.util
import io
import os
import re
import shlex

import pytest
from doc_blocks import NEEDS, PAGES, SHOWN_ONLY, blocks, commands, is_printed
from places import ROOT

from tfgraphtools import cli
from tfgraphtools.compat import tf_version

pytestmark = pytest.mark.quick

#: What pages need that the tests' environment does not have: {library: packages}.
LIBRARIES = {"tf2jax": "tf2jax jax flax", "torch": "torch safetensors"}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page(page, tf, tmp_path, monkeypatch, this_server, compat_server):
    text = page.read_text(encoding="utf-8")
    _skip_what_this_tensorflow_lacks(text)
    monkeypatch.chdir(tmp_path)
    for line, language, title, content, output in blocks(text):
        where = f"{page.name}:{line}"
        if title:
            (tmp_path / title).write_text(content, encoding="utf-8")
        elif language == "python":
            assert _printed_by(content, where, tf) == (output or ""), where
        elif language == "console":
            for command, output in commands(content):
                _run(command, output, where, (this_server, compat_server))
        elif language == "sh":
            _parse(content, where)
        else:
            known = ("text", "dockerfile", "toml", "ini")
            assert language in known, f"{where}: unknown language {language!r}"


def _skip_what_this_tensorflow_lacks(text):
    needed = NEEDS.findall(text)
    if "elsewhere" in needed:
        pytest.skip("a test of its own runs this page")
    if needed and (tf_version.tensorflow_version() or (0, 0)) < tf_version.OLDEST:
        pytest.skip("the page is about what 'run' does, on TF 2.16 and newer")
    if "keras3" in needed and importlib.util.find_spec("keras") is None:
        pytest.skip("the page is about Keras 3")
    for library, packages in LIBRARIES.items():
        if library in needed and None in map(importlib.util.find_spec, packages.split()):
            pytest.skip("the page needs: pip install " + packages)


def _printed_by(code, where, tf):
    printed = io.StringIO()
    with tf.compat.v1.Graph().as_default(), contextlib.redirect_stdout(printed):
        exec(compile(code, where, "exec"), {"__name__": "__main__"})  # noqa: S102
    return printed.getvalue()


def _run(command, expected, where, servers):
    words = shlex.split(command, comments=True)
    if words[0] in SHOWN_ONLY:
        return
    if words[0].startswith("scripts/"):
        assert os.access(str(ROOT / words[0]), os.X_OK), where
        return
    if words[1:2] in (["ckpt"], ["graph"]) and "keras" not in words:  # needs no new process
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = cli.main(words[1:])
        printed, messages = printed.getvalue(), ""
    else:
        start = {"tfgraphtools": ["-m", "tfgraphtools"], "python": []}[words[0]]
        server = servers[words[1] in ("run", "doctor")]  # these two take Keras 2
        code, printed, messages = server.run_python(
            os.getcwd(), *start, *words[1:], environment={"COLUMNS": "80"}
        )
    assert code == 0, f"{where}: {command}\n{printed}{messages}"
    if expected.strip():
        same = is_printed(expected, printed, messages)
        assert same, f"{where}: {command}\nexpected\n{expected}\ngot\n{printed}{messages}"


def _parse(content, where):
    """Each tfgraphtools command of the block is one that the command line accepts."""
    content = re.sub(r"\\\n\s*", " ", content)
    content = re.sub(r"<<'END'\n.*?^END$", "", content, flags=re.MULTILINE | re.DOTALL)
    for line in content.splitlines():
        if not re.match(r"(\$ )?(\w+=\S+ )*tfgraphtools ", line):
            continue
        words = shlex.split(line.lstrip("$ "), comments=True)
        while words and re.match(r"\w+=", words[0]):
            words.pop(0)
        if words[:1] == ["tfgraphtools"]:
            words = words[1 : words.index(">") if ">" in words else None]
            try:
                cli.build_parser().parse_args(words)
            except SystemExit as stop:
                assert not stop.code, f"{where}: {line}"


INLINE = re.compile(
    r"(?<!`)`(?:tfgraphtools )?((?:run|doctor|legacy|explain|ckpt|graph) [^`]+)`(?!`)"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_in_the_text(page):
    """A command in a sentence names subcommands and options that exist."""
    parsers = dict(cli.subcommands())
    for command in INLINE.findall(" ".join(page.read_text(encoding="utf-8").split())):
        words = command.split()
        words = words[: next((i + 1 for i, w in enumerate(words) if w.endswith(".py")), None)]
        depth = 2 if words[0] in ("ckpt", "graph", "legacy") else 1
        name = " ".join(["tfgraphtools", *words[:depth]])
        assert name in parsers, command
        known = {option for action in parsers[name]._actions for option in action.option_strings}
        words = words[: words.index("-m")] if "-m" in words else words
        used = {word.split("=")[0] for word in words if word.startswith("--")}
        assert {re.sub(r"[,.;:].*$", "", word) for word in used} <= known, command


def test_the_readme_is_short_and_begins_with_a_picture():
    text = PAGES[0].read_text(encoding="utf-8")
    assert len(text) <= 10000
    assert text.index("](docs/pictures/terminal.svg)") < text.index("## Install")


def test_the_links_of_the_readme_lead_somewhere():
    links = re.findall(r"\]\(([^)#:]+)\)", PAGES[0].read_text(encoding="utf-8"))
    assert len(links) > 20
    assert [link for link in links if not (ROOT / link).exists()] == []
