"""Patterns in a folder that is missing: an error for user code, no files for a library."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: A library that was written for TF 2.x finds no files: it counts on it.
LIBRARY = """\
import tensorflow as tf
def find():
    return tf.io.gfile.glob("none/*"), tf.train.latest_checkpoint("none")
"""


def test_libraries_of_today_find_nothing(tmp_path, tf1_run_in):
    library = tmp_path / "site-packages" / "modern"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text(LIBRARY)
    text = "import sys; sys.path.append('site-packages')\nimport modern\nprint(modern.find())\n"
    (tmp_path / "script.py").write_text(text)
    done = tf1_run_in(tmp_path, "script.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "([], None)\n"
