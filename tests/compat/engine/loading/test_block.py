"""``with compat.activate():`` in a script that is running already."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

#: id -> (the script below its imports, what it prints).
CASES = {
    "once": ("with compat.activate():\n    n += 1\nprint(n)", "1"),
    "bound": ("with compat.activate() as h:\n    print(h is compat.activate())", "True"),
    "functions of the block keep their meaning": (
        "with compat.activate():\n    def add(x):\n        return np.uint8(x) + 100\n"
        "print(add(200), np.uint8(100) + np.uint8(100))",
        "300 200",
    ),
    "nested in if and for": (
        "for i in range(2):\n    if i:\n        with compat.activate():\n"
        "            print(i, np.uint8(200) + 100)",
        "1 300",
    ),
    "its own loops": (
        "with compat.activate():\n    for i in range(3):\n        if i: break\n"
        "    print(i, np.uint8(200) + 100)",
        "1 300",
    ),
    "jumps out of it": (
        "for i in range(3):\n    with compat.activate():\n        if i == 1:\n"
        "            continue\n        import cPickle\n    print(i)",
        "0\n2",
    ),
    "in a function": (
        "def f():\n    with compat.activate():\n        import cPickle\n"
        "        return cPickle.__name__\n"
        "print(f())",
        "pickle",
    ),
    "an error": (
        "try:\n    with compat.activate():\n        n += 1\n        1 / 0\n"
        "except ZeroDivisionError as error:\n    print(n, error.__context__, compat.is_active())",
        "1 None False",
    ),
    "an error that the block handles": (
        "with compat.activate():\n    try:\n        1 / 0\n    except ZeroDivisionError:\n"
        "        n += 1\nprint(n, compat.is_active())",
        "1 False",
    ),
    "twice": (
        "for i in range(2):\n    with compat.activate():\n        print(np.uint8(200) + 100)",
        "300\n300",
    ),
}


def test_blocks(plain_python, tmp_path):
    """All in one process; each case in a module namespace and a file of its own."""
    scripts = []
    for number, (text, _) in enumerate(CASES.values()):
        scripts.append(f"case_{number}.py")
        (tmp_path / scripts[-1]).write_text(
            "import numpy as np\nfrom tfgraphtools import compat\nn = 0\n" + text + "\n"
        )
    (tmp_path / "all.py").write_text(
        "import runpy, sys\nfor name in sys.argv[1:]:\n"
        "    print('#', name)\n    runpy.run_path(name)\n"
    )
    done = plain_python("all.py", *scripts)
    printed = [part.partition("\n")[2].strip() for part in done.stdout.split("# ")[1:]]
    expected = [lines for _, lines in CASES.values()]
    assert dict(zip(CASES, printed)) == dict(zip(CASES, expected)), done.stderr
