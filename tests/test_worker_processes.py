"""Ctrl-C reaches every process of a terminal: the first one alone says so."""

import os
import signal
import subprocess
import sys

import interrupts
import pytest
from places import ROOT

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name == "nt", reason="POSIX signals")]

#: Four items go to one process; the other has the fifth, and waits for more then.
PROGRAM = r"""
import os, sys, time
from tfgraphtools.worker_processes import Workers

def work(item):
    time.sleep(0 if item == 4 else 0.3)
    os.write(1, b"done\n")

try:
    with Workers(2) as mapped:
        list(mapped(work, range(5), lambda count: None))
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_prints_no_traceback_of_a_worker():
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # a group of its own, as a terminal's job
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        preexec_fn=interrupts.listen,
    )
    for _ in range(2):
        assert process.stdout.readline() == b"done\n"
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")
