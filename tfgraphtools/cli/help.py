"""``tfgraphtools help COMMAND``: the help of a command."""

import argparse

from tfgraphtools.errors import UsageError, did_you_mean, nearest

SUMMARY = "show the help of a command"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="for example: ckpt ls")


def _no_such_command(words, parsers):
    """Returns the `UsageError` about a command that is none, with the nearest one."""
    asked = " ".join(words)
    known = [name.partition(" ")[2] for name in parsers]
    last_words = {name.split()[-1]: name for name in known if name}
    near = nearest(asked, known) or [last_words[word] for word in nearest(asked, last_words)]
    fix = did_you_mean(near[:1]) or "See: tfgraphtools"
    return UsageError("tfgraphtools help", "a command", repr(asked), fix)


def run(arguments: argparse.Namespace) -> int:
    """Prints the help."""
    from tfgraphtools import cli

    parsers = dict(cli.subcommands())
    name = " ".join(["tfgraphtools", *arguments.command])
    if name not in parsers:
        raise _no_such_command(arguments.command, parsers)
    parsers[name].print_help()
    return 0
