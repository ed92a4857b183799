"""Constants of a frozen graph as variables that train."""

from tfgraphtools.checkpoints.graphs import cuts
from tfgraphtools.errors import ArgumentError

_REF = "VariableV2"


def as_variables(meta, trainable, outputs, inputs, place):
    """Makes constants of a MetaGraphDef variables, and returns {name: the value}.

    Args:
      meta: changed in place.
      trainable: names of constants; True takes each one of floating-point numbers with an axis that
        the outputs need.
      outputs, inputs: tensors; the graph ends at the inputs.
      place: the path of the graph, for errors.

    Raises:
      GraphExportError: the graph has no node of a name.
      ArgumentError: a node is no constant of floating-point numbers, or there is none.
    """
    import tensorflow as tf

    nodes = {node.name: node for node in meta.graph_def.node}
    if trainable is True:
        ends = {cuts.split_tensor(tensor)[0] for tensor in inputs}
        needed = _needed(nodes, [cuts.split_tensor(tensor)[0] for tensor in outputs], ends)
        names = [n for n in nodes if n in needed and _is_weight(tf, nodes[n], True)]
    else:
        names = [cuts.split_tensor(name)[0] for name in trainable]
    for name in names:
        if name not in nodes:
            raise cuts.unknown_node(place, name, nodes)
        if not _is_weight(tf, nodes[name], False):
            raise _refused(name, nodes[name].op)
    if not names:
        raise _refused("True", "a graph that has none")
    values = {name: tf.make_ndarray(nodes[name].attr["value"].tensor) for name in names}
    for name in names:
        _add_variable(meta, nodes, name, values[name].shape)
    return values


def _needed(nodes, names, ends):
    """Returns the names of all nodes that these need, up to those at which the graph ends."""
    needed, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in needed or name not in nodes:
            continue
        needed.add(name)
        if name not in ends:
            waiting += [cuts.split_tensor(tensor)[0] for tensor in nodes[name].input]
    return needed


def _is_weight(tf, node, has_axes):
    if node.op != "Const" or not tf.as_dtype(node.attr["dtype"].type).is_floating:
        return False
    return bool(node.attr["value"].tensor.tensor_shape.dim) or not has_axes


def _add_variable(meta, nodes, name, shape):
    """Makes a constant a variable, with what a Saver's graph says of one."""
    from tensorflow.core.framework import variable_pb2

    node = nodes[name]
    dtype = node.attr["dtype"].type
    node.op = _REF
    node.attr.clear()
    node.attr["dtype"].type = dtype
    for size in shape:
        node.attr["shape"].shape.dim.add(size=size)
    node.attr["shape"].shape.SetInParent()
    value, write, copy = (
        cuts.unused_name(nodes, f"{name}/{part}") for part in ("value", "write", "copy")
    )
    first = meta.graph_def.node.add(name=value, op="Placeholder")
    first.attr["dtype"].type = dtype
    assign = meta.graph_def.node.add(name=write, op="Assign", input=[name, value])
    read = meta.graph_def.node.add(name=copy, op="Identity", input=[name])
    for added in (assign, read):
        added.attr["T"].type = dtype
    described = variable_pb2.VariableDef(
        variable_name=name + ":0",
        initial_value_name=first.name + ":0",
        initializer_name=assign.name,
        snapshot_name=read.name + ":0",
        trainable=True,
    )
    for key in ("variables", "trainable_variables"):
        meta.collection_def[key].bytes_list.value.append(described.SerializeToString())


def _refused(name, got):
    return ArgumentError(
        f"trainable: {name}",
        "a constant of floating-point numbers",
        got,
        "Name constants of the graph: graphs.show lists them.",
    )
