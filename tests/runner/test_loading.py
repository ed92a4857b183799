"""Whatever is not installed is user code, however it is loaded, run or started."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile

import pytest
from places import PACKAGE, ROOT

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: A module of Python 2 that begins with a comment; under plain Python it does not even compile.
OLD = "# A comment first.\nimport numpy as np\nprint np.uint8(200) + 100, 5 / 2, __name__\n"


def tfgraphtools(folder, *words, **options):
    """The completed process of ``python -m tfgraphtools`` in a folder."""
    return python(folder, "-m", "tfgraphtools", *words, **options)


def python(folder, *words, **options):
    path = os.pathsep.join([str(ROOT), *options.pop("path", [])])
    return subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=str(folder),
        env=dict(os.environ, PYTHONPATH=path, TFGRAPHTOOLS_CACHE=str(folder / ".cache")),
        capture_output=True,
        text=True,
        **options,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A project: its modules lie in the folders that the cases name."""
    project = tmp_path_factory.mktemp(
        "tfgraphtools"
    )  # its name says nothing about whose code it is
    files = {
        "elsewhere/old.py": OLD,
        "elsewhere/old_package/__init__.py": OLD,
        "project/test_old.py": OLD
        + "import unittest\nclass Test(unittest.TestCase):\n"
        + "    def test(self):\n        assert 5 / 2 == 2 and np.uint8(200) + 100 == 300\n",
        "project/old_script.py": OLD,
        "project/reads.py": "print raw_input(), 5 / 2\n",
    }
    for name, text in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with zipfile.ZipFile(str(project / "old.zip"), "w") as archive:
        archive.writestr("zipped.py", OLD)
    with zipfile.ZipFile(str(project / "app.zip"), "w") as archive:
        archive.writestr("__main__.py", OLD)
    os.symlink(str(project / "elsewhere" / "old_package"), str(project / "project" / "linked"))
    return project


