"""Did it run? Exit 0, or alive at the limit after it printed progress at least twice."""

import re
from typing import NamedTuple

_WORDS = (
    "step|epoch|iter|loss|cost|acc|error|batch|episode|reward|score|perplexity|mse|auc|"
    "entropy|elbo|likelihood|loop"
)
#: "D: 0.53", "kl = 1e-3".
_VALUE = r"\w\s*[:=]\s*\[?[-+]?\d"
#: A line of progress: one of these words and a number somewhere, a value, or numbers alone.
_NUMBERS = r"^(?=.*\d)[-+\s\d.,:e()\[\]]+$"
_PROGRESS = re.compile(rf"(?=.*(?:{_WORDS}))(?=.*\d)|{_VALUE}|{_NUMBERS}", re.IGNORECASE)
#: Talk of TensorFlow and of libraries, which is nobody's progress.
_TALK = re.compile(
    r"warn|deprecat|instructions for updating|^\s*np_|^\d{4}-\d\d-\d\d .*: [IWEF] |"
    r"^[IWEF]\d{4} |^INFO:.*dataset|"
    r"^\s*File |^Using |\.py\b|-ubyte|://|tfgraphtools|cuda|seconds? left",
    re.IGNORECASE,
)
_ERROR = re.compile(r"^(?:[\w.]+\.)?\w*(?:Error|Exception|Interrupt|Exit|StopIteration)\b.*")


class Outcome(NamedTuple):
    """What one run came to."""

    ran: bool
    reason: str  # "" when it ran; otherwise the last error, or how it ended
    seconds: float
    output: str = ""


def progress(output, enough):
    """Lines of progress in what a script printed, each once, at most `enough` of them."""
    found = set()
    for line in re.split(r"[\r\n]+", output):
        if len(found) == enough:
            break
        if _PROGRESS.search(line) and not _TALK.search(line):
            found.add(line)
    return found


def error_in(output):
    """The last line that looks like an exception, or ""."""
    found = [line for line in output.splitlines() if _ERROR.match(line)]
    return found[-1].strip() if found else ""


def judge(exit_code, output, seconds):
    """The outcome of a run.

    Args:
      exit_code: of the process; None if it was alive at the limit.
      output: all it printed, both streams, a string.
      seconds: how long it ran.
    """
    if exit_code is None:
        if len(progress(output, 2)) == 2:
            return Outcome(True, "", seconds, output)
        return Outcome(False, "no progress within the limit", seconds, output)
    if exit_code == 0:
        if output.strip():
            return Outcome(True, "", seconds, output)
        return Outcome(False, "ended in silence", seconds, output)
    reason = error_in(output) or f"exit code {exit_code}"
    if exit_code < 0:
        reason = f"killed by signal {-exit_code}"
    return Outcome(False, reason, seconds, output)
