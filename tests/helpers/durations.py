"""What each test costs, in seconds of CPU and of wall time: a plugin, and a report of its file.

CPU seconds count what the test's child processes used, too. They hardly depend on what else the
machine does, as wall time does. Where wall time is much longer than CPU time, the test waits.

``TFGRAPHTOOLS_DURATIONS=FILE`` writes a line for each test as it ends, for the collection of each
worker and for the import of each file: CPU seconds, wall seconds, worker, outcome, id, with tabs.
``pytest --dearest 30`` prints the 30 dearest tests and files.

    python tests/helpers/durations.py .envs/tf2.durations.tsv .envs/tf1.durations.tsv

writes ``costs.tsv`` beside this file, by which `selection` draws the cases of dear tests.
"""

import collections
import os
import pathlib
import statistics
import sys
import time

import pytest

COLLECTION = "(collection)"
IMPORT = " (import)"


def pytest_addoption(parser):
    """Adds the option ``--dearest``."""
    parser.addoption("--dearest", type=int, default=0, help="print so many dearest tests and files")


class Clock:
    """The CPU and wall seconds since the last question."""

    def __init__(self):
        self._last = self._now()

    def _now(self):
        return family_cpu(), time.perf_counter()

    def lap(self):
        """Returns (CPU seconds, wall seconds) since the last call."""
        before, self._last = self._last, self._now()
        return max(0.0, self._last[0] - before[0]), self._last[1] - before[1]


def family_cpu():
    """Returns the CPU seconds of this process and of its children, also those that still run."""
    times = os.times()
    own = times.user + times.system + times.children_user + times.children_system
    return own + _running_children(os.getpid())


def _running_children(of_process):
    """Returns the CPU seconds of the processes below this one that still run (on Linux; else 0)."""
    children = collections.defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        try:
            with open("/proc/" + name + "/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # it ended
            continue
        children[int(fields[1])].append((int(name), sum(map(int, fields[11:15]))))
    ticks, waiting = 0, [of_process]
    while waiting:
        for process, used in children[waiting.pop()]:
            ticks += used
            waiting.append(process)
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0


class Measures:
    """The part of the plugin that runs where tests run: it measures."""

    def __init__(self, config):
        self.clock = Clock()
        self.imports = {}
        self.collection = (0.0, 0.0)
        self.config = config

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection(self):
        """Measures the whole collection."""
        clock = Clock()
        yield
        self.collection = clock.lap()
        self.clock.lap()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector):
        """Measures what a file takes to import and its tests to list."""
        if not isinstance(collector, pytest.Module):
            yield
            return
        clock = Clock()
        yield
        self.imports[collector.nodeid] = clock.lap()

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_makereport(self, call):
        """Notes in the report of a test's last phase what the test cost."""
        outcome = yield
        if call.when == "teardown":
            outcome.get_result().cost = self.clock.lap()

    def pytest_sessionfinish(self):
        """Hands the costs of the collection to the process that writes."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["collection_costs"] = self.collection_costs()

    def collection_costs(self):
        """Returns [id, (CPU, wall)] of the collection and of each file's import."""
        imports = [[name + IMPORT, cost] for name, cost in self.imports.items()]
        return [[COLLECTION, self.collection], *imports]


