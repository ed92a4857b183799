"""`ckpt convert --to FORMAT`: a checkpoint in another format; one row of a table for each.

A format is a function of the parsed arguments that returns the exit code, and the options that
it takes. An option may belong to several formats; one that does not belong to the format asked
for is an error, not ignored.
"""

import collections

from tfgraphtools.errors import UsageError

#: ``help``: one line; ``run``: function of the arguments; ``options``: keys of `OPTIONS`.
Format = collections.namedtuple("Format", "help run options")

#: The options that belong to some formats only: {name: what argparse's add_argument takes}.
OPTIONS = {
    "map": {"metavar": "FILE", "help": "JSON: {name: new name}, or [[pattern, new name], ...]"},
    "drop-optimizer": {
        "action": "store_true",
        "help": "leave the optimizer's state behind",
    },
}


def _to_object(arguments):
    raise UsageError("ckpt convert --to object", "a later version", "this one", "Upgrade.")


def _to_tf1(arguments):
    raise UsageError("ckpt convert --to tf1", "a later version", "this one", "Upgrade.")


FORMATS = {
    "object": Format("an object-based checkpoint of TF 2", _to_object, ["map", "drop-optimizer"]),
    "tf1": Format("a name-based checkpoint, as TF 1's Saver writes it", _to_tf1, ["map"]),
}


def add_words(words):
    """Adds the word to the parser."""
    convert = words.add_parser(
        "convert",
        help="write it in another format: {}".format(", ".join(FORMATS)),
        description="Write a checkpoint in another format.",
        epilog="formats: " + "; ".join(f"{name}: {row.help}" for name, row in FORMATS.items()),
    )
    convert.add_argument("source", help="a checkpoint")
    convert.add_argument("destination", nargs="?", help="what to write")
    convert.add_argument(
        "--to", required=True, choices=list(FORMATS), metavar="FORMAT", help=", ".join(FORMATS)
    )
    convert.add_argument("--dry-run", action="store_true", help="show every tensor, write nothing")
    convert.add_argument("--force", action="store_true", help="replace what is at the destination")
    convert.add_argument("--json", action="store_true", help="as JSON")
    for name, given in OPTIONS.items():
        takers = [format for format, row in FORMATS.items() if name in row.options]
        text = "{} (--to {})".format(given["help"], ", ".join(takers))
        convert.add_argument("--" + name, **dict(given, help=text))
    convert.set_defaults(word=lambda arguments: _convert(arguments, convert))


def _convert(arguments, parser):
    row = FORMATS[arguments.to]
    for name in OPTIONS:
        attribute = name.replace("-", "_")
        is_given = getattr(arguments, attribute) != parser.get_default(attribute)
        if is_given and name not in row.options:
            raise UsageError(
                f"ckpt convert --to {arguments.to}",
                "one of its options: {}".format(" ".join("--" + one for one in row.options)),
                "--" + name,
                "Leave it out.",
            )
    if arguments.destination is None and not arguments.dry_run:
        raise UsageError(
            "ckpt convert", "a destination", "none", "Say what to write, or add --dry-run."
        )
    return row.run(arguments)
