"""Graphs as TensorFlow stores them: where they are in a file, and their nodes.

A ``.meta`` (MetaGraphDef), a frozen or plain ``.pb`` (GraphDef) and a ``saved_model.pb``.
"""

import collections

from tfgraphtools.checkpoints.format.wire import expect_bytes, fields, last_fields, text

#: A node of a graph; ``attrs``: {name: the serialized AttrValue}.
Node = collections.namedtuple("Node", "name op inputs attrs")


def graphs(data, path):
    """Yields the serialized GraphDefs in a file, of whichever of the three kinds it is."""
    for graph, _ in with_savers(data, path):
        yield graph


def with_savers(data, path):
    """Yields (serialized GraphDef, the op by which its Saver restores or "") of a file."""
    if path.endswith(".meta"):
        yield _with_saver(data)
        return
    top = list(fields(data))
    if top and isinstance(top[0][1], int) and top[0][0] == 1:  # SavedModel: a version comes first
        for number, meta_graph in top:
            if number == 2:
                yield _with_saver(expect_bytes(meta_graph))
        return
    yield data, ""


def _with_saver(meta_graph):
    parts = last_fields(meta_graph)
    saver = last_fields(expect_bytes(parts.get(3, b"")))
    return expect_bytes(parts.get(2, b"")), text(saver.get(3, b""))


def node(data):
    """Returns the `Node` in a serialized NodeDef."""
    name = op = ""
    inputs, attrs = [], {}
    for number, value in fields(data):
        if number == 1:
            name = text(value)
        elif number == 2:
            op = text(value)
        elif number == 3:
            inputs.append(text(value))
        elif number == 5:
            pair = last_fields(expect_bytes(value))
            attrs[text(pair.get(1, b""))] = pair.get(2, b"")
    return Node(name, op, inputs, attrs)
