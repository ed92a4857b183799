"""What `doctor` calls fine, `run` runs; what `run` dies of, `doctor` names."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

from row_scripts import ROOT
from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

#: name: (files; the first runs in its folder, what doctor must name or None where it runs)
CASES = {
    "fine": ({"main.py": "import tensorflow as tf\nprint(tf.placeholder)"}, None),
    "a misspelt name": ({"main.py": "import tensorflow as tf\ntf.placehoder"}, "placehoder"),
    "a package": ({"main.py": "import no_such_package"}, "no_such_package"),
    "a name that the code assigns": (
        {"main.py": "import tensorflow as tf\ntf.my_flag = 3\nprint(tf.my_flag)"},
        None,
    ),
    "a name that is tried": (
        {
            "main.py": "import tensorflow as tf\ntry:\n    tf.nothing\nexcept AttributeError:\n"
            "    print('without')\nif hasattr(tf, 'other'):\n    tf.other\n"
            "print(getattr(tf, 'x', 1))"
        },
        None,
    ),
    "a package that only a flag imports": (
        {
            "main.py": "import argparse\np = argparse.ArgumentParser()\n"
            "p.add_argument('--plot', action='store_true')\nargs = p.parse_args()\n"
            "if args.plot:\n    import no_such_package\nprint(1)"
        },
        None,
    ),
    "a package that a flag imports by default": (
        {
            "main.py": "import tensorflow as tf\ntf.app.flags.DEFINE_boolean('plot', True, '')\n"
            "if tf.app.flags.FLAGS.plot:\n    import no_such_package\nprint(1)"
        },
        "no_such_package",
    ),
    "a try that raises again": (
        {"main.py": "try:\n    import nothing_here\nexcept ImportError:\n    raise"},
        "nothing_here",
    ),
    "a module that is tried": (
        {"main.py": "try:\n    import no_such\nexcept ImportError:\n    no_such = None\nprint(1)"},
        None,
    ),
    "another Python's branch": (
        {
            "main.py": "import sys\nif sys.version_info[0] < 3:\n    import no_such\n"
            "elif sys.version_info >= (3, 0) or no_such:\n    print(1)\n"
            "if False:\n    import nothing"
        },
        None,
    ),
    "a condition that holds": (
        {"main.py": "import sys\nif sys.version_info >= (3,):\n    import no_such"},
        "no_such",
    ),
    "a function that nothing calls": (
        {"main.py": "import tensorflow as tf\ndef unused():\n    tf.nothing\nprint(1)"},
        None,
    ),
    "a function that is called": (
        {"main.py": "import tensorflow as tf\ndef used():\n    tf.nothing\nused()"},
        "tensorflow.nothing",
    ),
    "sys.path": (
        {
            "main.py": "import os, sys\nhere = os.path.dirname(os.path.abspath(__file__))\n"
            "length = 12 - 0 + 2 * 0\n"
            "sys.path.append(os.path.join(here, 'lib'))\nimport inner\nprint(inner.X)",
            "lib/inner.py": "X = 1",
        },
        None,
    ),
    "sys.path by pathlib": (
        {
            "main.py": "import sys, pathlib\n"
            "sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'lib'))\n"
            "import inner\nprint(inner.X)",
            "lib/inner.py": "X = 1",
        },
        None,
    ),
    "no sys.path": (
        {"main.py": "import inner", "lib/inner.py": "X = 1"},
        "inner",
    ),
    "a mistake in a module beside the path": (
        {
            "main.py": "import sys\nsys.path.append('../beside-{name}')\nimport outer",
            "../beside-{name}/outer.py": "import tensorflow as tf\ntf.placehoder",
        },
        "placehoder",
    ),
    "a missing module of a package": (
        {"main.py": "import package.nothing", "package/__init__.py": ""},
        "package.nothing",
    ),
    "a folder without a package": (
        {"main.py": "import data.part\nprint(data.part.X)", "data/part.py": "X = 1"},
        None,
    ),
    "a notebook whose blocks hold commands": (
        {
            "main.ipynb": json.dumps(
                {
                    "nbformat": 4,
                    "nbformat_minor": 2,
                    "metadata": {},
                    "cells": [
                        {
                            "cell_type": "code",
                            "metadata": {},
                            "source": [
                                "try:\n",
                                "    %autosave 0\n",
                                "except Exception:\n",
                                "    pass\n",
                                "for one in range(0):\n",
                                "    !no_such_command {one} \\\n",
                                "        again\n",
                                "print(one if False else 1)",
                            ],
                        }
                    ],
                }
            )
        },
        None,
    ),
    "a notebook that edits sys.path": (
        {
            "main.ipynb": json.dumps(
                {
                    "nbformat": 4,
                    "nbformat_minor": 2,
                    "metadata": {},
                    "cells": [
                        {
                            "cell_type": "code",
                            "metadata": {},
                            "source": ["import sys\n", "sys.path.append('lib')\n", "import inner"],
                        }
                    ],
                }
            ),
            "lib/inner.py": "X = 1",
        },
        None,
    ),
    "a transform that was C++": (
        {
            "main.py": "from tensorflow.tools.graph_transforms import TransformGraph\n"
            "TransformGraph(None, [], [], ['fold_constants'])"
        },
        "TransformGraph",
    ),
    "a folder of an installed package's name": (
        {"main.py": "import numpy as np\nprint(np.float(1))", "numpy/weights.txt": ""},
        None,
    ),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    top = tmp_path_factory.mktemp("programs")
    found = {}
    for number, (name, (files, _)) in enumerate(CASES.items()):
        for file, text in files.items():
            path = top / str(number) / file.format(name=number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.format(name=number) if "{name}" in text else text)
        found[name] = top / str(number)
    return found


@pytest.fixture(scope="module")
def named(folders):
    """What doctor finds missing or not supported in each program, by one process."""
    code = textwrap.dedent("""
        import json, sys
        from tfgraphtools.compat.engine import environment
        environment.prepare()
        from tfgraphtools.compat import doctor
        from tfgraphtools.compat.doctor import statuses
        for path in sys.argv[1:]:
            report = doctor.examine(path)
            bad = [one.status.name for one in report.entries if one.status.status in statuses.STOPS]
            print(json.dumps(bad), flush=True)
    """)
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, folders.values())],
        env=dict(os.environ, PYTHONPATH=str(ROOT), TF_USE_LEGACY_KERAS="1"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(folders, map(json.loads, done.stdout.splitlines())))


@pytest.fixture(scope="module")
def codes(folders, interpreters):
    """The exit code of each program under `run`."""
    run = interpreters["compat"].run
    return {name: run(folder, next(iter(CASES[name][0]))).code for name, folder in folders.items()}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_they_agree(case, named, codes):
    expected = CASES[case][1]
    assert (codes[case] == 0) == (expected is None)
    if expected is None:
        assert named[case] == []
    else:
        assert any(expected in name for name in named[case]), named[case]
