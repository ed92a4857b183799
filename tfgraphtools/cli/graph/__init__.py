"""`tfgraphtools graph`: look at graphs whose source is lost, cut, convert and write them."""

import argparse

from tfgraphtools.cli import _subcommands

SUMMARY = "show, cut, convert, write as code and compare graphs whose source is lost"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands and their options."""
    from tfgraphtools.cli.graph import diff_command, part_commands, show, source_command

    parser.set_defaults(subcommand=None, show_help=parser.print_help)
    subparsers = parser.add_subparsers(metavar="COMMAND", title="subcommands")
    show.add_subcommand(subparsers)
    part_commands.add_subcommands(subparsers)
    source_command.add_subcommand(subparsers)
    diff_command.add_subcommand(subparsers)


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, or shows the help if there is none."""
    return _subcommands.run(arguments)
