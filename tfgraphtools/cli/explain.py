"""``tfgraphtools explain``: why a gradient in a saved graph is None, zero or there."""

import argparse

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


def run(arguments: argparse.Namespace) -> int:
    """Prints the explanation; 0 if every gradient is live, 1 if one is not."""
    import json

    from tfgraphtools import gradients

    explanation = gradients.explain_file(arguments.graph, arguments.y, arguments.x)
    for path, write in ((arguments.dot, explanation.to_dot), (arguments.html, explanation.to_html)):
        if path:
            with open(path, "w", encoding="utf-8") as file:
                file.write(write())
    found = explanation.as_dict()
    print(json.dumps(found, indent=2) if arguments.json else explanation)
    return 0 if all(x["verdict"] == "live" for x in found["xs"]) else 1
