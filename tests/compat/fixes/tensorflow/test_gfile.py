"""What is said of patterns in a folder that is missing, and to whom it matters."""

import subprocess

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

GRAPH = """\
import os
import tensorflow as tf
os.mkdir("some")
files = tf.placeholder_with_default("x", [])
tf.matching_files(files), tf.matching_files("some/*"), tf.matching_files("*"), tf.matching_files("")
for _ in range(2):
    dataset = tf.data.Dataset.list_files("none/*")
tf.train.match_filenames_once(["gone/*", "some/*"])
os.mkdir("none")
print(tf.Session().run(tf.matching_files("none/*")))
"""

EAGER = """\
import tensorflow as tf
tf.enable_eager_execution()
for find in (tf.matching_files, tf.data.Dataset.list_files, tf.gfile.Glob):
    try:
        find("none/*")
    except tf.errors.NotFoundError as error:
        print(str(error).partition(" [Op:")[0])
"""

#: A library that was written for TF 2.x finds no files: it counts on it.
LIBRARY = """\
import tensorflow as tf
def find():
    return tf.io.gfile.glob("none/*"), tf.train.latest_checkpoint("none")
"""


def test_it_is_said_once_in_a_graph(tmp_path, tf1_run_in):
    done = run(tf1_run_in, tmp_path, GRAPH)
    said = [line for line in done.stderr.splitlines() if line.startswith("tfgraphtools: ")]
    assert done.stdout == "[]\n"
    assert [line.partition("script.py:")[2].partition("; if")[0] for line in said] == [
        "7: the folder of the pattern 'none/*' is missing",
        "8: the folder of the pattern 'gone/*' is missing",
    ]


def test_eager_code_gets_the_error_of_115(tmp_path, tf1_run_in, tf1_python):
    done = run(tf1_run_in, tmp_path, EAGER)
    before = subprocess.run(
        [tf1_python, "script.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    )
    assert done.stdout == before.stdout == "none; No such file or directory\n" * 3


def test_libraries_of_today_find_nothing(tmp_path, tf1_run_in):
    library = tmp_path / "site-packages" / "modern"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text(LIBRARY)
    text = "import sys; sys.path.append('site-packages')\nimport modern\nprint(modern.find())\n"
    assert run(tf1_run_in, tmp_path, text).stdout == "([], None)\n"


def run(tf1_run_in, folder, text):
    (folder / "script.py").write_text(text)
    done = tf1_run_in(folder, "script.py")
    assert done.returncode == 0, done.stderr
    return done
