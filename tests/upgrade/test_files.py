"""What a file is besides its code: encoding, line ends, mode, links; and what cannot be read."""

import codecs
import os
import stat
import subprocess
import sys

import pytest

from tfgraphtools import cli, upgrade
from tfgraphtools.errors import ArgumentError
from tfgraphtools.upgrade import code_files

OLD = "import tensorflow as tf\nx = tf.Session()\ny = 1\n"
NEW = "import tensorflow.compat.v1 as tf\nx = tf.Session()\ny = 1\n"

#: id -> (bytes before, bytes after)
KEPT = {
    "crlf": (OLD.replace("\n", "\r\n").encode(), NEW.replace("\n", "\r\n").encode()),
    "mixed-ends": (
        OLD.replace("\n", "\r\n", 1).encode(),
        NEW.replace("\n", "\r\n", 1).encode(),
    ),
    "cr": (OLD.replace("\n", "\r").encode(), NEW.replace("\n", "\r").encode()),
    "mark": (codecs.BOM_UTF8 + OLD.encode(), codecs.BOM_UTF8 + NEW.encode()),
    "latin-1": (
        ("# coding: latin-1\n" + OLD + "# \u00e9\n").encode("latin-1"),
        ("# coding: latin-1\n" + NEW + "# \u00e9\n").encode("latin-1"),
    ),
    "no-last-line-end": (OLD.encode()[:-1], NEW.encode()[:-1]),
    "form-feed": (b"\x0c\n" + OLD.encode(), b"\x0c\n" + NEW.encode()),
    "wide-characters": (
        (OLD + "s = '\u4f60\u597d', tf.mul\n").encode(),
        (NEW + "s = '\u4f60\u597d', tf.multiply\n").encode(),
    ),
    "mixed-ends-of-three-kinds": (
        b"import tensorflow as tf\rx = tf.Session()\r\ny = 1\n\r\r\n",
        b"import tensorflow.compat.v1 as tf\rx = tf.Session()\r\ny = 1\n\r\r\n",
    ),
    "mixed-ends-repeated-lines": (
        b"import tensorflow as tf\r\nq = 1\ntf.mul(q, q)\r\nq = 1\r\ntf.multiply(q, q)\nq = 1\n",
        b"import tensorflow.compat.v1 as tf\r\nq = 1\ntf.multiply(q, q)\r\nq = 1\r\n"
        b"tf.multiply(q, q)\nq = 1\n",
    ),
    "mixed-ends-no-last": (
        b"import tensorflow as tf\r\nx = tf.Session()\ny = 1",
        b"import tensorflow.compat.v1 as tf\r\nx = tf.Session()\ny = 1",
    ),
    "separators-that-are-no-line-ends": (
        ("import tensorflow as tf\r\ns = '\u2028\x1c\x85'\n\x0c\nx = tf.Session()\r\n").encode(),
        (
            "import tensorflow.compat.v1 as tf\r\ns = '\u2028\x1c\x85'\n\x0c\nx = tf.Session()\r\n"
        ).encode(),
    ),
    "mark-and-mixed-ends": (
        codecs.BOM_UTF8 + OLD.replace("\n", "\r\n", 1).encode(),
        codecs.BOM_UTF8 + NEW.replace("\n", "\r\n", 1).encode(),
    ),
    "shift-jis": (
        ("# coding: shift_jis\n" + OLD + "# \u65e5\u672c\n").encode("shift_jis"),
        ("# coding: shift_jis\n" + NEW + "# \u65e5\u672c\n").encode("shift_jis"),
    ),
    "tabs": (OLD.encode() + b"if x:\n\ty = 2\n", NEW.encode() + b"if x:\n\ty = 2\n"),
    "empty": (b"", b""),
}

#: id -> (bytes, words of the message)
LEFT = {
    "syntax": (b"def f(:\n", "neither Python 3 nor Python 2"),
    "utf-16": (OLD.encode("utf-16"), "UTF-16"),
    "undeclared-latin-1": (b"x = '\xe9'\n", "coding: latin-1"),
    "unknown-encoding": (b"# coding: klingon\n", "encoding"),
    "not-written-back": (
        b"# coding: iso2022_jp\n" + OLD.encode() + b"# \x1b$B\x1b(B\x1b$BF|\x1b(B\n",
        "byte for byte",
    ),
    "zero-bytes": (b"x = 1\0\n", "zero bytes"),
    "deep": (f"x = {' + '.join(['y'] * 20000)}\n".encode(), "nested too deeply"),
    "no-notebook": (b"\\", "neither"),
    "control-character": (b"x = 1\n\x1a", "line 2: invalid"),
    "mixed-tabs": (b"if 1:\n\tx = 1\n        y = 2\n  z = 3\n", "neither"),
}