class Report:
    """The part of the plugin that runs in one process: it writes and prints."""

    def __init__(self, config, path, measures):
        self.file = open(path, "a", encoding="utf-8") if path else None
        self.dearest = config.getoption("--dearest")
        self.measures = measures
        self.outcomes = {}
        self.rows = []

    def pytest_runtest_logreport(self, report):
        """Writes the line of a test after its last phase."""
        if not report.passed:
            self.outcomes[report.nodeid] = report.outcome
        if report.when == "teardown":
            outcome = self.outcomes.pop(report.nodeid, "passed")
            worker = getattr(report, "worker_id", "main")
            self._write(*report.cost, outcome, worker, report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        """Writes what a worker's collection cost."""
        costs = getattr(node, "workeroutput", {}).get("collection_costs", ())
        self._write_collection(costs, node.gateway.id)

    def pytest_terminal_summary(self, terminalreporter):
        """Prints the dearest tests and files."""
        self._write_collection(self.measures.collection_costs(), "main")
        for line in dearest(self.rows, self.dearest) if self.dearest else ():
            terminalreporter.write_line(line)
        if self.file:
            self.file.close()
            self.file = None

    def _write_collection(self, costs, worker):
        for name, (cpu, wall) in costs:
            if cpu > 0.005:
                self._write(cpu, wall, "passed", worker, name)

    def _write(self, cpu, wall, outcome, worker, name):
        self.rows.append((cpu, wall, name))
        if self.file:
            print(f"{cpu:.2f}", f"{wall:.2f}", worker, outcome, name, sep="\t", file=self.file)
            self.file.flush()


def dearest(rows, count):
    """Returns lines: the total, the tests that took most CPU seconds, and the files.

    Args:
      rows: (CPU seconds, wall seconds, id) of each test, collection and import.
      count: how many tests, and how many files.
    """
    tests = [row for row in rows if not row[2].endswith((COLLECTION, IMPORT))]
    files = collections.defaultdict(lambda: [0.0, 0.0])
    for cpu, wall, name in rows:
        if name != COLLECTION:
            total = files[name.partition("::")[0].replace(IMPORT, "")]
            total[0] += cpu
            total[1] += wall
    by_file = [(cpu, wall, name) for name, (cpu, wall) in files.items()]
    of_tests = sum(cpu for cpu, _, _ in tests)
    of_collection = sum(cpu for cpu, _, name in rows if name == COLLECTION)
    yield f"CPU seconds: {of_tests:.0f} of {len(tests)} tests, {of_collection:.0f} of collection"
    for title, costs in (("tests", tests), ("files", by_file)):
        yield f"The dearest {title} (seconds of CPU, of wall time):"
        for cpu, wall, name in sorted(costs, reverse=True)[:count]:
            yield f"{cpu:8.1f} {wall:8.1f}  {name}"


def register(config):
    """Registers both parts, each where it belongs."""
    measures = Measures(config)
    config.pluginmanager.register(measures)
    path = os.environ.get("TFGRAPHTOOLS_DURATIONS")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(config, path, measures))


#: The CPU seconds of all cases of a test from which on it is in ``costs.tsv``.
LEAST = 0.5

HEAD = """\
# What one case of a test costs, in CPU seconds on TF 2 and on TF 1.15: of tests that cost half a
# second or more. durations.py writes it from the durations of a run; selection.py draws by it.
"""


def costs_of_cases(path):
    """Returns {test: (CPU seconds of a case, of all that ran)} from a file of durations.

    The dearest case does not count where there are others: it makes what all of them use.
    """
    by_test = collections.defaultdict(list)
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        cpu, _, _, _, name = line.split("\t", 4)
        if "::" in name:
            by_test[name.partition("[")[0]].append(float(cpu))
    return {
        test: (statistics.mean(sorted(costs)[:-1] or costs), sum(costs))
        for test, costs in by_test.items()
    }


def cost_table(of_tf2, of_tf1, before=None):
    """Returns the text of ``costs.tsv``; what was not measured now keeps what it had before.

    Args:
      of_tf2: what `costs_of_cases` returns for TF 2.
      of_tf1: the same for TF 1.15.
      before: {test: (on TF 2, on TF 1.15)}, each a text, from the table that there is.
    """
    rows = dict(before or {})
    for number, costs in enumerate((of_tf2, of_tf1)):
        for test, (of_one, of_all) in costs.items():
            if of_all >= LEAST or test in rows:
                row = list(rows.get(test, ("", "")))
                row[number] = f"{of_one:.2f}"
                rows[test] = tuple(row)
    return HEAD + "".join(f"{two}\t{one}\t{test}\n" for test, (two, one) in sorted(rows.items()))


def main():
    """Writes ``costs.tsv`` from the durations of the two runs that the command line names."""
    table = pathlib.Path(__file__).with_name("costs.tsv")
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else ()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    before = {test: (two, one) for two, one, test in rows}
    measured = [costs_of_cases(path) if os.path.exists(path) else {} for path in sys.argv[1:3]]
    table.write_text(cost_table(*measured, before=before), encoding="utf-8")


if __name__ == "__main__":
    main()