#: How user code loads a module of another folder -> what it prints.
LOADING = {
    "a changed sys.path": ("sys.path.append('../elsewhere')\nimport old", "300 2 old"),
    "a path in front": ("sys.path.insert(0, here('elsewhere'))\nimport old", "300 2 old"),
    "a linked package": ("import linked", "300 2 linked"),
    "spec_from_file_location": (
        "from importlib import util\n"
        "spec = util.spec_from_file_location('by_spec', here('elsewhere/old.py'))\n"
        "spec.loader.exec_module(util.module_from_spec(spec))",
        "300 2 by_spec",
    ),
    "a loader and a module made by hand": (
        "import types\nfrom importlib.machinery import SourceFileLoader\n"
        "SourceFileLoader('by_hand', here('elsewhere/old.py'))"
        ".exec_module(types.ModuleType('by_hand'))",
        "300 2 by_hand",
    ),
    "load_module": (
        "from importlib.machinery import SourceFileLoader\n"
        "SourceFileLoader('loaded', here('elsewhere/old.py')).load_module()",
        "300 2 loaded",
    ),
    "imp.load_source": (
        "import imp\nimp.load_source('by_imp', here('elsewhere/old.py'))",
        "300 2 by_imp",
    ),
    "an archive": ("sys.path.append(here('old.zip'))\nimport zipped", "300 2 zipped"),
    "imp.find_module": (
        "import imp\nimp.load_module('found', *imp.find_module('old', ['../elsewhere']))",
        "300 2 found",
    ),
    "runpy.run_path": (
        "import runpy\nrunpy.run_path(here('elsewhere/old.py'))",
        "300 2 <run_path>",
    ),
    "runpy.run_module": (
        "import runpy\nsys.path.append('../elsewhere')\nrunpy.run_module('old')",
        "300 2 old",
    ),
    "execfile": ("execfile(here('elsewhere/old.py'))", "300 2 __main__"),
    "exec of a text": ("exec(open(here('elsewhere/old.py')).read())", "300 2 __main__"),
    "exec in a namespace": (
        "exec(open(here('elsewhere/old.py')).read(), {'__name__': 'apart'})",
        "300 2 apart",
    ),
    "compile and exec": (
        "exec(compile(open(here('elsewhere/old.py')).read(), 'old.py', 'exec'))",
        "300 2 __main__",
    ),
    "eval": ("import numpy as np\nprint(eval(' np.uint8(200) + 100'), 5 // 2)", "300 2"),
    "builtins of its own": (
        "import numpy as np\n"
        "x = np.uint8(200)\n"
        "print(eval('x + 100', {'__builtins__': None}, {'x': x}))\n"
        "space = {'__builtins__': {'len': len}, 'x': x}\n"
        "exec('def f(): return x + 100, len([1])', space)\n"
        "print(space['f'](), list(space['__builtins__']))",
        "300\n(300, 1) ['len']",
    ),
    "locals of exec": (
        "import numpy as np\n"
        "def f(x):\n    exec('assert x + 100 == 300')\n    return eval('x + 100')\n"
        "print(f(np.uint8(200)))",
        "300",
    ),
    "a script of its own": ("run([sys.executable, 'old_script.py'])", "300 2 __main__"),
    "a module of its own": ("run([sys.executable, '-m', 'old_script'])", "300 2 __main__"),
    "commands": (
        "for words in [['-c', TEXT], ['-uc', TEXT, 'a'], ['-c', 'print 5 / 2'],\n"
        "              ['-c', 'import cPickle; print(cPickle.__name__)']]:\n"
        "    run([sys.executable] + words)\n"
        "print(subprocess.call([sys.executable, '-Wi', '-c', 'import sys; sys.exit(3)']))",
        "300 ['-c']\n300 ['-c', 'a']\n2\npickle\n3",
    ),
    "environments of their own": (
        "def start(function, *words):\n"
        "    function(sys.executable, [sys.executable, 'old_script.py'], *words)\n"
        "run([sys.executable, 'old_script.py'], env={})\n"
        "run([sys.executable, 'old_script.py'], env={'PYTHONPATH': '/nowhere', 'HOME': '/'})\n"
        "start(os.posix_spawn, {}), os.wait()\n"
        "os.environ.clear()\n"
        "run('\"%s\" old_script.py' % sys.executable, shell=True)\n"
        "start(os.execv)",
        "\n".join(["300 2 __main__"] * 5),
    ),
    "pydoc.locate": (
        "from pydoc import locate\n"
        "names = 'numpy.float numpy.linalg.norm cPickle.dumps math.pi numpy.x.y nothing.at'\n"
        "print([getattr(one, '__name__', one) for one in map(locate, names.split())])",
        "['float', 'norm', 'dumps', 3.141592653589793, None, None]",
    ),
    "a tree": (
        "import ast\nimport numpy as np\n"
        "tree = ast.parse('print(np.uint8(200) + 100)')\n"
        "for _ in range(2):\n    exec(compile(tree, 'old.py', 'exec'))\n"
        "print(eval(compile(ast.parse('np.uint8(200) + 100', mode='eval'), '', 'eval')))",
        "300\n300\n300",
    ),
    "texts that libraries execute": (
        "import code, timeit\n"
        "timeit.timeit(TEXT, number=1)\n"
        "timeit.timeit('print(f())', globals={'f': lambda: 5}, number=1)\n"
        "code.InteractiveInterpreter().runsource(TEXT)\n",
        "300 {0}\n5\n300 {0}",
    ),
    "texts that profilers and debuggers execute": (
        "import bdb, cProfile, profile\nimport numpy as np\nx, got = np.uint8(200), []\n"
        "cProfile.Profile().runctx('got.append(x + 100)', globals(), locals())\n"
        "profile.Profile().runctx('got.append(x + 100)', globals(), locals())\n"
        "bdb.Bdb().run('got.append(x + 100)', globals(), locals())\n"
        "print([int(n) for n in got], bdb.Bdb().runeval('x + 100', globals(), locals()))",
        "[300, 300, 300] 300",
    ),
    "names among the builtins": (
        "import gettext, __builtin__, builtins\n"
        "gettext.install('x')\n__builtin__.one = 1\nbuiltins.two = 2\nprint(_('text'), one, two)",
        "text 1 2",
    ),
    "an archive that is run": ("run([sys.executable, here('app.zip')])", "300 2 __main__"),
    "a shell script": (
        "open('go.sh', 'w').write('\"%s\" old_script.py' % sys.executable)\nrun(['sh', 'go.sh'])",
        "300 2 __main__",
    ),
    "os.system": ("os.system('\"%s\" old_script.py' % sys.executable)", "300 2 __main__"),
    "multiprocessing": (
        "import multiprocessing\nimport numpy as np\n"
        "def add(x):\n    return int(np.uint8(x) + 100)\n"
        "if __name__ == '__main__':\n"
        "    for method in ('fork', 'spawn'):\n"
        "        with multiprocessing.get_context(method).Pool(1) as pool:\n"
        "            print(pool.map(add, [200]))",
        "[300]\n[300]",
    ),
    "joblib": (
        "import joblib\nimport numpy as np\n"
        "def add(x):\n    return int(np.uint8(x) + 100)\n"
        "if __name__ == '__main__':\n"
        "    print(joblib.Parallel(n_jobs=2)(joblib.delayed(add)(x) for x in (200, 201)))",
        "[300, 301]",
    ),
    "cloudpickle": (  # functions and classes by value, with the modules that they name
        "import pickle\nimport numpy as np\nimport tensorflow as tf\n"
        "import cloudpickle\n"
        "class Net(object):\n"
        "    def input(self, kind=tf.float32):\n        return tf.placeholder(kind).op.type\n"
        "def add(x):\n    return np.float(x) + np.uint8(200) + 100, tf.layers.dense.__name__\n"
        "for thing in (add, Net, tf, tf.nn, np, np.random, [tf.train], lambda: np.bool):\n"
        "    again = pickle.loads(cloudpickle.dumps(thing))\n"
        "    if thing is add:\n        print(again(1))\n"
        "    if thing is Net:\n        print(again().input())",
        "(301.0, 'dense')\nPlaceholder",
    ),
}

