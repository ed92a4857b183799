"""The command line: parse, call one library function, print.

Exit codes: 0 ok, 1 differences or damage found, 2 usage or bad input (one line
on stderr saying what, where and what to do; never a traceback).

Each command is a module of this package with ``SUMMARY`` (one line for the
overview), ``add_arguments(parser)`` and ``run(arguments) -> exit code``, or a
function that gives the exit code and whose errors are nobody's but its own. A
module imports what is slow (TensorFlow, tables) inside ``run``.
"""

import argparse
import contextlib
import importlib
import os
import sys
from typing import Iterator, Optional, Sequence, Tuple

from tfgraphtools import environment_variables, faq
from tfgraphtools._version import __version__
from tfgraphtools.cli import (
    _examples,
    _logs,
    _mistakes,
    _program_arguments,
    _streams,
    _wording,
    completion,
)
from tfgraphtools.errors import TfgraphtoolsError

#: The commands, in the order in which the help shows them.
COMMANDS = (
    "run",
    "doctor",
    "upgrade",
    "revive",
    "kernel",
    "legacy",
    "explain",
    "ckpt",
    "graph",
    "completion",
    "help",
)

#: The commands that take the command line of another program.
_STARTS_PROGRAMS = ("run", "upgrade", "revive")

#: The commands that import TensorFlow for themselves; `run` and `kernel` do so for user code.
QUIET_COMMANDS = ("doctor", "revive", "explain", "ckpt", "graph")


