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
    ("1e6\n", "1000000\n"),
    ("1000000.0\n", "1000001.0\n"),
    ("[1000000. 1000001.]\n", "[1000001. 1000001.]\n"),
    ("1.00000e-06\n", "1.000001e-06\n"),
    ("(1+2j)\n", "(1.000001+2j)\n"),
    ("[1. +2.j 3.25-4.5j]\n", "[1.000001 +2.j 3.25-4.5j]\n"),
    ("(1+1e-17j) 2j\n", "(1-0j) 2j\n"),
    ("(nan+infj) -inf\n", "(nan+infj) -inf\n"),
    ("NaN Infinity -Infinity 5\n", "nan inf -inf 5\n"),
    ("loss 1,234,567.8\n", "loss 1,234,567.9\n"),
    ("97.5% 100%\n", "97.500001% 100%\n"),
    ("0.0\n", "-0.0\n"),
    ("3\n", "3.0\n"),
]

#: Outputs that differ in one number, at the end of their line or before a unit.
DIFFERENT = [
    ("1000000", "1000001"),
    ("1e-06", "9e-06"),
    ("1e-12", "9e-12"),
    ("0.0", "1e-08"),
    ("1e6", "1000001"),
    ("1000000", "1000001.0"),
    ("Saved step 1000000.", "Saved step 1000001."),
    ("At 1000000. Go on", "At 1000001. Go on"),
    ("model.ckpt-1000000", "model.ckpt-1000001"),
    ("12345678901234567890", "12345678901234567891"),
    ("1,000,000", "1,000,001"),
    ("seen 1,000,000", "seen 1,000,001"),
    ("[100,200,300.5]", "[100,200,301.5]"),
    ("100,200,300.5", "100,200,301.5"),
    ("100%", "99%"),
    ("1e-06%", "9e-06%"),
    ("1000000x", "1000001x"),
    ("conv_1000000", "conv_1000001"),
    ("1.5GB", "1.6GB"),
    ("version 1.15.5", "version 1.15.6"),
    ("(1+2j)", "(1-2j)"),
    ("(1+2j)", "(1+2.1j)"),
    ("1e-06j", "9e-06j"),
    ("(1+2j)", "3.0"),
    ("(nan+1j)", "(nan+2j)"),
    ("inf", "-inf"),
    ("nan", "1.0"),
    ("5", "inf"),
    ("5", "(5+1e-3j)"),
    ("NaN", "0"),
]


@pytest.mark.parametrize("ours, theirs", SAME)
def test_same(ours, theirs):
    found = compare.outputs(ours, theirs)
    assert found.same and found.agreed == found.numbers, str(found)


@pytest.mark.parametrize("ours, theirs", DIFFERENT)
def test_different(ours, theirs):
    for one, other in ((ours, theirs), (theirs, ours)):
        comparison = compare.outputs(f"a 1\n{one}\n", f"a 1\n{other}\n")
        assert not comparison.same and comparison.first.line == 2


def test_whole_numbers_have_no_tolerance():
    assert not compare.outputs("100", "101", tolerance=0.5).same
    assert compare.outputs("100.0", "101.0", tolerance=0.5).same


def test_a_line_of_nan_is_stable():
    runs = [copied_runs.CopiedRun(0, f"a nan\nb {i}\n", "", {}, None) for i in (1, 2)]
    assert compare.unstable(*runs) == {"b#"}


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
