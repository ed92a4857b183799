"""``run --compare``: a script's runs here and under TF 1.15, each in a copy of the folder."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools.errors import ArgumentError
from tfgraphtools.runner import tf1_comparison

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def tf1_run(tmp_path):
    """A function that is ``tfgraphtools run`` with these words."""

    def run(*words, cwd=None):
        return subprocess.run(
            [sys.executable, "-m", "tfgraphtools", "run", *map(str, words)],
            cwd=str(cwd or tmp_path),
            env=dict(os.environ, PYTHONPATH=str(ROOT)),
            capture_output=True,
            text=True,
        )

    return run


def test_a_python_without_tensorflow_1():
    with pytest.raises(ArgumentError, match="TensorFlow 1.x"):
        tf1_comparison.run("/nowhere/python", ["script.py"])


def test_a_script_that_is_not_there(tf1_python, tmp_path):
    with pytest.raises(ArgumentError, match="no such file"):
        tf1_comparison.run(str(tf1_python), [str(tmp_path / "nothing.py")])


@pytest.mark.skipif(sys.version_info < (3, 8), reason="compat acts on TF 2.x")
def test_run(tf1_run, tf1_python, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, tensorflow as tf\n"
        "tf.set_random_seed(1)\n"
        "print('args', sys.argv[1:])\n"
        "with tf.Session() as session:\n"
        "    print('drawn', session.run(tf.random_uniform([2])))\n"
    )
    same = tf1_run("--seeds=tf1", "--compare", tf1_python, script, "--x", "3")
    assert same.returncode == 0, same.stdout + same.stderr
    assert "3 of 3 numbers agree" in same.stdout
    script.write_text("import sys\nprint('args', sys.argv[1:])\nprint(sys.version_info[1])\n")
    apart = tf1_run("--compare", tf1_python, script)  # what differs is Python, sooner started
    assert apart.returncode == 1
    assert "the outputs diverge at line 2, number 1" in apart.stdout


@pytest.mark.costly(in_ci=3)
@pytest.mark.skipif(sys.version_info < (3, 8), reason="compat acts on TF 2.x")
@pytest.mark.parametrize(
    "text, code, shown",
    [
        pytest.param(
            "import os\nprint('runs', os.path.exists('ran') + 1)\nopen('ran', 'w').close()\n",
            0,
            "1 of 1 numbers agree",
            id="neither-finds-what-the-other-wrote",
        ),
        pytest.param(
            "import sys\nsys.stderr.write('loss = 0.5, step = 3 (%s sec)\\n' % id(sys))\n",
            0,
            "2 of 2 numbers agree",
            id="what-is-logged",
        ),
        pytest.param(
            "import sys\nsys.stderr.write('loss = %d\\n' % sys.version_info[1])\n",
            1,
            "here:  loss = ",
            id="what-is-logged-differs",
        ),
        pytest.param("print('done')\n", 1, "nothing was compared", id="no-number"),
        pytest.param(
            "import sys\nprint(1)\nif sys.version_info[1] == 7: raise ValueError('too old')\n",
            1,
            "the script failed under the Python of --compare: ValueError: too old",
            id="one-side-fails",
        ),
        pytest.param(
            "import tensorflow\nprint 7 / 2\n",
            0,
            "1 of 1 numbers agree; worst difference 0\nthere: the script, with its syntax of Py",
            id="python2",
        ),
        pytest.param(
            "import os\nprint(os.environ.get('TF_ENABLE_ONEDNN_OPTS', '7'))\n",
            0,
            "1 of 1 numbers agree",
            id="rounding-of-tf1",
        ),
    ],
)
def test_run_in_copies(text, code, shown, tf1_run, tf1_python, tmp_path):
    (tmp_path / "script.py").write_text(text)
    done = tf1_run("--compare", tf1_python, "script.py", cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    assert shown in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


#: A script that writes files; TF 1.15 has Python 3.7.
WRITES = """
import json, os, sys
import numpy as np
old = sys.version_info[1] == 7
np.save("same.npy", np.ones(3))
np.save("a.npy", np.float32([1, 2 + FACTOR * old]))
json.dump({"b": 2, "a": 1} if old else {"a": 1, "b": 2}, open("a.json", "w"))
open("pid.txt", "w").write(str(os.getpid()))
open("p.pkl", "wb").write(b"old" if old else b"new")
"""


@pytest.mark.skipif(sys.version_info < (3, 8), reason="compat acts on TF 2.x")
@pytest.mark.parametrize("factor, code", [(0, 0), (1, 1)], ids=["same", "other"])
def test_written_files(factor, code, tf1_run, tf1_python, tmp_path):
    (tmp_path / "script.py").write_text(WRITES.replace("FACTOR", str(factor)))
    done = tf1_run("--compare", tf1_python, "--json", "script.py")
    assert done.returncode == code, done.stdout + done.stderr
    files = json.loads(done.stdout)["files"]
    assert files["same"] == ["a.json"] + ["a.npy"] * (not factor) + ["same.npy"]
    assert files["other"] == [["a.npy", "1 arrays differ"]] * factor
    assert files["varying"] == ["pid.txt"]
    assert [name for name, _ in files["not_compared"]] == ["p.pkl"]