_HEAD = """
import os, subprocess, sys
def here(path):
    return os.path.join(os.path.dirname(os.getcwd()), path)
def run(words, **more):
    sys.stdout.flush()
    subprocess.run(words, check=True, **more)
TEXT = 'import numpy as np, sys; print(np.uint8(200) + 100, sys.argv)'
"""


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize("case", LOADING)
def test_loading(case, folder):
    if case.startswith("imp.") and importlib.util.find_spec("imp") is None:
        pytest.skip("zombie-imp, which has the module since Python 3.12, is not installed")
    if case in ("joblib", "cloudpickle"):
        pytest.importorskip(case)
    text, expected = LOADING[case]
    project = folder / "project"
    script = project / f"case_{list(LOADING).index(case)}.py"
    script.write_text(_HEAD + text + "\n")
    done = tfgraphtools(project, "run", script.name)
    assert done.stdout.strip() == expected.replace("{0}", str([script.name])), done.stderr


#: Launchers: the words after ``run -m``, what is typed, and a line that is printed.
LAUNCHERS = {
    "pdb": (["pdb", "old_script.py"], "c\nq\n", "300 2 __main__"),
    "cProfile": (["cProfile", "-s", "time", "old_script.py"], "", "300 2 __main__"),
    "profile": (["profile", "old_script.py"], "", "300 2 __main__"),
    "trace": (["trace", "--count", "-C", "counts", "old_script.py"], "", "300 2 __main__"),
    "coverage": (["coverage", "run", "old_script.py"], "", "300 2 __main__"),
    "unittest": (["unittest", "test_old"], "", "300 2 test_old"),
    "pytest": (["pytest", "-q", "-s", "-p", "no:cacheprovider"], "", "1 passed"),
    "xdist": (["pytest", "-q", "-n", "2", "-p", "no:cacheprovider"], "", "1 passed"),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(k, marks=[pytest.mark.slow] * (k == "xdist")) for k in LAUNCHERS],
)
def test_launchers(name, folder):
    pytest.importorskip(name)
    words, typed, line = LAUNCHERS[name]
    done = tfgraphtools(folder / "project", "run", "-m", *words, input=typed)
    assert line in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


#: Scripts on standard input: the command that a shell script gives, and what it prints.
ON_STDIN = {
    "here-document": (
        "python - a b <<'EOF'\nimport sys\nprint 5 / 2, sys.argv\nEOF",
        "2 ['-', 'a', 'b']",
    ),
    "redirected": ("python < old_script.py", "300 2 __main__"),
    "piped": ("cat old_script.py | python -u -", "300 2 __main__"),
    "imports": ("python <<'EOF'\nimport old_script\nEOF", "300 2 old_script"),
    "an-error": ("python - 2>&1 <<'EOF'\n\nprint 1 / 0\nEOF\necho $?", "1"),
    "its-own-input": ("echo typed | python reads.py", "typed 2"),
}


