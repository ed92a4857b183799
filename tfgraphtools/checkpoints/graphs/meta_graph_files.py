"""MetaGraphDefs from any file with a graph: ``.meta``, ``.pb``, SavedModel."""

import os

from tfgraphtools import regular_files
from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow
from tfgraphtools.errors import GraphExportError

SAVED_MODEL = "saved_model.pb"
_SERVE = "serve"


def read_meta(path):
    """Returns the MetaGraphDef in a file, as a copy that can be changed.

    Args:
      path: a ``.meta``, the ``.pb`` of a GraphDef, or the folder of a SavedModel: its graph with
        the tag "serve", or its only one.

    Raises:
      GraphExportError: the file holds no graph.
    """
    v1 = require_tensorflow(path).compat.v1
    if os.path.isdir(path):
        return _of_saved_model(path)
    regular_files.require(path)
    with open(path, "rb") as file:
        data = file.read()
    meta = _parsed(v1.MetaGraphDef, data)
    if meta is None or not meta.graph_def.node:
        graph_def = _parsed(v1.GraphDef, data)
        meta = v1.MetaGraphDef(graph_def=graph_def)
    if not meta.graph_def.node:
        raise GraphExportError(
            path,
            "a MetaGraphDef or a GraphDef",
            "no nodes of a graph",
            "Pass the .meta beside the checkpoint, or a .pb or .pbtxt.",
        )
    return meta


def _parsed(message, data):
    """Returns the protocol buffer in some bytes or in its text, or None."""
    from google.protobuf import text_format

    for parse in (message.FromString, lambda text: text_format.Parse(text, message())):
        try:
            return parse(data)
        except Exception:  # protobuf's own classes, which have moved between its versions
            continue
    return None


def _of_saved_model(folder):
    from tensorflow.core.protobuf import saved_model_pb2

    path = os.path.join(folder, SAVED_MODEL)
    if not os.path.isfile(path):
        raise GraphExportError(
            folder, "a SavedModel", f"no file {path}", "Pass a folder with a saved_model.pb."
        )
    with open(path, "rb") as file:
        model = _parsed(saved_model_pb2.SavedModel, file.read())
    graphs = list(model.meta_graphs) if model is not None else []
    serving = [meta for meta in graphs if _SERVE in meta.meta_info_def.tags] or graphs
    if len(serving) != 1:
        raise GraphExportError(
            path,
            f"one graph with the tag {_SERVE!r}",
            f"{len(serving)} graphs" if graphs else "no graph",
            "Export the SavedModel again.",
        )
    require_tf1(serving[0], path)
    return serving[0]


def require_tf1(meta, path):
    """Raises `GraphExportError` for the MetaGraphDef of a SavedModel that TF 2 wrote."""
    if meta.HasField("object_graph_def"):
        raise GraphExportError(
            path,
            "a SavedModel of TF 1",
            "one of TF 2, which holds objects",
            "Load it with tf.saved_model.load: its variables can be trained.",
        )
