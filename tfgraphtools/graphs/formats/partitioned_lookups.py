"""Lookups in partitioned tables, by ops that TFLite has.

`tf.nn.embedding_lookup` splits the ids by the part of the table that has them, looks each share up
in its part, and puts the rows back in their places.
"""

from tfgraphtools.checkpoints.graphs import constant_branches, cuts, static_shapes
from tfgraphtools.graphs.formats import scratch_nodes

_STITCHES = ("DynamicStitch", "ParallelDynamicStitch")


def rewrite(graph_def, fetched):
    """Puts masks in the place of DynamicPartition, and sorts rows in the place of DynamicStitch.

    A stitch stays, and is refused, unless it puts a partition of 0, 1, ... together again: of
    other places the last row may be one of several.

    Args:
      graph_def: changed in place.
      fetched: the names of the nodes that are fetched.
    """
    import tensorflow as tf

    nodes = {node.name: node for node in graph_def.node}
    outside = [node for node in graph_def.node if not constant_branches.is_in_loop(nodes, node)]
    partitions = [node for node in outside if node.op == "DynamicPartition"]
    if not partitions:
        return
    for node in outside:
        if node.op in _STITCHES and _is_whole(nodes, node):
            _sort_rows(tf, graph_def, node)
    for node in partitions:
        shape = static_shapes.shape_of(graph_def, node.input[1])
        if shape is not None and len(shape) == 1:
            _select(tf, graph_def, node)
    cuts.keep_only(graph_def, cuts.needed(graph_def, fetched))


def _is_whole(nodes, stitch):
    """Tells whether the places of a stitch are all outputs of one partition of a range from 0."""
    places = [cuts.split_tensor(name) for name in stitch.input[: stitch.attr["N"].i]]
    partition = nodes[places[0][0]]
    if partition.op != "DynamicPartition":
        return False
    whole = [(partition.name, part) for part in range(partition.attr["num_partitions"].i)]
    source = nodes[cuts.split_tensor(partition.input[0])[0]]
    if places != whole or source.op != "Range":
        return False
    start, _, step = (nodes[cuts.split_tensor(name)[0]] for name in source.input[:3])
    return [constant_branches.numbers(node) for node in (start, step)] == [[0], [1]]


def _sort_rows(tf, graph_def, node):
    """Writes the rows to their places, each of which is there once."""
    count = node.attr["N"].i
    number = node.attr["T"].type
    data = [name for name in node.input if not name.startswith("^")]
    sources = {f"i{index}": name for index, name in enumerate(data[:count])}
    sources.update({f"x{index}": name for index, name in enumerate(data[count:])})
    with tf.Graph().as_default() as scratch:
        places = [tf.compat.v1.placeholder("int32", [None], f"i{i}") for i in range(count)]
        rows = [tf.compat.v1.placeholder(number, name=f"x{i}") for i in range(count)]
        joined = tf.concat(rows, 0)
        result = tf.scatter_nd(tf.concat(places, 0)[:, None], joined, tf.shape(joined))
    renamed = scratch_nodes.copied(graph_def, scratch, f"{node.name}/form", sources)
    scratch_nodes.become_identity(node, renamed(result.name), number)


def _select(tf, graph_def, node):
    """Makes the readers of a partition read the rows of each part."""
    data, parts = node.input[:2]
    with tf.Graph().as_default() as scratch:
        x = tf.compat.v1.placeholder(node.attr["T"].type, name="x")
        part_of = tf.compat.v1.placeholder("int32", [None], "parts")
        results = []
        for part in range(node.attr["num_partitions"].i):
            rows = tf.cast(tf.where(tf.equal(part_of, part))[:, 0], tf.int32)
            results.append(tf.gather(x, rows))
    sources = {"x": data, "parts": parts}
    renamed = scratch_nodes.copied(graph_def, scratch, f"{node.name}/form", sources)
    for reader in graph_def.node:
        for index, tensor in enumerate(reader.input):
            name, output = cuts.split_tensor(tensor)
            if name == node.name and not tensor.startswith("^"):
                reader.input[index] = renamed(results[output].name)
