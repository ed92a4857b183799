"""What doctor says of a package's names without importing it."""

import sys

import pytest

from tfgraphtools import compat
from tfgraphtools.analysis import library_sources
from tfgraphtools.compat import doctor

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

#: name: (the files of a package `lib`, {name: what is lacking})
CASES = {
    "bound": (
        {"__init__.py": "import os.path\nfrom os import sep as s\nif s:\n    X = 1\ndef f(): pass"},
        {
            "lib.X": None,
            "lib.s": None,
            "lib.f.anything": None,
            "lib.os.path": None,
            "lib.sep": "lib.sep",
            "lib.g.h": "lib.g",
            "lib.__version__": None,
        },
    ),
    "modules": (
        {"__init__.py": "", "part.py": "X = 1", "deep/__init__.py": "", "data/x.txt": ""},
        {
            "lib.part.X": None,
            "lib.part.Y": "lib.part.Y",
            "lib.deep.Y.z": "lib.deep.Y",
            "lib.data.anything": None,
            "lib.other": "lib.other",
        },
    ),
    "in C": (
        {"__init__.py": "", "_c.abi3.so": "", "_c.py": ""},
        {"lib._c.X": None, "lib.d": "lib.d"},
    ),
    "a star of a package": (
        {"__init__.py": "from .deep import *", "deep/__init__.py": "", "deep/more.py": ""},
        {"lib.more.X": None, "lib.other": "lib.other"},
    ),
    "folders elsewhere": (
        {"__init__.py": "__path__ = __import__('pkgutil').extend_path(__path__, __name__)"},
        {"lib.X": None},
    ),
    "what fills itself": (
        {"__init__.py": "globals().update(X=1)", "part.py": ""},
        {"lib.part.X": None},
    ),
    "star": (
        {
            "__init__.py": "from .part import *\nfrom lib.deep.more import *",
            "part.py": "X = 1",
            "deep/__init__.py": "",
            "deep/more.py": "from ..third import *\nY = 1",
            "third.py": "Z = 1",
        },
        {"lib.X": None, "lib.Y": None, "lib.Z": None, "lib.W": "lib.W"},
    ),
    "another package's star": ({"__init__.py": "from os.path import *"}, {"lib.X": None}),
    "a star of its own": ({"__init__.py": "from lib import *"}, {"lib.X": None}),
    "__getattr__": ({"__init__.py": "def __getattr__(name): return 1"}, {"lib.X": None}),
    "globals": ({"__init__.py": "globals().update(X=1)"}, {"lib.X": None}),
    "globals, in a function that it calls": (
        {"__init__.py": "def load():\n    names = globals()\n    names['X'] = 1\nload()\n"},
        {"lib.X": None},
    ),
    "globals, in a function that it does not call": (
        {"__init__.py": "def load():\n    globals()['X'] = 1\nprint(load)\n"},
        {"lib.X": "lib.X"},
    ),
    "exec": ({"__init__.py": "exec('X = 1')"}, {"lib.X": None}),
    "setattr": (
        {"__init__.py": "import sys\nsetattr(sys.modules[__name__], 'X', 1)"},
        {"lib.X": None},
    ),
    "sys.modules": ({"__init__.py": "import sys\nsys.modules['lib'] = 1"}, {"lib.X": None}),
    "a stub": (
        {
            "__init__.py": "import lazy_loader as lazy\n"
            "__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)",
            "__init__.pyi": "from .part import X",
            "part.py": "X = 1",
        },
        {"lib.X": None, "lib.Y": "lib.Y"},
    ),
    "a stub that is missing": (
        {"__init__.py": "import lazy_loader as lazy\nlazy.attach_stub(__name__, __file__)"},
        {"lib.X": None},
    ),
    "no Python": ({"__init__.py": "print 1"}, {"lib.X": None}),
}


def _missing(name):
    return library_sources.missing(name, library_sources.top(name.partition(".")[0]))


@pytest.mark.parametrize("case", CASES)
def test_of_a_package(case, tmp_path, monkeypatch):
    files, wanted = CASES[case]
    folder = tmp_path / "site-packages"
    for name, text in files.items():
        path = folder / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    library_sources.forget()
    assert {name: _missing(name) for name in wanted} == wanted
    assert "lib" not in sys.modules


@pytest.mark.parametrize("is_of_tf1", [False, True])
def test_a_package_that_this_python_refuses(is_of_tf1, tmp_path, monkeypatch):
    folder = tmp_path / "site-packages" / f"past_lib_{is_of_tf1}"
    folder.mkdir(parents=True)
    source = "import tensorflow as tf\ntf.placeholder\n" if is_of_tf1 else ""
    (folder / "__init__.py").write_text(source + "from collections import Mapping\n")
    monkeypatch.syspath_prepend(str(folder.parent))
    (tmp_path / "main.py").write_text(f"import {folder.name}\n")
    report = doctor.examine(str(tmp_path / "main.py"))
    assert report.ok == is_of_tf1
    if not is_of_tf1:
        ((status, _),) = report.entries
        assert status.name == folder.name and "collections.Mapping" in status.why
        assert f"--v1-package {folder.name}" in status.why


#: The files of a package `lib`, and whether ``import lib`` makes its module `part` an attribute.
LOADED = {
    "nobody imports it": ({"__init__.py": ""}, False),
    "the package": ({"__init__.py": "import lib.part"}, True),
    "another module": ({"__init__.py": "from lib import a", "a.py": "from . import part"}, True),
    "a module that is not loaded": ({"__init__.py": "", "a.py": "from . import part"}, False),
    "a chain": (
        {"__init__.py": "import lib.a", "a.py": "from .b import X", "b.py": "import lib.part"},
        True,
    ),
    "a function": ({"__init__.py": "from . import a", "a.py": "def f(): import lib.part"}, False),
    "a circle": ({"__init__.py": "from .a import X", "a.py": "import lib"}, False),
}


@pytest.mark.parametrize("case", LOADED)
def test_modules_that_the_import_of_a_package_loads(case, tmp_path, monkeypatch):
    """As Babel does: babel.core, which the package imports, imports babel.localedata."""
    files, is_attribute = LOADED[case]
    folder = tmp_path / "site-packages" / "lib"
    folder.mkdir(parents=True)
    for name, text in {"part.py": "", **files}.items():
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(str(folder.parent))
    library_sources.forget()
    is_found = library_sources.member(library_sources.top("lib"), "part") is not None
    assert is_found == is_attribute


@pytest.mark.parametrize("name", ["numpy", "absl", "google.protobuf", "h5py", "wrapt", "pytest"])
def test_what_is_there_is_never_lacking(name):
    """The oracle is the module itself, imported, with what it binds to its modules."""
    module = pytest.importorskip(name)
    library_sources.forget()
    names = [name + "." + leaf for leaf in dir(module)]
    for leaf in dir(module):
        inner = sys.modules.get(name + "." + leaf)
        if inner is not None:
            names += [f"{name}.{leaf}.{last}" for last in dir(inner)]
    assert [name for name in names if _missing(name)] == []
