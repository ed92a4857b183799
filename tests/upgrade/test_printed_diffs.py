"""The printed diff is one that ``git apply`` takes: it gives what ``--write`` writes."""

import shutil
import subprocess

import pytest

from tfgraphtools import upgrade

OLD = "import tensorflow as tf\nx = tf.log(1.0)\n"
#: (id, the file's bytes)
FILES = [
    ("plain", OLD.encode()),
    ("form-feed", ("a = 1\n\x0c\n" + OLD + "\x0c\ndef f():\n    pass\n").encode()),
    ("form-feed-in-a-line", ("a = 1  #\x0c one\n" + OLD).encode()),
    ("line-separators", ('t = "\u2028 \x85 \u2029"\n' + OLD).encode()),
    ("no-newline-at-the-end", OLD.rstrip().encode()),
    ("no-newline-after-others", (OLD + "y = 1\n" * 9 + "y = 2").encode()),
    ("carriage-returns", OLD.replace("\n", "\r\n").encode()),
    ("carriage-returns-and-no-end", OLD.rstrip().replace("\n", "\r\n").encode()),
    ("byte-order-mark", b"\xef\xbb\xbf" + OLD.encode()),
    ("text", ("# Gr\u00f6\u00dfe\n" + OLD).encode()),
]


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
@pytest.mark.parametrize("name", ["model.py", "a model.py"])
@pytest.mark.parametrize("content", [pytest.param(row[1], id=row[0]) for row in FILES])
def test_git_applies_it(tmp_path, monkeypatch, content, name):
    monkeypatch.chdir(tmp_path)
    for folder in ("applied", "written"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(content)
    monkeypatch.chdir(tmp_path / "applied")
    lines = list(upgrade.examine([name]).diff())
    text = "".join(line + "\n" for line in lines).encode()
    command = ["git", "apply", "--unsafe-paths", "--whitespace=nowarn", "-"]
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    monkeypatch.chdir(tmp_path / "written")
    upgrade.examine([name]).write(force=True)
    written = (tmp_path / "written" / name).read_bytes()
    assert written != content and (tmp_path / "applied" / name).read_bytes() == written
