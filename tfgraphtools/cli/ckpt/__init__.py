"""`tfgraphtools ckpt`: look at checkpoints, check them, rewrite them.

The words after ``ckpt`` are grouped by what they do: `look`, `check`, `write`
and `convert`. Each word is a thin call of one public function.
"""

import sys

from tfgraphtools.cli.ckpt import check, convert, look, write

SUMMARY = "look at checkpoints, check them, rewrite them (no TensorFlow needed)"


def add_arguments(parser):
    """Adds the words and their options."""
    words = parser.add_subparsers(metavar="WORD", title="words")
    parser.set_defaults(word=None, ckpt_help=parser.print_help)
    for group in (look, check, write, convert):
        group.add_words(words)


def run(arguments):
    """Runs the word, or shows the help if there is none."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a name may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    if arguments.word is None:
        arguments.ckpt_help()
        return 0
    return arguments.word(arguments)
