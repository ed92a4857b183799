"""Commands that have subcommands."""

import argparse


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, or shows the help of the command if there is none."""
    if arguments.subcommand is None:
        arguments.show_help()
        return 0
    return arguments.subcommand(arguments)