def test_scripts_on_standard_input(folder):
    project = folder / "project"
    text = "\n".join(f"echo '==='\n{command}" for command, _ in ON_STDIN.values())
    (project / "all.sh").write_text(text.replace("python", f'"{sys.executable}"'))
    (project / "all.py").write_text("import os\nos.system('sh all.sh < /dev/null')\n")
    done = tfgraphtools(project, "run", "all.py")
    printed = dict(zip(ON_STDIN, done.stdout.split("===\n")[1:]))
    assert "line 2, in <module>\nZeroDivisionError" in printed["an-error"], done.stdout
    del printed["an-error"]
    assert {name: text.strip() for name, text in printed.items()} == {
        name: expected for name, (_, expected) in ON_STDIN.items() if name in printed
    }


def test_run_takes_an_archive_or_a_text(folder):
    done = tfgraphtools(folder, "run", "app.zip")
    assert done.stdout == "300 2 __main__\n", done.stderr
    done = tfgraphtools(folder, "run", "-c", "import sys; print 5 / 2, sys.argv", "-a")
    assert done.stdout == "2 ['-c', '-a']\n", done.stderr


def test_an_isolated_python_is_named(folder):
    text = "import subprocess, sys\nsubprocess.call([sys.executable, '-I', 'old_script.py'])\n"
    (folder / "project" / "isolates.py").write_text(text)
    done = tfgraphtools(folder / "project", "run", "isolates.py")
    assert re.search(
        r"tfgraphtools: .*isolates.py:2: the option -I of python disables", done.stderr
    )


def test_a_missing_file_of_ours_is_named(folder, tmp_path):
    """An installation without it ran every child process without compat, and said nothing."""
    shutil.copytree(str(PACKAGE), str(tmp_path / "tfgraphtools"))
    (tmp_path / "tfgraphtools" / "runner" / "startup" / "sitecustomize.py").unlink()
    command = [sys.executable, "-m", "tfgraphtools", "run", "old_script.py"]
    done = subprocess.run(
        command,
        cwd=str(folder / "project"),
        env=dict(os.environ, PYTHONPATH=str(tmp_path)),
        capture_output=True,
        text=True,
    )
    assert done.stdout == "300 2 __main__\n", done.stderr
    notices = [line for line in done.stderr.splitlines() if line.startswith("tfgraphtools: ")]
    assert len(notices) == 1 and "sitecustomize.py" in notices[0] and str(tmp_path) in notices[0]


def test_run_reads_a_script_from_standard_input(folder):
    done = tfgraphtools(folder / "project", "run", "-", "a", input="import sys\nprint sys.argv")
    assert done.stdout == "['-', 'a']\n", done.stderr


ASSERTIONS = """\
# A comment first: pytest compiles what it was given, with its lines.
import numpy as np
from helper import total


def test_right():
    assert total == 300 == np.uint8(200) + 100


def test_wrong():
    assert np.uint8(200) + 100 == 44
"""


@pytest.mark.parametrize(
    "words",
    [
        ["run", "-m", "pytest"],
        pytest.param(["-m", "pytest", "-p", "tfgraphtools"], marks=pytest.mark.slow),
    ],
)
def test_assertions_are_rewritten(words, folder):
    """What failed is explained, and nothing of it is kept for a plain pytest."""
    tests = folder / ("tests" + str(len(words)))
    tests.mkdir()
    (tests / "conftest.py").write_text("import cPickle\n")
    (tests / "helper.py").write_text("import numpy as np\ntotal = np.uint8(200) + 100\n")
    (tests / "test_it.py").write_text(ASSERTIONS)
    words = words + ["-q", "-p", "no:cacheprovider"]
    done = tfgraphtools(tests, *words) if words[0] == "run" else python(tests, *words)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    explained = "assert 300 == 44", "assert (200 + 100) == 44"  # the latter with NumPy 1
    assert "test_it.py:11" in done.stdout, done.stdout
    assert any(text in done.stdout for text in explained), done.stdout
    assert not list(tests.glob("__pycache__/test_it*"))


