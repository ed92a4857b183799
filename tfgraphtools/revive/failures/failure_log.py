"""The log of a command that failed: its error, the line, and what was not there."""

import os
import re

from tfgraphtools.runs import timed_runs

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
    r"|: ([\w.-]+); No such file"
)
_NO_FILE = re.compile(r"No such file|not found|does not exist|[Uu]nable to open|MissingData")
_OURS = re.compile(r"^(?:tfgraphtools\.errors\.)?(\w*Error): .*", re.MULTILINE)

#: A package that is installed, in the path of a frame.
_INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\](\w+)")

#: How lines begin that are those of `run`, or of code in a traceback.
_NO_ERROR = ("tfgraphtools: ", "tfgraphtools run", "  ")

#: Lines of libraries that say nothing of an error.
_NOISE = re.compile(r"[IW]\d{4} |\d{4}-\d\d-\d\d .*: [IW] |WARNING\b|.*Warning: ")

#: What is between an error and one that an `except` raised, be it on purpose or not.
_ANOTHER = "During handling of the above exception, another exception occurred:"

_WRITES = re.compile(
    r"\bmk(?:dir|stemp)\(|['\"][wax]b?\+?['\"]|\b(?:im)?(?:save|write|dump|to_)\w*\("
)


class FailureLog:
    """The log of a command that failed.

    Args:
      outcome: a `timed_runs.Outcome`.
      tree: the folder of the code in which it ran.

    Attributes:
      output: what was printed on stdout.
      text: what says why it failed: stderr, or stdout where that alone has a traceback.
      error: the exception of the last traceback, else the last line, of stdout if need be.
      place: the line of the repository in the last traceback, "FILE:LINE", or "".
      line: the source of that line, or "".
    """

    def __init__(self, outcome, tree):
        has_own = timed_runs.TRACEBACK in outcome.log or timed_runs.TRACEBACK not in outcome.output
        self.output = outcome.output
        self.text = outcome.log if has_own else outcome.output
        self.error = _error(self.text) or _last_words(outcome)
        self.place = _place(self.text, tree)
        self.line = _line_at(self.place, tree)
        self._frames = _FRAME.findall(self.text)

    def missing_module(self):
        """Returns the module that is not there, or None."""
        _, is_there, last_error = self.text.rpartition(_ANOTHER)
        is_on_purpose = self.line.strip().startswith("raise ") or self.raising_package()
        is_other = is_there and not is_on_purpose and "No module named" not in self.error
        match = MODULE.search(last_error if is_other else self.text)
        return match.group(1) if match else None

    def missing_file(self):
        """Returns the file that is not there, or None."""
        lines = _FILE.findall(self.text) + [self.error] * ("[Errno 2] " in self.error)
        for line in reversed(lines):
            if _NO_FILE.search(line):
                names = ["".join(groups) for groups in _QUOTED.findall(line)]
                names = [name for name in names if not _NO_FILE.search(name)]  # h5py quotes that
                return names[-1] if names else line[:300]
        return None

    def writes(self):
        """Tells whether the last line of the repository in a traceback writes a file."""
        return _WRITES.search(self.line) is not None

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
    """Returns the exception of the last traceback, else the last line that may be an error."""
    lines = [line for line in log.splitlines() if line.strip()]
    own = [line for line in lines if not line.startswith(_NO_ERROR) and not _NOISE.match(line)]
    errors = [line for line in own if re.match(r"[\w.]*(?:Error|Exception|Interrupt)\b", line)]
    return (_raised(log) or (errors or own or [""])[-1]).strip()[:300]


def _raised(log):
    """Returns the line below the last traceback, an exception of whatever name, or None."""
    _, is_there, frames = log.rpartition(timed_runs.TRACEBACK + ":\n")
    line = next((line for line in frames.splitlines() if line[:1].strip()), "")
    return line if is_there and re.match(r"[\w.]+(?::|$)", line) else None


def _last_words(outcome):
    """Returns how a program ended that printed no error, and the last line of its output."""
    of_run = [line for line in outcome.log.splitlines() if line.startswith("tfgraphtools: ")]
    if of_run and not outcome.output.strip():
        return of_run[-1][:300]
    ended = "it was stopped" if outcome.code is None else f"exit code {outcome.code}"
    lines = outcome.output.strip().splitlines()
    return f"{ended}; the last line is: {lines[-1][:300]}" if lines else f"{ended}, and no output"


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
