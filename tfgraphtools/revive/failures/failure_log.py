"""What the log of a command that failed says: its error, the line, and what was not there."""

import os
import re

from tfgraphtools.revive import timed_runs

_FRAME = re.compile(r'^ *File "([^"]+)", line (\d+)', re.MULTILINE)
MODULE = re.compile(
    r"(?:ModuleNotFoundError:|ImportError:|[/\\]python[\w.]*:) No module named '?([\w.]+)"
)
_FILE = re.compile(
    r"(?:FileNotFoundError|NotADirectoryError|IOError|NotFoundError|MissingDataError|OSError)\b"
    r"[^\n]*",
)
_QUOTED = re.compile(
    r"['\"]([^'\"\n]+)['\"]|(?:: |^)((?:\.{0,2}/)?[\w.-]+(?:/[\w.-]+)+)(?:;| not) "
)
_NO_FILE = re.compile(r"No such file|not found|does not exist|[Uu]nable to open|MissingData")
_OURS = re.compile(r"^(?:tfgraphtools\.errors\.)?(\w*Error): .*", re.MULTILINE)

#: A package that is installed, in the path of a frame.
_INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\](\w+)")

#: How lines begin that are those of `run`, or of code in a traceback.
_NO_ERROR = ("tfgraphtools: ", "tfgraphtools run", "  ")


class FailureLog:
    """The log of a command that failed.

    Args:
      outcome: a `timed_runs.Outcome`.
      tree: the folder of the code in which it ran.

    Attributes:
      output: what was printed on stdout.
      text: what says why it failed: stderr, or stdout where that alone has a traceback.
      error: the last line that names an exception, or the last one.
      place: the line of the repository in the last traceback, "FILE:LINE", or "".
      line: the source of that line, or "".
    """

    def __init__(self, outcome, tree):
        has_own = timed_runs.TRACEBACK in outcome.log or timed_runs.TRACEBACK not in outcome.output
        self.output = outcome.output
        self.text = outcome.log if has_own else outcome.output
        self.error = _error(self.text)
        self.place = _place(self.text, tree)
        self.line = _line_at(self.place, tree)
        self._frames = _FRAME.findall(self.text)

    def missing_module(self):
        """Returns the module that is not there, or None."""
        match = MODULE.search(self.text)
        return match.group(1) if match else None

    def missing_file(self):
        """Returns the file that is not there, or None."""
        for match in reversed(list(_FILE.finditer(self.text))):
            if _NO_FILE.search(match.group()):
                names = [quoted or path for quoted, path in _QUOTED.findall(match.group())]
                names = [name for name in names if not _NO_FILE.search(name)]  # h5py quotes that
                return names[-1] if names else match.group()[:300]
        return None

    def starts_a_program(self):
        """Tells whether the last frame is that of `subprocess`, which then has no such program."""
        return bool(self._frames) and os.path.basename(self._frames[-1][0]) == "subprocess.py"

    def raising_package(self):
        """Returns the installed package in which the last frame is, or None."""
        match = _INSTALLED.search(self._frames[-1][0]) if self._frames else None
        return match.group(1) if match else None

    def is_import(self):
        """Tells whether the last line of the repository in a traceback imports what fails."""
        return self.line.strip().startswith(("import ", "from "))

    def is_raised_by_us(self):
        """Tells whether the error is one of this library."""
        match = _OURS.search(self.text)
        return match is not None and f"tfgraphtools.errors.{match.group(1)}" in self.text


def _error(log):
    """Returns the last line that names an exception, or the last one."""
    lines = [line for line in log.strip().splitlines() if line.strip()]
    own = [line for line in lines if not line.startswith(_NO_ERROR)]
    errors = [line for line in own if re.match(r"[\w.]*(?:Error|Exception|Interrupt)\b", line)]
    return (errors or own or lines or ["nothing was printed on stderr"])[-1].strip()[:300]


def _place(log, tree):
    """Returns the last line of the repository in the last traceback, "FILE:LINE"."""
    tree = os.path.realpath(tree)
    _, crash, stack = log.partition("Fatal Python error")
    frames = _FRAME.findall(stack if crash else log)
    for path, line in frames if crash else reversed(frames):  # a crash shows the last call first
        real = os.path.realpath(os.path.join(tree, path))
        if real.startswith(tree + os.sep) and os.path.exists(real):
            return f"{os.path.relpath(real, tree)}:{line}"
    return ""


def _line_at(place, tree):
    name, _, line = place.rpartition(":")
    if not name:
        return ""
    with open(os.path.join(tree, name), encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    return "".join(lines[int(line) - 1 : int(line)])
