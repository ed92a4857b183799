"""`ckpt ls`: the tensors of a checkpoint, as a table or as a tree."""

import functools
import sys
from typing import Any

from tfgraphtools import checkpoints, garbage_collector
from tfgraphtools.cli import _tables
from tfgraphtools.cli._tables import print_json
from tfgraphtools.cli.ckpt.checkpoint_sources import opened
from tfgraphtools.errors import UsageError


def add_subcommands(subparsers: Any) -> None:
    """Adds the subcommand to the parser."""
    ls = subparsers.add_parser("ls", help="list the tensors", description="List the tensors.")
    ls.add_argument("checkpoint", help="a checkpoint: its prefix, .index file or folder")
    ls.add_argument("--tree", action="store_true", help="group by scope, with totals")
    ls.add_argument("--depth", type=int, metavar="N", help="depth of the tree (implies --tree)")
    ls.add_argument(
        "--match", metavar="PATTERN", help="only names that match this pattern completely"
    )
    ls.add_argument(
        "--sort", choices=["name", "size"], default="name", help="sort order (default: name)"
    )
    ls.add_argument("--json", action="store_true", help="print JSON")
    ls.set_defaults(subcommand=_ls)


def _ls(arguments):
    with garbage_collector.paused():
        return _list(arguments)


def _list(arguments):
    if arguments.depth is not None and arguments.depth < 0:
        raise UsageError("--depth", "0 or more", str(arguments.depth), "1 shows the outer scopes.")
    with opened(arguments.checkpoint, allow_missing_shards=True) as ckpt:
        rows = checkpoints.listing(ckpt)
        _say_missing(ckpt.store.missing_shards())
        head = {"prefix": ckpt.prefix, "format": ckpt.format, "shards": ckpt.num_shards}
    if arguments.match is not None:
        rows = _matching(rows, arguments.match)
    if arguments.sort == "size":
        rows = sorted(rows, key=lambda row: -(row.bytes or 0))
    head["bytes"] = sum(row.bytes or 0 for row in rows)
    if arguments.json:
        print_json(dict(head, tensors=[dict(row._asdict(), shape=list(row.shape)) for row in rows]))
    elif arguments.tree or arguments.depth is not None:
        sys.stdout.write("".join(line + "\n" for line in _tree_lines(rows, arguments.depth)))
    else:
        sys.stdout.write("".join(line + "\n" for line in _flat_lines(rows, head)))
    return 0


def _say_missing(paths):
    """Says that an index alone lists its tensors and their values are elsewhere."""
    if paths:
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        print(
            "note: no {}{}: the index lists tensors whose values are not here".format(
                ", ".join(paths[:3]), more
            ),
            file=sys.stderr,
        )


def _matching(rows, pattern):
    from tfgraphtools.checkpoints.plans import rules

    kept = rules.matching(pattern, [row.name for row in rows], "--match")
    return [row for row in rows if row.name in kept]


def _flat_lines(tensors, head):
    rows = [
        [row.name, row.dtype, _shape(row.shape, row.slices), _tables.size(row.bytes)]
        for row in tensors
    ]
    headers = ["name", "dtype", "shape", "size"]
    if any(row.owner or row.uncertain for row in tensors):
        headers.append("slot")
        for row, texts in zip(tensors, rows):
            texts.append(_slot(row))
    lines = _tables.table(headers, rows, _tables.terminal_width(), right=[3])
    slots = sum(row.bytes or 0 for row in tensors if row.owner)
    lines.append(
        "{}, {}{}; {}, {}".format(
            _tables.counted(len(tensors), "tensor"),
            _tables.size(head["bytes"]),
            f", of which slots {_tables.size(slots)}" if slots else "",
            head["format"],
            _tables.counted(head["shards"], "shard"),
        )
    )
    return lines


def _slot(row):
    """Returns the slot's name, and its variable where the tensor's name does not say it."""
    if row.uncertain:
        return "uncertain"
    if row.owner is None or row.name == f"{row.owner}/{row.slot}":
        return row.slot or ""
    return f"{row.slot} of {row.owner}"


@functools.lru_cache(maxsize=4096)  # models repeat their shapes
def _shape(shape, slices):
    return "[{}]{}".format(", ".join(map(str, shape)), f" in {slices} slices" if slices else "")


def _tree_lines(tensors, depth):
    from tfgraphtools.checkpoints.check.listings import tree

    rows = []
    root = tree(tensors)
    marks = ("├─ ", "└─ ", "│  ") if _tables.can_print("├└│") else ("|- ", "`- ", "|  ")
    rows.append(["(all)", "", "", str(root.tensors), _tables.size(root.bytes)])
    _add_branches(rows, root, "", marks, depth)
    headers = ["scope", "dtype", "shape", "tensors", "size"]
    return _tables.table(headers, rows, _tables.terminal_width(), right=[3, 4])


def _add_branches(rows, scope, indent, marks, depth):
    """Appends a row for each child, down to ``depth`` more levels."""
    if depth is not None and depth <= 0:
        return
    for i, (part, child) in enumerate(scope.children.items()):
        is_last = i == len(scope.children) - 1
        dtype, shape = (
            (child.row.dtype, _shape(child.row.shape, child.row.slices)) if child.row else ("", "")
        )
        tensors = str(child.tensors) if child.children else ""
        rows.append(
            [indent + marks[is_last] + part, dtype, shape, tensors, _tables.size(child.bytes)]
        )
        deeper = indent + ("   " if is_last else marks[2])
        _add_branches(rows, child, deeper, marks, None if depth is None else depth - 1)
