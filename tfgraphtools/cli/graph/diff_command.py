"""`graph diff`: the ops and results in which two graphs differ."""

import argparse
import sys
from typing import Any

from tfgraphtools.cli import _tables
from tfgraphtools.cli.graph import part_commands


def add_subcommand(subparsers: Any) -> None:
    """Adds the subcommand to the parser."""
    parser = subparsers.add_parser(
        "diff",
        help="compare two graphs, and name the first tensor that differs",
        description="Compare the ops of two graphs by scope, run both on the same inputs, and name "
        "the first tensor that differs. Exits with 1 if an output differs.",
    )
    parser.add_argument("a", metavar="A", help="a graph, as 'graph show' reads it")
    parser.add_argument("b", metavar="B", help="another one")
    parser.add_argument("--outputs", nargs="+", metavar="NAME", help="tensors or ops of both")
    parser.add_argument("--inputs", nargs="+", metavar="NAME", help="input tensors of both")
    parser.add_argument(
        "--checkpoints",
        nargs=2,
        metavar=("PATH_A", "PATH_B"),
        help="of the variables (default: those beside the files)",
    )
    parser.add_argument("--samples", metavar="NPZ", help="arrays to run both with, by input")
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-5,
        metavar="SHARE",
        help="the largest difference, of the largest value of an output (default: 1e-5)",
    )
    parser.add_argument(
        "--keep-training", action="store_true", help="leave training graphs as they are"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(subcommand=_diff)


def _diff(arguments: argparse.Namespace) -> int:
    part_commands.compute_exactly()
    from tfgraphtools import graphs

    result = graphs.diff(
        arguments.a,
        arguments.b,
        part_commands.names_of(arguments.outputs),
        part_commands.names_of(arguments.inputs),
        tuple(arguments.checkpoints or (None, None)),
        part_commands.samples_of(arguments.samples),
        arguments.tolerance,
        arguments.keep_training,
    )
    if arguments.json:
        _tables.print_json(_as_dict(result))
    else:
        sys.stdout.write("".join(line + "\n" for line in _lines(result)))
    return 0 if result.are_equal else 1


def _as_dict(result):
    return {
        "are_equal": result.are_equal,
        "structure": [dict(zip(("scope", "op", "in_a", "in_b"), row)) for row in result.structure],
        "differences": [row._asdict() for row in result.differences],
        "first": None if result.first is None else result.first._asdict(),
    }


def _lines(result):
    width = _tables.terminal_width()
    if result.structure:
        rows = [[scope, op, str(a), str(b)] for scope, op, a, b in result.structure]
        yield from _tables.table(["scope", "op", "in A", "in B"], rows, width, right=[2, 3])
        yield ""
    rows = [
        [row.name, f"{row.difference:.2g}", f"{row.relative:.2g}", row.inputs]
        for row in result.differences
    ]
    yield from _tables.table(["output", "difference", "relative", "on"], rows, width, right=[1, 2])
    if result.first is not None:
        first = result.first
        yield _tables.printable(
            f"first tensor that differs: {first.name} ({first.relative:.2g} of its largest value)"
        )
    elif result.are_equal:
        yield "no difference"
    else:
        yield "no tensor of one name in both differs before the outputs"
