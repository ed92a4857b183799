"""`ckpt show`: the values, the statistics and a histogram of one tensor."""

import io
import os
from typing import Any, Iterator

from tfgraphtools import checkpoints, files
from tfgraphtools.cli import _outputs, _tables
from tfgraphtools.cli._tables import print_json
from tfgraphtools.cli.ckpt.checkpoint_sources import opened
from tfgraphtools.cli.ckpt.index_option import parse_index
from tfgraphtools.errors import (
    CheckpointNotFoundError,
    MissingExtraError,
    TfgraphtoolsError,
    UsageError,
)


def add_subcommands(subparsers: Any) -> None:
    """Adds the subcommand to the parser."""
    show = subparsers.add_parser(
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
    _outputs.add_force(show, "--png")
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(subcommand=_show)


def _opened(arguments):
    """Opens the checkpoint; says so if the tensor's name was given before it."""
    try:
        return opened(arguments.checkpoint, allow_missing_shards=True)
    except CheckpointNotFoundError:
        try:
            checkpoints.open_checkpoint(arguments.name, allow_missing_shards=True).close()
        except TfgraphtoolsError:
            pass
        else:
            raise UsageError(
                "ckpt show",
                "a checkpoint, then the name of a tensor",
                "the name first",
                f"Write: tfgraphtools ckpt show {arguments.name} {arguments.checkpoint}",
            )
        raise


def _show(arguments):
    index = None if arguments.slice is None else parse_index(arguments.slice)
    if arguments.bins < 1:
        raise UsageError("--bins", "1 or more", str(arguments.bins), "Omit it for 20.")
    png = _outputs.claim("--png", arguments.png, [arguments.checkpoint], arguments.force)
    with _opened(arguments) as ckpt:
        info = ckpt.info(arguments.name)
        array = ckpt.read(arguments.name, index)
    statistics = checkpoints.statistics(array, arguments.bins)
    if arguments.json:
        print_json(
            dict(
                {
                    "name": info.name,
                    "dtype": info.dtype,
                    "shape": list(info.shape),
                    "bytes": info.bytes,
                },
                values=_as_json(array) if array.size <= 1000 else None,
                **statistics._asdict(),
            )
        )
    else:
        print("\n".join(_show_lines(info, array, statistics, index)))
    if png:
        png.write_data(_picture(png.path, info.name, statistics))
    return 0


def _as_json(array):
    """Returns nested lists for JSON: bytes as text, complex numbers and NaN as words."""

    def scalar(value):
        if isinstance(value, bytes):
            return value.decode("utf-8", "backslashreplace")
        if isinstance(value, complex) or value != value or value in (float("inf"), float("-inf")):
            return str(value)
        return value

    def walk(value):
        return [walk(item) for item in value] if isinstance(value, list) else scalar(value)

    return walk(array.tolist())


def _show_lines(info, array, statistics, index):
    import numpy as np

    width = _tables.terminal_width() or 100
    yield f"{info.name}  {info.dtype} {list(info.shape)}  {_tables.size(info.bytes)}"
    if index is not None:
        yield f"the slice has the shape {list(array.shape)}"
    with np.printoptions(linewidth=width, threshold=200, edgeitems=3):
        yield str(array)
    if statistics.minimum is not None:
        yield ""
        yield "{} values: min {}  max {}  mean {}  std {}".format(
            statistics.elements,
            *map(
                _tables.number,
                (statistics.minimum, statistics.maximum, statistics.mean, statistics.std),
            ),
        )
    odd = [(statistics.zeros, "zero"), (statistics.nan, "NaN"), (statistics.infinite, "infinite")]
    if any(count for count, _ in odd):
        yield ", ".join(f"{count} {word}" for count, word in odd if count)
    yield from histogram(statistics, width)


def histogram(statistics: Any, width: int) -> Iterator[str]:
    """Yields the lines of a histogram: one bar for each bin, at most ``width`` columns."""
    if not statistics.counts or statistics.elements < 2:
        return
    labels = [_tables.number(edge) for edge in statistics.edges]
    pad, largest = max(map(len, labels)), max(statistics.counts)
    counts = max(len(str(count)) for count in statistics.counts)
    room = max(10, min(width, 120) - 2 * pad - counts - 8)
    bar = "█" if _tables.can_print("█") else "#"
    yield ""
    for low, high, count in zip(labels, labels[1:], statistics.counts):
        length = -(-count * room // largest)
        yield "{:>{pad}} .. {:>{pad}}  {:>{counts}}  {}".format(
            low, high, count, bar * length, pad=pad, counts=counts
        ).rstrip()


#: The fields of a picture's metadata that take a text, by the ending of its name.
_MARKED = {"png": "Comment", "svg": "Description", "pdf": "Keywords"}


def _picture(path, name, statistics):
    """Returns the histogram as a picture of the kind that the path ends in, or as PNG."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError(
            "--png", "matplotlib", "no such package", "Install it: pip install matplotlib."
        ) from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    if statistics.counts:
        lows, highs = statistics.edges[:-1], statistics.edges[1:]
        axes.bar(
            lows,
            statistics.counts,
            [b - a for a, b in zip(lows, highs)],
            align="edge",
            edgecolor="white",
            linewidth=0.5,
        )
    axes.set_xlabel("value")
    axes.set_ylabel("count")
    axes.set_title(
        f"{name}   mean {_tables.number(statistics.mean)}, std {_tables.number(statistics.std)}",
        fontsize=10,
        parse_math=False,
    )
    figure.tight_layout()
    kind = os.path.splitext(path)[1][1:].lower() or "png"
    mark = {_MARKED[kind]: files.MARK} if kind in _MARKED else None
    picture = io.BytesIO()
    figure.savefig(picture, dpi=120, format=kind, metadata=mark)
    pyplot.close(figure)
    return picture.getvalue()
