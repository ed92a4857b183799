"""`tfgraphtools ckpt`: look at checkpoints, check them, rewrite them.

Its subcommands are grouped by what they do: `look`, `families`, `check`, `write` and `convert`.
Each is a thin call of one public function.
"""

import argparse
import sys

from tfgraphtools.cli.ckpt import check, convert, families, look, write

SUMMARY = "inspect, verify, rewrite and convert checkpoints (without TensorFlow)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands and their options."""
    words = parser.add_subparsers(metavar="COMMAND", title="subcommands")
    parser.set_defaults(word=None, ckpt_help=parser.print_help)
    for group in (look, families, check, write, convert):
        group.add_words(words)


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand, or shows the help if there is none."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    if arguments.word is None:
        arguments.ckpt_help()
        return 0
    return arguments.word(arguments)
