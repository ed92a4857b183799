"""The sizes of a cuDNN network from the op that reads its parameters: they are one flat array."""

import collections

from tfgraphtools.checkpoints.facts import graph_ops as graphs
from tfgraphtools.checkpoints.format import graph_constants
from tfgraphtools.checkpoints.format.wire import expect_bytes, fields, last_fields, reading, signed

#: A cuDNN network: ``mode`` is "lstm", "gru", "rnn_tanh" or "rnn_relu"; ``directions`` 1 or 2;
#: ``input_mode`` the op's; ``state`` the shape [layers * directions, batch, units] of its initial
#: state, None for a size that the graph does not say, or None.
Network = collections.namedtuple("Network", "mode directions input_mode state")

_OPS = ("CudnnRNN", "CudnnRNNV2", "CudnnRNNV3")
_STATE, _PARAMETERS = 1, 3  # inputs of the op


def network(graph, tensor):
    """Returns the `Network` whose parameters a tensor holds, or None if no op of cuDNN reads it."""
    with reading(graph.path, "Pass the .meta beside the checkpoint."):
        for use in graph.readers(tensor):
            node = use.node
            if node.op in _OPS and use.index == _PARAMETERS:
                projected = "projected " if graphs.integer(node, "num_proj", 0) else ""
                return Network(
                    projected + (graphs.word(node, "rnn_mode") or "lstm"),
                    2 if graphs.word(node, "direction") == "bidirectional" else 1,
                    graphs.word(node, "input_mode") or "linear_input",
                    _shape(graph, graph.input(node, _STATE)),
                )
    return None


def _shape(graph, node):
    """Returns the shape of a state of zeros, a constant or a placeholder, or None."""
    if node is None:
        return None
    if node.op == "Const":
        return _sizes_of(_tensor(node).get(2, b""))
    if node.op == "Placeholder":
        shape = last_fields(expect_bytes(node.attrs.get("shape", b""))).get(7)
        return None if shape is None else _sizes_of(shape)
    if node.op == "ExpandDims":  # of Keras, whose layers are one each
        inner = _shape(graph, graph.input(node, 0))
        return inner and (1, *inner)
    return _numbers(graph, graph.input(node, 0)) if node.op == "Fill" else None


def _numbers(graph, node):
    """Returns the sizes that `Fill` gets: a constant, or a `Pack` of some."""
    if node is None:
        return None
    if node.op == "Const":
        values = graph_constants.values(node)
        return None if values is None else tuple(int(value) for value in values)
    if node.op != "Pack":
        return None
    sizes = [graph.constant(graph.input(node, index)) for index in range(len(node.inputs))]
    return tuple(None if size is None else int(size) for size in sizes)


def _tensor(node):
    return last_fields(
        expect_bytes(last_fields(expect_bytes(node.attrs.get("value", b""))).get(8, b""))
    )


def _sizes_of(proto):
    sizes = []
    for number, value in fields(expect_bytes(proto)):
        if number == 2:
            size = signed(last_fields(expect_bytes(value)).get(1, 0))
            sizes.append(None if size < 0 else size)
    return tuple(sizes)
