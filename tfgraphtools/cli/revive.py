"""``tfgraphtools revive``: from a dead repository to one that runs, with a report."""

import argparse
import shlex
import sys
import textwrap

from tfgraphtools.cli import _tables
from tfgraphtools.errors import UnsupportedVersionError, UsageError

SUMMARY = "make a repository of TF 1 run: its environment, runs, upgrade and a report"

_SECONDS = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    parser.add_argument(
        "repository",
        metavar="REPO",
        nargs="?",
        default=".",
        help="the folder of the repository, which is only read (default: this one)",
    )
    parser.add_argument(
        "--run",
        dest="commands",
        action="append",
        default=[],
        metavar="COMMAND",
        help='a command to run: "python train.py --steps 10"; can be repeated',
    )
    parser.add_argument(
        "--yes",
        action="store_true",
        help="install packages that no table knows and, without --run, run the commands that the "
        "repository names; without both options, only the plan is printed",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="the folder to write, the only one (default: REPO-revived)",
    )
    parser.add_argument(
        "--python",
        metavar="VERSION",
        help="a Python for a new environment, such as 3.11 or a path (default: a layer above the "
        "environment of this command, whose TensorFlow it uses)",
    )
    parser.add_argument(
        "--tf1",
        metavar="PYTHON37",
        help="a Python 3.7, under whose TF 1.15 the commands run, too, for comparison; one that "
        "has no TensorFlow gets an environment with it",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=_SECONDS,
        help=f"how long a program that makes progress runs (default: {_SECONDS})",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on in the folder of an earlier call"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the plan, or the results of stages, as JSON"
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the plan or does all stages; 1 unless every command runs."""
    from tfgraphtools import compat, revive

    if compat.is_tf1():
        raise UnsupportedVersionError(
            "tfgraphtools revive",
            "TensorFlow 2.16 or newer",
            "TensorFlow 1.15, on which this code runs unchanged",
            "Run it in the environment in which the code is to run; --tf1 names this one.",
        )
    if not arguments.seconds > 0:
        raise UsageError("--seconds", "more than 0", arguments.seconds, "For example: 60")
    plan = None if arguments.commands else revive.read(arguments.repository)
    has_nothing_to_do = plan is not None and plan.is_of_tf1 is False
    if plan is not None and (has_nothing_to_do or not arguments.yes):
        if arguments.json:
            _tables.print_json(plan.as_dict())
            return 0
        _print([*plan.lines(), *_next_steps(plan, arguments, has_nothing_to_do)])
        return 0
    revival = revive.Revival(
        arguments.repository,
        arguments.commands,
        arguments.out,
        arguments.yes,
        arguments.python,
        arguments.tf1,
        arguments.seconds,
        arguments.resume,
        tell=lambda stage: print(f"revive: {stage}", file=sys.stderr, flush=True),
    )
    results = revival.all_stages()
    if arguments.json:
        _tables.print_json(dict(results, passed=revival.passed, folder=revival.folder))
    else:
        end = [results["report"]["original"], f"report: {revival.folder}/REVIVED.md"]
        _print([*_summary(results), *end])
    return 0 if revival.passed else 1


def _print(lines):
    """Prints lines; the name of a file may have bytes that are no UTF-8, which it escapes."""
    print("\n".join(lines).encode("utf-8", "backslashreplace").decode())


def _next_steps(plan, arguments, has_nothing_to_do):
    """Yields what to type next."""
    start = "tfgraphtools revive " + " ".join(_given(arguments))
    consent = " --yes" * any(not package.is_known for package in plan.packages)
    if has_nothing_to_do:
        yield "nothing to do: no source uses anything that today's TensorFlow lacks"
        lines = [command.line for command in plan.commands if not command.obstacle]
        tests = " ".join(map(shlex.quote, plan.tests[:3]))
        lines += [f"python -m pytest {tests}"] if tests else []
        if lines:
            yield f"it was not run; to run it, too: {start} --run {shlex.quote(lines[0])}{consent}"
        return
    if any(not command.obstacle for command in plan.commands) or plan.tests:
        yield f"next: run these commands: {start} --yes"
        yield f"or your own: {start} --run 'python train.py --steps 10'{consent}"
    else:
        yield "it names no command that can run unchanged"
        yield f"next: {start} --run 'python SCRIPT OPTIONS'{consent}"


def _given(arguments):
    """Yields the repository and the options of the environment, as a shell takes them."""
    yield shlex.quote(arguments.repository)
    for name in ("out", "python", "tf1"):
        value = getattr(arguments, name)
        if value is not None:
            yield f"--{name} {shlex.quote(value)}"
    if arguments.seconds != _SECONDS:
        yield f"--seconds {arguments.seconds:g}"


def _summary(results):
    """Yields a line for each command and stage."""
    from tfgraphtools.revive import revival_report

    for stage, title in (("run", "run"), ("upgrade", "upgraded")):
        for command in results[stage]["commands"]:
            yield f"{title}: {_short(command['line'])}: {command['status']}"
            cause = command["cause"]
            if cause:
                place = f" ({cause['place']})" if cause["place"] else ""
                yield f"  {cause['kind']}: {cause['what']}{place}"
                yield f"  next: {cause['remedy']}"
    for command in results["compare"]["commands"]:
        yield f"TF 1.15: {_short(command['line'])}: {command['text']}"
    if any(results["compare"]["files"].values()):
        yield f"TF 1.15: {revival_report.files_line(results['compare']['files'])}"


def _short(line):
    """Returns a command in one line."""
    return textwrap.shorten(line, 200)
