"""Why a command failed, told from its log: the environment, data, the command, code, or us."""

import os
import re
import sys
from typing import NamedTuple

from tfgraphtools.revive import timed_runs

ENVIRONMENT = "environment"
DATA = "data"
COMMAND = "command"
CODE = "code"
THIS_LIBRARY = "this library"

_FRAME = re.compile(r'^ *File "([^"]+)", line (\d+)', re.MULTILINE)
_MODULE = re.compile(
    r"(?:ModuleNotFoundError:|ImportError:|[/\\]python[\w.]*:) No module named '?([\w.]+)"
)
_PACKAGE = re.compile(
    r"DistributionNotFound: The '([\w.-]+)[^']*' distribution|"
    r"PackageNotFoundError: (?:No package metadata was found for )?([\w.-]+)"
)
_IMPORT = re.compile(r"^ImportError: .*", re.MULTILINE)
_FILE = re.compile(
    r"(?:FileNotFoundError|NotADirectoryError|IOError|NotFoundError|MissingDataError|OSError)\b"
    r"[^\n]*",
)
_QUOTED = re.compile(
    r"['\"]([^'\"\n]+)['\"]|(?:: |^)((?:\.{0,2}/)?[\w.-]+(?:/[\w.-]+)+)(?:;| not) "
)
_NO_FILE = re.compile(r"No such file|not found|does not exist|[Uu]nable to open|MissingData")
_NETWORK = re.compile(r"URLError|HTTPError|ProxyError|ConnectionError|gaierror|MaxRetryError")
_USAGE = re.compile(
    r"error: (?:the following arguments are required|argument |unrecognized).*|[Uu]sage: .*|"
    r"IllegalFlagValueError.*|Flag --\w+ must .*|IndexError: list index out of range"
)
_HELP = re.compile(r"\s*usage\b.*", re.IGNORECASE)
_NO_SCRIPT = re.compile(r"^\[Errno 2\] |expected the file of a script|can't open file '")
_OURS = re.compile(r"^(?:tfgraphtools\.errors\.)?(\w*Error): .*", re.MULTILINE)
_REMOVED = re.compile(
    r"AttributeError: module '(?:tensorflow|keras|numpy|pandas|scipy|sklearn|matplotlib)[\w.]*' "
    r"has no attribute .*"
)

#: A name of TensorFlow, for which no other package can be installed.
_OF_TENSORFLOW = re.compile(r"^ImportError: .* from '(?:tensorflow|tfgraphtools\.tf1)\b")

_OTHER_VERSION = re.compile(r"AttributeError: module '(\w+)[\w.]*' has no attribute")

#: The summary of pytest, its errors, and its first test that failed.
_TESTS = re.compile(
    r"^(?:=+ )?((?:\d+ \w+, )*\d+ (?:failed|errors?)\b.*? in [\d.]+s)", re.MULTILINE
)
_TEST_ERROR = re.compile(r"^E +\w+(?:Error|Exception)\b.*", re.MULTILINE)
_FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)

#: A package that is installed, in the path of a frame; of these, another version is no remedy.
_INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\](\w+)")
_NEVER_OLDER = {"tensorflow", "keras", "tf_keras", "numpy", "tfgraphtools", "absl"}
_STANDARD = set(getattr(sys, "stdlib_module_names", ()))

_WHOLE_COMMAND = "Give the whole command: --run 'python SCRIPT OPTIONS'."

#: What the error of a package says, whatever its class, where it no longer has something.
_DEPRECATED = re.compile(r"\bdeprecated\b|\bno longer\b|\b(?:was|been) removed\b", re.IGNORECASE)

_COMPARE = "Compare with TF 1.15, which tells whether the code ever ran: --tf1 PYTHON37."

#: How lines begin that are those of `run`, or of code in a traceback.
_NO_ERROR = ("tfgraphtools: ", "tfgraphtools run", "  ")


class Cause(NamedTuple):
    """Why a command failed.

    Fields:
      kind: one of the constants of this module.
      what: the error, or the file or module that is not there.
      place: the line of the repository, "FILE:LINE"; empty if it is not known.
      remedy: what to do next.
    """

    kind: str
    what: str
    place: str
    remedy: str

    def __str__(self):
        return f"{self.kind}: {self.what}" + (f" ({self.place})" if self.place else "")


