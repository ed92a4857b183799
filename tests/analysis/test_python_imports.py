"""Packages whose import asks Python's library for names that it has no more."""

import collections

import pytest

from tfgraphtools.analysis import library_sources, python_imports

OLD = "from collections import Mapping\n"

#: name: (the files of a package, what its import asks for)
CASES = {
    "itself": ({"__init__.py": "import os\n" + OLD}, "collections.Mapping"),
    "a module that it imports": (
        {"__init__.py": "from .part import x", "part.py": OLD + "x = 1"},
        "collections.Mapping",
    ),
    "one of several": (
        {"__init__.py": "from collections import deque, Iterable as I"},
        "collections.Iterable",
    ),
    "a module that nothing imports": ({"__init__.py": "", "part.py": OLD}, ""),
    "a function": ({"__init__.py": "def f():\n    " + OLD}, ""),
    "tried": (
        {
            "__init__.py": "try:\n    from collections.abc import Mapping\n"
            "except ImportError:\n    " + OLD
        },
        "",
    ),
    "tried first": (
        {
            "__init__.py": f"try:\n    {OLD}except ImportError:\n"
            "    from collections.abc import Mapping\n"
        },
        "",
    ),
    "another Python": (
        {"__init__.py": "import sys\nif sys.version_info[0] < 3:\n    " + OLD},
        "",
    ),
    "names of today": ({"__init__.py": "from collections import *\nfrom time import sleep"}, ""),
}


@pytest.mark.parametrize("case", CASES)
def test_missing_name(case, tmp_path):
    files, expected = CASES[case]
    for name, source in files.items():
        (tmp_path / "lib").mkdir(exist_ok=True)
        (tmp_path / "lib" / name).write_text(source)
    library_sources.forget()
    assert python_imports.missing_name(str(tmp_path / "lib" / "__init__.py")) == expected
    (tmp_path / "lib" / "__init__.py").write_text("import time\n")  # a newer version of it
    library_sources.forget()
    assert python_imports.missing_name(str(tmp_path / "lib" / "__init__.py")) == ""


def test_a_module_asks_for_itself_alone(tmp_path, monkeypatch):
    """The packages beside it are installed, too: the import of one of them is its own matter."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "other_package.py").write_text(OLD)
    (tmp_path / "module.py").write_text("import other_package\n")
    library_sources.forget()
    assert python_imports.missing_name(str(tmp_path / "module.py")) == ""


def test_python_has_it_no_more():
    assert not hasattr(collections, "Mapping")