def test_deactivated_all_is_pythons_own(folder):
    """The loader, the launchers, the environment: as before."""
    text = """
    import importlib.machinery, os, runpy, sys
    from tfgraphtools import compat
    def taken():
        loader = importlib.machinery.SourceFileLoader
        return [loader.get_code, loader.exec_module, vars(loader).keys(), vars(runpy).get("exec"),
                dict(os.environ), sys.meta_path[:]]
    before = taken()
    handle = compat.activate()
    assert taken() != before
    handle.deactivate()
    print(taken() == before)
    """
    (folder / "check.py").write_text(textwrap.dedent(text))
    done = python(folder, "check.py")
    assert done.stdout == "True\n", done.stderr


def test_installed_packages_of_tf1(folder):
    """Recognised by their source and named once; modern ones and disabled ones are left alone."""
    site = folder / "site-packages"
    packages = {
        "contribs/__init__.py": "import tensorflow.compat.v1 as tf\n",
        "contribs/a.py": "from tensorflow.contrib import slim",
        "guarded/__init__.py": "try:\n    import tensorflow.contrib\nexcept ImportError:\n    pass",
        "placeholders/__init__.py": "import cPickle\n",
        "placeholders/a.py": "import tensorflow as tf\ndef f():\n    return tf.placeholder(1)\n",
        "disabled/__init__.py": "import tensorflow.contrib",
        "modern/__init__.py": "import tensorflow.compat.v1 as tf\nx = tf.placeholder",
        "both/__init__.py": "import tensorflow as tf\n"
        "x = getattr(tf, 'placeholder', None) if tf.__version__ < '2' else 0\n",
        "numeric/__init__.py": "import numpy",
        "hooks/__init__.py": "import tensorflow as tf\n",
        "hooks/a.py": "import tensorflow as tf\nclass Hook(tf.estimator.SessionRunHook): pass",
        "hooks/b.py": "import tensorflow as tf\nold = tf.compat.v1.train",
        "lazy/__init__.py": "import tensorflow as tf\nv1 = tf.compat.v1\n",
        "lazy/a.py": "import tensorflow as tf\ndef of():\n    return tf.estimator.Estimator",
    }
    for name, text in packages.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    (folder / "asks.py").write_text(
        textwrap.dedent("""
        import sys, types
        from tfgraphtools.compat.engine.loading import packages, user_code
        for name in sys.argv[1:]:
            spec = __import__("importlib.util", fromlist=["x"]).find_spec(name.partition(".")[0])
            path = spec.origin if "." not in name else spec.origin.replace("__init__", "a")
            text = open(path).read()
            asked = packages.asks(name, path, compile(text, path, "exec"))
            print(name, asked, user_code.is_user(name, path))
        """)
    )
    asked = "contribs guarded placeholders.a modern both numeric placeholders disabled hooks lazy"
    asked = asked.split()
    words = ("run", "--no-v1-package", "disabled", "asks.py", *asked)
    done = tfgraphtools(folder, *words, path=[str(site)])
    assert done.stdout.splitlines() == [
        "contribs True True",
        "guarded False False",
        "placeholders.a True True",
        "modern False False",
        "both False False",
        "numeric False False",
        "placeholders False True",
        "disabled False False",
        "hooks True True",
        "lazy False False",
    ], done.stdout + done.stderr
    assert done.stderr.count("placeholders was written for TF1") == 1


@pytest.mark.slow
@pytest.mark.parametrize("version, is_old", [("0.8.0", True), ("0.9.0.dev1", False)])
def test_installed_probability(version, is_old, folder):
    """TensorFlow Probability 0.8 cannot be imported with TF 2.21; it is TF 1.15's."""
    site = folder / version / "site-packages"
    package = site / "tensorflow_probability"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        "from tensorflow import compat\nimport tensorflow as tf\nprint(tf.__version__[:2])\n"
    )
    about = site / f"tensorflow_probability-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: tensorflow-probability\nVersion: {version}\n")
    (folder / "asks.py").write_text("import tensorflow_probability\n")
    done = tfgraphtools(folder, "run", "asks.py", path=[str(site)])
    assert done.stdout == ("1.\n" if is_old else "2.\n"), done.stderr
    assert ("tensorflow_probability was written for TF1" in done.stderr) == is_old
