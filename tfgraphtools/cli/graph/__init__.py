"""`tfgraphtools graph`: look at graphs whose source is lost."""

import argparse

from tfgraphtools.cli import _subcommands

SUMMARY = "show what is in a graph whose source is lost (without TensorFlow)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands and their options."""
    from tfgraphtools.cli.graph import show

    parser.set_defaults(subcommand=None, show_help=parser.print_help)
    subparsers = parser.add_subparsers(metavar="COMMAND", title="subcommands")
    show.add_subcommand(subparsers)


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, or shows the help if there is none."""
    return _subcommands.run(arguments)
