"""A script under ``run`` behaves as under plain Python, in all that is not TensorFlow."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from tfgraphtools import compat

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN = ("-m", "tfgraphtools", "run")


def _start(words, folder, **options):
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    environment.update(options.pop("environment", {}))
    return subprocess.Popen(
        [sys.executable, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        cwd=str(folder),
        env=environment,
        preexec_fn=_interruptible,
        **options,
    )


def _interruptible():
    # Jobs in the background ignore SIGINT, and hand that on to what they start.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _both(words, folder, stdin=""):
    """(exit code, stdout, stderr) of plain Python, and of ``run``."""
    started = [_start(how + tuple(words), folder) for how in ((), RUN)]
    results = []
    for process in started:
        out, err = process.communicate(stdin, timeout=120)
        results.append((process.returncode, out, err))
    return results


_SCRIPTS = {
    "what-it-is": """
        '''Its doc.'''
        import os, sys
        print(__name__, __file__, __doc__, __package__, __spec__, sys.argv, sys.path[0])
        print(sys.modules["__main__"].__dict__ is globals(), sorted(n for n in dir() if "__" in n))
        print(type(__builtins__).__name__, __loader__.get_filename())
    """,
    "reads-stdin": "import sys; print(sys.stdin.read().upper()); print(input)",
    "exits-with-a-number": "import sys; sys.exit(5)",
    "exits-with-words": "import sys; sys.exit('bye')",
    "exits-with-nothing": "raise SystemExit",
    "exits-at-once": "import os; print(1, flush=True); os._exit(3)",
    "at-exit": "import atexit; atexit.register(print, 'last'); print('first')",
    "at-exit-after-an-error": "import atexit; atexit.register(print, 'last'); 1 / 0",
    "a-thread-outlives-it": """
        import threading, time
        def work():
            time.sleep(0.1)
            print("thread")
        threading.Thread(target=work).start()
        print("main ends")
    """,
    "raises": """
        def f(x):
            return x.nothing
        f(3)
    """,
    "raises-with-a-cause": """
        try:
            {}["k"]
        except KeyError as error:
            raise ValueError("v") from error
    """,
    "raises-in-a-module": "import helper; helper.fail()",
    "raises-while-importing": "import broken",
    "imports-nothing-there": "import no_such_module_anywhere",
    "syntax-error": "x = (1,\ny = 2\n",
    "syntax-error-in-a-module": "import wrong",
    "own-excepthook": """
        import sys
        def hook(kind, error, trace):
            print("hook", kind.__name__, error, trace.tb_frame.f_code.co_filename == __file__)
        sys.excepthook = hook
        raise ValueError("v")
    """,
    "interrupts-itself": "import os, signal; os.kill(os.getpid(), signal.SIGINT); signal.pause()",
    "terminates-itself": "import os, signal; os.kill(os.getpid(), signal.SIGTERM); signal.pause()",
    "own-modules-win": """
        import utils, keras, input_data, mock
        print(utils.WHO, keras.WHO, input_data.WHO, mock.WHO)
        from utils import WHO
        import importlib
        print(WHO, importlib.import_module("keras").WHO, importlib.reload(utils) is utils)
    """,
    "package-and-relative": """
        import pack.one
        from pack import two
        print(pack.one.VALUE, two.VALUE, pack.one.__package__)
    """,
    "star-and-exec": """
        from helper import *
        exec("import helper as again; print(again.__name__)")
        print(VALUE, eval("__import__('helper').VALUE"))
    """,
    "pickles-its-classes": """
        import pickle
        class C: pass
        print(type(pickle.loads(pickle.dumps(C()))) is C, C.__module__)
    """,
    "adds-a-builtin": """
        import builtins
        builtins.extra = 3
        import helper
        print(helper.extra_seen())
    """,
    "tf.compat.v1": """
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0], [2.0]])
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.matmul(x, w) ** 2))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(train, {x: [[0.1, 0.2]]})
            print(session.run(w).tolist(), w, x)
    """,
    "tf.compat.v1-eager": """
        import tensorflow.compat.v1 as tf
        tf.enable_v2_behavior()
        print(tf.executing_eagerly(), tf.constant([1, 2]).numpy().tolist())
    """,
}

_MODULES = {
    "helper.py": """
        VALUE = 7
        def fail():
            raise RuntimeError("in a module")
        def extra_seen():
            return extra
    """,
    "broken.py": "VALUE = 1\nVALUE / 0\n",
    "wrong.py": "def f(:\n    pass\n",
    "utils.py": "WHO = 'mine'\n",
    "keras.py": "WHO = 'my keras'\n",
    "input_data.py": "WHO = 'my data'\n",
    "mock.py": "WHO = 'my mock'\n",
    "pack/__init__.py": "",
    "pack/one.py": "from . import two\nfrom .two import VALUE\n",
    "pack/two.py": "VALUE = 2\n",
    "pack/__main__.py": "import sys; print(__name__, __spec__.name, __package__, sys.argv[1:])\n",
}


def _dedent(text):
    return textwrap.dedent(text.lstrip("\n"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with all the scripts and modules of these tests."""
    made = tmp_path_factory.mktemp("scripts")
    (made / "pack").mkdir()
    for name, text in _MODULES.items():
        (made / name).write_text(_dedent(text))
    for name, text in _SCRIPTS.items():
        (made / (name + ".py")).write_text(_dedent(text))
    return made


