"""The first place where two printed outputs part."""

import sys

import pytest

from tfgraphtools.compat import compare, copied_runs
from tfgraphtools.errors import ArgumentError

SAME = [
    ("loss 0.5\n", "loss 0.5\n"),
    ("loss 0.500001\n", "loss 0.500004\n"),
    ("[1.  2.]\n", "[ 1.0 2.0 ]\n"),
    ("nan inf\n", "nan inf\n"),
    ("1e6\n", "1000001\n"),
]


@pytest.mark.parametrize("ours, theirs", SAME)
def test_same(ours, theirs):
    found = compare.outputs(ours, theirs)
    assert found.same and found.agreed == found.numbers, str(found)


def test_no_number_is_no_proof():
    comparison = compare.outputs("done\n", "done\n")
    assert not comparison.same
    assert str(comparison) == "no number was printed by both: nothing was compared"


APART = [
    ("a 1\nb 2 3\n", "a 1\nb 2 4\n", (2, 2), 3, 2),
    ("loss nan\n", "loss 1.0\n", (1, 1), 1, 0),
    ("loss 0.5\n", "cost 0.5\n", (1, None), 0, 0),
    ("a 1\n", "a 1\nb 2\n", (2, None), 1, 1),
    ("a 1\nwarning\nb 2\n", "a 1\nb 2\n", (2, None), 2, 2),
]


@pytest.mark.parametrize("ours, theirs, place, numbers, agreed", APART)
def test_apart(ours, theirs, place, numbers, agreed):
    found = compare.outputs(ours, theirs)
    assert not found.same
    assert (found.first.line, found.first.number) == place
    assert (found.numbers, found.agreed) == (numbers, agreed)


def test_what_is_ignored():
    ours, theirs = "step 1 (0.31 sec)\nat 12:30\n", "step 1 (0.99 sec)\nat 09:15\n"
    assert not compare.outputs(ours, theirs).same
    assert compare.outputs(ours, theirs, ignore=[r"\(\S+ sec\)", r"at .*"]).same
    with pytest.raises(ArgumentError):
        compare.outputs("", "", ignore=["("])


def test_tolerance_and_worst():
    found = compare.outputs("1.0 2.0", "1.001 2.002", tolerance=1e-2)
    assert found.same and found.worst == pytest.approx(0.001, rel=1e-2)
    assert not compare.outputs("1.0", "1.001", tolerance=1e-4).same


def test_words_and_numbers_of_names_are_words():
    assert compare.outputs("conv2d_1 3\n", "conv2d_1 3\n").numbers == 1


def test_a_python_without_tensorflow_1():
    with pytest.raises(ArgumentError, match="TensorFlow 1.x"):
        compare.run("/nowhere/python", ["script.py"])


def test_it_says_that_both_stopped():
    found = compare.outputs("loss 1\n", "loss 1\n")
    assert "both" not in str(found)
    assert "both stopped with exit code 3" in str(found._replace(codes=(3, 3)))


def test_a_script_that_is_not_there(tf1_python, tmp_path):
    with pytest.raises(ArgumentError, match="no such file"):
        compare.run(str(tf1_python), [str(tmp_path / "nothing.py")])


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


@pytest.mark.quick
@pytest.mark.parametrize(
    "log, error",
    [
        ("ValueError: bad\n", "ValueError: bad"),
        ("ValueError: bad\ntfgraphtools: see docs/faq.md#bad\n", "ValueError: bad"),
        (
            "ValueError: bad\ntfgraphtools run: 1 notice\ntfgraphtools: a.py:1: x.\n",
            "ValueError: bad",
        ),
        ("tfgraphtools: run a.py: expected\n", "tfgraphtools: run a.py: expected"),
        (
            'Traceback:\n  File "a.py", line 1\n  File "b.py", line 7\n    x y\nSyntaxError: bad\n',
            "SyntaxError: bad (b.py, line 7)",
        ),
        ("", ""),
    ],
    ids=["plain", "advice", "notices", "a mistake", "syntax", "nothing"],
)
def test_the_error_of_a_run_is_the_scripts_own(log, error):
    assert copied_runs.CopiedRun(1, "", log, {}, None).error == error
    assert copied_runs.CopiedRun(0, "", log, {}, None).error == ""
