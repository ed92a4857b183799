"""Runs of a command in a copy of a folder: what it printed and wrote, and the folder unchanged."""

import os
import re
import shutil
import subprocess
import sys
import threading
from typing import Callable, NamedTuple, Optional, Sequence

from tfgraphtools.runs import file_comparison, tree_copies

_OF_SYNTAX = ("SyntaxError", "IndentationError", "TabError")
_PLACE = re.compile(r'^ *File "([^"]+)", line (\d+)', re.MULTILINE)


class CopiedRun(NamedTuple):
    """The outcome of one run.

    Fields:
      code: the exit code.
      output, log: what it printed on stdout and on stderr.
      written: the files that it wrote, if they were kept.
    """

    code: int
    output: str
    log: str
    written: file_comparison.Written = file_comparison.Written("", ())

    @property
    def error(self) -> str:
        """The last line on stderr of a run that failed, but for what `run` adds; else empty.

        An error of syntax, which comes without a traceback, gets its file and line.
        """
        lines = self.log.strip().splitlines() if self.code else []
        own = [
            line for line in lines if not line.startswith(("tfgraphtools: ", "tfgraphtools run"))
        ]
        error = (own or lines or [""])[-1]
        places = _PLACE.findall(self.log)
        if error.startswith(_OF_SYNTAX) and places:
            return f"{error} ({places[-1][0]}, line {places[-1][1]})"
        return error


def run(
    words: Sequence[str],
    folder: str,
    here: str,
    prepare: Optional[Callable[[str], None]] = None,
    kept: Optional[str] = None,
    passes_log_on: bool = False,
) -> CopiedRun:
    """Runs a command in a fresh copy of a folder, and removes the copy.

    Two runs with the same `folder` work at the same path, so that paths that are printed are
    the same.

    Args:
      words: the command.
      folder: a temporary folder, in which the copy is made.
      here: the folder that is copied, by `tree_copies.copy`.
      prepare: a function of the copy's path, called before the run.
      kept: the folder to which the files that the run wrote are moved; None to remove them.
      passes_log_on: whether stderr is shown while the command runs.

    Raises:
      ArgumentError: the folder is too large to be copied.
    """
    place = os.path.join(folder, "tree")
    tree_copies.copy(here, place)
    try:
        if prepare is not None:
            prepare(place)
        existing = tree_copies.ages(place)
        code, output, log = _run(words, place, passes_log_on)
        if kept is None:
            return CopiedRun(code, output, log)
        names = sorted(
            os.path.relpath(path, place) for path in tree_copies.written(place, existing)
        )
        for name in names:
            _move(os.path.join(place, name), os.path.join(kept, name))
        return CopiedRun(code, output, log, file_comparison.Written(kept, tuple(names)))
    finally:
        shutil.rmtree(place)


def _run(words, place, passes_log_on):
    environment = dict(os.environ, PYTHONUNBUFFERED="1", PYTHONDONTWRITEBYTECODE="1")
    environment.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # TF 1.15's rounding, on both sides
    environment.pop("TF2_BEHAVIOR", None)  # TF 2 says so to its children; one may be TF 1.15
    log = []
    with subprocess.Popen(
        words,
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        reader = threading.Thread(target=_read, args=(process.stderr, log, passes_log_on))
        reader.start()
        output = process.stdout.read()
        reader.join()
    return process.returncode, output, "".join(log)


def _read(stream, lines, passes_on):
    for line in stream:
        lines.append(line)
        if passes_on:
            sys.stderr.write(line)


def _move(path, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.rename(path, target)
