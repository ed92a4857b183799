"""``pytest --quick``: one case of every test function, without the slow ones.

Which functions are slow is measured, not listed by hand: ``--record-durations``
writes the seconds of each function's first case to tests/durations.txt. A function
that is not in that file yet counts as fast, unless its module starts processes.
Every folder of tests keeps its cheapest function, however slow, and what is marked `always`
is kept, too.
"""

import os
import pathlib

import pytest

RECORDED = pathlib.Path(__file__).resolve().parent.parent / "durations.txt"

#: Seconds of the processor that the tests of a quick run may take under one TensorFlow.
BUDGET = 2.0

#: What a function counts that was not measured yet.
IN_PROCESS, WITH_PROCESSES = 0.1, 10.0


def key(item):
    """The name of a test's function, which survives a move of its file to another folder."""
    return "{}::{}".format(item.path.name, getattr(item, "originalname", item.name))


def read():
    """{function: seconds} as recorded."""
    if not RECORDED.exists():
        return {}
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    return {name: float(seconds) for seconds, name in (line.split() for line in lines)}


class Costs:
    """The seconds of a function: recorded, or guessed."""

    def __init__(self, recorded):
        self._recorded = recorded
        self._starts_processes = {}

    def of(self, name, item):
        if name in self._recorded:
            return self._recorded[name]
        if item.path not in self._starts_processes:
            text = item.path.read_text(encoding="utf-8")
            conftest = item.path.with_name("conftest.py")
            text += conftest.read_text(encoding="utf-8") if conftest.exists() else ""
            self._starts_processes[item.path] = any(
                word in text for word in ("subprocess", "interpreters", "tf1_run", "forks")
            )
        return WITH_PROCESSES if self._starts_processes[item.path] else IN_PROCESS


def _shared(item):
    """The fixtures of an item that several tests share, apart from those that all folders share."""
    info = getattr(item, "_fixtureinfo", None)
    definitions = [found[-1] for found in info.name2fixturedefs.values()] if info else []
    return {
        (definition.baseid, definition.argname)
        for definition in definitions
        if definition.scope != "function" and "/" in definition.baseid
    }


def chosen(items, recorded, budget):
    """The items of a quick run, in their order: first cases, cheapest first, within the budget.

    The first function that uses a shared fixture made it when the seconds were recorded. Without
    that function another one makes it, so each costs as much, until one of them is kept.
    """
    first = {}
    for item in items:
        first.setdefault(key(item), item)
    costs = Costs(recorded)
    own = {name: costs.of(name, item) for name, item in first.items()}
    fixtures = {name: _shared(item) for name, item in first.items()}
    making = {}
    for name in first:
        for fixture in fixtures[name]:
            making.setdefault(fixture, own[name])

    def seconds(name):
        return max([own[name]] + [making[fixture] for fixture in fixtures[name]])

    def is_late(name):
        return first[name].get_closest_marker("always") is None

    kept, folders = set(), set()
    for name in sorted(first, key=lambda name: (is_late(name), seconds(name), name)):
        folder = first[name].path.parent
        if seconds(name) <= budget or folder not in folders or not is_late(name):
            budget -= seconds(name)
            making.update(dict.fromkeys(fixtures[name], 0.0))
            folders.add(folder)
            kept.add(name)
    return [item for name, item in first.items() if name in kept]


def _processor_seconds():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Recorder:
    """Measures the processor time of each function's first case, its processes included."""

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        start = _processor_seconds()
        yield
        recorded = dict(read(), **{key(item): _processor_seconds() - start})
        lines = [f"{recorded[name]:.1f} {name}" for name in sorted(recorded)]
        RECORDED.write_text("\n".join(lines) + "\n", encoding="utf-8")
