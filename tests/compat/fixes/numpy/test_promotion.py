"""The types of NumPy 1, from the real NumPy 1 beside TF 1.15."""

# ruff: noqa: E501 (programs and cases, each on its line)

import ast
import json
import pathlib
import re
import subprocess

import numpy
import pytest

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.numpy import one_element
from tfgraphtools.compat.fixes.numpy.arithmetic import numpy_operators, promotion

NAMES = {"np": numpy}
HERE = pathlib.Path(__file__).resolve().parent

if not numpy.__version__.startswith("2"):
    pytest.skip("NumPy 1 needs none of it", allow_module_level=True)


@pytest.fixture(scope="module")
def numpy1(tf1_python):
    """The answers of NumPy 1: plain, and in place."""
    done = subprocess.run(
        [tf1_python, str(HERE / "promotion_table.py")], stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def table():
    namespace = {"__name__": "promotion_table"}
    path = HERE / "promotion_table.py"
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return namespace


def _compiled(source):
    tree = ast.parse(source)
    for row in (*numpy_operators.TABLE.rows, one_element.ROW):
        tree = row.run(tree, "t.py")
    return compile(ast.fix_missing_locations(tree), "t.py", "exec")


def _run(source, **names):
    scope = dict(names, np=numpy, **numpy_operators.HELPERS)
    scope.update(one_element.HELPERS)
    exec(_compiled(source), scope)
    return scope


_SMALL = (
    r"np\.u?int(8|16)\(\d+\) /=? (np\.u?int(8|16)\(\d+\)|np\.array\(3, dtype=np\.u?int(8|16)\))$"
)
_ZERO_DIMENSIONAL_POWER = r"np\.array\(3, dtype=np\.(float16|float32|complex64)\) \*\* (0|\(-1\))$"


def _is_named_difference(case, answer):
    """What `promotion` says that it does not restore."""
    if " // " in case and ("complex" in case or "1j" in case):
        return True  # an operation that NumPy dropped
    if case.startswith("1j") and answer[0] == "complex":
        return True  # Python's complex, now NumPy's
    return bool(re.match(_SMALL, case) or re.match(_ZERO_DIMENSIONAL_POWER, case))


def _are_close(ours, theirs):
    """The same type, and the same numbers but for the last digit of a power."""
    if ours[0] != theirs[0] or len(ours[1]) != len(theirs[1]):
        return False
    pairs = [(complex(a), complex(b)) for a, b in zip(ours[1], theirs[1])]
    return all(numpy.isclose(a, b, rtol=1e-6, atol=0, equal_nan=True) for a, b in pairs)


def _differences(ours, theirs):
    return {
        case: (ours[case], answer)
        for case, answer in theirs.items()
        if not _are_close(ours[case], answer) and not _is_named_difference(case, answer)
    }


def test_operators(numpy1, table):
    def evaluate(left, sign, right):
        helper = numpy_operators.HELPERS[f"__numpy1_{table['OPERATORS'][sign]}__"]
        return helper(eval(left, NAMES), eval(right, NAMES))

    differ = _differences(table["answers"](evaluate), numpy1[0])
    assert not differ, f"{len(differ)} of {len(numpy1[0])}: {list(differ.items())[:9]}"


def test_operators_in_place(numpy1, table):
    def evaluate(left, sign, right):
        helper = numpy_operators.HELPERS[f"__numpy1_i{table['OPERATORS'][sign]}__"]
        return helper(eval(left, NAMES), eval(right, NAMES))

    ours, theirs = table["answers"](evaluate), numpy1[1]
    errors = {case for case, answer in theirs.items() if not answer[1]}
    differ = _differences(ours, {c: a for c, a in theirs.items() if c not in errors})
    assert not differ, f"{len(differ)} of {len(theirs)}: {list(differ.items())[:9]}"
    assert not [case for case in errors if ours[case][1] and "//" not in case]


@pytest.mark.parametrize(
    "statement, wanted",
    [
        ("r = str(([7.0, 8.0] // np.array([0.0, 3.0])).tolist())", "[nan, 2.0]"),
        ("r = np.uint8(200) + 100", 300),
        ("r = 0.0\nr += np.float32(0.1)", float(numpy.float32(0.1))),
        ("r = 'a' + 'b'", "ab"),
        ("r = [1] + [2]", [1, 2]),
        ("r = '%d-%s' % (np.array([3]), np.array([4]))", "3-[4]"),
        ("form = '%.1f'\nr = form % np.array([2.5])", "2.5"),
        ("r = float(np.array([2.5])) + int(np.array([[2]]))", 4.5),
        ("r = int('ff', 16)", 255),
        ("float = lambda x: 'mine'\nr = float(1)", "mine"),
        ("d = {'k': 1}\nd['k'] += 1\nr = d['k']", 2),
        ("calls = []\nd = {0: 1}\nd[calls.append(1) or 0] += 5\nr = (d[0], len(calls))", (6, 1)),
        (
            "class A:\n    def __init__(self):\n        self.__n = 1\n        self.__n += 1\n        self.r = self.__n\nr = A().r",
            2,
        ),
        ("x = np.zeros(2)\ny = x\ny += 1\nr = x.tolist()", [1, 1]),
        ("x = np.zeros((2, 2))\nx[:, 0] += 1\nr = x.tolist()", [[1, 0], [1, 0]]),
        ("def f():\n    '''doc'''\n    return 7 % 4\nr = f()", 3),
    ],
)
def test_statements(statement, wanted):
    assert _run(statement)["r"] == wanted


@pytest.mark.parametrize(
    "statement", ["'%d' % 'a'", "float('a')", "float([1])", "int(np.ones(2))", "1 + 'a'"]
)
def test_errors_stay(statement):
    with pytest.raises(Exception) as plain:
        eval(statement, {"np": numpy})
    with pytest.raises(type(plain.value)):
        _run("r = " + statement)


def test_only_what_numpy_changed_is_reported():
    rows.begin()
    _run("r = 1 + 2.0\nx = np.ones(2) + np.ones(2)\n'%d' % 3")
    assert not rows.report()
    _run("r = np.float32(1) * 0.5")
    assert [row.name for row in rows.report()] == [promotion.PROMOTION.name]
    rows.begin()
