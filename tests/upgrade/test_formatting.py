"""A diff touches only lines that a finding names; layout, comments and blank lines stay."""

import difflib
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools import upgrade

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "compat"))
import row_scripts  # noqa: E402


def touched(old, new):
    """The numbers of the lines of `old` that a diff removes."""
    matcher = difflib.SequenceMatcher(None, old.split("\n"), new.split("\n"), autojunk=False)
    for kind, start, end, _, _ in matcher.get_opcodes():
        if kind in ("replace", "delete"):
            yield from range(start + 1, end + 1)


def comments(text):
    return [line for line in text.split("\n") if line.lstrip().startswith("#") or not line.strip()]


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The upgrade of every cell, each a codebase of its own in effect: none imports another."""
    folder = tmp_path_factory.mktemp("cells")
    for number, cell in enumerate(row_scripts.cells()):
        (folder / f"cell_{number}.py").write_text(cell.text, encoding="utf-8")
    return upgrade.examine([str(folder)])


def test_only_lines_that_a_fix_names(reports):
    assert len(reports.changed) > 200
    for file in reports.changed:
        if not file.path.endswith(".py"):
            continue
        named = {finding.line for finding in file.findings}
        unexplained = [line for line in touched(file.old, file.new) if not _is_near(line, named)]
        assert not unexplained, (file.shown, unexplained)


def _is_near(line, named):
    """Whether a finding is about the line, or about a statement that reaches it."""
    return any(line - 3 <= one <= line for one in named)


def test_twice_is_once(reports, tmp_path):
    for number, file in enumerate(reports.files):  # what goes with the codebase looks at all
        if file.path.endswith(".py"):
            (tmp_path / f"m{number}.py").write_bytes(file.after)
    again = upgrade.examine([str(tmp_path)])
    assert not again.changed, "\n".join(again.diff())


FORMATTED = '''"""Doc."""

import os

import numpy as np
import tensorflow as tf
from tensorflow.contrib import slim


def net(inputs, is_training):
    """A docstring with tf.mul in it."""
    x = tf.mul(inputs, 2)  # tf.mul

    # A comment.
    x = slim.conv2d(
        x,
        32,
        [3, 3],
        weights_initializer=tf.contrib.layers.xavier_initializer_conv2d(uniform=True),
    )
    return tf.concat(1, [x, np.float(os.sep)])


if __name__ == "__main__":
    with tf.Session() as session:
        session.run(net(tf.zeros([1]), True))
'''


def test_black_before_is_black_after(tmp_path):
    pytest.importorskip("black")
    path = tmp_path / "a.py"
    path.write_text(FORMATTED)
    check = [sys.executable, "-m", "black", "-q", "--check", str(path)]
    assert subprocess.run(check).returncode == 0
    upgrade.examine([str(path)]).write(force=True)
    assert "tf.multiply" in path.read_text()
    shown = subprocess.run([*check[:4], "--diff", str(path)], stdout=subprocess.PIPE).stdout
    assert subprocess.run(check).returncode == 0, shown.decode()


@pytest.mark.parametrize("settings", ["", "[tool.black]\nline-length = 79\n"], ids=["88", "79"])
def test_lines_that_grow_are_wrapped_as_black_wraps_them(settings, tmp_path):
    """Names of today may be longer or shorter; only what black had formatted is formatted."""
    black = pytest.importorskip("black")
    mode = black.Mode(line_length=79 if settings else 88)
    lines = "import numpy as np\nimport tensorflow as tf\n\nwith tf.Session():\n"
    for width in range(30, 60):
        lines += f"    {'x' * width} = tf.mul(first, second)\n"  # grows
        lines += f"    {'y' * width} = tf.initialize_variables(value)\n"
        lines += f"    {'z' * width} = np.product(values)\n"  # shrinks
    (tmp_path / "pyproject.toml").write_text(settings)
    path, other = tmp_path / "a.py", tmp_path / "other.py"
    path.write_text(black.format_str(lines, mode=mode))
    other.write_text(lines.replace("= tf", "=tf"))  # black would change it
    report = upgrade.examine([str(tmp_path)])
    new = {file.shown.rpartition("/")[2]: file.new for file in report.files}
    assert new["a.py"] == black.format_str(new["a.py"], mode=mode)
    assert new["other.py"].count("\n") == lines.count("\n") + 2
    unformatted = upgrade.examine([str(path)], skip=["black"]).files[0].new
    assert unformatted != black.format_str(unformatted, mode=mode)
    named = {finding.line for finding in report.files[0].findings}
    assert all(_is_near(line, named) for line in touched(report.files[0].old, new["a.py"]))


def test_where_black_is_not_installed(tmp_path, monkeypatch):
    """The code says that it is black's: the report says so."""
    from tfgraphtools.upgrade.passes import layout

    (tmp_path / "pyproject.toml").write_text("[tool.black]\n")
    path = str(tmp_path / "a.py")
    assert layout.note([path]) == () or sys.modules.get("black") is None
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (note,) = layout.note([path])
    assert "pyproject.toml" in note and "run black afterwards" in note
