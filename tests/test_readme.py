"""Every code block of the README and of docs/ runs and prints what they say it prints.

- A ```python block runs by itself in a graph of its own; a ```text block right
  after it is what it prints.
- A console block about checkpoints works on what the Python block before it saves.
- An ```sh block is only shown, but for the guide to migration (test_readme_guide.py).
- In a ```console block, the lines that start with ``$`` are commands, the others
  what they print (``...`` stands for anything). The command ``tfgraphtools`` runs;
  a script of the project must be there; the installing is scripts/quickstart's.
"""

import contextlib
import doctest
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = {
    path.name: path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md"] + sorted((ROOT / "docs").glob("*.md"))
}
README = DOCUMENTS["README.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


#: The script that the README runs.
TRAIN = """\
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("steps", 10, "how many")

def main(_):
    x = tf.placeholder(tf.float32, [])
    y = tf.mul(tf.pack([x, x]), 2.0)
    with tf.Session() as session:
        for step in range(flags.FLAGS.steps):
            session.run(y, {x: step})

if __name__ == "__main__":
    tf.app.run()
"""


def _blocks(language):
    for name, text in DOCUMENTS.items():
        for match in BLOCK.finditer(text):
            if match.group(1) == language:
                line = text.count("\n", 0, match.start()) + 1
                yield pytest.param(match.group(2), match.group(3), id=f"{name}-{line}")


def _commands():
    for block in _blocks("console"):
        for entry in re.split(r"^\$ ", block.values[0], flags=re.MULTILINE)[1:]:
            command, _, output = entry.partition("\n")
            yield pytest.param(command, output, id=command)


def test_every_block_has_a_known_language():
    languages = {match.group(1) for text in DOCUMENTS.values() for match in BLOCK.finditer(text)}
    assert languages == {"python", "console", "text", "sh"}
    shown_only = [code for code, _ in (block.values for block in _blocks("text"))]
    assert len(shown_only) == 1 and "head/kernel" in shown_only[0]  # the main job's tables


@pytest.mark.parametrize("code, output", _blocks("python"))
def test_python(code, output, tf, graph, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})  # noqa: S102
    assert printed.getvalue() == (output or "")


def test_the_first_block_as_a_script(tmp_path):
    code, output = next(_blocks("python")).values
    (tmp_path / "first.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "first.py"],
        cwd=str(tmp_path),
        check=False,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == output


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """A folder with the files that the README's Python block about checkpoints saves."""
    folder = tmp_path_factory.mktemp("readme")
    codes = [block.values[0] for block in _blocks("python") if block.id.startswith("README")]
    (code,) = [code for code in codes if "Saver().save" in code]
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    subprocess.run([sys.executable, "-c", code], cwd=str(folder), check=True, env=environment)
    return folder


@pytest.mark.parametrize("command, output", _commands())
def test_console(command, output, tmp_path, request):
    if "ckpt " in command:  # on a copy of the saved files
        shutil.copytree(str(request.getfixturevalue("saved")), str(tmp_path / "files"))
        tmp_path = tmp_path / "files"
    if command.startswith(("tfgraphtools doctor", "tfgraphtools run")) and sys.version_info < (
        3,
        8,
    ):
        pytest.skip("on TF 1.15 there is nothing to ask, and names from before 1.0 are none")
    if "train.py" in command:
        (tmp_path / "train.py").write_text(TRAIN, encoding="utf-8")
    words = shlex.split(command, comments=True)
    while "=" in words[0]:  # NAME=value before the command
        words.pop(0)
    if words[0].startswith("scripts/"):
        assert os.access(str(ROOT / words[0]), os.X_OK)
    elif words[0] == "tfgraphtools":
        done = subprocess.run(
            [sys.executable, "-m", "tfgraphtools"] + words[1:],
            cwd=str(tmp_path),
            check=False,
            env=dict(os.environ, PYTHONPATH=str(ROOT), COLUMNS="80"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        same = doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS)
        assert same or not output, done.stdout
        assert done.returncode == 0, done.stdout
    else:
        assert words[0] in ("pip", "git", "cd", "python"), command


def test_every_recipe_is_listed():
    named = set(re.findall(r"`(?:scripts/recipes/)?(\w+\.py)`", README))
    assert named == {path.name for path in (ROOT / "scripts" / "recipes").glob("[!_]*.py")}
