"""What a run costs: child processes count, and the table by which cases are drawn."""

import os
import subprocess
import sys

import durations
import pytest

pytestmark = pytest.mark.once

BUSY = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\n"


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs /proc")
def test_the_work_of_children_counts():
    """Of one that ended, of one that still runs, and of its own child."""
    before = durations.family_cpu()
    subprocess.run([sys.executable, "-c", BUSY.format(0.2)], check=True)
    text = (
        "import subprocess, sys\n"
        f"subprocess.run([sys.executable, '-c', {BUSY.format(0.2)!r}])\n"
        "print('done', flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", text]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        assert durations.family_cpu() - before > 0.39
        child.stdin.close()
        child.stdout.read()
    assert durations.family_cpu() - before > 0.39


LINES = """\
9.00\t9.00\tgw0\tpassed\ttests/test_a.py::test_x[1]
0.50\t0.90\tgw0\tpassed\ttests/test_a.py::test_x[2]
0.70\t0.90\tgw0\tpassed\ttests/test_a.py::test_x[3]
4.00\t0.90\tgw1\tpassed\ttests/test_a.py::test_alone
0.10\t0.90\tgw1\tpassed\ttests/test_a.py::test_cheap
3.00\t3.00\tgw1\tpassed\ttests/test_a.py (import)
8.00\t9.00\tgw1\tpassed\t(collection)
"""


def test_a_case_costs_what_the_others_cost(tmp_path):
    path = tmp_path / "durations.tsv"
    path.write_text(LINES)
    costs = durations.costs_of_cases(path)
    assert costs["tests/test_a.py::test_x"] == (pytest.approx(0.6), pytest.approx(10.2))
    text = durations.cost_table(costs, {}, {"tests/test_b.py::test_old": ("1.00", "2.00")})
    assert text == durations.HEAD + (
        "4.00\t\ttests/test_a.py::test_alone\n"
        "0.60\t\ttests/test_a.py::test_x\n"
        "1.00\t2.00\ttests/test_b.py::test_old\n"
    )


def test_the_dearest():
    rows = []
    for line in LINES.splitlines():
        cpu, wall, _, _, name = line.split("\t")
        rows.append((float(cpu), float(wall), name))
    lines = list(durations.dearest(rows, 2))
    assert lines[0] == "CPU seconds: 14 of 5 tests, 8 of collection"
    assert lines[2].split() == ["9.0", "9.0", "tests/test_a.py::test_x[1]"]
    assert lines[-1].split() == ["17.3", "15.6", "tests/test_a.py"]
