"""`graph source`: a graph as source code that computes the same."""

import argparse
import sys
from typing import Any, Dict

from tfgraphtools import files
from tfgraphtools.cli import _tables, _wording
from tfgraphtools.cli.graph import part_commands
from tfgraphtools.errors import DifferentOutputsError


def add_subcommand(subparsers: Any) -> None:
    """Adds the subcommand to the parser."""
    parser = subparsers.add_parser(
        "source",
        help="write PyTorch or Keras code that computes it, with its weights",
        description="Write a graph as PyTorch or Keras code with a class for each kind of scope, "
        "its weights and their names, and compare outputs and gradients with the original.",
    )
    parser.add_argument("file", metavar="FILE", help="a graph, as 'graph show' reads it")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="the folder to write")
    parser.add_argument(
        "--to",
        default="torch",
        choices=["torch", "keras"],
        help="the library (default: torch); Keras 3, whose backend KERAS_BACKEND names",
    )
    part_commands.add_tensors(parser)
    parser.add_argument(
        "--set",
        action="append",
        dest="constants",
        metavar="PLACEHOLDER=VALUE",
        help="make a placeholder a constant: keep_prob=1.0",
    )
    parser.add_argument(
        "--loss",
        metavar="NAME",
        help="write training.py for torch: the loss behind the outputs, the optimizer with its "
        "state, a step",
    )
    parser.add_argument(
        "--checkpoint", metavar="PATH", help="of the variables (default: the one beside FILE)"
    )
    parser.add_argument("--tags", metavar="TAGS", help="of a SavedModel's graph")
    parser.add_argument(
        "--samples", metavar="NPZ", help="arrays to compare with, by input (default: random ones)"
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-5,
        metavar="SHARE",
        help="the largest difference, of the largest value of an output (default: 1e-5)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite FOLDER")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(subcommand=_run)


def _run(arguments: argparse.Namespace) -> int:
    from tfgraphtools import graphs

    part_commands.compute_exactly()
    read = [arguments.file, arguments.checkpoint, arguments.samples]
    files.require_no_input("--out", arguments.out, [path for path in read if path])
    options = part_commands.options_of_part(arguments)
    try:
        result = graphs.source(
            arguments.file,
            to=arguments.to,
            out=arguments.out,
            tolerance=arguments.tolerance,
            overwrite=arguments.force,
            loss=arguments.loss,
            **options,
        )
    except DifferentOutputsError as error:
        _print(arguments, error.differences, None)
        message = _wording.as_options(str(error), arguments.parser)
        print(f"tfgraphtools: {message}", file=sys.stderr)
        return 1
    for change in result.changes:
        print("note: " + _tables.printable(change), file=sys.stderr)
    _print(arguments, result.differences, result)
    return 0


def _print(arguments, differences, result):
    if arguments.json:
        printed: Dict[str, Any] = {"differences": [row._asdict() for row in differences]}
        if result is not None:
            printed.update(result._asdict(), differences=printed["differences"])
        _tables.print_json(printed)
        return
    sys.stdout.write("".join(line + "\n" for line in part_commands.difference_lines(differences)))
    if result is not None:
        if result.gradients is not None:
            print(f"gradients: {result.gradients:.2g} of the largest one")
        names = ", ".join(f"{name}=..." for name in result.inputs)
        text = f"wrote {result.path}: {result.lines} lines of code; load()({names})"
        print(_tables.printable(text))
