"""The options --check and --tolerance: the graph and the converted model on the same inputs."""

import argparse
import sys
from typing import Any, Dict, Optional, Tuple

from tfgraphtools import graphs
from tfgraphtools.errors import UsageError

#: The options, for `ckpt convert --to torch` and `--to keras`.
OPTIONS = {
    "check": {
        "nargs": "*",
        "metavar": "INPUT=SHAPE",
        "help": "run the graph of the .meta and the converted --model on the same inputs, compare "
        "the outputs and exit with 1 if they differ; for example x=?,28,28,1, in the order of the "
        "model's inputs; nothing: all placeholders",
    },
    "tolerance": {
        "type": float,
        "metavar": "SHARE",
        "help": "the largest difference of --check, as a share of an output's largest value "
        "(default: 1e-4)",
    },
}


def require(arguments: argparse.Namespace) -> None:
    """Raises `UsageError` before any work if --check cannot be done."""
    if arguments.check is None:
        return
    if not arguments.model or arguments.dry_run:
        raise UsageError(
            "--check",
            "--model, which can be called, and a conversion",
            "--dry-run" if arguments.dry_run else "no --model",
            "Pass --model model.py:function, and leave --dry-run out.",
        )
    shapes(arguments)


def shapes(arguments: argparse.Namespace) -> Dict[str, Tuple[Optional[int], ...]]:
    """Returns {input: shape} of --check x=?,28,28,1."""
    shapes_of_inputs = {}
    for text in arguments.check or ():
        name, sign, sizes = text.partition("=")
        words = [word.strip() for word in sizes.split(",")]
        if not sign or not all(word == "?" or word.isdigit() for word in words):
            raise UsageError("--check", "INPUT=SHAPE", repr(text), "Write --check x=?,28,28,1.")
        shapes_of_inputs[name] = tuple(None if word == "?" else int(word) for word in words)
    return shapes_of_inputs


def run(arguments: argparse.Namespace, ckpt: Any, plan: Any, model: Any) -> int:
    """Compares a model that has the values with the graph, and prints it; returns the exit code."""
    result = graphs.check_model(
        ckpt,
        model,
        shapes(arguments),
        arguments.meta or ckpt.prefix + ".meta",
        tolerance=1e-4 if arguments.tolerance is None else arguments.tolerance,
        layers={match.target.name: sorted(match.fit.leaves.values()) for match in plan.matches},
    )
    print(f"check: {result}", file=sys.stderr if arguments.json else sys.stdout)
    return 0 if result.ok else 1
