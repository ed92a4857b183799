"""A program that runs until it ends, or has shown for a while that it makes progress."""

import contextlib
import os
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
_POLL = 0.1  # seconds
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


def run(command, folder, tree, variables, seconds, logs):
    """Runs a program until it ends or has made progress.

    It makes progress if it printed something twice in the second half of the time, or wrote a file
    near its end; a program that is silent by then gets five times as long. One that wrote a checkpoint and does
    nothing more has a thread that is still alive: that is progress, too. An exception in its log
    is a failure, whatever its exit code.

    Args:
      command: its words.
      folder: where it runs.
      tree: the folder whose files tell of progress.
      variables: more environment variables.
      seconds: how long.
      logs: the path, without a suffix, of the files that get its stdout and stderr.

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
            makes_progress = _watch(process, tree, seconds, logs)
        finally:
            code = process.poll()
            _stop(process)
    output, log = _text(logs + ".out"), _text(logs + ".err")
    written = [path for path, age in _ages(tree).items() if before.get(path) != age]
    checkpoints = sum(path.endswith((".index", ".ckpt")) for path in written)
    if code not in (None, 0) or _TRACEBACK in log:
        status = FAILED
    elif code == 0:
        status = ENDED
    else:
        status = PROGRESS if makes_progress or checkpoints else SILENT
    return Outcome(status, code, output, log, checkpoints)


def _watch(process, tree, seconds, logs):
    """Waits; tells whether the program makes progress, once it has run long enough."""
    start = time.monotonic()
    growths, marks = [], None  # when its output grew
    while process.poll() is None:
        time.sleep(_POLL)
        now = time.monotonic()
        sizes = [os.path.getsize(logs + suffix) for suffix in (".out", ".err")]
        if sizes != marks:
            marks = sizes
            growths.append(now)
        if now - start < seconds:
            continue
        # one growth is no progress: it may be the last line before an error
        recent = [moment for moment in growths if moment - start > seconds / 2]
        if len(recent) > 1 or _newest(tree) > time.time() - seconds / 4:
            return True
        if now - start > seconds * _PATIENCE:
            return False
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


def _newest(tree):
    return max((age for age, _ in _ages(tree).values()), default=0) / 1e9


def _text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
