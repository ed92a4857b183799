"""`ckpt convert --to FORMAT`: a checkpoint in another format.

An option that does not belong to the format asked for is an error, not ignored.
"""

import sys
from typing import Any

from tfgraphtools import checkpoints
from tfgraphtools.cli.ckpt.formats import FORMATS, OPTIONS
from tfgraphtools.errors import UsageError


def add_subcommands(subparsers: Any) -> None:
    """Adds the subcommand to the parser."""
    convert = subparsers.add_parser(
        "convert",
        help="convert a checkpoint to another format: {}".format(", ".join(FORMATS)),
        description="Write a checkpoint in another format.",
        epilog="formats: " + "; ".join(f"{name}: {row.help}" for name, row in FORMATS.items()),
    )
    convert.add_argument("source", help="a checkpoint")
    convert.add_argument("destination", nargs="?", help="what to write")
    convert.add_argument(
        "--to", required=True, choices=list(FORMATS), metavar="FORMAT", help=", ".join(FORMATS)
    )
    convert.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would happen to every tensor; write nothing",
    )
    convert.add_argument(
        "--average",
        type=int,
        metavar="N",
        help="convert the mean of the last N checkpoints of the folder SOURCE",
    )
    convert.add_argument("--force", action="store_true", help="overwrite the destination")
    convert.add_argument("--json", action="store_true", help="print JSON")
    for name, given in OPTIONS.items():
        takers = [format for format, row in FORMATS.items() if name in row.options]
        text = "{} (--to {})".format(given["help"], ", ".join(takers))
        convert.add_argument("--" + name, **dict(given, help=text))
    convert.set_defaults(subcommand=lambda arguments: _convert(arguments, convert), in_place=False)


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
    if arguments.destination is None and not (arguments.dry_run or arguments.write_draft):
        raise UsageError(
            "ckpt convert", "a destination", "none", "Add the path to write, or --dry-run."
        )
    if arguments.average is not None:
        plan = checkpoints.average_last(arguments.source, arguments.average)
        names = ", ".join(ckpt.prefix for ckpt in reversed(plan.checkpoints))
        print(f"note: the mean of {names}", file=sys.stderr)
        with plan.view() as arguments.source:
            return _written(row, arguments)
    return _written(row, arguments)


def _written(row, arguments):
    from tfgraphtools.checkpoints.read.remote import urls

    if arguments.destination is None or arguments.dry_run or not urls.is_url(arguments.destination):
        return row.run(arguments)
    return _uploaded(row, arguments)


def _uploaded(row, arguments):
    """Writes to a folder of this machine, and then uploads what was written."""
    import os
    import tempfile

    url = arguments.destination.rstrip("/")
    with tempfile.TemporaryDirectory() as folder:
        arguments.destination = os.path.join(folder, url.rpartition("/")[2])
        code = row.run(arguments)
        for there in checkpoints.upload(arguments.destination, url, arguments.force):
            print(f"uploaded {there}", file=sys.stderr)
    return code
