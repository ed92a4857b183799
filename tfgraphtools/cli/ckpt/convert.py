"""`ckpt convert --to FORMAT`: a checkpoint in another format.

An option that does not belong to the format asked for is an error, not ignored.
"""

import argparse
import os
import sys
from typing import Any

from tfgraphtools import checkpoints, files
from tfgraphtools.cli import _examples, _tables
from tfgraphtools.cli.ckpt import examples, loading_lines
from tfgraphtools.cli.ckpt.convert_options import FORMATS, GROUPS, OPTIONS
from tfgraphtools.errors import UsageError


def add_subcommands(subparsers: Any) -> None:
    """Adds the subcommand to the parser."""
    convert = subparsers.add_parser(
        "convert",
        help="convert a checkpoint to another format: {}".format(", ".join(FORMATS)),
        description="Write a checkpoint in another format.",
        epilog="formats: "
        + "; ".join(f"{name}: {row.help}" for name, row in FORMATS.items())
        + ". 'convert --to FORMAT --help' shows the options of one.",
        add_help=False,
    )
    convert.add_argument(
        "-h",
        "--help",
        action=_Help,
        nargs=0,
        help="show this help message, with --to before it that of one format, and exit",
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
    convert.add_argument(
        "--force",
        action="store_true",
        help="overwrite the destination, and a map or draft that tfgraphtools did not write",
    )
    convert.add_argument("--json", action="store_true", help="print JSON")
    for title, names in GROUPS.items():
        group = convert.add_argument_group(title)
        for name in names:
            takers = [format for format, row in FORMATS.items() if name in row.options]
            words = "{} (--to {})".format(OPTIONS[name]["help"], ", ".join(takers))
            group.add_argument("--" + name, **dict(OPTIONS[name], help=words))
    convert.set_defaults(subcommand=lambda arguments: _convert(arguments, convert), in_place=False)


class _Help(argparse.Action):
    """--help, and after --to FORMAT the help of that format."""

    def __call__(self, parser, namespace, values, option_string=None):
        name = getattr(namespace, "to", None)
        (_of_format(parser, name) if name in FORMATS else parser).print_help()
        parser.exit()


def _of_format(parser, name):
    """Returns a parser that has the options of one format alone, to show its help."""
    row = FORMATS[name]
    format_parser = argparse.ArgumentParser(
        prog=parser.prog,
        usage=f"%(prog)s source [destination] --to {name} [options]",
        description=f"Write {row.help}.",
        epilog=_examples.text("ckpt convert", examples.FORMATS[name]),
        formatter_class=_examples.Formatter,
        add_help=False,
    )
    for action in parser._actions:
        long = (action.option_strings or [""])[-1][2:]
        if long not in OPTIONS and long not in ("help", "to"):
            format_parser._add_action(action)
    for title, names in GROUPS.items():
        group = format_parser.add_argument_group(title)
        for option in names:
            if option in row.options:
                group.add_argument("--" + option, **OPTIONS[option])
    return format_parser


def _convert(arguments, parser):
    row = FORMATS[arguments.to]
    for name in OPTIONS:
        attribute = name.replace("-", "_")
        is_given = getattr(arguments, attribute) != parser.get_default(attribute)
        if is_given and name not in row.options:
            raise UsageError(
                f"ckpt convert --to {arguments.to}",
                "one of its options: {}".format(" ".join("--" + option for option in row.options)),
                "--" + name,
                "Leave it out.",
            )
    if arguments.destination is None and not (arguments.dry_run or arguments.write_draft):
        raise UsageError(
            "ckpt convert", "a destination", "none", "Add the path to write, or --dry-run."
        )
    if os.path.isfile(arguments.destination or ""):  # with --force it would be replaced
        read = [arguments.source, arguments.map, arguments.like, arguments.meta, arguments.config]
        place = f"ckpt convert --to {arguments.to}"
        files.require_no_input(place, arguments.destination, [path for path in read if path])
    if arguments.average is not None:
        plan = checkpoints.average_last(arguments.source, arguments.average)
        names = ", ".join(ckpt.prefix for ckpt in reversed(plan.checkpoints))
        print(f"note: the mean of {names}", file=sys.stderr)
        with plan.view() as arguments.source:
            return _written(row, arguments)
    return _written(row, arguments)


def _written(row, arguments):
    from tfgraphtools.checkpoints.read.remote import urls

    if arguments.destination is None or arguments.dry_run:
        return row.run(arguments)
    if urls.is_url(arguments.destination):
        return _uploaded(row, arguments)
    code = row.run(arguments)
    if code == 0 and not (arguments.json or arguments.write_draft):
        _say_how_to_load(arguments)
    return code


def _say_how_to_load(arguments):
    line = loading_lines.line_for(arguments.to, arguments.destination)
    if line:
        print("to load it: " + _tables.printable(line), file=sys.stderr)


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
