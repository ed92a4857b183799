"""The command line: parse, call one library function, print.

Exit codes: 0 ok, 1 differences or damage found, 2 usage or bad input (one line
on stderr saying what, where and what to do; never a traceback).

Each command is a module of this package with ``SUMMARY`` (one line for the
overview), ``add_arguments(parser)`` and ``run(arguments) -> exit code``, or a
function that gives the exit code and whose errors are nobody's but its own. A
module imports what is slow (TensorFlow, tables) inside ``run``.
"""

import argparse
import importlib
import os
import sys

from tfgraphtools import __version__
from tfgraphtools.errors import TfgraphtoolsError

#: The commands, in the order in which the help shows them.
COMMANDS = ("run", "doctor", "legacy", "explain", "ckpt")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the words of a command in one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def main(argv=None):
    """Runs one command line and returns its exit code.

    Args:
      argv: the words after the program's name; those of this process if None.

    Example:
      >>> main(["--version"])
      tfgraphtools 0.1.0
      0
    """
    parser = build_parser()
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as done:  # argparse has printed the help, the version or the error
        return int(done.code or 0)
    if arguments.run is None:
        parser.print_help()
        return 0
    try:
        code = arguments.run(arguments)
    except TfgraphtoolsError as error:
        return _one_line(error)
    except OSError as error:
        return _one_line("{}: {}".format(error.filename or "input/output", error.strerror or error))
    except KeyboardInterrupt:
        return 130
    return code() if callable(code) else code


def console_main():
    """The entry point of the installed command: `main`, then exit."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as in "| head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _one_line(message):
    print("tfgraphtools: {}".format(" ".join(str(message).split())), file=sys.stderr)
    return 2


def build_parser():
    """The parser of the whole command line."""
    parser = _Parser(
        prog="tfgraphtools",
        description="Keep TensorFlow 1 graph code training, running and migrating.",
    )
    parser.add_argument("--version", action="version", version="tfgraphtools " + __version__)
    parser.set_defaults(run=None)
    if COMMANDS:
        subparsers = parser.add_subparsers(metavar="COMMAND", title="commands")
        for name in COMMANDS:
            command = importlib.import_module("tfgraphtools.cli." + name)
            summary = command.SUMMARY
            subparser = subparsers.add_parser(name, help=summary, description=summary)
            command.add_arguments(subparser)
            subparser.set_defaults(run=command.run)
    return parser
