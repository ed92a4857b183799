"""What runs before the first module that only Python 2 can parse; as Python 2.7 prints it."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)
pytest.importorskip("fissix")

from tfgraphtools.compat.doctor import examine  # noqa: E402

_OLD = "print 'old'\n"
_HALF = "HALF = 7 / 2\n"

#: name -> (the files; main.py is run, what Python 2.7 prints, whether the program is Python 2's).
_PROGRAMS = {
    "the script itself": ({"main.py": "print(7 / 2)\nimport old\n"}, "3\nold\n", True),
    "a module before it": ({"main.py": "import half, old\nprint(half.HALF)\n"}, "old\n3\n", True),
    "by a third module": (
        {"main.py": "import half\nimport middle\nprint(half.HALF)\n", "middle.py": "import old\n"},
        "old\n3\n",
        True,
    ),
    "in a package": (
        {
            "main.py": "import half\nfrom pack.inner import (  # both\n    part,\n    other)\n"
            "print(half.HALF)\n",
            "pack/__init__.py": "",
            "pack/inner/__init__.py": "",
            "pack/inner/part.py": "from . import deep\n",
            "pack/inner/other.py": "",
            "pack/inner/deep.py": "import beside\n",
            "pack/inner/beside.py": _OLD,
        },
        "old\n3\n",
        True,
    ),
    "a package that imports its parts": (
        {
            "main.py": "import half\nimport pack\nprint(half.HALF)\n",
            "pack/__init__.py": "from .part import *\n",
            "pack/part.py": _OLD,
        },
        "old\n3\n",
        True,
    ),
    "modules that import each other": (
        {
            "main.py": "import half\nimport a\nprint(half.HALF)\n",
            "a.py": "import b\n",
            "b.py": "import a\nimport old\n",
        },
        "old\n3\n",
        True,
    ),
    "by other syntax": (
        {
            "main.py": "import half\nimport middle\nprint(half.HALF)\n",
            "middle.py": "def f():\n    try:\n        pass\n    except ValueError, error:\n"
            "        raise KeyError, 'x'\n",
        },
        "3\n",
        True,
    ),
    "in a try statement": (
        {"main.py": "import half\ntry:\n    import old\nexcept SyntaxError:\n    pass\nprint(1)\n"},
        "old\n1\n",
        False,
    ),
    "in a function that nobody calls": (
        {"main.py": "import half\ndef f():\n    import old\nprint(1)\n"},
        "1\n",
        False,
    ),
    "in a docstring": ({"main.py": '"""Usage:\n\nimport old\n"""\nimport half\n'}, "", False),
    "a word that no syntax is": (
        {"main.py": "import half\nimport fine\n", "fine.py": '"""\nprint x\n`x` <> y\n"""\n'},
        "",
        False,
    ),
}


@pytest.mark.parametrize("name", _PROGRAMS)
def test_a_program(name, tmp_path, compat_server):
    files, expected, is_python2 = _PROGRAMS[name]
    for path, text in {"old.py": _OLD, "half.py": _HALF, **files}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    with open(str(tmp_path / "main.py"), "a") as file:
        file.write("\nimport half, sys\nsys.stderr.write('half is %s\\n' % half.HALF)\n")
    for _ in range(2):  # the second time its code is kept
        done = compat_server.run(tmp_path, "main.py")
        assert done.checked() == expected, done.err[-2000:]
        assert ("half is 3\n" in done.err) == is_python2
    found = {entry.status.name for entry in examine(str(tmp_path / "main.py")).entries}
    assert ("python2.by_company" in found) == is_python2
