"""The traps of old scripts that are Python's, NumPy's or matplotlib's, each with its right answer."""

# ruff: noqa: E501 (programs and cases, each on its line)

import pathlib

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)


@pytest.fixture
def run(tf1_run, tmp_path):
    """A function that writes a script (and files beside it), runs it, and returns the process."""

    def run_script(text, *words, environment=None, **files):
        for name, content in files.items():
            path = tmp_path / (name.replace("__slash__", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)
        script = tmp_path / "script.py"
        script.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tf1_run(*words, "script.py", environment=environment or {})

    return run_script


def _printed(done):
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_trap_4_and_25_division_by_the_modules_own_python(run):
    """5/2 is 2 in Python 2 code, 2.5 in Python 3 code; arrays and tensors divide as they did."""
    done = run(
        "import old, future_old, new, either\n"
        "print(old.VALUES, future_old.VALUE, new.VALUE, either.VALUE)\n",
        old=(
            "import numpy as np\nimport tensorflow as tf\nprint 'old'\n"
            "VALUES = [5 / 2, -5 / 2, 5 / 2.0, (np.array([5]) / 2).tolist(), len(xrange(100000/25)),\n"
            "          int(tf.Session().run(tf.constant(7) / 2))]\n"
        ),
        future_old="from __future__ import division\nprint 'future'\nVALUE = 5 / 2\n",
        new="def only_python3(*, x): pass\nVALUE = 5 / 2\n",
        either="VALUE = 5 / 2\n",  # of a program that only Python 2 can have run
    )
    assert _printed(done) == "old\nfuture\n[2, -3, 2.5, [2], 4000, 3] 2.5 2.5 2\n"


def test_trap_5_a_syntax_error_of_python3_is_shown_as_it_is(run):
    done = run("def f(x: int):\n    return (x\n\nprint(f'{f(1)}')\n")
    assert done.returncode == 1
    assert 'script.py", line 2' in done.stderr and "never closed" in done.stderr
    assert "fissix" not in done.stderr and "tfgraphtools" not in done.stderr


def test_trap_12_and_14_pickles_and_reload_sys(run):
    done = run(
        "import sys\nreload(sys)\nsys.setdefaultencoding('utf8')\nimport cPickle, pickle\n"
        "with open('f.pkl', 'wb') as f:\n"
        "    f.write(b'\\x80\\x02}q\\x00U\\x01aq\\x01U\\x02\\x93\\xe9q\\x02s.')\n"
        "print(len(pickle.load(open('f.pkl'))['a']), len(cPickle.load(open('f.pkl', 'rb'))['a']))\n"
        "print(sys.stdout is __import__('sys').stdout)\n"
    )
    assert _printed(done) == "2 2\nTrue\n"


def test_trap_13_lines_of_a_traceback_after_translation(run):
    source = (
        "print 'a', \\\n    'b'\ndef f(x, (y, z)):\n    '''two\n    lines'''\n    return x / y\n"
        "try:\n    pass\nexcept IOError, (a, b):\n    pass\nf(1, (0, 2))\n"
    )
    done = run(source)
    assert done.returncode == 1
    lines = [line.strip() for line in done.stderr.splitlines() if "script.py" in line]
    assert [line.partition("line ")[2].partition(",")[0] for line in lines] == ["11", "6"]
    assert "f(1, (0, 2))" in done.stderr and "return x / y" in done.stderr
    assert "^" not in done.stderr, "columns are the translation's, and point nowhere"
    assert "integer_division.py" not in done.stderr, "frames of ours are no concern of the user"


def test_trap_15_windows_without_a_display_do_not_hang(run):
    done = run(
        "import matplotlib\nmatplotlib.use('TkAgg')\nimport matplotlib.pyplot as plt\n"
        "plt.ion()\nplt.plot([1, 2])\nplt.draw()\nplt.pause(0.01)\nplt.show(block=True)\nprint('on')\n",
        environment={"DISPLAY": "", "WAYLAND_DISPLAY": "", "MPLBACKEND": ""},
    )
    assert _printed(done) == "on\n" and "cannot be shown" not in done.stderr


def test_traps_20_21_and_22_numpy(run):
    done = run(
        "import threading\nimport numpy as np\nimport tensorflow as tf\n"
        "sess = tf.Session()\nx = tf.constant(0.5)\nprint({'acc': sess.run(x)})\n"
        "t = threading.Thread(target=lambda: print([sess.run(x)]))\nt.start()\nt.join()\n"
        "print(type(sess.run(x) * 0.5).__name__, np.uint8(200) + 100)\n"
        "pairs = np.array(list(zip([[1], [2, 3]], [4, 5])))\nprint(pairs.dtype, pairs.shape)\n"
    )
    assert _printed(done) == "{'acc': 0.5}\n[0.5]\nfloat64 300\nobject (2, 2)\n"


def test_trap_16_nothing_is_written_to_the_sources(run, tmp_path):
    _printed(run("import helper\nprint 'x'\n", helper="print 'y'\n"))
    assert (tmp_path / "script.py").read_bytes() == b"import helper\nprint 'x'\n"
    assert sorted(path.name for path in pathlib.Path(tmp_path).glob("*.py*")) == [
        "helper.py",
        "script.py",
    ]


def test_implicit_relative_imports(run):
    """A package's own module wins in Python 2 code, and stands in where nothing else is there."""
    done = run(
        "import net.model, net.new\n",
        net__slash____init__="",
        net__slash__calendar="WHO = 'own'\n",
        net__slash__layers="UNITS = 3\n",
        net__slash__model="import calendar\nfrom layers import UNITS\nprint calendar.WHO, UNITS\n",
        net__slash__new="import layers, calendar\nprint(layers.__name__, calendar.MONDAY + 0)\n",
    )
    assert _printed(done) == "own 3\nnet.layers 0\n"


def test_libraries_keep_the_real_modules(run):
    """What user code sees is its own: no real module, class or builtin gained a name."""
    done = run(
        "import builtins as real\nimport importlib, sys\nimport numpy as np\nimport matplotlib.pyplot\n"
        "import cPickle, ConfigParser, collections\nnp.float(1), collections.Iterable, xrange\n"
        "modules = sys.modules\n"
        "print('float' in vars(modules['numpy']), 'Iterable' in vars(modules['collections']),\n"
        "      'xrange' in vars(modules['builtins']), 'cPickle' in modules, 'ConfigParser' in modules)\n"
    )
    assert _printed(done) == "False False False False False\n"
