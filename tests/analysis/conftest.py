"""Only the newer Python has `upgrade` and `doctor`."""

import json
import pathlib
import subprocess
import sys

import pytest

_WALK = pathlib.Path(__file__).parent.parent / "compat/fixes/tensorflow/walk_names.py"

collect_ignore_glob = ["test_*.py"] if sys.version_info < (3, 8) else []


@pytest.fixture(scope="session")
def names_of_tf1(tf1_python, tmp_path_factory):
    """The public names of TF 1.15, outside contrib."""
    path = tmp_path_factory.mktemp("names") / "names.json"
    subprocess.run([tf1_python, str(_WALK), str(path)], check=True, stderr=subprocess.DEVNULL)
    return json.loads(path.read_text())
