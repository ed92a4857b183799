"""Commands that have subcommands."""

import argparse
import sys


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, or shows the help of the command if there is none."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    if arguments.subcommand is None:
        arguments.show_help()
        return 0
    return arguments.subcommand(arguments)
