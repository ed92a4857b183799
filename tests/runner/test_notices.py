"""Notices of ``tfgraphtools run``: each once, with file and line, together at the end."""

import re

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: It is told two things twice each, from two lines, and writes to stderr afterwards.
SCRIPT = """\
import os, sys
import tensorflow as tf
from tfgraphtools.compat.engine import notices
for _ in range(2):
    notices.once("first", "a thing differs.")
    notices.once("second", "another thing differs.")
tf.mul(2, 3), tf.sub(2, 3)
sys.stderr.write("the script's own line\\n")
{end}
"""

#: The end of the script: (the code, the exit code).
ENDS = {
    "returns": ("", 0),
    "exits": ("sys.exit(3)", 3),
    "fails": ("raise ValueError('a mistake')", 1),
    "forks": ("if os.fork(): os.wait()", 0),
}

HEADER = (
    r"tfgraphtools run: 2 notices \(-q hides them\); fixes used: [2-9], which 'tfgraphtools run"
)


@pytest.fixture
def run(compat_server, tmp_path):
    """Runs the script with options, and returns (exit code, its lines on stderr)."""

    def call(*words, end=""):
        (tmp_path / "script.py").write_text(SCRIPT.format(end=end))
        done = compat_server.run(tmp_path, *words, "script.py")
        return done.code, done.err.splitlines()

    return call


def _notices(lines):
    """(line number, what follows it) of the notices about the script."""
    notice = re.compile(r"tfgraphtools: .*script\.py:(\d+): (.*)")
    return [match.groups() for match in map(notice.match, lines) if match]


@pytest.mark.parametrize("end", ENDS)
def test_together_at_the_end(run, end):
    text, expected = ENDS[end]
    code, lines = run(end=text)
    assert code == expected
    assert re.match(HEADER, lines[-3]), lines
    assert (
        [line for line, _ in _notices(lines)] == ["5", "6"] == [n for n, _ in _notices(lines[-2:])]
    )
    assert lines.index("the script's own line") < len(lines) - 3


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet(run, option):
    code, lines = run(option)
    assert code == 0 and not _notices(lines) and not any("notice" in line for line in lines)


def test_verbose_prints_each_at_once(run):
    code, lines = run("--verbose")
    own = lines.index("the script's own line")
    assert code == 0 and len(_notices(lines[:own])) == 2 and not _notices(lines[own:])


def test_nothing_to_say(compat_server, tmp_path):
    (tmp_path / "script.py").write_text("import tensorflow as tf\ntf.mul(2, 3)\n")
    done = compat_server.run(tmp_path, "script.py")
    assert done.code == 0 and "tfgraphtools" not in done.err
