"""Random programs of assignments do under `run` what they do in the Python they are for.

The oracle is Python itself; NumPy 1.18 under Python 3.7, where arrays are in play; Python 2.7 for
its division. ``TFGRAPHTOOLS_PROGRAMS="SEED COUNT"`` draws others, and more.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import assignment_programs
import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

PROGRAM = pathlib.Path(assignment_programs.__file__)

#: Statements that were stored elsewhere, or whose parts were evaluated twice: {text: what holds}.
FAULTS = {
    "root = node = {}\nfor ch in 'ab': node[ch] = node = {}\nprint(root)": "{'a': {'b': {}}}",
    "v = [0, 0]\ns = 0\nv[s], s = v[s] + 1, 1\nprint(v)": "[1, 0]",
    "p = [1, 2, 0]\nx = 0\np[x], x = p[p[x]], p[x]\nprint(p, x)": "[2, 2, 0] 1",
    "n = [0]\ndef f():\n    n[0] = 1\n    return 5\nc = [0, 0]\nc[n[0]] += f()\nprint(c)": "[5, 0]",
    "b = a = [1]\ndef h():\n    global b\n    b = [7]\n    return 1\nb[0] += h()\nprint(a, b)": (
        "[2] [7]"
    ),
    "class A:\n    k = 0\n    @property\n    def p(self):\n        self.k += 1\n        return 0\n"
    "a = A()\nc = [1]\nc[a.p] += 1\nprint(a.k)": "1",
    "class A:\n    k = 0\n    @property\n    def me(self):\n        self.k += 1\n"
    "        return self\n"
    "a = A()\na.me.n = 1\na.me.n += 1\nprint(a.k, a.n)": "2 2",
    "class _A:\n    def f(self):\n        self.me, self.__n = self, 1\n        self.me.__n += 1\n"
    "        return vars(self)['_A__n']\nprint(_A().f())": "2",
}


def test_faults(tf1_run_in, tmp_path):
    """What each of these prints is written down in the language reference."""
    program = "".join(f"exec({text!r}, {{}})\n" for text in FAULTS)
    (tmp_path / "faults.py").write_text(program)
    result = tf1_run_in(tmp_path, "faults.py")
    assert result.stdout.splitlines() == list(FAULTS.values()), result.stderr


@pytest.mark.parametrize("kind", ["modern", "numpy", "python2"])
def test_programs(kind, tf1_run_in, tmp_path, request):
    if kind == "modern":
        python = sys.executable
    else:
        python = request.getfixturevalue("tf1_python") if kind == "numpy" else _python2()
    seed, count = map(int, os.environ.get("TFGRAPHTOOLS_PROGRAMS", "1 150").split())
    drawn = assignment_programs.Programs(seed, kind)
    texts = [drawn.text() for _ in range(count)]
    shutil.copy(str(PROGRAM), str(tmp_path))
    (tmp_path / "programs.json").write_text(json.dumps([texts, kind]))
    words = [PROGRAM.name, "programs.json"]
    theirs = subprocess.run(
        [python, *words], cwd=str(tmp_path), stdout=subprocess.PIPE, check=True
    ).stdout.splitlines()
    ours = tf1_run_in(tmp_path, *words)
    assert ours.returncode == 0, ours.stderr
    pairs = zip(texts, map(json.loads, theirs), map(json.loads, ours.stdout.splitlines()))
    compared = [(text, a == b, a, b) for text, a, b in pairs]
    assert len(compared) == count
    differing = [(text, a, b) for text, is_equal, a, b in compared if not is_equal]
    shown = "\n".join(f"{text}\n  Python: {a}\n  run:    {b}\n" for text, a, b in differing[:3])
    assert not differing, f"{len(differing)} of {count}\n{shown}"


def _python2():
    versions = pathlib.Path(os.environ.get("PYENV_ROOT", str(pathlib.Path.home() / ".pyenv")))
    places = [str(path) for path in versions.glob("versions/2.7*/bin/python")]
    for python in [*places, shutil.which("python2.7")]:
        if python:
            return python
    return pytest.skip("no Python 2.7 is here")
