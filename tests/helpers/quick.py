"""``pytest --quick``: one case of every test function, without the slow ones.

Which functions are slow is measured, not listed by hand: ``--record-durations``
writes the seconds of each function's first case to durations.txt. A function
that is not in the file yet counts as fast, so that a new test always takes part.
Every test file keeps its cheapest function, however slow.
"""

import pathlib

import pytest

RECORDED = pathlib.Path(__file__).resolve().parent.parent / "durations.txt"

#: Seconds, as recorded on two cores, that all of a quick run may take.
BUDGET = 75.0


def key(item):
    """The name of a test's function, which survives a move of its file to another folder."""
    return "{}::{}".format(item.path.name, getattr(item, "originalname", item.name))


def read():
    """{function: seconds} as recorded."""
    if not RECORDED.exists():
        return {}
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    return {name: float(seconds) for seconds, name in (line.split() for line in lines)}


def chosen(items, durations, budget=BUDGET):
    """The items of a quick run, in their order: first cases, cheapest first, within the budget."""
    first = {}
    for item in items:
        first.setdefault(key(item), item)
    kept, seen = set(), set()
    for name, item in sorted(first.items(), key=lambda pair: (durations.get(pair[0], 0), pair[0])):
        seconds = durations.get(name, 0)
        if seconds <= budget or item.path not in seen:
            budget -= seconds
            seen.add(item.path)
            kept.add(name)
    return [item for name, item in first.items() if name in kept]


class Recorder:
    """Adds up what the setup, call and teardown of each function's first case took."""

    def __init__(self):
        self.seconds = {}

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report):
        name = report.nodeid.split("[")[0].replace("\\", "/").split("/")[-1]
        self.seconds[name] = self.seconds.get(name, 0) + report.duration

    def pytest_sessionfinish(self, session):
        if hasattr(session.config, "workerinput"):
            return  # the controller sees the reports of all workers
        merged = dict(read(), **self.seconds)
        lines = [f"{merged[name]:.1f} {name}" for name in sorted(merged) if merged[name] >= 0.1]
        RECORDED.write_text("\n".join(lines) + "\n", encoding="utf-8")
