"""`ckpt ls` and `ckpt show`: what is in a checkpoint, and what one tensor is like."""

import re
import sys
from typing import Any, Iterator

from tfgraphtools import checkpoints
from tfgraphtools.cli import _tables
from tfgraphtools.cli._tables import print_json
from tfgraphtools.cli.ckpt.sources import opened
from tfgraphtools.errors import MissingExtraError, UsageError


def add_words(words: Any) -> None:
    """Adds the words to the parser."""
    ls = words.add_parser("ls", help="list the tensors", description="List the tensors.")
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
    ls.set_defaults(word=_ls)
    show = words.add_parser(
        "show",
        help="show values, statistics and a histogram of one tensor",
        description="Show values, statistics and a histogram of one tensor.",
    )
    show.add_argument("checkpoint", help="a checkpoint: its prefix, .index file or folder")
    show.add_argument("name", help="the name of the tensor")
    show.add_argument(
        "--slice", metavar="INDEX", help="the part to show, for example 0:10,3 (default: all)"
    )
    show.add_argument(
        "--bins",
        type=int,
        default=20,
        metavar="N",
        help="number of bars of the histogram (default: 20)",
    )
    show.add_argument("--png", metavar="FILE", help="write the histogram as a picture")
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(word=_show)


# ls -------------------------------------------------------------------------


def _ls(arguments):
    with opened(arguments.checkpoint, allow_missing_shards=True) as ckpt:
        found = checkpoints.listing(ckpt)
        _say_missing(ckpt.store.missing_shards())
        head = {"prefix": ckpt.prefix, "format": ckpt.format, "shards": ckpt.num_shards}
    if arguments.match is not None:
        found = _matching(found, arguments.match)
    if arguments.sort == "size":
        found = sorted(found, key=lambda row: -(row.bytes or 0))
    head["bytes"] = sum(row.bytes or 0 for row in found)
    if arguments.json:
        print_json(
            dict(head, tensors=[dict(row._asdict(), shape=list(row.shape)) for row in found])
        )
    elif arguments.tree or arguments.depth is not None:
        sys.stdout.write("".join(line + "\n" for line in _tree_lines(found, arguments.depth)))
    else:
        sys.stdout.write("".join(line + "\n" for line in _flat_lines(found, head)))
    return 0


def _say_missing(paths):
    """An index alone lists its tensors; their values are elsewhere."""
    if paths:
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        print(
            "note: no {}{}: the index lists tensors whose values are not here".format(
                ", ".join(paths[:3]), more
            ),
            file=sys.stderr,
        )


def _matching(found, pattern):
    from tfgraphtools.checkpoints.plans import rules

    kept = rules.matching(pattern, [row.name for row in found], "--match")
    return [row for row in found if row.name in kept]


def _flat_lines(found, head):
    rows = [
        [row.name, row.dtype, _shape(row), _tables.size(row.bytes), _slot(row)] for row in found
    ]
    headers = ["name", "dtype", "shape", "size", "slot"]
    if not any(row.owner or row.uncertain for row in found):
        headers, rows = headers[:-1], [row[:-1] for row in rows]
    lines = _tables.table(headers, rows, _tables.terminal_width(), right=[3])
    slots = sum(row.bytes or 0 for row in found if row.owner)
    lines.append(
        "{}, {}{}; {}, {}".format(
            _tables.counted(len(found), "tensor"),
            _tables.size(head["bytes"]),
            f", of which slots {_tables.size(slots)}" if slots else "",
            head["format"],
            _tables.counted(head["shards"], "shard"),
        )
    )
    return lines


def _slot(row):
    """The slot's name; and its variable, where the tensor's name does not begin with that."""
    if row.uncertain:
        return "uncertain"
    if row.owner is None or row.name == f"{row.owner}/{row.slot}":
        return row.slot or ""
    return f"{row.slot} of {row.owner}"


def _shape(row):
    return "[{}]{}".format(
        ", ".join(map(str, row.shape)), f" in {row.slices} slices" if row.slices else ""
    )


def _tree_lines(found, depth):
    from tfgraphtools.checkpoints.check.listings import tree

    rows = []
    root = tree(found)
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
        dtype, shape = (child.row.dtype, _shape(child.row)) if child.row else ("", "")
        tensors = str(child.tensors) if child.children else ""
        rows.append(
            [indent + marks[is_last] + part, dtype, shape, tensors, _tables.size(child.bytes)]
        )
        deeper = indent + ("   " if is_last else marks[2])
        _add_branches(rows, child, deeper, marks, None if depth is None else depth - 1)


# show -----------------------------------------------------------------------


