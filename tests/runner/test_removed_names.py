"""The last line below an error of an installed package that asks for a removed name."""

import json
import sys

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.constraints import tables
from tfgraphtools.runner import advice

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

_V1 = "'tfgraphtools run --v1-package {0} ...' translates {0} too ({1} left {2})."

#: package -> (its source, the advice; None for no line of ours)
PACKAGES = {
    "asks_bool8": ("import numpy as np\nnp.bool8", ("np.bool8", "NumPy 2.0")),
    "asks_float": ("import numpy as np\nx = np.float", ("np.float", "NumPy 1.24")),
    "imports_product": ("from numpy import product", ("np.product", "NumPy 2.0")),
    "imports_iterable": (
        "from collections import Iterable",
        ("collections.Iterable", "Python 3.10"),
    ),
    "imports_mapping": ("from collections import Mapping", ("collections.Mapping", "Python 3.10")),
    "calls_getargspec": (
        "import inspect\ninspect.getargspec(len)",
        ("inspect.getargspec", "Python 3.11"),
    ),
    "appends": (
        "import pandas\npandas.DataFrame({'a': [1]}).append(1)",
        ("pandas.DataFrame.append", "pandas 2.0"),
    ),
    "imports_misc": ("from scipy.misc import imread", ("scipy.misc.imread", "SciPy 1.2")),
    "imports_validation": (
        "import sklearn.cross_validation",
        ("sklearn.cross_validation", "scikit-learn 0.20"),
    ),
    "imports_pickle": ("import cPickle", ("cPickle", "Python 3.0")),
    "its_own_mistake": ("import numpy as np\nnp.no_such_name", None),
    "another_error": ("1 / 0", None),
    "an_attribute_of_its_own": (
        "class Frame(object):\n    pass\nFrame().append(1)",
        None,
    ),
}
FILES = {name: source for name, (source, _) in PACKAGES.items()}
#: A package that imports another one, which asks.
FILES["imports_another"] = "import asks_later"
FILES["asks_later"] = "import numpy\nnumpy.float"

SCRIPT = """
import json, os, sys
sys.path.insert(0, os.path.abspath("site-packages"))
from tfgraphtools import compat
from tfgraphtools.runner import advice, tracebacks
with compat.activate(running_code=False):
    lines = {{}}
    for name in {names!r}:
        try:
            __import__(name)
        except Exception as error:
            lines[name] = advice.line_for(tracebacks.users_own(error))
print(json.dumps(lines))
"""


@pytest.fixture(scope="module")
def lines(compat_server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("removed")
    for name, text in FILES.items():
        path = folder / "site-packages" / name / "__init__.py"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    for name in ("mine_hub", "site-packages/theirs_hub"):
        (folder / (name + ".py")).write_text("import tensorflow_hub\ntensorflow_hub.Module")
    (folder / "site-packages" / "tensorflow_hub.py").write_text("__version__ = '0.16.1'")
    script = SCRIPT.format(names=[*PACKAGES, "imports_another", "mine_hub", "theirs_hub"])
    (folder / "script.py").write_text(script)
    done = compat_server.run_python(folder, "script.py")
    assert done.code == 0, done.err[-3000:]
    return json.loads(done.out.splitlines()[-1])


@pytest.mark.parametrize("name", PACKAGES)
def test_the_remedy_is_named(lines, name):
    words = PACKAGES[name][1]
    assert lines[name] == (words and _V1.format(name, *words))


def test_the_package_that_asks_is_named(lines):
    assert lines["imports_another"] == _V1.format("asks_later", "np.float", "NumPy 1.24")


@pytest.mark.parametrize("name", ["mine_hub", "theirs_hub"])
def test_hub_module_names_the_versions_that_have_it(lines, name):
    assert lines[name] == (
        "tensorflow_hub 0.7 to 0.15 have hub.Module: pip install 'tensorflow-hub<0.16'."
    )


class _Unreadable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


class _Named(Exception):
    def __init__(self, name):
        super().__init__()
        self.name = name


#: errors of user code that say nothing about a library
OTHERS = {
    "a text that fails": "raise _Unreadable()",
    "a name that is no text": "raise _Named(5)",
    "a name of the user's": "raise _Named('networkx')",
    "a variable that has the name of a library": "networkx",
    "an attribute that has the name of a library": "object().networkx",
}


@pytest.mark.parametrize("statement", OTHERS.values(), ids=OTHERS)
def test_other_errors_get_no_advice(statement):
    with pytest.raises(Exception) as caught:
        exec(statement)
    assert advice.line_for(caught.value) is None


def test_an_error_whose_text_fails_is_shown_as_by_python(compat_server, tmp_path):
    (tmp_path / "script.py").write_text(
        "class E(Exception):\n    def __str__(self):\n        raise RuntimeError\n\nraise E\n"
    )
    done = compat_server.run(tmp_path, "script.py")
    assert done.code == 1 and "E: <exception str() failed>" in done.err
    assert "tfgraphtools" not in done.err and "RuntimeError" not in done.err


def test_what_run_cannot_give_back_is_an_older_version():
    from tfgraphtools.runner import removed_names

    if not any(v.runs_on(sys.version_info[:2]) for v in tables.versions() if v.package == "numpy"):
        pytest.skip("no older NumPy has wheels for this Python")
    assert removed_names._older("NumPy 2.0") == "numpy==1.26.4"
    assert removed_names._older("NumPy 1.20") is None
    assert removed_names._older("Python 3.12") is None


def test_slim_imports_under_run(compat_server, tmp_path):
    pytest.importorskip("tf_slim")
    (tmp_path / "script.py").write_text(
        "import tf_slim, tensorflow as tf\n"
        "print(tf_slim.fully_connected(tf.ones([2, 3]), 4).shape.as_list())\n"
    )
    done = compat_server.run(tmp_path, "script.py")
    assert done.out.splitlines()[-1:] == ["[2, 4]"], done.err[-2000:]