@pytest.mark.costly(in_ci=10)
@pytest.mark.parametrize(
    "name",
    [pytest.param(k, marks=[pytest.mark.slow] * k.endswith("-eager")) for k in _SCRIPTS],
)
def test_as_plain_python(name, folder):
    """Same output, errors (traceback and all) and exit code."""
    plain, ours = _both([f"./{name}.py", "a", "--b", "-m"], folder, "some input\n")
    assert ours[0] == plain[0]
    assert ours[1] == plain[1]
    assert _without_log(ours[2]) == _without_log(plain[2])


def _without_log(err):
    """What TensorFlow's C++ prints differs in times; advice of ours is in other tests."""
    prefixes = ("WARNING: All log", "I0000", "E0000", "To enable the following", "tfgraphtools: ")
    lines = [line for line in err.splitlines() if not line.startswith(prefixes)]
    return [
        line
        for line in lines
        if "deprecat" not in line
        and "Instructions for" not in line
        and "non-resource variables" not in line
    ]


def test_a_module(folder):
    """``run -m`` is ``python -m``."""
    plain = subprocess.run(
        [sys.executable, "-m", "pack", "a"], cwd=str(folder), stdout=subprocess.PIPE
    )
    ours = subprocess.run(
        [sys.executable, *RUN, "-m", "pack", "a"],
        cwd=str(folder),
        stdout=subprocess.PIPE,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
    )
    assert ours.stdout == plain.stdout and ours.returncode == plain.returncode == 0


def test_ctrl_c_from_outside(folder):
    """SIGINT ends it as it ends plain Python: the traceback, atexit, and death by the signal."""
    (folder / "waits.py").write_text(
        "import atexit, time\natexit.register(print, 'last')\nprint('ready', flush=True); "
        "time.sleep(60)\n"
    )
    results = []
    for how in ((), RUN):
        process = _start((*how, "waits.py"), folder)
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)  # until it sleeps
        process.send_signal(signal.SIGINT)
        results.append((*process.communicate(), process.returncode))
    assert results[0] == results[1]
    assert "KeyboardInterrupt" in results[1][1]
    if sys.version_info >= (3, 8):
        assert results[1][2] == -signal.SIGINT


@pytest.mark.parametrize("words", [["nothing.py"], [], ["--without", "no.such.fix", "x.py"]])
def test_bad_words_are_one_line(words, folder):
    (folder / "x.py").write_text("")
    process = _start((*RUN, *words), folder)
    out, err = process.communicate()
    assert process.returncode == 2 and out == ""
    assert err.count("\n") == 1


_CHILDREN = """
    import multiprocessing
    import tensorflow as tf

    def work(x):
        return "{} {} {}".format(__name__, tf.mul(x, 2).op.type, tf.__version__[:4])

    def put(queue):
        queue.put(work(2))

    if __name__ == "__main__":
        for method in ("fork", "spawn", "forkserver"):
            context = multiprocessing.get_context(method)
            queue = context.Queue()
            process = context.Process(target=put, args=(queue,))
            process.start()
            print(queue.get())
            process.join()
            print(process.exitcode)
"""


@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
def test_children_run_under_compat(folder):
    """Trap 11: a child process finds the 1.x tensorflow too."""
    (folder / "children.py").write_text(textwrap.dedent(_CHILDREN))
    process = _start((*RUN, "children.py"), folder)
    out, err = process.communicate()
    names = ("__main__", "__mp_main__", "__mp_main__")  # fork, spawn, forkserver
    assert out == "".join(f"{name} Mul 1.15\n0\n" for name in names), err


@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
def test_report_and_without(folder, compat_server):
    (folder / "old.py").write_text("import tensorflow as tf\nprint(tf.mul(2, 3).op.type)\n")
    done = compat_server.run(folder, "--report", "old.py")
    assert done.out == "Mul\n" and "tensorflow.mul  [TF 1.0]" in done.err
    words = ("--without", "tensorflow.mul", "--report-to", "used", "old.py")
    done = compat_server.run(folder, *words)
    assert done.code == 1 and "has no attribute 'mul'" in done.err
    assert "tensorflow.mul" not in (folder / "used").read_text()


