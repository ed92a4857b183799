"""Parts of a graph that cannot leave the process that built it, or TF 1."""

import collections
import os

from tfgraphtools.checkpoints.facts import graph_ops as attributes
from tfgraphtools.checkpoints.format.wire import expect_bytes, fields, text
from tfgraphtools.checkpoints.graphs.contrib_ops import IN_TF2, MODULE_OF
from tfgraphtools.graphs import op_kinds, tensors

#: ``nodes``: the names of the nodes; ``reason``: why, and what to do.
Obstacle = collections.namedtuple("Obstacle", "op nodes reason")

_PYTHON = "calls a function of the Python process that built the graph: it is not in the file"
_MUTABLE = "the table's content is in no file of the graph: export it as a tensor"
_FILES = "reads a file that is not in the graph"


def obstacles(graph, folder=""):
    """Returns the `Obstacle` list of a graph and its functions, by op.

    Args:
      graph: a `graph_def_nodes.Graph`.
      folder: of its file: a SavedModel has the files of its tables in ``assets``.
    """
    by_op = collections.OrderedDict()
    for node in graph.all_nodes():
        reason = _reason(node, graph, folder)
        if reason:
            by_op.setdefault((node.op, reason), []).append(node.name)
    return [Obstacle(op, names, reason) for (op, reason), names in sorted(by_op.items())]


def _reason(node, graph, folder):
    if node.op in op_kinds.PYTHON:
        return _PYTHON
    if node.op in MODULE_OF and node.op not in IN_TF2:
        return f"a kernel of {MODULE_OF[node.op]}"
    if node.op in op_kinds.MUTABLE_TABLES:
        return _MUTABLE
    if node.op in op_kinds.TABLES_OF_FILES:
        path = _string(graph, node.inputs[1]) if len(node.inputs) > 1 else ""
        asset = "assets/" + path.rpartition("/")[2]
        if path and os.path.isfile(os.path.join(folder, asset)):
            return f"reads a file that only the SavedModel has: {asset}"
        return f"{_FILES}: {path}" if path else _FILES
    return ""


def _string(graph, tensor):
    """Returns the only text of a constant, or ""."""
    node = graph.nodes.get(attributes.endpoint(tensor)[0])
    if node is None or node.op != "Const":
        return ""
    raw = tensors.attribute(node, "value").get(8, b"")
    values = [value for number, value in fields(expect_bytes(raw)) if number == 8]
    return text(values[0]) if len(values) == 1 else ""
