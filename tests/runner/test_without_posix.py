"""The commands on a system that has no module of POSIX, on a terminal of cp1252."""

import os
import subprocess
import sys

import pytest
from places import ROOT

#: It reads and runs source without TensorFlow.
pytestmark = pytest.mark.once

BLOCKED = """
import os, signal, sys
for name in "fork register_at_fork forkpty getuid geteuid setsid killpg chown".split():
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "alarm", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
def refused(*arguments, **options):
    raise OSError("symbolic link privilege not held")
os.symlink = refused
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "pwd", "grp", "termios", "resource", "tty", "pty", "syslog"):
            raise ModuleNotFoundError("No module named " + repr(name), name=name)
sys.meta_path.insert(0, Blocked())
for name in ("fcntl", "pwd", "grp", "termios", "resource"):
    sys.modules.pop(name, None)
from tfgraphtools.cli import main
sys.exit(main(sys.argv[1:]))
"""

SOURCE = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\n"


def _run(folder, *words):
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONIOENCODING="cp1252")
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, *words],
        cwd=str(folder),
        env=environment,
        capture_output=True,
        encoding="cp1252",
    )


@pytest.mark.parametrize(
    "words, code, says",
    [
        (("doctor", "old.py"), 0, "all of it is supported"),
        (("upgrade", "old.py"), 0, "compat.v1"),
        (("run", "plain.py"), 0, "2 caf"),
        (("graph", "show", "no.pb"), 2, "no.pb"),
        (("revive", "--help"), 0, "usage"),
        (("run", "--list-fixes"), 0, "tensorflow"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_command(tmp_path, words, code, says):
    (tmp_path / "old.py").write_text(SOURCE)
    (tmp_path / "plain.py").write_text("print(1 + 1, 'caf\\u00e9')\n")
    done = _run(tmp_path, *words)
    text = done.stdout + done.stderr
    assert (done.returncode, says in text, "Traceback" in text) == (code, True, False), text[-3000:]