def parse_index(text: str) -> tuple:
    """The index in ``0:10, 3, ...``; raises `UsageError` for anything else."""
    items = []
    for item in text.split(","):
        parts = item.strip().split(":")
        if item.strip() == "...":
            items.append(Ellipsis)
        elif all(re.fullmatch(r"\s*(-?\d+)?\s*", part) for part in parts) and len(parts) in (
            1,
            2,
            3,
        ):
            numbers = [int(part) if part.strip() else None for part in parts]
            if len(parts) == 1 and numbers[0] is not None:
                items.append(numbers[0])
                continue
            if len(parts) > 1 and (len(parts) < 3 or numbers[2] != 0):
                items.append(slice(*numbers))
                continue
            raise _bad_index(text)
        else:
            raise _bad_index(text)
    return tuple(items)


def _bad_index(text):
    return UsageError(
        "the index", "numbers and ranges, separated by commas", repr(text), "Write 0:10,3 or ...,0."
    )


def _show(arguments):
    index = None if arguments.slice is None else parse_index(arguments.slice)
    if arguments.bins < 1:
        raise UsageError("--bins", "1 or more", str(arguments.bins), "Leave it out for 20.")
    with opened(arguments.checkpoint, allow_missing_shards=True) as ckpt:
        info = ckpt.info(arguments.name)
        array = ckpt.read(arguments.name, index)
    found = checkpoints.statistics(array, arguments.bins)
    if arguments.json:
        print_json(
            dict(
                {
                    "name": info.name,
                    "dtype": info.dtype,
                    "shape": list(info.shape),
                    "bytes": info.bytes,
                },
                values=_plain(array) if array.size <= 1000 else None,
                **found._asdict(),
            )
        )
    else:
        print("\n".join(_show_lines(info, array, found, index)))
    if arguments.png:
        _write_png(arguments.png, info.name, found)
    return 0


def _plain(array):
    """Nested lists that JSON can say: bytes as text, complex numbers and NaN as words."""

    def one(value):
        if isinstance(value, bytes):
            return value.decode("utf-8", "backslashreplace")
        if isinstance(value, complex) or value != value or value in (float("inf"), float("-inf")):
            return str(value)
        return value

    def walk(value):
        return [walk(item) for item in value] if isinstance(value, list) else one(value)

    return walk(array.tolist())


def _show_lines(info, array, found, index):
    import numpy as np

    width = _tables.terminal_width() or 100
    yield f"{info.name}  {info.dtype} {list(info.shape)}  {_tables.size(info.bytes)}"
    if index is not None:
        yield f"the slice has the shape {list(array.shape)}"
    with np.printoptions(linewidth=width, threshold=200, edgeitems=3):
        yield str(array)
    if found.minimum is not None:
        yield ""
        yield "{} values: min {}  max {}  mean {}  std {}".format(
            found.elements,
            *map(_tables.number, (found.minimum, found.maximum, found.mean, found.std)),
        )
    odd = [(found.zeros, "zero"), (found.nan, "NaN"), (found.infinite, "infinite")]
    if any(count for count, _ in odd):
        yield ", ".join(f"{count} {word}" for count, word in odd if count)
    yield from histogram(found, width)


def histogram(found: Any, width: int) -> Iterator[str]:
    """The lines of a histogram: one bar for each bin, at most ``width`` columns."""
    if not found.counts or found.elements < 2:
        return
    labels = [_tables.number(edge) for edge in found.edges]
    pad, largest = max(map(len, labels)), max(found.counts)
    counts = max(len(str(count)) for count in found.counts)
    room = max(10, min(width, 120) - 2 * pad - counts - 8)
    bar = "█" if _tables.can_print("█") else "#"
    yield ""
    for low, high, count in zip(labels, labels[1:], found.counts):
        length = -(-count * room // largest)
        yield "{:>{pad}} .. {:>{pad}}  {:>{counts}}  {}".format(
            low, high, count, bar * length, pad=pad, counts=counts
        ).rstrip()


def _write_png(path, name, found):
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError(
            "--png", "matplotlib", "no such package", "pip install 'tfgraphtools[plot]'"
        ) from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    if found.counts:
        lows, highs = found.edges[:-1], found.edges[1:]
        axes.bar(
            lows,
            found.counts,
            [b - a for a, b in zip(lows, highs)],
            align="edge",
            edgecolor="white",
            linewidth=0.5,
        )
    axes.set_xlabel("value")
    axes.set_ylabel("count")
    axes.set_title(
        f"{name}   mean {_tables.number(found.mean)}, std {_tables.number(found.std)}",
        fontsize=10,
        parse_math=False,
    )
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
