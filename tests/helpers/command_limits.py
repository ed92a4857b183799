"""Commands under limits of time and memory, for the fuzz tests."""

import contextlib
import io
import os
import resource
import signal
import tracemalloc
import warnings

from tfgraphtools import cli

SECONDS = 5
_BASE, _FACTOR = 4 << 20, 4  # bytes, and times the file: what a command may allocate


class TooLong(BaseException):
    """A command took more than its seconds of the processor."""


def _alarm(*unused):
    raise TooLong()


def filled(words, paths):
    """The words of a command with paths for IN, GOOD, OUT, OUT.npz, ...

    Args:
      words: what follows ``ckpt``.
      paths: {stem of a word: path}.
    """
    found = ["ckpt"]
    for word in words:
        stem, dot, ending = word.partition(".")
        found.append(paths[stem] + dot + ending if stem in paths else word)
    return found


class Limits:
    """At most so many seconds of the processor and so much memory. Flushes are left out."""

    def __enter__(self):
        self._previous = signal.signal(signal.SIGPROF, _alarm)
        self._limits = resource.getrlimit(resource.RLIMIT_AS)
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + (2 << 30), self._limits[1]))
        self._fsync, os.fsync = os.fsync, lambda descriptor: None
        return self

    def __exit__(self, *unused):
        os.fsync = self._fsync
        resource.setrlimit(resource.RLIMIT_AS, self._limits)
        signal.signal(signal.SIGPROF, self._previous)

    def traced(self, words, size):
        """As `run`; to allocate more than some times the size of the input is wrong."""
        if not tracemalloc.is_tracing():
            tracemalloc.start()
        tracemalloc.clear_traces()
        code, said, is_right = self.run(words)
        peak = tracemalloc.get_traced_memory()[1]
        if peak > _BASE + _FACTOR * size:
            return f"{peak} bytes for {size}", said, False
        return code, said, is_right

    def run(self, words):
        """(exit code or what went wrong, the lines that it said), and whether that is right."""
        out, err = io.StringIO(), io.StringIO()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                with warnings.catch_warnings():
                    warnings.simplefilter("error", RuntimeWarning)  # which would be on the terminal
                    code = cli.main(words)
        except (Exception, TooLong) as error:
            code = repr(error)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        lines = err.getvalue().splitlines()
        said = [line for line in lines if not line.startswith(("note:", "to load it:"))]
        return code, said, code in (0, 1, 2) and (code == 2) == (len(said) == 1)
