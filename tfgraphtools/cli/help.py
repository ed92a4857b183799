"""``tfgraphtools help COMMAND``: the help of a command."""

import argparse

from tfgraphtools.errors import UsageError

SUMMARY = "show the help of a command"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="for example: ckpt ls")


def run(arguments: argparse.Namespace) -> int:
    """Prints the help."""
    from tfgraphtools import cli

    parsers = dict(cli.subcommands())
    name = " ".join(["tfgraphtools", *arguments.command])
    if name not in parsers:
        raise UsageError(
            "tfgraphtools help", "a command", repr(" ".join(arguments.command)), "See: tfgraphtools"
        )
    parsers[name].print_help()
    return 0
