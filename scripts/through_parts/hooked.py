"""Runs a test file of TensorFlow with tools of tfgraphtools behind TensorFlow's own calls.

    python hooked.py MODE LOG FILE

MODE: "record" writes what each test case fetches; "gradients" also asks all tools that copy and
explain at each `tf.gradients` and each check of a gradient; a name of `wrappers.WRAPPERS` wraps
every optimizer. LOG takes one JSON object a line: what a case fetched, and each event.
"""

import hashlib
import json
import os
import runpy
import sys
import unittest

import numpy as np
from tensorflow.python.client import session as tf_session


class Log:
    """The file of events, and the case that runs now."""

    def __init__(self, path):
        self.case, self._path, self._digest = "", path, hashlib.sha256()

    def event(self, kind, text):
        """Writes one event: "refused", "raw error", "verdict", "value", "asked"..."""
        self._write({"case": self.case, "kind": kind, "text": " ".join(str(text).split())[:400]})

    def fetched(self, value):
        """Adds the bits of what a case fetched."""
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            for part in value:
                self.fetched(part)
        elif isinstance(value, (np.ndarray, np.generic)):
            array = np.asarray(value)
            plain = array.dtype != object
            self._digest.update(array.tobytes() if plain else repr(array.tolist()).encode())

    def begin(self, case):
        self.case, self._digest = case, hashlib.sha256()

    def end(self):
        self._write({"case": self.case, "kind": "bits", "text": self._digest.hexdigest()})

    def _write(self, row):
        with open(self._path, "a") as file:
            file.write(json.dumps(row) + "\n")


def record(log, watcher=None):
    """Records the cases and what their sessions fetch.

    Args:
      watcher: whose ``before_run(session, feed_dict)`` is called before each run of a test;
        runs while it is ``busy`` are its own.
    """
    run_case, run_session = unittest.TestCase.run, tf_session.BaseSession.run
    running = []

    def recorded_case(self, result=None):
        log.begin(f"{type(self).__name__}.{self._testMethodName}")
        try:
            return run_case(self, result)
        finally:
            log.end()

    def recorded_run(self, fetches, feed_dict=None, **options):
        if running or (watcher is not None and watcher.busy):
            return run_session(self, fetches, feed_dict, **options)
        running.append(self)
        try:
            if watcher is not None:
                watcher.before_run(self, feed_dict)
            values = run_session(self, fetches, feed_dict, **options)
        finally:
            running.pop()
        log.fetched(values)
        return values

    unittest.TestCase.run = recorded_case
    tf_session.BaseSession.run = recorded_run


def main():
    mode, path, file = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:1] = [os.getcwd(), here]
    log = Log(path)
    if mode == "gradients":
        import asking

        record(log, asking.install(log))
    elif mode == "record":
        record(log)
    else:
        import wrappers

        record(log, wrappers.install(log, mode))
    sys.path.remove(here)
    sys.argv[:] = [file]
    runpy.run_path(file, run_name="__main__")


if __name__ == "__main__":
    main()
