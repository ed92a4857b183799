"""Values of expressions that nothing runs for: the oracle is Python, which runs them."""

import ast
import os
import pathlib
import sys
import tracemalloc

import pytest

from tfgraphtools.analysis import branches, constant_values
from tfgraphtools.compat.doctor import search, source_files

pytestmark = pytest.mark.quick

CONDITIONS = [
    "sys.version_info >= (3, 0)",
    "sys.version_info[0] == 2",
    "sys.version_info[:2] < (3, 8)",
    "sys.version_info.major < 3",
    "int(sys.version.split('.')[0]) == 2",
    "sys.version[0] == '2' or sys.version.startswith('1')",
    "not sys.platform.startswith('win') and os.name in ('posix', 'nt')",
    "'%d' % sys.version_info[0] == '3'",
]

UNKNOWN = ["x > 3", "sys.version_info > x", "f()", "sys.version.lower() == 'a'", "1 / 0", "x or 0"]

#: What programs append to ``sys.path``, in a file a/b/main.py.
FOLDERS = [
    "'lib'",
    "os.path.dirname(__file__)",
    "os.path.dirname(os.path.abspath(__file__)) + '/lib'",
    "os.path.join(os.path.dirname(__file__), '..', 'lib')",
    "os.path.join(os.path.dirname(__file__), os.pardir, 'lib')",
    "os.path.join(os.getcwd(), 'lib')",
    "os.sep.join(os.path.abspath(__file__).split(os.sep)[:-2])",
    "'%s/lib' % os.path.dirname(__file__)",
    "'{}/lib'.format(os.path.dirname(__file__))",
    "__file__.replace('main.py', 'lib')",
    "sys.path[0] + '/lib'",
    "str(pathlib.Path(__file__).parent / 'lib')",
    "str(pathlib.Path(__file__).resolve().parents[1])",
    "str(pathlib.Path(__file__).absolute().parent.joinpath('lib'))",
    "pathlib.Path(__file__).parent.as_posix()",
    "os.fspath(pathlib.Path('lib'))",
    "os.path.dirname(os.path.abspath(inspect.getfile(inspect.currentframe())))",
]
#: Those of them that are not known: nothing is added.
NOT_KNOWN = {"os.sep.join(os.path.abspath(__file__).split(os.sep)[:-2])"}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_have_their_value(condition):
    node = ast.parse(condition, mode="eval").body
    value = constant_values.value_of(node, branches.UNDER_RUN, {"int": int})
    assert value == (eval(condition, {"sys": sys, "os": os}),)


@pytest.mark.parametrize("condition", UNKNOWN)
def test_others_have_none(condition):
    node = ast.parse(condition, mode="eval").body
    assert constant_values.value_of(node, branches.UNDER_RUN, {"int": int}) is None


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_that_programs_add(folder, tmp_path, monkeypatch):
    for name in ("a/b/lib", "a/lib", "lib"):
        (tmp_path / name).mkdir(parents=True)
    path = str(tmp_path / "a" / "b" / "main.py")
    data = f"import inspect, os, pathlib, sys\nsys.path.append({folder})\n".encode()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [os.path.dirname(path), *sys.path])
    exec(compile(data, path, "exec"), {"__file__": path})
    source = source_files.Source(path, None, data=data)
    folders = search.folders_added(source, [str(tmp_path)])
    assert (os.path.abspath(sys.path[-1]) in folders) is (folder not in NOT_KNOWN)
    assert all(pathlib.Path(folder).is_dir() for folder in folders)


#: Expressions that take more memory or time than their source.
HUGE = [
    '"{:>2000000000}".format("")',
    '"{:{}}".format("", 2000000000)',
    '"{0:>{1}}".format("", 2000000000)',
    '"%2000000000d" % 1',
    '"%.2000000000f" % 1.5',
    '"%*d" % (2000000000, 1)',
    '"%-*d" % (2000000000, 1)',
    'b"%2000000000d" % 1',
    '"a" * 10**10',
    "10 ** 10 ** 10",
    "1 << 10**9",
    "[0] * 10**10",
    'f"{1:>2000000000}"',
    '"{}".format("a" * 10**10)',
    '"aaaaaaaaaa".replace("a", x).replace("a", x).replace("a", x).replace("a", x).replace("a", x)',
    "x + x + x + x",
    "(x, x, x, x)",
]


@pytest.mark.parametrize("expression", HUGE)
def test_what_takes_memory_is_not_computed(expression):
    """Counted is what is allocated at most, whatever the machine."""
    node = ast.parse(expression, mode="eval").body
    tracemalloc.start()
    try:
        assert constant_values.value_of(node, {"x": "a" * 3000}, {}) is None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 << 20


def test_values_that_double():
    """A tuple of itself, 60 times: to compare two of them would never end."""
    value, node = ("a",), ast.parse("(x, x)", mode="eval").body
    for _ in range(60):
        result = constant_values.value_of(node, {"x": value}, {})
        if result is None:
            return
        (value,) = result
    raise AssertionError("it grows on")


@pytest.mark.parametrize(
    "expression, value",
    [
        ('"{}.{:>3}".format(1, 2)', "1.  2"),
        ('"%s-%03d" % ("a", 7)', "a-007"),
        ('"a-b".replace("-", "_")', "a_b"),
        ("(1, 2) + (3,)", (1, 2, 3)),
        ("7 % 4", 3),
    ],
)
def test_what_is_small_is_computed(expression, value):
    node = ast.parse(expression, mode="eval").body
    assert constant_values.value_of(node, {}, {}) == (value,)
