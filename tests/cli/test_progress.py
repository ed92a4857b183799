"""The percentage of long work: on a terminal, after half a second, and erased at the end."""

import io
import sys

import pytest

from tfgraphtools.cli import _tables


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    "seconds, printed",
    [
        ([0.0, 0.1, 0.4], ""),
        ([0.0, 0.1, 0.6], "\rread 66% of 3 files\r\x1b[K"),
        ([0.0, 0.6, 0.7], "\rread 33% of 3 files\rread 66% of 3 files\r\x1b[K"),
    ],
    ids=["quick", "half-way", "slow"],
)
def test_what_is_shown(seconds, printed, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    clock = iter([*seconds, 9.0])
    monkeypatch.setattr(_tables.time, "monotonic", lambda: next(clock))
    show = _tables.progress("read", unit="files")
    for done in (1, 2, 3):
        show(done, 3)
    assert sys.stderr.getvalue() == printed


@pytest.mark.parametrize(
    "stream, term", [(io.StringIO(), "xterm"), (Terminal(), "dumb")], ids=["pipe", "dumb"]
)
def test_no_terminal(stream, term, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", term)
    assert _tables.progress("read") is None
