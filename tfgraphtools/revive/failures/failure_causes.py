"""Why a command failed, told from its log: the environment, data, the command, code, or us."""

import os
import re
import sys
from typing import NamedTuple

from tfgraphtools.revive import timed_runs
from tfgraphtools.revive.failures import failure_log

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
_NETWORK = re.compile(r"URLError|HTTPError|ProxyError|ConnectionError|gaierror|MaxRetryError")
_USAGE = re.compile(
    r"error: (?:the following arguments are required|argument |unrecognized).*|[Uu]sage: .*|"
    r"IllegalFlagValueError.*|Flag --\w+ must .*|IndexError: list index out of range"
)
_HELP = re.compile(r"\s*usage\b.*", re.IGNORECASE)
_NO_SCRIPT = re.compile(r"^\[Errno 2\] |expected the file of a script|can't open file '")
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

#: Of these, another version is no remedy.
_NEVER_OLDER = {"tensorflow", "keras", "tf_keras", "numpy", "tfgraphtools", "absl"}
_STANDARD = set(getattr(sys, "stdlib_module_names", ()))

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


def cause(outcome, tree, names, absent=()):
    """Returns the `Cause` of a failure.

    Args:
      outcome: a `timed_runs.Outcome` that failed.
      tree: the folder of the code in which it ran.
      names: the modules and folders of the repository.
      absent: {module: why its package was not installed}.
    """
    failure = _Failure(outcome, failure_log.FailureLog(outcome, tree), tree, names, absent)
    for of_kind in (_of_its_end, _of_tests, _of_command, _of_modules, _of_data, _of_packages):
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
    if _NO_SCRIPT.search(failure.log.text):
        what = failure.log.error.replace(failure.tree + os.sep, "")
        return Cause(COMMAND, what, "", _WHOLE_COMMAND)
    code = failure.outcome.code
    if code is not None and code < 0:
        return failure.cause(CODE, f"signal {-code} ended it", _COMPARE)
    return None


def _of_tests(failure):
    """Returns the cause of tests that failed: a module that each of them lacks, or the code."""
    tests = _TESTS.search(failure.log.output)
    if not tests:
        return None
    first = _FAILED_TEST.search(failure.log.output)
    place = first.group(1) if first else ""
    errors = _TEST_ERROR.findall(failure.log.output)
    modules = [failure_log.MODULE.search(line) for line in errors]
    if modules and all(modules):  # no test ran
        return _of_module(modules[0].group(1), place, failure)
    return Cause(CODE, tests.group(1), place, _COMPARE)


def _of_command(failure):
    """Returns the cause of a command that lacks arguments, or somebody who answers."""
    log = failure.log
    if log.error.startswith("EOFError") and "input(" in log.line:
        what = "it asks for input, and nobody answers"
        return failure.cause(COMMAND, what, _WHOLE_COMMAND)
    may_be = failure.outcome.code == 2 or "IllegalFlag" in log.text
    usage = (_USAGE.search(log.text) if may_be else None) or _HELP.match(log.output)
    if usage:
        return failure.cause(COMMAND, usage.group().strip(), _WHOLE_COMMAND)
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
    root = module.partition(".")[0]
    if root in failure.names:
        remedy = "The module is in the repository: add its folder to PYTHONPATH in --run."
    elif root == "tensorflow":
        remedy = "Run 'tfgraphtools legacy install': this part of TF 1.15 is installed by that."
    elif root in failure.absent:
        remedy = failure.absent[root]
    else:
        remedy = f"Install the package that has it; if no index has one, replace {module}."
    return Cause(ENVIRONMENT, f"no module named {module}", place, remedy)


def _of_data(failure):
    """Returns the cause of a file or a program that is not there, or of a download."""
    error = failure.log.error
    if _NETWORK.search(error) or "MissingDataError" in error:
        is_download = "MissingDataError" not in error
        what = f"it downloads, and programs have no network: {error}" if is_download else error
        remedy = "Download the data yourself to where this line reads it."
        return failure.cause(DATA, what, remedy)
    missing = failure.log.missing_file()
    if not missing:
        return None
    if os.sep not in missing and failure.log.starts_a_program():
        return failure.cause(ENVIRONMENT, f"no program {missing}", f"Install {missing}.")
    path = missing.replace(failure.tree + os.sep, "")
    return failure.cause(DATA, path, f"Put this file there, or name another: {path}")


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
