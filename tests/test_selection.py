"""Which cases run in which gate: each gate runs what the smaller one runs, and more."""

import collections
import itertools
import random
import types

import pytest
import selection
from places import ROOT

pytestmark = pytest.mark.once


class Case:
    """An item of pytest, as far as the selection looks at it."""

    def __init__(self, nodeid, marks, indices=None):
        self.nodeid = nodeid
        self._marks = {mark.name: mark for mark in marks}
        if indices is not None:
            self.callspec = types.SimpleNamespace(indices=indices)

    def get_closest_marker(self, name):
        return self._marks.get(name)


def product(marks_of, **sizes):
    """The cases of a test with parameters of these sizes: ``marks_of(indices)`` has their marks."""
    for numbers in itertools.product(*map(range, sizes.values())):
        indices = dict(zip(sizes, numbers))
        name = "tests/test_x.py::test_y[{}]".format("-".join(map(str, numbers)))
        yield Case(name, [mark.mark for mark in marks_of(indices)], indices)


def ids(cases):
    return {case.nodeid for case in cases}


def slow_and_costly(indices):
    """A product with few cases, of which one kind is a twin."""
    marks = [pytest.mark.costly(in_ci=6), pytest.mark.quick]
    return marks + [pytest.mark.slow, pytest.mark.twin] * (indices["kind"] == 1)


@pytest.mark.parametrize("week", [0, 1])
@pytest.mark.parametrize("seed", range(20))
def test_each_gate_has_the_smaller_one(seed, week):
    draw = random.Random(seed)
    choices = [
        [],
        [pytest.mark.slow],
        [pytest.mark.slow(in_ci=1)],
        [pytest.mark.slow, pytest.mark.twin],
    ]
    costly = [pytest.mark.costly(in_ci=draw.randint(1, 9))] * draw.randint(0, 1)
    quick = [pytest.mark.quick] * draw.randint(0, 1)
    by_kind = [draw.choice(choices) for _ in range(3)]
    cases = list(product(lambda i: costly + quick + by_kind[i["kind"]], kind=3, rate=5, size=3))
    gates = [
        selection.Gate(quick=True, week=week),
        selection.Gate(week=week),
        selection.Gate(all=True, week=week),
        selection.Gate(all=True, whole=True, week=week),
    ]
    costs = {"tests/test_x.py::test_y": draw.choice([0, 0.2, 0.7, 2, 5])}
    runs = [ids(selection.drawn(cases, gate, costs)) for gate in gates]
    assert all(smaller <= larger for smaller, larger in zip(runs, runs[1:]))
    assert runs[-1] == ids(cases)


def test_a_costly_product_is_drawn():
    cases = list(product(slow_and_costly, kind=2, dtype=6, wrapper=5))
    plain = selection.drawn(cases, selection.Gate())
    assert len(plain) == 6 and not any(case.get_closest_marker("slow") for case in plain)
    assert {case.callspec.indices["dtype"] for case in plain} == set(range(6))  # each value once
    assert {case.callspec.indices["wrapper"] for case in plain} == set(range(5))
    assert plain == selection.drawn(cases[::-1], selection.Gate())[::-1]  # by the ids alone


@pytest.mark.parametrize(
    "seconds, expected",
    [(0.01, (24, 24, 2)), (0.2, (1, 10, 2)), (1.0, (1, 2, 2)), (4.0, (0, 1, 1))],
    ids=str,
)
def test_few_cases_of_a_dear_test(seconds, expected):
    marks = {0: [], 1: [pytest.mark.slow]}
    cases = list(product(lambda i: marks[i["kind"]], kind=2, n=24))
    costs = {"tests/test_x.py::test_y": seconds}
    plain = selection.drawn(cases, selection.Gate(), costs)
    everything = selection.drawn(cases, selection.Gate(all=True), costs)
    slow = [case for case in everything if case.callspec.indices["kind"] == 1]
    assert (len(plain), len(everything) - len(slow), len(slow)) == expected
    assert len(selection.drawn(cases, selection.Gate(all=True, whole=True), costs)) == 48


def test_each_case_of_a_dear_test_runs_in_its_turn():
    cases = list(product(lambda _: [], n=6))
    costs = {"tests/test_x.py::test_y": 4.0}
    weeks = [selection.drawn(cases, selection.Gate(all=True, week=w), costs) for w in range(60)]
    assert {len(kept) for kept in weeks} == {1}
    assert set().union(*map(ids, weeks)) == ids(cases)


