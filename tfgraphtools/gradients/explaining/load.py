"""A graph from any of the files in which TensorFlow keeps one."""

import os

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import GraphFileError


def load_graph(path):
    """Returns a new graph with what the file holds: MetaGraph, GraphDef or SavedModel."""
    name = os.path.join(path, "saved_model.pb") if os.path.isdir(path) else path
    with open(name, "rb") as file:
        data = file.read()
    graph = v1.Graph()
    with graph.as_default():
        try:
            _import(name, data)
        except Exception as error:  # pylint: disable=broad-except  # protobuf's and TF's own
            reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
            raise GraphFileError(
                path,
                "a MetaGraph (.meta), a GraphDef (.pb, .pbtxt) or a SavedModel",
                "another file" if type(error).__name__ == "DecodeError" else reason,
                "Give the file of a graph. Ops of a library: load it in Python, and call "
                "explain_gradient.",
            ) from error
    return graph


def _import(name, data):
    if name.endswith(".meta"):
        v1.train.import_meta_graph(v1.MetaGraphDef.FromString(data), clear_devices=True)
        return
    if name.endswith(".pbtxt"):
        definition = _tf.parse_text(data.decode("utf-8"), v1.GraphDef())
    elif os.path.basename(name) == "saved_model.pb":
        v1.train.import_meta_graph(_tf.saved_model_from(data).meta_graphs[0], clear_devices=True)
        return
    else:
        definition = v1.GraphDef.FromString(data)
    if not definition.node:
        raise ValueError("no nodes")
    tf.graph_util.import_graph_def(definition, name="")
