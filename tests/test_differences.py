"""The commands that measure compat against real 1.15: what they read and what they compare."""

import importlib.machinery
import importlib.util
import json
import pathlib
import sys

import pytest

pytestmark = pytest.mark.quick

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "scripts"

LOG = """\
[ RUN      ] SumTest.testFloat
[       OK ] SumTest.testFloat
[ RUN      ] SumTest.testNan
[  FAILED  ] SumTest.testNan
[ RUN      ] SumTest.test_session
[  SKIPPED ] SumTest.test_session
[ RUN      ] SumTest.testEnd
======================================================================
FAIL: testNan (__main__.SumTest.testNan)
SumTest.testNan
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/x/site-packages/tensorflow/python/a.py", line 12, in check
    raise ValueError
ValueError: no such shape

----------------------------------------------------------------------
Ran 2 tests in 0.1s
"""


@pytest.fixture(scope="module")
def load():
    """A function that loads a script of scripts/ as a module."""
    sys.path.insert(0, str(SCRIPTS))

    def by_name(name):
        loader = importlib.machinery.SourceFileLoader(name, str(SCRIPTS / name))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
        loader.exec_module(module)
        return module

    yield by_name
    sys.path.remove(str(SCRIPTS))


def test_log_of_unit_tests(load):
    outcomes, causes = load("tf1_tests").read_log(LOG, "exit -6")
    assert outcomes == {
        "SumTest.testFloat": "OK",
        "SumTest.testNan": "FAILED",
        "SumTest.testEnd": "RUN",
    }
    assert causes == {
        "SumTest.testNan": "ValueError: no such shape @ tensorflow/python/a.py:12 check",
        "SumTest.testEnd": "process: exit -6",
    }


def test_cause_of_an_error_of_a_run(load):
    text = (
        "tensorflow.errors_impl.InvalidArgumentError: Graph execution error:\n\n"
        "Detected at node 'add' defined at (most recent call last):\n"
        "Node: 'add'\nNo OpKernel was registered\n\t [[{{node add}}]]\n"
    )
    assert load("tf1_tests").cause(text) == "InvalidArgumentError: No OpKernel was registered"


def test_cases_that_count(load):
    outcome = {
        "tf1": {"a": "OK", "b": "OK", "c": "FAILED", "d": "OK"},
        "ours": {"a": "OK", "b": "FAILED"},
    }
    assert load("tf1_tests").failing(outcome) == ["b", "d"]


@pytest.mark.parametrize(
    "one, other, cause",
    [
        ([[2], "float32", [1.0, 2.0]], [[2], "float32", [1.0, 2.00001]], None),
        ([[2], "float32", [1.0, float("nan")]], [[2], "float32", [1.0, float("nan")]], None),
        ([[2], "float32", [1.0, 2.0]], [[2], "float32", [1.0, 2.01]], "numbers"),
        ([[2], "float32", [1.0, 2.0]], [[2], "float32", [1.0, float("nan")]], "NaN"),
        ([[1], "float64", [1e300]], [[1], "float64", [float("inf")]], "Inf"),
        ([[1], "float64", [0.1]], [[1], "float64", [0.1 + 1e-8]], None),
        ([[1], "float64", [0.1]], [[1], "float64", [0.10001]], "numbers"),
        ([[2], "int32", [1.0, 2.0]], [[1, 2], "int32", [1.0, 2.0]], "run-time shape"),
        ([[1], "int32", [1.0]], [[1], "int64", [1.0]], "int32 became int64"),
    ],
)
def test_unequal_values(load, one, other, cause):
    load("differences")
    from differences_parts import compare

    assert compare.unequal(one, other) == cause


def test_signatures_differ_where_calls_would(load):
    load("differences")
    from differences_parts import compare

    was = [["x", False, ""], ["axis", True, "None"], ["rate", True, "0.1"], ["old", True, "1"]]
    now = [["x", False, ""], ["rate", True, "0.5"], ["axis", True, "None"], ["new", False, ""]]
    assert sorted(compare._signature_causes(was, now)) == [
        "default of rate: 0.1 became 0.5",
        "new required parameter new",
        "no parameter old",
        "place of axis",
    ]