def test_the_dearest_tests_take_turns():
    marks = {0: [], 1: [pytest.mark.slow(in_ci=6)]}
    cases = list(product(lambda i: marks[i["kind"]], kind=2, n=6))
    costs, count = {"tests/test_x.py::test_y": 6.0}, 60 * selection.TURNS
    weeks = [selection.drawn(cases, selection.Gate(all=True, week=w), costs) for w in range(count)]
    for first in range(0, count, selection.TURNS):
        assert sum(map(len, weeks[first : first + selection.TURNS])) == 1
    assert set().union(*map(ids, weeks)) == ids(cases)


def test_a_dear_file_runs_in_its_turn(monkeypatch):
    monkeypatch.setitem(selection.DEAR_FILES, "test_x.py", 30)
    cases = list(product(lambda _: [pytest.mark.quick], n=6))
    gates = [selection.Gate(all=True, week=week) for week in range(selection.TURNS)]
    assert sorted(len(selection.drawn(cases, gate, {})) for gate in gates)[-2:] == [0, 6]
    assert not selection.drawn(cases, selection.Gate(), {})
    assert not selection.drawn(cases, selection.Gate(quick=True), {})


def test_dear_files_are_there():
    assert [file for file in selection.DEAR_FILES if not (ROOT / "tests" / file).is_file()] == []


def test_no_week_is_much_dearer():
    costs = selection.measured_costs(False)
    weeks = collections.Counter()
    for name, week in selection.turns(costs).items():
        weeks[week] += selection.DEAR_FILES.get(name) or costs[name]
    assert len(weeks) == selection.TURNS
    assert max(weeks.values()) - min(weeks.values()) < 20


def test_costs_are_of_tests():
    """The table of costs: each is a number of a test's name, and no more than one a test."""
    for is_tf1 in (False, True):
        costs = selection.measured_costs(is_tf1)
        assert costs and all("::" in test and "[" not in test for test in costs)
        assert all(0 <= seconds < 600 for seconds in costs.values())


def test_a_twin_runs_each_second_week():
    cases = list(product(slow_and_costly, kind=2, dtype=6))
    weeks = [
        sum(map(bool, (case.get_closest_marker("twin") for case in selection.drawn(cases, gate))))
        for gate in (selection.Gate(all=True, week=week) for week in range(4))
    ]
    assert sorted(weeks) == [0, 0, 2, 2] and weeks[:2] == weeks[2:]


def test_half_of_the_twins_run_in_a_week():
    nodes = [f"tests/test_{n}.py::test[resource]" for n in range(1000)]
    even = {node for node in nodes if selection.twin_runs(node, 2)}
    odd = {node for node in nodes if selection.twin_runs(node, 3)}
    assert even.isdisjoint(odd) and even | odd == set(nodes)
    assert 400 < len(even) < 600


def test_a_slow_case_counts_apart_from_the_plain_ones():
    marks = {0: [], 1: [pytest.mark.slow(in_ci=1)]}
    cases = list(product(lambda i: [pytest.mark.costly(in_ci=3), *marks[i["kind"]]], kind=2, n=9))
    both = selection.drawn(cases, selection.Gate(all=True))
    assert [case.callspec.indices["kind"] for case in both] == [0, 0, 0, 1]


def test_none_of_a_slow_test_that_ci_does_not_run():
    cases = list(product(lambda _: [pytest.mark.slow(in_ci=0)], n=4))
    assert selection.drawn(cases, selection.Gate(all=True)) == []
    assert len(selection.drawn(cases, selection.Gate(all=True, whole=True))) == 4


def test_what_does_not_depend_on_tensorflow_runs_once():
    cases = list(product(lambda _: [pytest.mark.once], n=2))
    assert selection.drawn(cases, selection.Gate(is_tf1=True)) == []
    assert selection.drawn(cases, selection.Gate()) == cases


def test_whole_sets_what_tests_ask_for():
    texts = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")
    )
    assert [name for name in selection.WHOLE_SWITCHES if f'"{name}"' not in texts] == []


def test_files_that_wait_are_there():
    files = {path.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("*.py")}
    for prefix in selection.WAITING:
        assert any(path.startswith(prefix) for path in files), prefix
    assert selection.waits("training/distributed/test_kills.py")
    assert not selection.waits("training/test_freeze.py")


def test_the_week(monkeypatch):
    monkeypatch.setenv("TFGRAPHTOOLS_WEEK", "7")
    assert selection.this_week() == 7
    monkeypatch.delenv("TFGRAPHTOOLS_WEEK")
    assert selection.this_week() > 90
