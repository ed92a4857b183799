"""``tfgraphtools explain``: why a gradient in a saved graph is None, zero or there."""

import argparse
import os

from tfgraphtools.cli import _outputs
from tfgraphtools.errors import UsageError

SUMMARY = "find out whether the gradient of y reaches x in a saved graph, and what stops it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("graph", metavar="GRAPH", help="a graph: .meta, .pb, .pbtxt or SavedModel")
    parser.add_argument("--y", required=True, metavar="NAME", help="a tensor, for example the loss")
    parser.add_argument(
        "--x",
        required=True,
        action="append",
        metavar="NAME",
        help="a tensor or variable; can be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a tree")
    parser.add_argument("--dot", metavar="FILE", help="also write a Graphviz file")
    parser.add_argument("--html", metavar="FILE", help="also write an HTML page")
    _outputs.add_force(parser, "--dot and --html")


def run(arguments: argparse.Namespace) -> int:
    """Prints the explanation; 0 if every gradient is live, 1 if one is not."""
    import json

    from tfgraphtools import gradients

    graph, force = arguments.graph, arguments.force
    dot = _outputs.claim("--dot", arguments.dot, [graph], force)
    html = _outputs.claim("--html", arguments.html, [graph, arguments.dot], force)
    _require_graph(graph)
    explanation = gradients.explain_file(arguments.graph, arguments.y, arguments.x)
    if dot:
        dot.write(explanation.to_dot(), _outputs.IN_DOT)
    if html:
        html.write(explanation.to_html(), _outputs.IN_HTML)
    answers = explanation.as_dict()
    print(json.dumps(answers, indent=2) if arguments.json else explanation)
    return 0 if all(x["verdict"] == "live" for x in answers["xs"]) else 1


def _require_graph(path):
    """Raises `UsageError` where a path is that of a checkpoint, or of a folder without a graph."""
    kinds = "a graph: .meta, .pb, .pbtxt or the folder of a SavedModel"
    if os.path.isfile(path + ".index"):
        fix = f"Write: tfgraphtools explain {path}.meta ..."
        raise UsageError(path, kinds, "the prefix of a checkpoint", fix)
    is_model = any(
        os.path.isfile(os.path.join(path, "saved_model" + end)) for end in (".pb", ".pbtxt")
    )
    if os.path.isdir(path) and not is_model:
        fix = "Give the .meta that Saver.save wrote beside the checkpoint."
        raise UsageError(path, kinds, "a folder without saved_model.pb", fix)
