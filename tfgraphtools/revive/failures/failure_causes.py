"""Causes of a failed command, told from its log: environment, data, command, code, or us."""

import os
import re
import sys
from typing import NamedTuple

from tfgraphtools.revive.failures import failure_log
from tfgraphtools.runs import timed_runs, tree_copies

ENVIRONMENT = "environment"
DATA = "data"
COMMAND = "command"
CODE = "code"
THIS_LIBRARY = "this library"

_PACKAGE = re.compile(
    r"DistributionNotFound: The '([\w.-]+)[^']*' distribution|"
    r"PackageNotFoundError: (?:No package metadata was found for )?([\w.-]+)"
)
_IMPORT = re.compile(r"^ImportError: .*", re.MULTILINE)
_NETWORK = re.compile(
    r"URLError|HTTPError|ProxyError|ConnectionError|gaierror|MaxRetryError|"
    r"URL fetch failure|<urlopen error"
)
_USAGE = re.compile(
    r"error: (?:the following arguments are required|argument |unrecognized).*|[Uu]sage: .*|"
    r"IllegalFlagValueError.*|Flag --\w+ must .*|IndexError: list index out of range|"
    r"Unknown command line flag.*"
)
_OF_FLAGS = re.compile("IllegalFlag|Flags parsing error")
_HELP = re.compile(r"^[ \t]*usage\b(?::\s*\n)?.*", re.IGNORECASE | re.MULTILINE)
_NO_SCRIPT = re.compile(
    r"expected the file of a script|can't open file '|^ERROR: file or directory not found", re.M
)
_NO_PROGRAM = 127  # the exit code of a command that could not be started
_NO_TEST = 5  # that of pytest
_OF_USAGE = (2, 4)  # of argparse, and of pytest
_NO_CHECKPOINT = re.compile(
    r"ValueError: (?:The passed save_path is not a valid checkpoint: (.*)|Can't load save_path)"
)
_NO_DISPLAY = re.compile(
    r"\$DISPLAY\b|[Nn]o display name|(?:connect to|open) (?:X server|display)|NoSuchDisplay"
)
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
_COLLECTION_ERROR = re.compile(
    r"-packages/(\w+)\S*:\d+: in .*\n(?:    .*\n)*E +(\w+(?:Error|Exception)\b.*)"
)
_FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)

#: Of these, another version is no remedy.
_NEVER_OLDER = {"tensorflow", "keras", "tf_keras", "numpy", "tfgraphtools", "absl"}
_STANDARD = set(getattr(sys, "stdlib_module_names", ()))

#: The error of a program that finds what an earlier run wrote.
LEFT_OVER = "FileExistsError"

_WHOLE_COMMAND = "Give the whole command: --run 'python SCRIPT OPTIONS'."

#: What the error of a package says, whatever its class, where it no longer has something.
_DEPRECATED = re.compile(r"\bdeprecated\b|\bno longer\b|\b(?:was|been) removed\b", re.IGNORECASE)

_COMPARE = "Compare with TF 1.15, which tells whether the code ever ran: --tf1 PYTHON37."


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


def cause(outcome, tree, names, absent=(), beside=None):
    """Returns the `Cause` of a failure.

    Args:
      outcome: a `timed_runs.Outcome` that failed.
      tree: the folder of the code in which it ran.
      names: the modules and folders of the repository.
      absent: {module: why its package was not installed}.
      beside: the folder in which the program would run in the repository itself.
    """
    log = failure_log.FailureLog(outcome, tree)
    failure = _Failure(outcome, log, tree, names, absent, beside or tree)
    for of_kind in (_of_its_end, _of_tests, _of_command, _of_modules, _of_files, _of_packages):
        told = of_kind(failure)
        if told:
            return told
    return _of_code(failure)


class _Failure(NamedTuple):
    """What the functions below tell the cause of: the arguments of `cause`, and the log."""

    outcome: timed_runs.Outcome
    log: failure_log.FailureLog
    tree: str
    names: set
    absent: dict
    beside: str

    def cause(self, kind, what, remedy):
        """Returns a `Cause` at the line of the repository."""
        return Cause(kind, what, self.log.place, remedy)