#: The exit code after Ctrl-C, as of a shell.
INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """Reports a usage error in one line."""

    def error(self, message):
        message = _mistakes.usage_error(message, self, lambda: dict(subcommands()))
        self.exit(2, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Runs one command line and returns its exit code.

    Args:
      argv: the arguments after the program's name; those of this process if None.

    Example:
      >>> main(["--version"])
      tfgraphtools 0.1.0
      0
    """
    argv = sys.argv[1:] if argv is None else list(argv)
    start = argv[:2]
    parser = build_parser(*start) if start and start[0] in COMMANDS else build_parser()
    division = _divided(argv, parser)
    try:
        arguments, unknown = parser.parse_known_args(division.own)
        if division.name is not None:
            setattr(arguments, division.name, division.program)
        if unknown:
            own = getattr(arguments, "parser", parser)
            own.error("unrecognized arguments: " + " ".join(unknown))
    except SystemExit as done:  # argparse has printed the help, the version or the error
        return int(done.code or 0)
    if arguments.run is None:
        parser.print_help()
        return 0
    verbose = getattr(arguments, "verbose", False)
    if verbose:
        os.environ[environment_variables.VERBOSE] = "1"  # child processes, too
    hides_logs = argv[0] in QUIET_COMMANDS and not verbose
    if argv[0] != "run":  # whose script writes to these streams
        _streams.print_everything()
    try:
        with contextlib.ExitStack() as stack:
            if hides_logs:
                stack.enter_context(_logs.hidden_library_logs())
            if getattr(arguments, "quiet", False) and argv[0] != "run":
                stack.enter_context(_streams.without_messages())
            code = arguments.run(arguments)
    except BrokenPipeError:
        raise
    except ModuleNotFoundError as error:
        if verbose or isinstance(error, TfgraphtoolsError) or not _is_installable(error.name):
            raise
        return _one_line(_missing(error.name, argv))
    except (TfgraphtoolsError, OSError) as error:
        if verbose:
            raise
        message = _message(error, getattr(arguments, "parser", parser))
        message += _wording.hint(message, argv)
        link = faq.link_for(message) if argv[0] == "explain" else None
        return _one_line(f"{message} See {link}." if link else message)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code() if callable(code) else code


def _divided(argv, parser):
    """Returns the `Division` of a whole command line."""
    if argv[:1] and argv[0] in _STARTS_PROGRAMS:
        command = dict(subcommands(parser))[f"{parser.prog} {argv[0]}"]
        division = _program_arguments.divide(argv[1:], command)
        return division._replace(own=[argv[0], *division.own])
    return _program_arguments.Division(argv)


def console_main() -> None:
    """Runs `main` as the installed command, then exits."""
    completion.answer_the_shell(build_parser)
    is_script = sys.argv[1:2] == ["run"]  # it ends as it would under plain Python
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as in "| head"
        _streams.discard_stdout()
        code = 0
    except KeyboardInterrupt:
        if is_script:
            raise
        code = INTERRUPTED
    except OSError as error:  # a full disk, met at the last flush
        _streams.discard_stdout()
        code = _one_line(_message(error, None))
    sys.exit(code)


def _message(error, parser):
    if isinstance(error, TfgraphtoolsError):
        return _wording.as_options(str(error), parser)
    name = error.filename or "input/output"
    is_systems = error.errno is not None and error.strerror == os.strerror(error.errno)
    for kind, (expected, got, fix) in _SYSTEM.items():
        if is_systems and isinstance(error, kind):
            return f"{name}: expected {expected}, got {got}. {fix}"
    return f"{name}: {error.strerror or error}"


def _is_installable(module):
    """Tells whether a module that is missing can be one of another package."""
    return bool(module) and module.split(".")[0] != "tfgraphtools"


def _missing(module, argv):
    package = module.split(".")[0]
    command = " ".join(word for word in argv[:2] if not word.startswith("-"))
    return (
        f"{command}: expected the package {package} to be installed, got no module named "
        f"'{module}'. Install it: pip install {package}."
    )


#: What the operating system refuses: expected, got, how to fix it.
_SYSTEM = {
    FileNotFoundError: ("an existing file or folder", "none", "Check the path."),
    IsADirectoryError: ("a file", "a folder", "Give the path of a file in it."),
    NotADirectoryError: ("a folder", "a file", "Check the path."),
    PermissionError: ("a path that you may use", "permission denied", "Check who owns it: ls -ld"),
}


def _one_line(message):
    text = " ".join(str(message).split())
    text = text[len("tfgraphtools ") :] if text.startswith("tfgraphtools ") else text
    shown = text.encode("utf-8", "backslashreplace").decode()  # names of another encoding
    print("tfgraphtools: " + shown, file=sys.stderr)
    return 2


def build_parser(
    only: Optional[str] = None, subcommand: Optional[str] = None
) -> argparse.ArgumentParser:
    """Returns the parser of the whole command line, or of one command: it need not load the others.

    Args:
      only: the command, or None for all of them.
      subcommand: the only subcommand of ``ckpt`` that matters, if it is known.
    """
    parser = _Parser(
        prog="tfgraphtools",
        description="Run, train and migrate TensorFlow 1 graph code.",
        epilog="Results go to stdout, messages to stderr. Exit codes: 0 success, 1 differences or "
        f"damage found, 2 usage error or bad input. {_where_to_read()}",
    )
    parser.add_argument("--version", action="version", version="tfgraphtools " + __version__)
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(metavar="COMMAND", title="commands")
    for name in COMMANDS if only is None else [only]:
        command = importlib.import_module("tfgraphtools.cli." + name)
        summary = command.SUMMARY
        description = summary[0].upper() + summary[1:] + "."
        subparser = subparsers.add_parser(name, help=summary, description=description)
        if name == "ckpt":
            command.add_arguments(subparser, subcommand)
        else:
            command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    for name, subparser in subcommands(parser):
        command = name.partition(" ")[2]
        if command in _examples.EXAMPLES:
            _examples.add(subparser, command, _examples.EXAMPLES[command])
        if not _has_subcommands(subparser):
            subparser.set_defaults(parser=subparser)
            if "--quiet" not in subparser._option_string_actions:  # `run` has one for its notices
                subparser.add_argument(
                    "-q",
                    "--quiet",
                    action="store_true",
                    help="print no notes, progress and summary on stderr, only results and errors",
                )
            subparser.add_argument(
                "--verbose",
                action="store_true",
                help="show TensorFlow's log lines, and the traceback of an error",
            )
    return parser


def _where_to_read():
    """Returns sentences about the documentation and the Python API."""
    pages = faq.documentation() or "docs/ in the repository; scripts/docs builds the site of it"
    return (
        f"Documentation: {pages}. Python API: tfgraphtools.gradients, training, checkpoints, "
        'graphs, compat and upgrade; for example: python -c "from tfgraphtools import checkpoints; '
        'help(checkpoints.to_keras)".'
    )


def _has_subcommands(parser):
    return any(isinstance(action, argparse._SubParsersAction) for action in parser._actions)


def subcommands(
    parser: Optional[argparse.ArgumentParser] = None,
) -> Iterator[Tuple[str, argparse.ArgumentParser]]:
    """Yields (full name, parser) of the program, its commands and their subcommands."""
    parser = build_parser() if parser is None else parser
    yield parser.prog, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from subcommands(child)
