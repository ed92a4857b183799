"""Graphs with the shapes of their tensors: a frozen graph has none, and TensorFlow infers them."""

import os
import tempfile

from tfgraphtools.checkpoints.facts.graph_ops import Graph
from tfgraphtools.checkpoints.graphs import cuts, meta_graph_files

_BATCH = 7  # no size of a map is a multiple of it by habit


def says_shapes(graph):
    """Tells whether some node of a `Graph` says the shapes of its outputs."""
    return any("_output_shapes" in node.attrs for node in graph.nodes.values())


def of_file(path):
    """Returns the `Graph` of a file with the shapes that TensorFlow infers, or None.

    None: TensorFlow is not installed, or does not import the graph. Batches have `_BATCH`
    elements, so that what is computed of their shapes is known, too.
    """
    try:
        import tensorflow as tf

        graph_def = meta_graph_files.read_meta(path).graph_def
        for node in graph_def.node:
            sizes = node.attr["shape"].shape.dim if node.op in cuts.PLACEHOLDERS else ()
            if sizes and sizes[0].size < 0:
                sizes[0].size = _BATCH
        graph = tf.Graph()
        with graph.as_default():
            tf.compat.v1.import_graph_def(graph_def, name="")
        return of_graph_def(graph.as_graph_def(add_shapes=True))
    except Exception:  # an op that this TensorFlow lacks, or what its functions raise
        return None


def of_graph_def(graph_def):
    """Returns the `Graph` of a GraphDef."""
    descriptor, path = tempfile.mkstemp(suffix=".pb")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(graph_def.SerializeToString())
        return Graph(path)
    finally:
        os.remove(path)