def _of_its_end(failure):
    """Returns the cause of what did not end, did not start, or was ended by a signal."""
    if failure.outcome.status == timed_runs.SILENT:
        return failure.cause(
            CODE,
            "it did not end, and nothing shows that it makes progress",
            "Give it more time: --seconds 600. If it waits for input, give its options: --run.",
        )
    code = failure.outcome.code
    if _NO_SCRIPT.search(failure.log.text) or code == _NO_PROGRAM:
        what = failure.log.error.replace(failure.tree + os.sep, "")
        return Cause(COMMAND, what, "", _WHOLE_COMMAND)
    if code is not None and code < 0:
        memory = "It may lack memory: try a smaller batch. " * (code == -9)  # SIGKILL
        return failure.cause(CODE, f"signal {-code} ended it", memory + _COMPARE)
    if _NO_DISPLAY.search(failure.log.error):
        remedy = "Start it with a virtual display: xvfb-run tfgraphtools revive ..."
        return failure.cause(ENVIRONMENT, f"there is no display: {failure.log.error}", remedy)
    return None


def _of_tests(failure):
    """Returns the cause of tests that failed: a module that each of them lacks, or the code."""
    tests = _TESTS.search(failure.log.output)
    if failure.outcome.code == _NO_TEST and "no tests ran" in failure.log.output:
        remedy = "Run the files as programs: --run 'python FILE'."
        return Cause(COMMAND, "pytest finds no test in these files", "", remedy)
    if not tests:
        return None
    first = _FAILED_TEST.search(failure.log.output)
    place = first.group(1) if first else ""
    errors = _TEST_ERROR.findall(failure.log.output)
    modules = [failure_log.MODULE.search(line) for line in errors]
    if modules and all(modules):  # no test ran
        return _of_module(modules[0].group(1), place, failure)
    of_package = _COLLECTION_ERROR.search(failure.log.output)
    if of_package and "during collection" in failure.log.output:
        package, error = of_package.groups()
        remedy = f"Install another version of {package} or of what it needs, or replace it."
        return Cause(ENVIRONMENT, f"{package}: {error}", place, remedy)
    return Cause(CODE, tests.group(1), place, _COMPARE)


def _of_command(failure):
    """Returns the cause of a command that lacks arguments, or somebody who answers."""
    log = failure.log
    if log.error.startswith("EOFError") and "input(" in log.line:
        what = "it asks for input, and nobody answers"
        return failure.cause(COMMAND, what, _WHOLE_COMMAND)
    if _OF_FLAGS.search(log.error):
        return failure.cause(COMMAND, log.error, _WHOLE_COMMAND)
    may_be = failure.outcome.code in _OF_USAGE or _OF_FLAGS.search(log.text)
    usage = _USAGE.search(log.text) if may_be else None
    if timed_runs.TRACEBACK not in log.text:
        usage = usage or _HELP.search(log.output) or _HELP.search(log.text)
    if usage:
        return failure.cause(COMMAND, " ".join(usage.group().split()), _WHOLE_COMMAND)
    if log.error.startswith("IndexError") and "argv" in log.line:
        return failure.cause(COMMAND, "it expects arguments in sys.argv", _WHOLE_COMMAND)
    return None


def _of_modules(failure):
    """Returns the cause of a module or a package that is not there."""
    module = failure.log.missing_module()
    if module:
        return _of_module(module, failure.log.place, failure)
    package = _PACKAGE.search(failure.log.error)
    if package is None:
        return None
    name = package.group(1) or package.group(2)
    remedy = f"Install {name}; if it is installed, a newer setuptools or {name}."
    return failure.cause(ENVIRONMENT, f"no package {name}", remedy)


def _of_module(module, place, failure):
    root, home = module.partition(".")[0], _home(module, failure.tree)
    if root == "tensorflow":
        remedy = "Run 'tfgraphtools legacy install': this part of TF 1.15 is installed by that."
    elif root in failure.absent:
        remedy = failure.absent[root]
    elif home is not None:
        remedy = f"The repository has it, in {home}: --run 'PYTHONPATH={home} python SCRIPT'."
    elif root in failure.names:
        remedy = "No file of the repository has it: is one missing, or a submodule of git?"
    elif root in _STANDARD:
        remedy = "It is a part of Python that this Python lacks: use another one, --python."
    else:
        remedy = f"Install the package that has it; if no index has one, replace {module}."
    return Cause(ENVIRONMENT, f"no module named {module}", place, remedy)


