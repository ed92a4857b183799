"""A program that runs until it ends, or has shown for a while that it makes progress."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from typing import NamedTuple

from tfgraphtools import environment_variables
from tfgraphtools.runs import tree_copies

ENDED = "ended"
PROGRESS = "made progress"
FAILED = "failed"
SILENT = "made no progress"

#: The statuses of a program that runs.
GOOD = (ENDED, PROGRESS)

TRACEBACK = "Traceback (most recent call last)"
#: What Python prints of an error in `__del__`, after which a program goes on.
_IGNORED = re.compile(
    rf"^Exception ignored in: .*\n{re.escape(TRACEBACK)}:\n(?:[ \t].*\n)*.*", re.MULTILINE
)
_PATIENCE = 5  # times the seconds, for a program that is silent at first
_OF_TESTS = 10  # times the seconds, for tests
_ON_DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG
_POLL = 0.1  # seconds
CHECKPOINTS = (".index", ".ckpt")
_LOGS = (".log", ".txt")
_HALF_WRITTEN = ".tempstate"  # a checkpoint, that of step 0 also, which grows piece by piece
_LONGEST_LINE = 10000  # characters, of one that tells of progress
_MOST_AT_ONCE = 1 << 16  # bytes of output that are read in one look
_MOST_OUTPUT = 1 << 28  # bytes, after which a program is stopped: it would fill the disk
#: Bars of Keras and tqdm, which grow with each step, and what turns.
_BAR = re.compile(r"\[[=>.#*\s-]*\]|\|[^|\w]*\||^[-\\|/](?=\s)|(?<=\s)[-\\|/]$")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

#: Lines that libraries print when they start, warnings, tensors of a graph that is built, and
#: those of a program that waits.
_START = re.compile(
    r"^[IWEF]\d{4} |^\d{4}-\d\d-\d\d .*: [IWEF] |WARNING|Warning|deprecated|\.py:\d+|\.cc:\d+"
    r"|Tensor\(|<tf\.|\bshape="
    r"|(?i:\b(?:retry(?:ing)?|waiting|refused|reconnect(?:ing)?|timed out)\b)"  # it goes in circles
)
#: How a program is used: at the start of what it prints, or as argparse says it after a banner.
_HELP = re.compile(r"\A\s*usage\b|^usage: \S+(?:\.py\b| \[-)", re.IGNORECASE | re.MULTILINE)
_MARK = environment_variables.REVIVE_RUN  # a variable that all processes of a program inherit
_ADDRESS = "http://127.0.0.1:9"  # a port at which nothing answers


class Outcome(NamedTuple):
    """What a program did.

    Fields:
      status: one of the statuses of this module.
      code: its exit code; None for one that was stopped.
      output, log: what it printed on stdout and stderr, but errors in `__del__`.
      written: names, from the tree, of the files that it wrote or changed.
    """

    status: str
    code: object
    output: str
    log: str
    written: tuple = ()

    @property
    def runs(self):
        """Tells whether it ended without an error, or made progress."""
        return self.status in GOOD


def run(command, folder, tree, variables, seconds, logs, must_end=False):
    """Runs a program until it ends or has made progress.

    It makes progress if, until then, it goes on printing a line with other numbers, or changing a
    file; or if it wrote a checkpoint and went on. A program that does none of these gets five times
    as long. A traceback, or nothing but how it is used, is a failure, whatever its exit code; a
    traceback of `__del__` is none.

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
    before, mark = tree_copies.ages(tree), f"{os.getpid()}-{time.time()}"
    with open(logs + ".out", "wb") as out, open(logs + ".err", "wb") as err:
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=_environment(variables, folder, mark),
                stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                preexec_fn=end_with_parent,
            )  # fmt: skip
        except OSError as error:
            return Outcome(FAILED, 127, "", str(error))
        try:
            makes_progress = _watch(process, tree, seconds, logs, must_end)
        finally:
            code = process.poll()
            _stop(process, mark)
    output, log = (_IGNORED.sub("", _text(logs + suffix)) for suffix in (".out", ".err"))
    written = tuple(os.path.relpath(path, tree) for path in tree_copies.written(tree, before))
    shows_help = code == 0 and not written and any(map(_HELP.search, (output, log)))
    if code not in (None, 0) or TRACEBACK in log or TRACEBACK in output or shows_help:
        status = FAILED
    elif code == 0:
        status = ENDED
    else:
        status = PROGRESS if makes_progress else SILENT
    return Outcome(status, code, output, log, written)


def _watch(process, tree, seconds, logs, must_end):
    """Waits; tells whether the program makes progress, once it has run long enough."""
    start = time.monotonic()
    signs = [_Files(tree), _Lines(logs + ".out"), _Lines(logs + ".err")]
    patience = seconds * (_OF_TESTS if must_end else _PATIENCE)
    while process.poll() is None:
        time.sleep(_POLL)
        for sign in signs:
            sign.look()
        elapsed = time.monotonic() - start
        is_flood = any(os.path.getsize(logs + suffix) > _MOST_OUTPUT for suffix in (".out", ".err"))
        is_due = (elapsed >= seconds or is_flood) and not must_end
        if is_due and any(sign.goes_on(start + elapsed / 2) for sign in signs):
            return True
        if elapsed > patience or is_flood:
            return not must_end and signs[0].goes_on(time.monotonic())
    return False


