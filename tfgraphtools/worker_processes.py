"""Processes over which the work on the files of a codebase is distributed."""

import concurrent.futures
import functools
import multiprocessing
import os
import signal
import sys

from tfgraphtools import deep_recursion, garbage_collector

#: The variable that keeps a Python from importing modules of the current folder.
_SAFE_PATH = "PYTHONSAFEPATH"

#: The files of a codebase go to the processes in at most about so many parts.
_CHUNKS = 16


class Workers:
    """A map over several processes, or in this one: ``with Workers(2) as mapped``."""

    def __init__(self, jobs):
        busy = "tensorflow" in sys.modules  # whose threads a forked process would lack
        self._pool, self._before = None, os.environ.get(_SAFE_PATH)
        if jobs > 1 and not busy and _start_without_current_folder():
            self._pool = concurrent.futures.ProcessPoolExecutor(jobs, initializer=_begin)

    def __enter__(self):
        if self._pool is not None:
            os.environ[_SAFE_PATH] = "1"
        return self._mapped

    def __exit__(self, kind, *_):
        if self._pool is not None:
            if kind is not None and sys.version_info >= (3, 9):
                self._pool.shutdown(cancel_futures=True)
            self._pool.shutdown()
            os.environ.pop(_SAFE_PATH)
            os.environ.update({} if self._before is None else {_SAFE_PATH: self._before})

    def _mapped(self, function, items, report):
        function = functools.partial(deep_recursion.call, function)
        if self._pool is not None:
            items = list(items)
            chunk = max(4, len(items) // _CHUNKS)  # the codebase is sent with each
            done = self._pool.map(function, items, chunksize=chunk)
        else:
            done = map(function, items)
        for count, result in enumerate(done, 1):
            report(count)
            yield result


def _begin():
    """Prepares a process. Ctrl-C reaches all processes of a terminal: the first one handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    garbage_collector.run_rarely()


def _start_without_current_folder():
    """Tells whether processes can start that import nothing of the current folder.

    Forked ones import nothing again. A new Python obeys PYTHONSAFEPATH since version 3.11.
    """
    return multiprocessing.get_start_method() == "fork" or sys.version_info >= (3, 11)