def test_list_fixes(folder):
    process = _start((*RUN, "--list-fixes"), folder)
    out, err = process.communicate()
    assert process.returncode == 0 and "  tensorflow.mul  [TF 1.0]  " in out


@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
def test_tf_keras_missing(folder):
    """The layers of TF1 live in tf_keras: without it, one line says what to install."""
    block = folder / "block"
    block.mkdir(exist_ok=True)
    (block / "sitecustomize.py").write_text(
        "import importlib.util as u\n_find = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n == 'tf_keras' else _find(n, *a)\n"
    )
    (folder / "x.py").write_text("")
    path = os.pathsep.join([str(block), str(ROOT)])
    process = _start((*RUN, "x.py"), folder, environment={"PYTHONPATH": path})
    out, err = process.communicate()
    assert process.returncode == 2 and "pip install tf_keras" in err and err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
def test_installed_package_of_tf1(folder):
    """It is recognised and named; left alone, its error names the way to change that."""
    installed = folder / "site-packages"
    installed.mkdir()
    (installed / "oldlib.py").write_text("import tensorflow as tf\nSESSION = tf.Session\n")
    (folder / "uses.py").write_text("import oldlib\nprint(oldlib.SESSION.__name__)\n")
    path = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(installed)])}
    process = _start((*RUN, "uses.py"), folder, environment=path)
    out, err = process.communicate()
    assert out == "Session\n", err
    assert "uses.py:1: the installed package oldlib was written for TF1" in err
    words = (*RUN, "--no-v1-package", "oldlib", "uses.py")
    process = _start(words, folder, environment=path)
    out, err = process.communicate()
    assert process.returncode == 1 and err.splitlines()[-1].endswith("run --v1-package oldlib ...")


@pytest.mark.slow
@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
@pytest.mark.parametrize(
    "start", [RUN, ("-c", "from tfgraphtools import cli; cli.console_main()", "run")]
)
def test_a_file_with_the_name_of_a_module_of_python_3(tmp_path, start):
    """Libraries get Python's queue and html, the script its own, once."""
    (tmp_path / "queue.py").write_text(
        "print('made')\nimport tensorflow as tf\nmine = tf.mul(2, 3)\n"
    )
    (tmp_path / "html.py").write_text("")
    (tmp_path / "uses.py").write_text(
        "import queue\nfrom queue import mine\nimport tensorflow as tf, html, concurrent.futures\n"
        "print(tf.Session().run(mine), queue.mine is mine, hasattr(html, 'escape'))\n"
    )
    out, err = _start((*start, "uses.py"), tmp_path).communicate()
    assert out == "made\n6 True False\n", err


@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
def test_where_an_op_was_made(folder, compat_server):
    """TensorFlow's message tells how an op was made; of that too only the user's part is shown."""
    (folder / "fails.py").write_text(
        "import tensorflow as tf\n"
        "value = tf.reshape(tf.placeholder(tf.float32), tf.constant([2]))\n"
        "tf.Session().run(value, {'Placeholder:0': [1., 2., 3.]})\n"
    )
    err = compat_server.run(folder, "fails.py").err
    assert "Original stack trace" in err and err.count("fails.py") >= 2, err
    assert os.path.join(str(ROOT), "tfgraphtools", "") not in err, err


@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
def test_installed_messages_of_an_old_protoc(folder):
    """protobuf refuses them; the advice names the package in which they stand."""
    installed = folder / "dist-packages"
    installed.mkdir()
    (installed / "oldmessages.py").write_text(
        "from google.protobuf import descriptor\n"
        "no = None\n"
        "descriptor.FieldDescriptor('a', 'a', 0, 1, 9, 9, 1, no, '', no, no, no, False, no)\n"
    )
    (folder / "uses.py").write_text("import oldmessages\n")
    path = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(installed)])}
    process = _start((*RUN, "uses.py"), folder, environment=path)
    err = process.communicate()[1]
    assert err.splitlines()[-1].endswith("run --v1-package oldmessages ..."), err


@pytest.mark.skipif(compat.is_tf1(), reason="compat acts on TF 2.x")
def test_user_code_of_a_traceback_only(folder, compat_server):
    """No frame of ours stands in a traceback, in its causes neither; the advice stands below."""
    (folder / "asks.py").write_text(
        "import tensorflow as tf\ntry:\n    import helper, no_such_module\n"
        "except ImportError as error:\n    raise KeyError(tf.mul(2, 3).op.type) from error\n"
    )
    err = compat_server.run(folder, "asks.py").err
    trace = [line for line in err.splitlines() if line.startswith("  File")]
    assert len(trace) == 2 and all("asks.py" in line for line in trace), err
    assert "KeyError: 'Mul'" in err
