"""`tfgraphtools ckpt`: look at checkpoints, check them, rewrite them.

Its subcommands are grouped by what they do, in a module for each group. Each is a thin call of one
public function.
"""

import argparse
import importlib
from typing import Optional

from tfgraphtools.cli import _subcommands

SUMMARY = "inspect, verify, rewrite and convert checkpoints (without TensorFlow)"

#: The modules of the subcommands, in the order of the help.
GROUPS = {
    "ls": ["ls"],
    "show": ["show"],
    "families": ["families"],
    "check": ["verify", "diff", "doctor"],
    "write": "rename strip cast partition merge average split recover".split(),
    "convert": ["convert"],
}


def add_arguments(parser: argparse.ArgumentParser, only: Optional[str] = None) -> None:
    """Adds the subcommands and their options; those of one group alone if ``only`` is in it."""
    subparsers = parser.add_subparsers(metavar="COMMAND", title="subcommands")
    parser.set_defaults(subcommand=None, show_help=parser.print_help)
    wanted = [group for group, names in GROUPS.items() if only in names] or GROUPS
    for group in wanted:
        module = importlib.import_module("tfgraphtools.cli.ckpt." + group)
        module.add_subcommands(subparsers)
    importlib.import_module("tfgraphtools.cli.ckpt.examples").add(subparsers)


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, or shows the help if there is none."""
    return _subcommands.run(arguments)