@pytest.mark.parametrize("name", KEPT)
def test_kept(name, tmp_path):
    before, after = KEPT[name]
    path = tmp_path / "a.py"
    path.write_bytes(before)
    upgrade.examine([str(path)], skip=["tensorflow.entry"]).write(force=True)
    assert path.read_bytes() == after
    assert not upgrade.examine([str(path)]).changed


@pytest.mark.parametrize("name", LEFT)
def test_left(name, tmp_path, capsys):
    data, word = LEFT[name]
    path = tmp_path / "a.py"
    path.write_bytes(data)
    assert cli.main(["upgrade", str(tmp_path), "--write", "--force"]) == 1
    assert path.read_bytes() == data
    assert word in capsys.readouterr().err


def test_modes_and_links(tmp_path):
    real, link = tmp_path / "real.py", tmp_path / "sub" / "link.py"
    real.write_text(OLD)
    real.chmod(0o755)
    link.parent.mkdir()
    link.symlink_to(real)
    upgrade.examine([str(link)]).write(force=True)
    assert link.is_symlink() and "compat.v1" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o755
    assert sorted(os.listdir(str(tmp_path))) == ["real.py", "sub"]


def test_links_that_lead_nowhere(tmp_path, capsys):
    (tmp_path / "a.py").write_text(OLD)
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "round.py").symlink_to("round.py")
    (tmp_path / "again").symlink_to(".")
    assert cli.main(["upgrade", str(tmp_path), "--write", "--force"]) == 1
    error = capsys.readouterr().err
    assert "gone.py" in error and "round.py" in error and "1 of 3 files" in error
    assert "compat.v1" in (tmp_path / "a.py").read_text()


def test_read_only(tmp_path, monkeypatch, capsys):
    one, other = tmp_path / "a.py", tmp_path / "b.py"
    one.write_text(OLD)
    other.write_text(OLD)
    monkeypatch.setattr(os, "access", lambda path, mode: not path.endswith("b.py"))  # root may all
    assert cli.main(["upgrade", str(tmp_path), "--write", "--force"]) == 2
    assert "read-only" in capsys.readouterr().err
    assert one.read_text() == other.read_text() == OLD  # all or none


@pytest.mark.parametrize("word", ["missing", "empty"])
def test_no_such_path(word, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ArgumentError):
        upgrade.examine([str(tmp_path / word)])


def test_changed_meanwhile(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(OLD)
    report = upgrade.examine([str(path)])
    path.write_text(OLD + "z = 2\n")
    with pytest.raises(ArgumentError, match="another one"):
        report.write(force=True)


def test_uncommitted(tmp_path):
    def git(*words):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, stdout=subprocess.PIPE)

    path, clean = tmp_path / "sub" / "a b.py", tmp_path / "c.py"
    path.parent.mkdir()
    path.write_text(OLD)
    clean.write_text(OLD)
    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    path.write_text(OLD + "\n")
    report = upgrade.examine([str(tmp_path)])
    with pytest.raises(ArgumentError, match="--force"):
        report.write()
    assert clean.read_text() == OLD
    report.write(force=True)
    assert "compat.v1" in path.read_text() and "compat.v1" in clean.read_text()


_KILLED = """
import os, sys
from tfgraphtools import files
at, calls = int(sys.argv[2]), [0]
def hook(event, arguments):
    is_step = event in ("open", "os.rename", "os.chmod", "os.remove")
    if is_step and ".tfgraphtools-" in str(arguments):
        calls[0] += 1
        if calls[0] == at:
            os._exit(9)
sys.addaudithook(hook)
files.write_whole(sys.argv[1], b"new" * 100000)
"""


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_kill_leaves_a_whole_file(at, tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", _KILLED, str(path), str(at)])
    assert path.read_bytes() in (b"old", b"new" * 100000)
    assert done.returncode == 9 or path.read_bytes() == b"new" * 100000


@pytest.mark.slow
def test_large(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(OLD + "".join(f"x{i} = [{i}, 2, 3, 4, 5, 6]\n" for i in range(4000)))
    upgrade.examine([str(path)]).write(force=True)
    assert path.read_text().startswith("import tensorflow.compat.v1 as tf\n")


def test_environments_are_passed_over(tmp_path):
    for folder in (".git", "venv", "__pycache__", "src"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text(OLD)
    (tmp_path / "venv" / "pyvenv.cfg").write_text("")
    paths = code_files.find([str(tmp_path)])
    assert [os.path.basename(os.path.dirname(path)) for path in paths] == ["src"]


def test_no_warning_of_what_old_code_writes(tmp_path, recwarn):
    (tmp_path / "a.py").write_text(OLD + 'pattern = "\\d"\n')
    assert upgrade.examine([str(tmp_path)]).files
    assert not [one for one in recwarn if one.category is SyntaxWarning]