@pytest.mark.parametrize(
    "was, now, expected",
    [
        ({"is": "int", "value": "1"}, {"is": "int", "value": "1"}, []),
        ({"is": "int", "value": "1"}, {"is": "int", "value": "2"}, ["value: int 1 became int 2"]),
        ({"is": "int", "value": "1"}, {"is": "missing"}, ["missing: was int 1"]),
        ({"is": "missing"}, {"is": "int", "value": "1"}, []),
        ({"is": "error", "value": "KeyError"}, {"is": "int", "value": "1"}, []),
        ({"is": "OpDef"}, {"is": "bytes", "value": "a"}, ["kind: OpDef became bytes a"]),
        ({"is": "OptimizerV1"}, {"is": "_Optimizer"}, []),
        (
            {"is": "list", "value": [{"is": "int", "value": "1"}]},
            {"is": "list", "value": [{"is": "int", "value": "2"}]},
            ["value: list [int 1] became list [int 2]"],
        ),
        (
            {"is": "callable", "signature": [["x", False, ""], ["old", True, "1"]]},
            {"is": "callable", "signature": [["x", False, ""]]},
            ["signature: no parameter old"],
        ),
    ],
)
def test_attributes_of_objects_that_differ(load, was, now, expected):
    load("differences")
    from differences_parts.objects import compare

    made = {"object": "o", "class": {"is": "C"}, "attributes": {"a": ["Owner", was]}}
    results = {"object": "o", "class": {"is": "D"}, "attributes": {"a": [None, now]}}
    found = compare.objects([made], [results])
    assert [f"{one.kind}: {one.cause}" for one in found] == expected
    assert {one.symbol for one in found} <= {"Owner.a"}


def test_an_object_that_cannot_be_made_differs(load):
    load("differences")
    from differences_parts.objects import compare

    made = [{"object": "o", "class": {"is": "C"}, "attributes": {}}]
    assert [one.kind for one in compare.objects(made, [])] == ["error"]
    assert [one.kind for one in compare.objects(made, [{"object": "o", "error": "x"}])] == ["error"]


def test_draws_are_the_same_each_time(load):
    load("differences")
    from differences_parts import arguments

    def draw(attempt):
        made = arguments.Draw("tensorflow.add", attempt)
        return json.dumps([made.by_name(name) for name in ("x", "axis", "shape", "cell", "labels")])

    assert [draw(attempt) for attempt in range(9)] == [draw(attempt) for attempt in range(9)]
    assert len({draw(attempt) for attempt in range(9)}) > 5
    special = arguments.numbers(40, "special", "float32", 3)
    assert any(number != number for number in special) and float("inf") in special


def test_every_known_difference_of_numbers_has_a_reason(load):
    """Nothing reports them at run time: the table says why."""
    load("differences")
    from differences_parts import known

    reasons = {why for kind, _, _, why in known.KNOWN if kind in known.OF_NUMBERS}
    assert set(known.UNSAID) == reasons


@pytest.mark.parametrize(
    "was, now, expected",
    [
        ({}, {}, []),
        ({}, {"name": "b:0"}, ["tensor name: a:0 became b:0"]),
        ({"losses": ["a"]}, {"losses": ["a"]}, []),
        ({"losses": ["a"]}, {}, ["collection: losses: ['a'] became []"]),
        ({}, {"losses": ["a"]}, ["collection: losses: [] became ['a']"]),
        ({"losses": ["a", "b"]}, {"losses": ["b", "a"]}, ["collection: losses: ['a', 'b'] became"]),
    ],
)
def test_names_and_collections_that_differ(load, was, now, expected):
    load("differences")
    from differences_parts import compare

    def made(changes):
        output = {"kind": "Tensor", "name": changes.pop("name", "a:0")}
        return {"outputs": [output], "collections": changes, "random": True}

    record = {"made": made({**was}), "symbol": "f", "call": {}}
    assert compare.outcomes(record, made({**now})) == []
    found = compare.outcomes(record, made({**now}), names=True)
    assert [
        f"{one.kind}: {one.cause}"[: len(text)] for one, text in zip(found, expected)
    ] == expected
    assert len(found) == len(expected)


def test_methods_that_are_called(load):
    load("differences")
    from differences_parts import symbols

    class Shape:
        def size(self, axis=0):
            return axis

        def close(self):
            """Ends something."""

        def _hidden(self):
            """Is of the class alone."""

        def __getitem__(self, key):
            return key

    found = {name: signature for name, _, signature in symbols.methods(Shape())}
    assert found == {"__getitem__": [["key", False, ""]], "size": [["axis", True, "0"]]}


@pytest.mark.parametrize(
    "is_class, parameters, expected",
    [(False, "x name", True), (False, "x", False), (True, "x name", False)],
)
def test_symbols_that_take_a_name(load, is_class, parameters, expected):
    load("differences")
    from differences_parts import symbols

    signature = [[one, True, "None"] for one in parameters.split()]
    assert symbols.takes_name({"class": is_class, "signature": signature}) is expected