def cause(outcome, tree, names, absent=()):
    """Returns the `Cause` of a failure.

    Args:
      outcome: a `timed_runs.Outcome` that failed.
      tree: the folder of the code in which it ran.
      names: the modules and folders of the repository.
      absent: {module: why its package was not installed}.
    """
    has_own = timed_runs.TRACEBACK in outcome.log or timed_runs.TRACEBACK not in outcome.output
    log = outcome.log if has_own else outcome.output
    error, place = _error(log), _place(log, tree)
    if outcome.status == timed_runs.SILENT:
        return Cause(
            CODE,
            "it did not end, and nothing shows that it makes progress",
            place,
            "Give it more time: --seconds 600. If it waits for input, give its options: --run.",
        )
    if _NO_SCRIPT.search(log):
        return Cause(COMMAND, error.replace(tree + os.sep, ""), "", _WHOLE_COMMAND)
    if outcome.code is not None and outcome.code < 0:
        return Cause(CODE, f"signal {-outcome.code} ended it", place, _COMPARE)
    tests = _TESTS.search(outcome.output)
    if tests:
        first = _FAILED_TEST.search(outcome.output)
        place = first.group(1) if first else ""
        modules = [_MODULE.search(line) for line in _TEST_ERROR.findall(outcome.output)]
        if modules and all(modules):  # no test ran
            return _of_module(modules[0].group(1), place, names, absent)
        return Cause(CODE, tests.group(1), place, _COMPARE)
    usage = _USAGE.search(log) if outcome.code == 2 or "IllegalFlag" in log else None
    usage = usage or _HELP.match(outcome.output)
    if error.startswith("EOFError") and "input(" in _line_at(place, tree):
        return Cause(COMMAND, "it asks for input, and nobody answers", place, _WHOLE_COMMAND)
    if usage or (error.startswith("IndexError") and _reads_arguments(place, tree)):
        what = usage.group().strip() if usage else "it expects arguments in sys.argv"
        return Cause(COMMAND, what, place, _WHOLE_COMMAND)
    module = _MODULE.search(log)
    if module:
        return _of_module(module.group(1), place, names, absent)
    package = _PACKAGE.search(error)
    if package:
        name = package.group(1) or package.group(2)
        remedy = f"Install {name}; if it is installed, a newer setuptools or {name}."
        return Cause(ENVIRONMENT, f"no package {name}", place, remedy)
    if _NETWORK.search(error) or "MissingDataError" in error:
        is_download = "MissingDataError" not in error
        what = f"it downloads, and programs have no network: {error}" if is_download else error
        return Cause(DATA, what, place, "Download the data yourself to where this line reads it.")
    missing = _missing_file(log)
    if missing and os.sep not in missing and _starts_a_program(log):
        return Cause(ENVIRONMENT, f"no program {missing}", place, f"Install {missing}.")
    if missing:
        path = missing.replace(tree + os.sep, "")
        return Cause(DATA, path, place, f"Put this file there, or name another: {path}")
    package, version = _raising_package(log), _OTHER_VERSION.match(error)
    if package and "GoneError: " in error:
        remedy = f"'run' has nothing for it: install a newer version of {package}, or replace it."
        return Cause(ENVIRONMENT, f"{package}: {error}", place, remedy)
    if package and version and version.group(1) in _NEVER_OLDER | _STANDARD:
        remedy = (
            f"Install a newer version of {package}, or go on with 'tfgraphtools run', which "
            "translates packages that are written for TF 1."
        )
        return Cause(ENVIRONMENT, f"{package}: {error}", place, remedy)
    is_package = version and version.group(1) not in {*names, *_STANDARD}
    if is_package and not _REMOVED.search(error):
        remedy = f"Install an older version of the package of {version.group(1)}."
        return Cause(ENVIRONMENT, error, place, remedy)
    if _OF_TENSORFLOW.search(error):
        return Cause(CODE, error, place, "TF 1.15 may lack it, too. " + _COMPARE)
    if _IMPORT.search(error) or _is_import(place, tree):
        remedy = "Install another version of the package that this line imports, or replace it."
        return Cause(ENVIRONMENT, error, place, remedy)
    is_refused = error.startswith(("TypeError", "AttributeError", "NotImplementedError"))
    if package and (is_refused or _DEPRECATED.search(error)):
        remedy = f"{package} says so: pin the version that the code was written for, or change it."
        return Cause(ENVIRONMENT, error, place, remedy)
    if _REMOVED.search(error) or _raised_by_us(log):
        return Cause(THIS_LIBRARY, error, place, "Run 'tfgraphtools doctor' on this file.")
    return Cause(CODE, error, place, _COMPARE)


def _of_module(module, place, names, absent):
    root = module.partition(".")[0]
    if root in names:
        remedy = "The module is in the repository: add its folder to PYTHONPATH in --run."
    elif root == "tensorflow":
        remedy = "Run 'tfgraphtools legacy install': this part of TF 1.15 is installed by that."
    elif root in absent:
        remedy = absent[root]
    else:
        remedy = f"Install the package that has it; if no index has one, replace {module}."
    return Cause(ENVIRONMENT, f"no module named {module}", place, remedy)


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


def _starts_a_program(log):
    """Tells whether the last frame is that of `subprocess`, which then has no such program."""
    frames = _FRAME.findall(log)
    return bool(frames) and os.path.basename(frames[-1][0]) == "subprocess.py"


def _raising_package(log):
    """Returns the installed package in which the last frame is, or None."""
    frames = _FRAME.findall(log)
    match = _INSTALLED.search(frames[-1][0]) if frames else None
    return match.group(1) if match and match.group(1) not in _NEVER_OLDER else None


def _reads_arguments(place, tree):
    return "argv" in _line_at(place, tree)


def _is_import(place, tree):
    """Tells whether the last line of the repository in a traceback imports what fails."""
    return _line_at(place, tree).strip().startswith(("import ", "from "))


def _line_at(place, tree):
    name, _, line = place.rpartition(":")
    if not name:
        return ""
    with open(os.path.join(tree, name), encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    return "".join(lines[int(line) - 1 : int(line)])


def _missing_file(log):
    for match in reversed(list(_FILE.finditer(log))):
        if _NO_FILE.search(match.group()):
            names = [quoted or path for quoted, path in _QUOTED.findall(match.group())]
            names = [name for name in names if not _NO_FILE.search(name)]  # h5py quotes that
            return names[-1] if names else match.group()[:300]
    return None


def _raised_by_us(log):
    match = _OURS.search(log)
    return match is not None and f"tfgraphtools.errors.{match.group(1)}" in log
