"""Programs that end, go on, hang or fail, and the cause of each failure."""

import os
import subprocess
import sys
import time

import pytest

from tfgraphtools.revive.failures import failure_causes
from tfgraphtools.runs import timed_runs

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(os.name == "nt", reason="groups of processes of POSIX"),
]

#: An installed package.
PACKAGE = """\
class DeprecatedEnv(Exception):
    pass
def seed():
    raise TypeError('deprecated')
def gone():
    from tfgraphtools.compat.engine import views
    raise views.GoneError('tensorflow.x._KEY: Write y.')
def old():
    import collections
    return collections.NoSuchClass
def make(version):
    text = f"version {version} is deprecated" if version else "no version"
    raise DeprecatedEnv(text)
"""

#: A program: the status, and the kind and place of the cause.
PROGRAMS = {
    "ends": ("print(1)", timed_runs.ENDED, None),
    "prints and goes on": (
        "import time\nfor i in range(9999):\n    print('step', i)\n    time.sleep(.05)",
        timed_runs.PROGRESS,
        None,
    ),
    "a bar of progress": (
        "import sys, time\nfor i in range(9999):\n"
        "    sys.stderr.write('\\r%d/9999' % i)\n    time.sleep(.05)",
        timed_runs.PROGRESS,
        None,
    ),
    "a bar of Keras": (
        "import time\nfor i in range(1, 9999):\n    done = i % 30\n"
        "    bar = '=' * done + '>' + '.' * (29 - done)\n"
        "    print('\\b' * 60 + '\\r%d/420 [%s] - loss: %.4f' % (i, bar, 1 / i), end='')\n"
        "    time.sleep(.05)",
        timed_runs.PROGRESS,
        None,
    ),
    "a bar of tqdm": (
        "import sys, time\nfor i in range(1, 9999):\n"
        "    bar = '\u2588' * (i % 10) + '\u258b' + ' ' * (9 - i % 10)\n"
        "    text = '\\r%d%%|%s| %d/99 [00:%02d<00:10, %.2fit/s]' % (i, bar, i, i % 60, i / 3)\n"
        "    sys.stderr.buffer.write(text.encode())\n    sys.stderr.flush()\n    time.sleep(.05)",
        timed_runs.PROGRESS,
        None,
    ),
    "what turns": (
        "import time\nfor i in range(9999):\n"
        "    print('\\r' + '|/-'[i % 3] + ' step %d' % i, end='')\n    time.sleep(.05)",
        timed_runs.PROGRESS,
        None,
    ),
    "weights that h5py does not find": (
        "import h5py\nh5py.File('w.hdf5', 'r')",
        timed_runs.FAILED,
        "data: w.hdf5 (t.py:2)",
    ),
    "no module of -m": (
        "import subprocess, sys\nsys.exit(subprocess.call([sys.executable, '-m', 'no_module']))",
        timed_runs.FAILED,
        "environment: no module named no_module",
    ),
    "no program": (
        "import subprocess\nsubprocess.call(['no-such-program'])",
        timed_runs.FAILED,
        "environment: no program no-such-program (t.py:2)",
    ),
    "a package that pkg_resources does not find": (
        "class DistributionNotFound(Exception): pass\n"
        "raise DistributionNotFound(\"The 'zope.interface' distribution was not found\")",
        timed_runs.FAILED,
        "environment: no package zope.interface (t.py:2)",
    ),
    "no metadata of a package": (
        "from importlib import metadata\nmetadata.version('no-such-package')",
        timed_runs.FAILED,
        "environment: no package no-such-package (t.py:2)",
    ),
    "warnings alone": (
        "import sys, time\nfor i in range(9999):\n"
        "    sys.stderr.write('a.py:%d: UserWarning: old\\n' % i)\n    time.sleep(.05)",
        timed_runs.SILENT,
        "code",
    ),
    "tries again and again": (
        "import time\nfor i in range(9999):\n    print('retry', i)\n    time.sleep(.05)",
        timed_runs.SILENT,
        "code",
    ),
    "waits": (
        "import time\nwhile True:\n    print('waiting', time.time())\n    time.sleep(.05)",
        timed_runs.SILENT,
        "code",
    ),
    "a traceback on stdout": (
        "import sys, traceback\ntry:\n    1 / 0\n"
        "except Exception:\n    traceback.print_exc(file=sys.stdout)",
        timed_runs.FAILED,
        "code: ZeroDivisionError: division by zero (t.py:3)",
    ),
    "tests that lack a module": (
        'print("E   ModuleNotFoundError: No module named \'nose\'")\n'
        'print("ERROR a.py\\n2 errors in 0.1s")\nraise SystemExit(2)',
        timed_runs.FAILED,
        "environment: no module named nose (a.py)",
    ),
    "tests of which one lacks a module": (
        "print('E   ImportError: No module named x\\nE   ValueError: y\\nERROR a.py')\n"
        "print('2 errors in 0.1s')\nraise SystemExit(2)",
        timed_runs.FAILED,
        "code: 2 errors in 0.1s (a.py)",
    ),
    "how it is used": ("print('Usage: t.py DIR')", timed_runs.FAILED, "command: Usage: t.py DIR"),
    "how it is used, and 1": (
        "print('usage: t.py DIR')\nraise SystemExit(1)",
        timed_runs.FAILED,
        "command: usage: t.py DIR",
    ),
    "a question": ("input('name? ')", timed_runs.FAILED, "command: it asks for input"),
    "a signal": (
        "import os\nos.kill(os.getpid(), 9)",
        timed_runs.FAILED,
        "code: signal 9 ended it",
    ),
    "a crash inside a library": (
        "import ctypes\nx = 1\nctypes.string_at(0)\n",
        timed_runs.FAILED,
        "code: signal 11 ended it (t.py:3)",
    ),
    "a window of SDL, and none": (
        "import os\nfor kind in ('VIDEO', 'AUDIO'):\n"
        "    assert os.environ[f'SDL_{kind}DRIVER'] == 'dummy'",
        timed_runs.ENDED,
        None,
    ),
    "the same line again and again": (
        "import time\nwhile True:\n    print('waiting for GPU 0')\n    time.sleep(.05)",
        timed_runs.SILENT,
        "code",
    ),
    "shapes that are printed at once": (
        "import time\nfor i in range(9):\n    print((i, 2))\ntime.sleep(60)",
        timed_runs.SILENT,
        "code",
    ),
    "a start, and then nothing": (
        "import time\nfor i in range(4):\n    print((i, 2))\n    time.sleep(.02)\ntime.sleep(60)",
        timed_runs.SILENT,
        "code",
    ),
    "a file that is written once": (
        "import time\nopen('config.pkl', 'w').close()\ntime.sleep(60)",
        timed_runs.SILENT,
        "code",
    ),
    "a file that is written once, in pieces": (
        "import time\nprint('start', flush=True)\ntime.sleep(1)\nfile = open('w.h5', 'wb')\n"
        "for i in range(5):\n    file.write(b'0')\n    file.flush()\n    time.sleep(.15)\n"
        "time.sleep(60)",
        timed_runs.SILENT,
        "code",
    ),
    "writes a file and goes on": (
        "import time\nwhile True:\n    open('log', 'a').write('x')\n    time.sleep(.05)",
        timed_runs.PROGRESS,
        None,
    ),
    "warnings in its log while it builds a graph": (
        "import time\nfor i in range(9999):\n"
        "    open('run.log', 'a').write('7,%d:WARNING: From a.py:1: old\\n' % i)\n"
        "    time.sleep(.05)",
        timed_runs.SILENT,
        "code",
    ),
    "a checkpoint that is half written": (
        "import time\nwhile True:\n"
        "    open('m.ckpt-0.data-00000-of-00001.tempstate1', 'a').write('x')\n"
        "    time.sleep(.05)",
        timed_runs.SILENT,
        "code",
    ),
    "losses in its log": (
        "import time\nfor i in range(9999):\n"
        "    open('log.txt', 'a').write('loss %d\\n' % i)\n    time.sleep(.05)",
        timed_runs.PROGRESS,
        None,
    ),
    "the last loss in a file written anew": (
        "import time\nfor i in range(100, 9999):\n"
        "    open('log.txt', 'w').write('loss %d\\n' % i)\n    time.sleep(.05)",
        timed_runs.PROGRESS,
        None,
    ),
    "a checkpoint of step 0, late, and a first step that fails": (
        "import time\ntime.sleep(1)\nopen('m.index', 'w').close()\ntime.sleep(.4)\nint('x')",
        timed_runs.FAILED,
        "code: ValueError",
    ),
    "a checkpoint, and a thread that is alive": (
        "import time\nopen('m.index', 'w').close()\ntime.sleep(60)",
        timed_runs.PROGRESS,
        None,
    ),
    "hangs": ("print('start', flush=True)\nimport time\ntime.sleep(60)", timed_runs.SILENT, "code"),
    "ends with an error": (
        "x = 1\n1 / 0",
        timed_runs.FAILED,
        "code: ZeroDivisionError: division by zero (t.py:2)",
    ),
    "an error of which it does not die": (
        "import threading\nthreading.Thread(target=lambda: 1 / 0).start()",
        timed_runs.FAILED,
        "code: ZeroDivisionError",
    ),
    "no data": ("x = 1\nopen('data/a.txt')", timed_runs.FAILED, "data: data/a.txt (t.py:2)"),
    "data that NumPy does not find": (
        "raise FileNotFoundError('data/cora/a.content not found.')",
        timed_runs.FAILED,
        "data: data/cora/a.content (t.py:1)",
    ),
    "no network": (
        "from urllib.request import urlopen\nurlopen('http://example.org/a')",
        timed_runs.FAILED,
        "data: it downloads, and programs have no network: urllib.error.URLError",
    ),
    "data that this library asks for": (
        "from tfgraphtools.errors import MissingDataError\n"
        "raise MissingDataError('read_data_sets', 'four files', 'none', 'Put them there.')",
        timed_runs.FAILED,
        "data: tfgraphtools.errors.MissingDataError: read_data_sets: expected four files",
    ),
    "layers of a graph": (
        "import time\nfor i in range(200):\n"
        "    print('Tensor(\"layer_%d:0\", shape=(?, 5))' % i)\n    time.sleep(0.1)",
        timed_runs.SILENT,
        "code: it did not end",
    ),
    "no package": (
        "import no_such_package.x",
        timed_runs.FAILED,
        "environment: no module named no_such_package",
    ),
    "no part of TF 1": (
        "raise ModuleNotFoundError(\"No module named 'tensorflow.contrib'\")",
        timed_runs.FAILED,
        "environment: no module named tensorflow.contrib",
    ),
    "a name that TF 1.15 lacks, too": (
        "raise ImportError(\"cannot import name 'core_rnn' from 'tensorflow.contrib.rnn' (x)\")",
        timed_runs.FAILED,
        "code: ImportError: cannot import name 'core_rnn'",
    ),
    "options are missing": (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('data')\np.parse_args()",
        timed_runs.FAILED,
        "command: usage: t.py",
    ),
    "words are missing": (
        "import sys\nsys.argv[1]",
        timed_runs.FAILED,
        "command: it expects arguments",
    ),
    "a package that does not import": (
        "from json import *\nimport bad",
        timed_runs.FAILED,
        "environment: TypeError: old (t.py:2)",
    ),
    "a package of another version": (
        "raise AttributeError(\"module 'sonnet' has no attribute 'AbstractModule'\")",
        timed_runs.FAILED,
        "environment: AttributeError: module 'sonnet'",
    ),
    "a name that the library of Python lost": (
        "import collections\ncollections.MutableMappings",
        timed_runs.FAILED,
        "code: AttributeError: module 'collections' has no attribute 'MutableMappings'",
    ),
    "a call that a newer package refuses": (
        "import sys\nsys.path.append('../site-packages')\nimport faker\nfaker.seed()",
        timed_runs.FAILED,
        "environment: TypeError: deprecated (t.py:4)",
    ),
    "a package that uses what has no stand-in": (
        "import sys\nsys.path.append('../site-packages')\nimport faker\nfaker.gone()",
        timed_runs.FAILED,
        "environment: faker: tfgraphtools.compat.engine.views.GoneError: tensorflow.x._KEY: Write",
    ),
    "a package that is written for an older Python": (
        "import sys\nsys.path.append('../site-packages')\nimport faker\nfaker.old()",
        timed_runs.FAILED,
        "environment: faker: AttributeError: module 'collections' has no attribute 'NoSuchClass'",
    ),
    "an error of its own of a newer package": (
        "import sys\nsys.path.append('../site-packages')\nimport faker\nfaker.make('v1')",
        timed_runs.FAILED,
        "environment: faker.DeprecatedEnv: version v1 is deprecated (t.py:4)",
    ),
    "an error of its own of a package": (
        "import sys\nsys.path.append('../site-packages')\nimport faker\nfaker.make('')",
        timed_runs.FAILED,
        "code: faker.DeprecatedEnv: no version",
    ),
    "a call that Keras refuses": (
        "import sys\nsys.path.insert(0, '../site-packages')\nimport keras\nkeras.seed()",
        timed_runs.FAILED,
        "code: TypeError: deprecated (t.py:4)",
    ),
    "tests that fail": (
        "print('FAILED a.py::test_x - E\\n= 1 failed, 2 passed in 0.1s =')\nraise SystemExit(1)",
        timed_runs.FAILED,
        "code: 1 failed, 2 passed in 0.1s (a.py::test_x)",
    ),
    "an error in __del__": (
        "class A:\n    def __del__(self):\n        raise ValueError('late')\nA()\nprint(1)",
        timed_runs.ENDED,
        None,
    ),
    "an error, and one in __del__": (
        "class A:\n    def __del__(self):\n        raise ValueError('late')\na = A()\n1 / 0",
        timed_runs.FAILED,
        "code: ZeroDivisionError: division by zero (t.py:5)",
    ),
    "how it is used, on stderr": (
        "import sys\nsys.stderr.write('Usage: t.py DIR')",
        timed_runs.FAILED,
        "command: Usage: t.py DIR",
    ),
    "how it is used, after its name": (
        "print('Net 1.0')\nprint('usage: t.py [-h] DIR')",
        timed_runs.FAILED,
        "command: usage: t.py [-h] DIR",
    ),
    "a word in its output": ("print('Net 1.0\\nUsage: 30%')", timed_runs.ENDED, None),
    "how docopt says it": (
        "raise SystemExit('Usage:\\n  t.py DIR')",
        timed_runs.FAILED,
        "command: Usage: t.py DIR",
    ),
    "a flag of absl that it lacks": (
        "from absl import app, flags\nflags.DEFINE_string('data', None, '')\n"
        "flags.mark_flag_as_required('data')\napp.run(print)",
        timed_runs.FAILED,
        "command: Flag --data must have a value",
    ),
    "a flag of absl that it lacks, as a traceback": (
        "from absl import flags\nflags.DEFINE_string('data', None, '')\n"
        "flags.mark_flag_as_required('data')\nflags.FLAGS(['t.py'])",
        timed_runs.FAILED,
        "command: absl.flags._exceptions.IllegalFlagValueError: flag --data=None: Flag",
    ),
    "a flag that absl does not know": (
        "from absl import app\napp.run(print, ['t.py', '--x'])",
        timed_runs.FAILED,
        "command: Unknown command line flag 'x'",
    ),
    "tests that a package stops when they are collected": (
        "print('a.py:8: in <module>\\n    import lib')\n"
        "print('/site-packages/lib/a.py:8: in <module>\\n    g(\\nE   TypeError: g() got x')\n"
        "print('ERROR a.py\\n!! Interrupted: 1 error during collection !!\\n1 error in 0.1s')\n"
        "raise SystemExit(2)",
        timed_runs.FAILED,
        "environment: lib: TypeError: g() got x (a.py)",
    ),
    "another error after an import that may fail": (
        "try:\n    import cPickle\nexcept ImportError:\n    open('a.pkl')",
        timed_runs.FAILED,
        "data: a.pkl (t.py:4)",
    ),
    "an import, and what is said of it": (
        "try:\n    import no_such\nexcept ImportError:\n    raise ValueError('get no_such')",
        timed_runs.FAILED,
        "environment: no module named no_such",
    ),
    "an error of any name, after another": (
        "class NoConfig(Exception): pass\ntry:\n    {}['x']\nexcept KeyError:\n"
        "    raise NoConfig('none')",
        timed_runs.FAILED,
        "code: NoConfig: none (t.py:5)",
    ),
    "a code, and words on stdout": (
        "import sys\nsys.stderr.write('WARNING:tensorflow:old\\n')\nprint('no GPU')\nsys.exit(3)",
        timed_runs.FAILED,
        "code: exit code 3; the last line is: no GPU",
    ),
    "a code alone": ("raise SystemExit(3)", timed_runs.FAILED, "code: exit code 3, and no output"),
    "a code, and warnings alone": (
        "import sys\nsys.stderr.write('WARNING:tensorflow:old\\n')\nsys.exit(3)",
        timed_runs.FAILED,
        "code: exit code 3, and no output",
    ),
    "words of the system before another error": (
        "import sys\nsys.stderr.write(\"[Errno 2] No such file or directory: 'c'\\n\")\n1 / 0",
        timed_runs.FAILED,
        "code: ZeroDivisionError",
    ),
    "words of the system alone": (
        "try:\n    open('a.txt')\nexcept OSError as error:\n    raise SystemExit(str(error))",
        timed_runs.FAILED,
        "data: a.txt",
    ),
    "no display": (
        "raise RuntimeError('no display name and no $DISPLAY environment variable')",
        timed_runs.FAILED,
        "environment: there is no display",
    ),
    "no checkpoint": (
        "raise ValueError('The passed save_path is not a valid checkpoint: m/a.ckpt')",
        timed_runs.FAILED,
        "data: m/a.ckpt (t.py:1)",
    ),
    "no folder of a checkpoint": (
        "class NotFoundError(Exception): pass\n"
        "raise NotFoundError('model; No such file or directory')",
        timed_runs.FAILED,
        "data: model (t.py:2)",
    ),
    "no script": (
        "import sys\nsys.exit('tfgraphtools: run a.py: expected the file of a script, got none')",
        timed_runs.FAILED,
        "command: tfgraphtools: run a.py: expected the file of a script",
    ),
    "no checkpoint at all": (
        "raise ValueError(\"Can't load save_path when it is None.\")",
        timed_runs.FAILED,
        "data: no checkpoint was found (t.py:1)",
    ),
    "no data of Keras": (
        "raise Exception('URL fetch failure on https://a/b.npz: None -- refused')",
        timed_runs.FAILED,
        "data: it downloads",
    ),
    "a folder of an earlier run": (
        "import os\nos.mkdir('/tmp')",
        timed_runs.FAILED,
        "command: FileExistsError: [Errno 17] File exists: '/tmp'",
    ),
    "files without tests": (
        "print('no tests ran in 0.01s')\nraise SystemExit(5)",
        timed_runs.FAILED,
        "command: pytest finds no test in these files",
    ),
    "an option that pytest lacks": (
        "import sys\nsys.stderr.write('ERROR: usage: a [b]\\na: error: unrecognized')\nsys.exit(4)",
        timed_runs.FAILED,
        "command: usage: a [b]",
    ),
    "tests of no such file": (
        "raise SystemExit('ERROR: file or directory not found: tests/a.py')",
        timed_runs.FAILED,
        "command: ERROR: file or directory not found: tests/a.py",
    ),
    "a name that is removed": (
        "raise AttributeError(\"module 'tensorflow' has no attribute 'foo'\")",
        timed_runs.FAILED,
        "this library: AttributeError",
    ),
}  # fmt: skip