class _Repeated:
    """What changes again and again: when each of some things changed."""

    def __init__(self):
        self.moments = {}

    def add(self, thing):
        """Adds a change of a thing, now."""
        self.moments.setdefault(thing, []).append(time.monotonic())

    def goes_on(self, since, span=0):
        """Tells whether one thing changed three times in a span or more, twice since a moment."""
        return any(
            len(moments) > 2 and moments[-2] > since and moments[-1] - moments[0] > span
            for moments in self.moments.values()
        )


class _Files(_Repeated):
    """Files of a tree that a program changes; in a log only lines with other numbers count.

    A program that sets up `logging` gets TensorFlow's warnings in its log before its first step.
    """

    def __init__(self, tree):
        super().__init__()
        self._tree, self._ages, self._next = tree, tree_copies.ages(tree), 0
        self._logs = {}

    def look(self):
        """Looks at the files again, unless that was just done."""
        now = time.monotonic()
        if now < self._next:
            return
        ages = tree_copies.ages(self._tree)
        self._next = now + max(_POLL, 10 * (time.monotonic() - now))
        for path in ages:
            if ages[path] == self._ages.get(path) or _HALF_WRITTEN in path:
                continue
            if path.endswith(_LOGS):
                with contextlib.suppress(OSError):  # it is there no more
                    self._logs.setdefault(path, _Lines(path)).look_again(ages[path][1])
            else:
                self.add(path)
        self._ages = ages

    def goes_on(self, since):
        """Tells whether a file changes again and again, or a checkpoint was written before.

        That of step 0 is written before the first step, which may fail. A large file changes
        while it is written once.
        """
        is_changing = super().goes_on(since, time.monotonic() - since)
        is_written = any(
            path.endswith(CHECKPOINTS) and moments[0] < since
            for path, moments in self.moments.items()
        )
        return is_written or is_changing or any(log.goes_on(since) for log in self._logs.values())


class _Lines(_Repeated):
    """Lines that a program prints again with other numbers: a step, a loss."""

    def __init__(self, path):
        super().__init__()
        self._path, self._read, self._numbers = path, 0, {}

    def look_again(self, size):
        """Reads a file that changed: from its start, if it is no longer than before."""
        if size <= self._read:
            self._read = 0
        self.look()

    def look(self):
        """Reads what was printed since the last time; what is printed at once counts once.

        Of much output the end is enough, and all of it would take longer than printing it.
        """
        with open(self._path, "rb") as file:
            skipped = max(0, os.fstat(file.fileno()).st_size - self._read - _MOST_AT_ONCE)
            file.seek(self._read + skipped)
            text = file.read().decode("utf-8", "replace")
            self._read = file.tell()
        counting = set()
        for line in re.split(r"[\r\n\b]+", text)[int(skipped > 0) :]:  # without the rest of one
            if len(line) > _LONGEST_LINE:
                continue
            numbers, words = tuple(_NUMBER.findall(line)), _NUMBER.sub("#", _BAR.sub("", line))
            known = self._numbers.setdefault(words, set())
            if numbers and numbers not in known and not _START.search(line):
                known.add(numbers)
                counting.add(words)
        for words in counting:
            self.add(words)


def _environment(variables, folder, mark):
    """Returns the environment of a program: no windows, and no way to download data."""
    closed = dict.fromkeys(("http_proxy", "https_proxy", "ftp_proxy"), _ADDRESS)
    closed.update({name.upper(): _ADDRESS for name in list(closed)})
    environment = dict(
        os.environ,
        PWD=os.path.normpath(folder),  # as a shell sets it; that of `revive` may be the repository
        PYTHONUNBUFFERED="1",
        PYTHONDONTWRITEBYTECODE="1",
        PYTHONFAULTHANDLER="1",  # the line at which a signal ended it
        MPLBACKEND="Agg",
        SDL_VIDEODRIVER="dummy",
        SDL_AUDIODRIVER="dummy",
        no_proxy="localhost,127.0.0.1",
        NO_PROXY="localhost,127.0.0.1",
    )
    environment.pop("TF2_BEHAVIOR", None)  # TF 2 says so to its children; one may be TF 1.15
    return dict(environment, **closed, **variables, **{_MARK: mark})


def _end_with_parent():
    """Makes a program end when `revive` is killed: it would write into later copies."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_ON_DEATH_OF_PARENT, signal.SIGKILL)


#: For `subprocess`: what a new process does first.
end_with_parent = _end_with_parent if sys.platform == "linux" else None


def _stop(process, mark):
    """Ends a program and the processes that it started, in other sessions, too."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(process.pid, number)  # its own session: the number of its group
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
    for number in _marked(mark):
        with contextlib.suppress(OSError):
            os.kill(number, signal.SIGKILL)


def _marked(mark):
    """Yields the processes that have a mark in their environment, where the system shows it."""
    entry = f"{_MARK}={mark}".encode()
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            with contextlib.suppress(OSError):  # it ended, or is another's
                with open(f"/proc/{name}/environ", "rb") as file:
                    if entry in file.read().split(b"\0"):
                        yield int(name)


def _text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