def _home(module, tree):
    """Returns the folder of the repository from which a module can be imported, or None."""
    path, homes = os.path.join(os.sep, module.replace(".", os.sep), ""), []
    for name in tree_copies.names(tree):
        if name.endswith(".py"):
            place = os.path.join(os.sep, name[: -len(".py")], "")
            if path in place:
                homes.append(place[: place.index(path)].strip(os.sep) or ".")
    return min(homes, key=lambda home: (home.count(os.sep), home), default=None)


def _of_files(failure):
    """Returns the cause of a file or a program that is not there, or of a download."""
    error = failure.log.error
    if _NETWORK.search(error) or "MissingDataError" in error:
        is_download = "MissingDataError" not in error
        what = f"it downloads, and programs have no network: {error}" if is_download else error
        remedy = "Download the data yourself to where this line reads it."
        return failure.cause(DATA, what, remedy)
    if error.startswith(LEFT_OVER):
        return _of_leftover(failure)
    checkpoint = _NO_CHECKPOINT.search(error)
    if checkpoint and not checkpoint.group(1):
        remedy = "Train first, or put a checkpoint where this line looks for one."
        return failure.cause(DATA, "no checkpoint was found", remedy)
    missing = checkpoint.group(1) if checkpoint else failure.log.missing_file()
    if not missing:
        return None
    if os.sep not in missing and failure.log.starts_a_program():
        return failure.cause(ENVIRONMENT, f"no program {missing}", f"Install {missing}.")
    path = missing.replace(failure.tree + os.sep, "")
    return failure.cause(DATA, path, _remedy_of_file(path, failure))


def _remedy_of_file(path, failure):
    folder = os.path.dirname(path)
    if failure.log.writes() and folder:
        return f"It writes there: make the folder {folder}."
    if path.startswith(os.pardir) and os.path.exists(os.path.join(failure.beside, path)):
        return (
            "It is outside the repository, of which a copy runs: name its absolute path, or put a "
            "link to it into the repository."
        )
    return f"Put this file there, or name another: {path}"


def _of_leftover(failure):
    """Returns the cause of a file that an earlier run may have left outside the copy, or None."""
    path = re.search(r": '(/[^']*)'", failure.log.error)
    if path is None or path.group(1).startswith(failure.tree + os.sep):
        return None
    remedy = f"An earlier run may have made it: remove it, or give another path: {path.group(1)}"
    return failure.cause(COMMAND, failure.log.error, remedy)


def _of_packages(failure):
    """Returns the cause of a package whose version is too new or too old."""
    log, error = failure.log, failure.log.error
    raising, version = log.raising_package(), _OTHER_VERSION.match(error)
    raising = None if raising in _NEVER_OLDER else raising
    if raising and "GoneError: " in error:
        remedy = f"'run' has nothing for it: install a newer version of {raising}, or replace it."
        return failure.cause(ENVIRONMENT, f"{raising}: {error}", remedy)
    if raising and version and version.group(1) in _NEVER_OLDER | _STANDARD:
        remedy = (
            f"Install a newer version of {raising}, or go on with 'tfgraphtools run', which "
            "translates packages that are written for TF 1."
        )
        return failure.cause(ENVIRONMENT, f"{raising}: {error}", remedy)
    is_of_package = version and version.group(1) not in {*failure.names, *_STANDARD}
    if is_of_package and not _REMOVED.search(error):
        remedy = f"Install an older version of the package of {version.group(1)}."
        return failure.cause(ENVIRONMENT, error, remedy)
    if _OF_TENSORFLOW.search(error):
        return failure.cause(CODE, error, "TF 1.15 may lack it, too. " + _COMPARE)
    if failure.tree + os.sep in error:  # "cannot import name 'x' from 'utils' (FILE)"
        return None
    if _IMPORT.search(error) or log.is_import():
        remedy = "Install another version of the package that this line imports, or replace it."
        return failure.cause(ENVIRONMENT, error, remedy)
    is_refused = error.startswith(("TypeError", "AttributeError", "NotImplementedError"))
    if raising and (is_refused or _DEPRECATED.search(error)):
        remedy = f"{raising} says so: pin the version that the code was written for, or change it."
        return failure.cause(ENVIRONMENT, error, remedy)
    return None


def _of_code(failure):
    """Returns the cause of all else: a name that `run` should have, or the code itself."""
    log = failure.log
    if _REMOVED.search(log.error) or log.is_raised_by_us():
        return failure.cause(THIS_LIBRARY, log.error, "Run 'tfgraphtools doctor' on this file.")
    return failure.cause(CODE, log.error, _COMPARE)
