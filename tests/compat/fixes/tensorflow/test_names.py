"""Every public symbol of TF 1.15 outside contrib is there under compat, or says why not."""

import json
import pathlib
import subprocess

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes import removed

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

WALK = pathlib.Path(__file__).with_name("walk_names.py")


def test_every_public_name_of_115(tf1_python, tf1_run, tmp_path):
    subprocess.run(
        [tf1_python, str(WALK), "names"], cwd=str(tmp_path), check=True, stderr=subprocess.DEVNULL
    )
    names = json.loads((tmp_path / "names").read_text())
    assert len(names) > 3000
    done = tf1_run(WALK, "names", "missing", cwd=str(tmp_path))
    assert done.returncode == 0, done.stderr
    missing = json.loads((tmp_path / "missing").read_text())
    explained = tuple(line.old for line in removed.lines_of("TF") if not line.now)
    unexplained = [
        name
        for name, kind in missing.items()
        if kind != "GoneError" or not name.startswith(explained)
    ]
    assert _without_the_estimator(unexplained) == []


def _without_the_estimator(names):
    """The estimator is another package, which may not be installed: its error is tested apart."""
    return [name for name in names if not name.startswith("tensorflow.estimator")]
