"""Parts of a graph that act while it trains alone: dropout, and averages that move."""

from typing import Any, Dict, NamedTuple, Optional, Sequence

from tfgraphtools.checkpoints.graphs import average_updates, constant_branches, cuts

_COPIES = ("Identity", "Cast", "StopGradient")


class Dropped(NamedTuple):
    """A dropout in a graph.

    Attributes:
      source: its input.
      meaning: "rate" or "keep", of the number.
      number: the node of the number.
      shape: the tensor of the shape of its random numbers, or None for several.
    """

    source: str
    meaning: str
    number: str
    shape: Optional[str]


class Dropout(NamedTuple):
    """A dropout.

    Attributes:
      rate: the share that is dropped, or None where it is fed.
      number: the placeholder or the node that says it.
      noise: the sizes of its random numbers; () for those of its input, None where they are
        computed in another way.
    """

    rate: Optional[float]
    number: str
    noise: Optional[Sequence[int]]


class Modes(NamedTuple):
    """What a training step does.

    Attributes:
      dropouts: {node: `Dropout`}; the node gives its input.
      rates: {variable of an average that moves: the share of a new statistic, or None}.
    """

    dropouts: Dict[str, Dropout]
    rates: Dict[str, Any]


def modes(graph_def, dropped, moved):
    """Returns the `Modes` of a graph.

    Args:
      graph_def: the graph.
      dropped: {node: `Dropped`}.
      moved: names of variables of moving averages that a step moves.
    """
    nodes = {node.name: node for node in graph_def.node}
    rates = average_updates.rates(nodes)
    dropouts = {}
    for name, row in dropped.items():
        rate = number_of(nodes, row.number)
        if rate is not None and row.meaning == "keep":
            rate = 1 - rate
        fed = _placeholders(nodes, row.number)
        noise = row.shape and _noise(nodes, row)
        rate = None if fed and rate == 0 else rate
        dropouts[name] = Dropout(rate, (fed or [row.number])[0], noise)
    return Modes(
        dropouts, {name: rates.get(name) and number_of(nodes, rates[name]) for name in moved}
    )


def switch_off(node, meaning):
    """Makes a number a constant by which dropout keeps everything.

    Args:
      node: of the number.
      meaning: "rate" or "keep".
    """
    import numpy as np
    import tensorflow as tf

    key = "T" if node.op in ("Sub", *_COPIES) and "T" in node.attr else "dtype"
    kind = tf.as_dtype(node.attr[key].type) if node.attr[key].type else tf.float32
    number = np.array(float(meaning == "keep"), kind.as_numpy_dtype)
    node.op = "Const"
    del node.input[:]
    node.attr.clear()
    node.attr["dtype"].type = kind.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(number, kind))


def _noise(nodes, row):
    node = _original(nodes, row.shape)
    if node.op == "Pack":
        sizes = [_size(nodes, tensor, row.source) for tensor in node.input]
        return None if None in sizes else sizes
    if node.op == "Shape":
        return () if _is_shape_of(nodes, node, row.source) else None
    return constant_branches.numbers(node) or None


def _size(nodes, tensor, source):
    """Returns a size of noise: a number, -1 for one of the source, or None."""
    node = _original(nodes, tensor)
    if node.op == "StridedSlice":
        return -1 if _is_shape_of(nodes, _original(nodes, node.input[0]), source) else None
    return (constant_branches.numbers(node) or [None])[0]


def _is_shape_of(nodes, node, source):
    is_shape = node.op == "Shape"
    return is_shape and _original(nodes, node.input[0]) is _original(nodes, source)


def _original(nodes, tensor):
    node = nodes[cuts.split_tensor(tensor)[0]]
    while node.op == "Identity":
        node = nodes[cuts.split_tensor(node.input[0])[0]]
    return node


def number_of(nodes, name):
    """Returns the number that a node has unless something else is fed, or None."""
    node = nodes[name]
    inputs = [cuts.split_tensor(tensor)[0] for tensor in node.input if tensor[:1] != "^"]
    if node.op == "Const":
        numbers = constant_branches.numbers(node)
        return numbers[0] if len(numbers) == 1 else None
    if node.op in (*_COPIES, "PlaceholderWithDefault"):
        return number_of(nodes, inputs[0])
    if node.op == "Sub":
        left, right = (number_of(nodes, each) for each in inputs)
        return None if left is None or right is None else left - right
    return None


def _placeholders(nodes, number):
    """Returns the placeholders that a number needs."""
    needed = _ancestors(nodes, number)
    return sorted(name for name in needed if nodes[name].op in cuts.PLACEHOLDERS)


def _ancestors(nodes, name):
    waiting, names = [name], set()
    while waiting:
        current = waiting.pop()
        if current not in names:
            names.add(current)
            waiting += [cuts.split_tensor(tensor)[0] for tensor in nodes[current].input]
    return names