@pytest.mark.costly(in_ci=24)
@pytest.mark.parametrize("case", PROGRAMS)
def test_programs(case, tmp_path):
    text, status, expected = PROGRAMS[case]
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "t.py").write_text(text)
    (tmp_path / "bad.py").write_text("raise TypeError('old')")
    for name in ("faker", "keras"):
        package = tmp_path / "site-packages" / name
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(PACKAGE)
    command = [sys.executable, "t.py"]
    # What ends by itself needs no short limit, and progress is seen in some time on a slow machine.
    limit = {timed_runs.FAILED: 30, timed_runs.PROGRESS: 2.5}.get(status, 0.6)
    outcome = timed_runs.run(
        command, str(tree), str(tree), {"PYTHONPATH": str(tmp_path)}, limit, str(tmp_path / "log")
    )
    assert outcome.status == status and outcome.runs == (expected is None)
    if expected is not None:
        cause = failure_causes.cause(outcome, str(tree), {"t"})
        assert str(cause).startswith(expected) and cause.remedy


#: A program beside other files of its repository: what the cause and the remedy say.
REMEDIES = {
    "a module elsewhere": ("import deep", "no module named deep", "PYTHONPATH=lib python"),
    "a module of a package elsewhere": ("import pkg.mod", "named pkg", "PYTHONPATH=src python"),
    "a folder without it": ("import lib.other", "named lib.other", "No file of the repository"),
    "a name that its own module lacks": ("from own import x", "cannot import", "Compare with TF"),
    "an attribute that its own module lacks": (
        "import sys\nsys.path.append('lib')\nimport deep\ndeep.x",
        "has no attribute 'x'",
        "Compare with TF",
    ),
    "a folder to write to": ("open('logs/a.txt', 'w')", "logs/a.txt", "make the folder logs"),
    "a folder of folders": ("import os\nos.mkdir('logs/a')", "logs/a", "make the folder logs"),
    "a file that is read": ("open('logs/a.txt')", "logs/a.txt", "Put this file there"),
    "a file beside the repository": ("open('../a.txt')", "../a.txt", "name its absolute path"),
    "a file that is nowhere": ("open('../b.txt')", "../b.txt", "Put this file there"),
    "a part of Python": (
        "raise ImportError(\"No module named 'lzma'\")",
        "named lzma",
        "this Python lacks",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REMEDIES)
def test_remedies(case, tmp_path):
    text, what, remedy = REMEDIES[case]
    tree = tmp_path / "runs" / "tree"
    for name in ("lib/deep.py", "src/pkg/mod.py", "own.py"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("")
    (tree / "t.py").write_text(text)
    (tmp_path / "repo").mkdir()
    (tmp_path / "a.txt").write_text("")
    outcome = timed_runs.run(
        [sys.executable, "t.py"], str(tree), str(tree), {}, 5, str(tmp_path / "log")
    )
    names = {"lib", "deep", "src", "pkg", "mod", "own", "t"}
    cause = failure_causes.cause(outcome, str(tree), names, beside=str(tmp_path / "repo"))
    assert what in cause.what and remedy in cause.remedy


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_of_much_output_the_end_is_read(end, tmp_path):
    """Reading it all took longer than printing it; what goes on is in its end, too."""
    (tmp_path / "log").write_text("")
    lines = timed_runs._Lines(str(tmp_path / "log"))
    for number in range(4):
        time.sleep(0.01)
        with open(str(tmp_path / "log"), "a", newline="") as file:
            file.write(f"start{end}" + f"{number} of a line, {number}{end}" * 100000)
            file.write(f"step {number}{end}")
        lines.look()
    assert lines.goes_on(0) and set(lines.moments) == {"# of a line, #", "step #"}
    assert set(lines._numbers) == {"# of a line, #", "step #", ""}


def test_output_without_end_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(timed_runs, "_MOST_OUTPUT", 1 << 20)
    tree = tmp_path / "tree"
    tree.mkdir()
    slow = "import time\nwhile True:\n    print('waits' * 1000, flush=True)\n    time.sleep(0.001)"
    (tree / "t.py").write_text(slow)  # as fast as it can, it writes a gigabyte a second
    command, log = [sys.executable, "t.py"], str(tmp_path / "log")
    outcome = timed_runs.run(command, str(tree), str(tree), {}, 60, log)
    assert outcome.status == timed_runs.SILENT
    assert (tmp_path / "log.out").stat().st_size < 100 << 20  # a minute writes more


def test_tests_must_end(tmp_path):
    (tmp_path / "t.py").write_text(
        "import time\nfor i in range(9999):\n    print(i)\n    time.sleep(.1)"
    )
    words, tree = [sys.executable, "t.py"], str(tmp_path)
    assert (
        timed_runs.run(words, tree, tree, {}, 0.2, tree + "/log", True).status == timed_runs.SILENT
    )


@pytest.mark.parametrize("options", ["", ", start_new_session=True"])
def test_children_end_with_the_program(options, tmp_path):
    if options and sys.platform != "linux":
        pytest.skip("/proc of Linux")
    text = (
        "import subprocess, sys, time\n"
        "words = [sys.executable, '-c', 'import time; time.sleep(99)']\n"
        f"child = subprocess.Popen(words{options})\n"
        "open('pid', 'w').write(str(child.pid))\n"
        "while True:\n    print(time.time(), flush=True)\n    time.sleep(.05)"
    )
    (tmp_path / "t.py").write_text(text)
    tree = str(tmp_path)
    outcome = timed_runs.run([sys.executable, "t.py"], tree, tree, {}, 0.6, tree + "/log")
    assert outcome.status == timed_runs.PROGRESS
    child = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not _is_running(child):
            break
        time.sleep(0.05)
    assert not _is_running(child)


@pytest.mark.skipif(sys.platform != "linux", reason="prctl of Linux")
def test_the_program_ends_when_revive_is_killed(tmp_path):
    (tmp_path / "t.py").write_text(
        "import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(99)"
    )
    tree = str(tmp_path)
    text = f"""
import sys
from tfgraphtools.runs import timed_runs
timed_runs.run([sys.executable, "t.py"], {tree!r}, {tree!r}, {{}}, 60, {tree + "/log"!r})
"""
    parent = subprocess.Popen([sys.executable, "-c", text])
    pid = tmp_path / "pid"
    for _ in range(400):
        if pid.exists() and pid.read_text():
            break
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    for _ in range(100):
        if not _is_running(int(pid.read_text())):
            break
        time.sleep(0.05)
    assert not _is_running(int(pid.read_text()))


def _is_running(pid):
    """Tells whether a process has not ended; nobody may have asked for its exit code."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], stdout=subprocess.PIPE).stdout
    return state.strip()[:1] not in (b"", b"Z")
