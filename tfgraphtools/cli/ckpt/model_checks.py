"""The options --check, --no-check and --tolerance: the graph and the model on the same inputs.

Without any of them a conversion for a --model is checked where the graph runs, before the file is
in its place. Where that cannot be, one line says why.
"""

import argparse
import os
import sys
from typing import Any, Dict, Optional, Tuple

from tfgraphtools import graphs
from tfgraphtools.cli.ckpt import checkpoint_sources
from tfgraphtools.errors import UsageError

#: The options, for `ckpt convert --to torch` and `--to keras`.
OPTIONS = {
    "check": {
        "nargs": "*",
        "metavar": "INPUT=SHAPE",
        "help": "run the graph of the .meta and the converted --model on the same inputs, compare "
        "the outputs, and write nothing and exit with 1 if they differ: the default where the "
        "graph runs; for example x=?,28,28,1, in the order of the model's inputs; nothing: all "
        "placeholders",
    },
    "no-check": {
        "action": "store_true",
        "help": "do not run the graph and the model",
    },
    "tolerance": {
        "type": float,
        "metavar": "SHARE",
        "help": "the largest difference of --check, as a share of an output's largest value "
        "(default: 1e-4)",
    },
}


_MOST = 300  # characters of a reason


def require(arguments: argparse.Namespace) -> None:
    """Raises `UsageError` before any work if --check cannot be done."""
    if arguments.check is None:
        return
    if not arguments.model or arguments.dry_run or arguments.no_check:
        got = "--dry-run" if arguments.dry_run else "no --model"
        raise UsageError(
            "--check",
            "--model, which can be called, and a conversion",
            "--no-check" if arguments.no_check else got,
            "Pass --model model.py:function, and leave --dry-run and --no-check out.",
        )
    shapes(arguments)


def is_due(arguments: argparse.Namespace) -> bool:
    """Tells whether a conversion is to be checked, or to say why it is not."""
    return bool(arguments.model) and not arguments.dry_run and not arguments.no_check


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
    output = sys.stderr if arguments.json else sys.stdout
    graph = arguments.meta or ckpt.prefix + ".meta"
    reason = None if arguments.check is not None else _reason(arguments, plan, model, graph)
    result = None
    if reason is None:
        try:
            result = _result(arguments, ckpt, plan, model, graph)
        except Exception as error:  # nobody asked for it: a graph may fail as it likes
            if arguments.check is not None:
                raise
            reason = (" ".join(str(error).split()) or type(error).__name__)[:_MOST]
    if result is not None and arguments.check is None and not result.is_comparable:
        result, reason = None, "no output of the graph is certainly that of the model"
    if result is None:
        print(f"check: nothing was compared: {reason}", file=output)
        return 0
    print(f"check: {result}", file=output)
    if result.ok and _steps_alike(arguments, plan, graph, output):
        return 0
    print("nothing was written; --no-check writes the model without a check", file=sys.stderr)
    return 1


def _steps_alike(arguments, plan, graph, output):
    """Compares a step of the optimizer with the graph's, and prints it; False if it differs."""
    if plan.state is None:
        return True
    try:
        result = graphs.check_step(plan, graph, _tolerance(arguments))
    except Exception as error:  # as in `run`: a graph may fail as it likes
        words = " ".join(str(error).split()) or type(error).__name__
        print(f"check: no training step was compared: {words[:_MOST]}", file=output)
        return True
    print(f"check: {result}", file=output)
    return result.ok


def _tolerance(arguments):
    return 1e-4 if arguments.tolerance is None else arguments.tolerance


def _result(arguments, ckpt, plan, model, graph):
    return graphs.check_model(
        ckpt,
        model,
        shapes(arguments),
        graph,
        tolerance=_tolerance(arguments),
        layers={match.target.name: sorted(match.fit.leaves.values()) for match in plan.matches},
    )


def _reason(arguments, plan, model, graph):
    """Returns why a conversion cannot be checked without being asked to, or None."""
    if not os.path.isfile(graph):
        return f"no graph {graph} (--meta)"
    if model is None:
        return "the model is no code that can be called (--model model.py:function)"
    if checkpoint_sources.averages_asked_for(arguments):
        return "the graph reads the weights, not their averages"
    if getattr(arguments, "cast", None):
        return "the types differ (--cast)"
    if plan.kept:
        return "the model keeps values of its own (--keep)"
    return None
