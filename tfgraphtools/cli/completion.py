"""``tfgraphtools completion``: what a shell needs to complete commands, options and files."""

import argparse
import os
from typing import Callable

SUMMARY = "print a shell completion script"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell")


def run(arguments: argparse.Namespace) -> int:
    """Prints the script."""
    import argcomplete

    print(argcomplete.shellcode(["tfgraphtools"], shell=arguments.shell))
    return 0


def answer_the_shell(build_parser: Callable[[], argparse.ArgumentParser]) -> None:
    """Prints the completions of a command line and exits, if it is the shell that asks.

    Does nothing in other processes: argcomplete's script sets the environment variable.

    Args:
      build_parser: gives the parser of the whole command line.
    """
    if "_ARGCOMPLETE" not in os.environ:
        return
    import argcomplete

    argcomplete.autocomplete(build_parser(), always_complete_options=False)
