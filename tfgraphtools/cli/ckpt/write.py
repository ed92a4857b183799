"""`ckpt rename|strip|cast|partition|merge|average|split|recover`: new checkpoints from old ones."""

import contextlib
import os
from typing import Any

from tfgraphtools import checkpoints
from tfgraphtools.cli import _tables
from tfgraphtools.cli.ckpt import checkpoint_sources
from tfgraphtools.cli.ckpt.plans import finish
from tfgraphtools.errors import DamagedCheckpointError, UsageError


def add_subcommands(subparsers: Any) -> None:
    """Adds the subcommands to the parser."""
    _add_rename(subparsers)
    _add_strip(subparsers)
    _add_cast(subparsers)
    _add_partition(subparsers)
    _add_of_several(subparsers)
    _add_split(subparsers)
    _add_recover(subparsers)


def _add_rename(subparsers):
    rename = _add(
        subparsers, "rename", _rename, "rename tensors, without copying or reading their bytes"
    )
    rename.add_argument(
        "--rule",
        nargs=2,
        action="append",
        metavar=("PATTERN", "NEW"),
        help=r"for example 'old/(.*)' 'new/\1'; rules apply in order",
    )
    rename.add_argument(
        "--map",
        metavar="FILE",
        help="JSON: {old: new}, [[pattern, new], ...], or the "
        "arguments of checkpoints.plan by name",
    )


def _add_strip(subparsers):
    strip = _add(subparsers, "strip", _strip, "drop the optimizer's state, or matching tensors")
    strip.add_argument(
        "--match",
        action="append",
        metavar="PATTERN",
        help="drop matching tensors (default: the optimizer's state)",
    )
    strip.add_argument("--global-step", action="store_true", help="drop global_step, too")


def _add_cast(subparsers):
    cast = _add(subparsers, "cast", _cast, "convert tensors to another data type")
    cast.add_argument(
        "--to", required=True, metavar="TYPE", help="data type, for example float16 or bfloat16"
    )
    cast.add_argument(
        "--only",
        action="append",
        metavar="PATTERN",
        help="tensors to cast (default: floating-point tensors, except the optimizer's)",
    )
    cast.add_argument(
        "--allow",
        nargs="+",
        default=(),
        metavar="KIND",
        choices=["overflow", "underflow", "wrap", "fraction", "imaginary"],
        help="kind of loss to accept: overflow, underflow, wrap, fraction, imaginary",
    )


def _add_partition(subparsers):
    partition = _add(
        subparsers, "partition", _partition, "partition variables into slices, or join them"
    )
    partition.add_argument(
        "--into",
        nargs=2,
        action="append",
        required=True,
        metavar=("PATTERN", "N"),
        help="variables and their number of slices (1 joins them)",
    )
    partition.add_argument("--axis", type=int, default=0, help="axis of the slices (default: 0)")


def _add_of_several(subparsers):
    _add_several(
        subparsers,
        "merge",
        _merge,
        "merge several checkpoints into one; a/=CKPT puts a/ before the names of one",
    )
    average = _add_several(subparsers, "average", _average, "average several checkpoints")
    average.add_argument(
        "--last",
        type=int,
        metavar="N",
        help="the last N checkpoints of the source folder",
    )
    average.add_argument(
        "--weights", nargs="+", type=float, metavar="W", help="one weight per checkpoint"
    )


def _add_split(subparsers):
    split = _add(
        subparsers, "split", _split, "split a checkpoint into matching tensors and the rest"
    )
    split.add_argument(
        "--match", action="append", required=True, metavar="PATTERN", help="tensors to extract"
    )
    split.add_argument(
        "--rest", metavar="PREFIX", help="where to write the rest (default: nowhere)"
    )


def _add_recover(subparsers):
    recover = subparsers.add_parser(
        "recover",
        help="clean up after an interrupted write",
        description="Remove the files of an interrupted write. The next write does this, too.",
    )
    recover.add_argument("folder", help="the folder of the checkpoints")
    recover.add_argument("--json", action="store_true", help="print JSON")
    recover.set_defaults(subcommand=_recover)


def _add(subparsers, name, run, help_text):
    parser = subparsers.add_parser(
        name, help=help_text, description=help_text[0].upper() + help_text[1:] + "."
    )
    parser.add_argument("source", help="a checkpoint")
    parser.add_argument("destination", nargs="?", help="the prefix to write")
    parser.add_argument("--in-place", action="store_true", help="replace the source, atomically")
    return _add_common(parser, run)


def _add_several(subparsers, name, run, help_text):
    parser = subparsers.add_parser(
        name, help=help_text, description=help_text[0].upper() + help_text[1:] + "."
    )
    parser.add_argument("destination", help="the prefix to write")
    parser.add_argument("sources", nargs="+", metavar="source", help="a checkpoint")
    parser.set_defaults(in_place=False)
    return _add_common(parser, run)


def _add_common(parser, run):
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="show what would happen to every tensor; write nothing",
    )
    parser.add_argument(
        "--compact", action="store_true", help="rewrite the data files without unused bytes"
    )
    parser.add_argument(
        "--copy", action="store_true", help="copy unchanged shards instead of hard-linking them"
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="check every byte of the source first (default: data that stays as it is, is linked "
        "or copied without being checked)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite the destination")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(subcommand=run)
    return parser


# The subcommands ------------------------------------------------------------------


