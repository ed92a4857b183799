"""Long sums and chains, which Python compiles; and a call that nests deeper than the limit."""

import sys

import pytest

from tfgraphtools import compat, deep_recursion, upgrade
from tfgraphtools.compat.doctor import source_files
from tfgraphtools.compat.engine.translate import source

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(compat.is_tf1(), reason="these act on TF 2.x"),
]

HEAD = "import tensorflow as tf\nif 0:\n    s = tf.Session()\nn = 3\n"

#: Programs of which plain Python computes the name x: the oracle.
PROGRAMS = {
    "400 terms": "x = " + " + ".join(['"a"'] * 400) + "\n",
    "2000 terms": "x = " + " + ".join(['"a"'] * 2000) + "\n",
    "500 elif": "if n == 0:\n    x = 0\n"
    + "".join(f"elif n == {k}:\n    x = {k}\n" for k in range(1, 500)),
    "300 attributes": "class A: pass\na = A()\na.b = a\na.c = 5\nx = a" + ".b" * 300 + ".c\n",
    "Python 2": "x = " + " + ".join(['"a"'] * 400) + "\nprint '', x[:0]\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_upgrade(name, tmp_path):
    (tmp_path / "a.py").write_text(HEAD + PROGRAMS[name])
    report = upgrade.examine([str(tmp_path)])
    (file,) = report.changed
    assert not report.errors and "Session()" in file.new


@pytest.mark.parametrize("name", PROGRAMS)
def test_run(name):
    text, values, expected = PROGRAMS[name].replace("print ''", "x = x #"), {"n": 3}, {"n": 3}
    exec(source.code_of(text.encode(), "a.py"), values)
    exec(compile(text, "a.py", "exec"), expected)
    assert values["x"] == expected["x"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_doctor_reads(name, tmp_path):
    (tmp_path / "a.py").write_text(HEAD + PROGRAMS[name])
    assert source_files.read(str(tmp_path / "a.py")).error is None


def test_what_python_cannot_compile_is_refused(tmp_path):
    text = "x = " + " + ".join(['"a"'] * 20000) + "\n"
    with pytest.raises((RecursionError, MemoryError)):
        compile(text, "a.py", "exec")
    (tmp_path / "a.py").write_text(HEAD + text)
    (error,) = upgrade.examine([str(tmp_path)]).errors
    assert "nested too deeply" in str(error)
    assert "nested too deeply" in source_files.read(str(tmp_path / "a.py")).error


def _depth(levels):
    return levels and 1 + _depth(levels - 1)


def test_deep_calls():
    limit = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        _depth(5000)
    assert deep_recursion.call(_depth, 5000) == 5000
    with pytest.raises(RecursionError):
        deep_recursion.call(_depth, 10**6)
    with pytest.raises(ZeroDivisionError):
        deep_recursion.call(lambda: _depth(5000) / 0)
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize(
    "levels", ["x = 1" + " + 1" * 2000, "x = 0\nif x: pass\n" + "elif x: pass\n" * 900]
)
def test_upgrade_of_python_2(levels, tmp_path):
    path = tmp_path / "old.py"
    path.write_text("import tensorflow as tf\nprint tf.Session()\n" + levels + "\n")
    (file,) = upgrade.examine([str(tmp_path)]).files
    assert file.error is None or "too deeply" in file.error


def test_upgrade_of_integers_that_python_does_not_print(tmp_path):
    path = tmp_path / "old.py"
    number = "0x" + "9" * 9000
    path.write_text(f"import tensorflow as tf\na[{number}] = {number}\nf({number}, tf.Session())\n")
    report = upgrade.examine([str(tmp_path)])
    assert any(line == "+import tensorflow.compat.v1 as tf" for line in report.diff())
