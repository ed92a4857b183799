"""Options of ``tfgraphtools run`` about libraries: ``--libraries``, ``-q``, ``--why``."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytest.importorskip("pandas", "2.0")

SCRIPT = """
import subprocess, sys
import numpy as np
import pandas as pd
frame = pd.DataFrame({"a": [1, 1], "b": [1.0, 2.0]})
print(len(frame.groupby("a").sum()), int(np.uint8(200) + 100), hasattr(pd, "datetime"))
import collections
print(hasattr(collections, "Iterable"))
import part
"""

#: The line that says that pandas is newer than the script.
LINE = "differs since"

#: words before the script -> (what it prints, how often the line is printed)
CALLS = {
    "as it is": ((), ["1 300 True", "True"], 1),
    "quiet": (("-q",), ["1 300 True", "True"], 0),
    "libraries": (("--libraries", "today"), ["1 44 False", "True"], 1),
    "without": (("-q", "--without", "numpy", "--without=pandas"), ["1 44 False", "True"], 0),
}


@pytest.mark.parametrize("words, printed, lines", CALLS.values(), ids=CALLS)
def test_a_run(compat_server, tmp_path, words, printed, lines):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "part.py").write_text("import pandas as pd\npd.DataFrame([1]).groupby(0)\n")
    done = compat_server.run(tmp_path, *words, "script.py")
    assert done.code == 0, done.err[-2000:]
    assert done.out.splitlines() == printed
    assert done.err.count(LINE) == lines
    if lines:
        assert "doctor --constraints" in done.err and "script.py:6" in done.err


@pytest.mark.parametrize(
    "words, message",
    [
        (("--libraries", "yesterday"), "today"),
        (("--without", "panda"), "Did you mean 'pandas'?"),
        (("--why", "np.bol"), "Did you mean 'numpy.bool'?"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_a_mistake_is_one_line(capfd, tmp_path, monkeypatch, words, message):
    from tfgraphtools import cli

    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.py").write_text("")

    try:
        code = cli.main(["run", *words, "script.py"])
    except SystemExit as end:
        code = end.code
    err = capfd.readouterr().err
    assert code == 2 and message in err and "Traceback" not in err


def test_a_comment_that_names_no_fix_is_one_line(compat_server, tmp_path):
    (tmp_path / "script.py").write_text("import part\n")
    (tmp_path / "part.py").write_text("\n# tfgraphtools: without=panda\n")
    done = compat_server.run(tmp_path, "script.py")
    assert done.code == 2 and "Traceback" not in done.err
    assert "part.py:2" in done.err and "Did you mean 'pandas'?" in done.err