def _rename(arguments):
    from tfgraphtools.cli.ckpt import maps  # JSON, which the others need not wait for

    rules = maps.arguments_of(arguments, "ckpt rename")
    if not rules:
        raise UsageError(
            "ckpt rename", "--rule or --map", "neither", r"Write --rule 'old/(.*)' 'new/\1'."
        )
    return _write_one(arguments, lambda ckpt: checkpoints.plan(ckpt, **rules))


def _strip(arguments):
    if arguments.match:
        return _write_one(arguments, lambda ckpt: checkpoints.plan(ckpt, drop=arguments.match))
    return _write_one(
        arguments, lambda ckpt: checkpoints.strip(ckpt, global_step=arguments.global_step)
    )


def _cast(arguments):
    to = {pattern: arguments.to for pattern in arguments.only} if arguments.only else arguments.to
    return _write_one(
        arguments, lambda ckpt: checkpoints.plan(ckpt, cast=to, allow=arguments.allow)
    )


def _partition(arguments):
    table = {}
    for pattern, count in arguments.into:
        if not count.isdigit():
            raise UsageError(
                "--into", "a pattern and a number", repr(count), "Write --into 'embedding' 4."
            )
        table[pattern] = (int(count), arguments.axis)
    return _write_one(arguments, lambda ckpt: checkpoints.plan(ckpt, partition=table))


def _merge(arguments):
    pairs = [_prefixed(text) for text in arguments.sources]
    arguments.sources = [path for _, path in pairs]
    prefixes = [prefix for prefix, _ in pairs]
    return _write_several(arguments, lambda opened: checkpoints.merge(opened, prefixes))


def _prefixed(text):
    """Splits ``encoder/=model.ckpt`` into the prefix of its names, "" without one, and the path."""
    prefix, sign, path = text.partition("=")
    is_prefix = sign and prefix.endswith("/") and "://" not in prefix
    return (prefix, path) if is_prefix else ("", text)


def _average(arguments):
    if arguments.last is not None:
        if len(arguments.sources) > 1:
            raise UsageError(
                "ckpt average --last",
                "one folder",
                f"{len(arguments.sources)} sources",
                "Omit --last to average the named checkpoints.",
            )
        plan = checkpoints.average_last(arguments.sources[0], arguments.last, arguments.weights)
        with contextlib.ExitStack() as stack:
            for ckpt in plan.checkpoints:
                stack.enter_context(ckpt)
            _require_intact(arguments, plan.checkpoints)
            return finish(arguments, plan, arguments.destination)
    return _write_several(arguments, lambda opened: checkpoints.average(opened, arguments.weights))


def _split(arguments):
    with checkpoint_sources.opened(arguments.source) as ckpt:
        destination = _destination(arguments, ckpt)
        if arguments.rest:
            _require_another(arguments.rest, destination, arguments.force)
        _require_intact(arguments, [ckpt])
        matching, others = checkpoints.split(ckpt, arguments.match)
        finish(arguments, matching, destination)
        if arguments.rest:
            finish(arguments, others, arguments.rest)
    return 0


def _require_another(other_prefix, destination, overwrite):
    """Raises before the first of two checkpoints is written, if the second could not be."""
    is_same = destination and os.path.abspath(other_prefix) == os.path.abspath(destination)
    if is_same or not overwrite and os.path.exists(other_prefix + ".index"):
        raise UsageError(
            "--rest",
            "a free prefix for the other tensors",
            f"{other_prefix}, which is " + ("the destination" if is_same else "taken"),
            "Write them elsewhere." if is_same else "Write them elsewhere, or pass --force.",
        )


def _recover(arguments):
    count = checkpoints.recover(arguments.folder)
    if arguments.json:
        _tables.print_json({"folder": arguments.folder, "interrupted_writes": count})
        return 0
    print("{}: {} cleaned up".format(arguments.folder, _tables.counted(count, "interrupted write")))
    return 0


# What they share ------------------------------------------------------------


def _destination(arguments, ckpt):
    if arguments.in_place == (arguments.destination is not None) and not (
        arguments.dry_run and not arguments.in_place
    ):
        raise UsageError(
            "ckpt " + arguments.parser.prog.rpartition(" ")[2],
            "a destination or --in-place",
            "both" if arguments.in_place else "neither",
            "Give the prefix to write.",
        )
    return ckpt.prefix if arguments.in_place else arguments.destination


def _require_intact(arguments, opened):
    """Raises `DamagedCheckpointError`, with --verify, before anything is written."""
    for ckpt in opened if arguments.verify else ():
        report = checkpoints.verify(ckpt, _tables.progress("verify"))
        if not report.ok:
            raise DamagedCheckpointError(
                ckpt.prefix,
                "data that its checksums confirm",
                f"damage in {', '.join(report.damaged[:3]) or report.damages[0].what}",
                "Nothing was written. 'tfgraphtools ckpt verify --salvage OUT' writes the rest.",
            )


def _write_one(arguments, make):
    with checkpoint_sources.opened(arguments.source) as ckpt:
        destination = _destination(arguments, ckpt)
        _require_intact(arguments, [ckpt])
        return finish(arguments, make(ckpt), destination)


def _write_several(arguments, make):
    with contextlib.ExitStack() as stack:
        opened = [
            stack.enter_context(checkpoint_sources.opened(path)) for path in arguments.sources
        ]
        _require_intact(arguments, opened)
        return finish(arguments, make(opened), arguments.destination)
