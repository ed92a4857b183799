"""The graphs in a file, of whichever kind: told by its content, since names lie."""

import collections
import os
import re
import struct

from tfgraphtools import regular_files
from tfgraphtools.checkpoints.format.wire import (
    Malformed,
    expect_bytes,
    fields,
    last_fields,
    reading,
    text,
)
from tfgraphtools.checkpoints.read import paths, pointer_files
from tfgraphtools.errors import CheckpointNotFoundError, DamagedCheckpointError, TfgraphtoolsError
from tfgraphtools.graphs.reading import events, text_format

NEXT_STEP = (
    "Pass a .meta, a .pb or .pbtxt of a GraphDef, a SavedModel, a TF-Hub module or an event file."
)

GRAPH, META_GRAPH, SAVED_MODEL = "GraphDef", "MetaGraphDef", "SavedModel"
HUB_MODULE, EVENT_FILE = "TF-Hub module", "event file"

#: The content of a file. ``kind``: one of the above; ``meta_graphs``: serialized MetaGraphDefs;
#: ``graph``: a serialized GraphDef where there is none; ``is_text``: it is in the text format;
#: ``notes``: what a reader should know.
Content = collections.namedtuple("Content", "path kind meta_graphs graph is_text notes")

_OP = re.compile(r"[A-Za-z_][\w.>/-]*")
_LAST_OF_A_NODE = 7  # the highest number of a field
_TEXT = re.compile(r"\ufeff?(?:\s|#[^\n]*\n)*(?P<field>[a-z_]+)\s*(?::\s*)?[{<\"'\d]")
_TEXT_KINDS = {
    "node": "Graph",
    "library": "Graph",
    "versions": "Graph",
    "version": "Graph",
    "meta_info_def": "MetaGraph",
    "graph_def": "MetaGraph",
    "saver_def": "MetaGraph",
    "collection_def": "MetaGraph",
    "signature_def": "MetaGraph",
    "saved_model_schema_version": "SavedModel",
    "meta_graphs": "SavedModel",
}
_SAVED_MODELS = ("saved_model.pb", "saved_model.pbtxt")
_HUB = "tfhub_module.pb"
_HEAD = 4096  # bytes that tell text and records from messages


def read(path):
    """Returns the `Content` of a file, or of the folder of a SavedModel.

    Raises:
      DamagedCheckpointError: it holds no graph.
      FileNotFoundError: there is no such file.
    """
    path, is_hub_module = _located(os.fspath(path))
    regular_files.require(path)
    problem, step = pointer_files.words(path)
    if problem:
        raise DamagedCheckpointError(path, "a graph", problem, step)
    with reading(path, NEXT_STEP):
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            file.seek(0)
            if events.is_event_file(head):
                return _of_events(path, file)
            data = file.read()
        content = _of_text(path, head, data) or _of_bytes(path, data)
    return content._replace(kind=HUB_MODULE) if is_hub_module else content


def _located(path):
    """Returns (the file that holds the graph, whether it is a TF-Hub module)."""
    folder, name = os.path.split(path)
    if os.path.isdir(path):
        folder = path
    elif name != _HUB and name not in _SAVED_MODELS:
        graph = path + ".meta"  # the prefix of a checkpoint
        return (path if os.path.exists(path) or not os.path.exists(graph) else graph), False
    is_hub_module = os.path.isfile(os.path.join(folder, _HUB))
    for candidate in _SAVED_MODELS if os.path.isdir(path) or name == _HUB else (name,):
        if os.path.isfile(os.path.join(folder, candidate)):
            return os.path.join(folder, candidate), is_hub_module
    if not os.path.isdir(path):
        return path, is_hub_module
    return _in_folder(folder), False


def _in_folder(folder):
    """Returns the ``.meta`` beside the checkpoint of a folder."""
    try:
        graph = paths.find(folder).prefix + ".meta"
    except (CheckpointNotFoundError, TfgraphtoolsError):
        graph = ""
    if not os.path.isfile(graph):
        got = "a folder without saved_model.pb, and without a checkpoint that has a .meta"
        raise CheckpointNotFoundError(folder, "a graph", got, NEXT_STEP)
    return graph


def _of_events(path, file):
    records = list(events.graphs(file))
    if not records:
        raise Malformed("an event file without a graph")
    meta_graphs = [data for number, data in records if number == events.META_GRAPH]
    plain_graphs = [data for number, data in records if number == events.GRAPH]
    several = max(len(meta_graphs), len(plain_graphs))
    notes = [f"the file has {several} graphs: this is the last one"] if several > 1 else []
    if meta_graphs:
        return Content(path, EVENT_FILE, meta_graphs[-1:], b"", False, notes)
    return Content(path, EVENT_FILE, [], plain_graphs[-1], False, notes)


def _of_text(path, head, data):
    """Returns the `Content` of a file in the text format; None if it is none."""
    if b"\0" in head:
        return None
    match = _TEXT.match(head.decode("utf-8", "replace"))
    message = _TEXT_KINDS.get(match.group("field")) if match else None
    if message is None:
        return None
    data = text_format.to_bytes(data.decode("utf-8", "surrogateescape").lstrip("\ufeff"), message)
    if message == "Graph":
        return Content(path, GRAPH, [], data, True, [])
    if message == "MetaGraph":
        return Content(path, META_GRAPH, [data], b"", True, [])
    return Content(path, SAVED_MODEL, _meta_graphs(data), b"", True, [])


def _of_bytes(path, data):
    if not data:
        raise Malformed("an empty file")
    first, value = next(fields(memoryview(data)))
    if first == 1 and isinstance(value, int):
        return Content(path, SAVED_MODEL, _meta_graphs(data), b"", False, [])
    if first == 1 and _is_node(value) or first == 4 and _is_graph(data):
        return Content(path, GRAPH, [], data, False, [])
    parts = dict(fields(memoryview(data)))
    if 2 in parts and (_is_graph(expect_bytes(parts[2])) or not parts[2]):
        return Content(path, META_GRAPH, [data], b"", False, [])
    if 2 in parts and _is_graph(expect_bytes(last_fields(parts[2]).get(2, b""))):
        return Content(path, SAVED_MODEL, _meta_graphs(data), b"", False, [])
    if _is_graph(data):
        return Content(path, GRAPH, [], data, False, [])
    raise Malformed("data that is no graph")


def _meta_graphs(data):
    graphs = [bytes(expect_bytes(v)) for number, v in fields(memoryview(data)) if number == 2]
    if not graphs:
        raise Malformed("a SavedModel without a graph")
    return graphs


def _is_graph(data):
    """Tells whether a message has a node as GraphDefs have."""
    return any(number == 1 and _is_node(value) for number, value in fields(data))


def _is_node(value):
    """Tells whether a field is a NodeDef: a name, an op, which is a word, and no other's fields."""
    try:
        parts = last_fields(value)
        is_named = isinstance(parts.get(1), (bytes, memoryview)) and max(parts) <= _LAST_OF_A_NODE
        return is_named and bool(_OP.fullmatch(text(parts.get(2, b""))))
    except (Malformed, IndexError, TypeError, struct.error):
        return False
