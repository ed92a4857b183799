"""The Python with TF 1.15: asked without importing from the current folder."""

import sys

import pytest

from tfgraphtools.errors import ArgumentError
from tfgraphtools.runs import tf1_python


def test_a_tensorflow_of_the_current_folder_is_not_imported(tmp_path, monkeypatch):
    here, installed = tmp_path / "here", tmp_path / "installed"
    for folder, version in ((here, "1.15.5"), (installed, "2.21.0")):
        folder.mkdir()
        lines = f"open(__file__ + '.ran', 'w')\n__version__ = {version!r}\n"
        (folder / "tensorflow.py").write_text(lines)
    monkeypatch.setenv("PYTHONPATH", str(installed))
    monkeypatch.chdir(here)
    with pytest.raises(ArgumentError, match="got 2.21.0"):
        tf1_python.require_tf1(sys.executable, "--python37")
    assert not (here / "tensorflow.py.ran").exists()
