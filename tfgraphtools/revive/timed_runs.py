"""A program that runs until it ends, or has shown for a while that it makes progress."""

import collections
import contextlib
import os
import re
import signal
import subprocess
import time
from typing import NamedTuple

ENDED = "ended"
PROGRESS = "made progress"
FAILED = "failed"
SILENT = "made no progress"

#: The statuses of a program that runs.
GOOD = (ENDED, PROGRESS)

_TRACEBACK = "Traceback (most recent call last)"
_PATIENCE = 5  # times the seconds, for a program that is silent at first
_OF_TESTS = 10  # times the seconds, for tests
_POLL = 0.1  # seconds
_CHECKPOINTS = (".index", ".ckpt")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

#: Lines that libraries print when they start, and warnings.
_START = re.compile(
    r"^[IWEF]\d{4} |^\d{4}-\d\d-\d\d .*: [IWEF] |WARNING|Warning|deprecated|\.py:\d+|\.cc:\d+"
)
_ADDRESS = "http://127.0.0.1:9"  # a port at which nothing answers


class Outcome(NamedTuple):
    """What a program did.

    Fields:
      status: one of the statuses of this module.
      code: its exit code; None for one that was stopped.
      output, log: what it printed on stdout and stderr.
      checkpoints: how many checkpoints it wrote.
    """

    status: str
    code: object
    output: str
    log: str
    checkpoints: int = 0

    @property
    def runs(self):
        """Tells whether it ended without an error, or made progress."""
        return self.status in GOOD


def run(command, folder, tree, variables, seconds, logs, must_end=False):
    """Runs a program until it ends or has made progress.

    It makes progress if it prints a line again with other numbers, changes a file again and again,
    or writes a checkpoint. A program that does none of these by then gets five times as long. An
    exception in its log is a failure, whatever its exit code.

    Args:
      command: its words.
      folder: where it runs.
      tree: the folder whose files tell of progress.
      variables: more environment variables.
      seconds: how long.
      logs: the path, without a suffix, of the files that get its stdout and stderr.
      must_end: whether progress is not enough, as for tests; it gets ten times as long.

    Returns:
      an `Outcome`.
    """
    before = _ages(tree)
    with open(logs + ".out", "wb") as out, open(logs + ".err", "wb") as err:
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=_environment(variables), stdin=subprocess.DEVNULL,
                stdout=out, stderr=err, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            return Outcome(FAILED, 127, "", str(error))
        try:
            makes_progress = _watch(process, tree, seconds, logs, must_end)
        finally:
            code = process.poll()
            _stop(process)
    output, log = _text(logs + ".out"), _text(logs + ".err")
    written = [path for path, age in _ages(tree).items() if before.get(path) != age]
    checkpoints = sum(path.endswith(_CHECKPOINTS) for path in written)
    if code not in (None, 0) or _TRACEBACK in log:
        status = FAILED
    elif code == 0:
        status = ENDED
    else:
        status = PROGRESS if makes_progress else SILENT
    return Outcome(status, code, output, log, checkpoints)


def _watch(process, tree, seconds, logs, must_end):
    """Waits; tells whether the program makes progress, once it has run long enough."""
    start = time.monotonic()
    changes = _Changes(tree)
    while process.poll() is None:
        time.sleep(_POLL)
        changes.look()
        elapsed = time.monotonic() - start
        if must_end:
            if elapsed > seconds * _OF_TESTS:
                return False
        elif elapsed >= seconds and (changes.grows or _counts_on(logs)):
            return True
        elif elapsed > seconds * _PATIENCE:
            return False
    return False


class _Changes:
    """Files of a tree that a program changes."""

    def __init__(self, tree):
        self._tree, self._ages = tree, _ages(tree)
        self._counts, self._next = collections.Counter(), 0

    def look(self):
        """Looks at the files again, unless that was just done."""
        now = time.monotonic()
        if now < self._next:
            return
        ages = _ages(self._tree)
        self._next = now + max(0.2, 10 * (time.monotonic() - now))
        self._counts.update(path for path in ages if ages[path] != self._ages.get(path))
        self._ages = ages

    @property
    def grows(self):
        """Whether a file was changed again and again, or a checkpoint was written."""
        is_changed_often = any(count > 2 for count in self._counts.values())
        return is_changed_often or any(path.endswith(_CHECKPOINTS) for path in self._counts)


def _counts_on(logs):
    """Tells whether a line was printed again with other numbers: a step, a loss."""
    for suffix in (".out", ".err"):
        numbers_of = {}
        for line in re.split(r"[\r\n]+", _text(logs + suffix)):
            numbers = tuple(_NUMBER.findall(line))
            if numbers and not _START.search(line):
                numbers_of.setdefault(_NUMBER.sub("#", line), set()).add(numbers)
        if any(len(numbers) > 1 for numbers in numbers_of.values()):
            return True
    return False


def _environment(variables):
    """Returns the environment of a program: no windows, and no way to download data."""
    closed = dict.fromkeys(("http_proxy", "https_proxy", "ftp_proxy"), _ADDRESS)
    closed.update({name.upper(): _ADDRESS for name in list(closed)})
    environment = dict(
        os.environ,
        PYTHONUNBUFFERED="1",
        PYTHONDONTWRITEBYTECODE="1",
        MPLBACKEND="Agg",
        no_proxy="localhost,127.0.0.1",
        NO_PROXY="localhost,127.0.0.1",
    )
    environment.pop("TF2_BEHAVIOR", None)  # TF 2 says so to its children; one may be TF 1.15
    return dict(environment, **closed, **variables)


def _stop(process):
    """Ends a program and the processes that it started."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(process.pid, number)  # its own session: the number of its group
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()


def _ages(tree):
    ages = {}
    for folder, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                status = os.lstat(path)
                ages[path] = status.st_mtime_ns, status.st_size
    return ages


def _text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
