"""A graph as a file has it: the ops that read a variable, their attributes and constants."""

import collections
import struct

from tfgraphtools.checkpoints.format import graph_constants
from tfgraphtools.checkpoints.format.wire import (
    Malformed,
    expect_bytes,
    expect_int,
    fields,
    last_fields,
    read_varint,
    reading,
)
from tfgraphtools.checkpoints.graphs import metagraph

#: Ops that hand a value on as it is, or a part of it.
PASSING = set(
    "Identity ReadVariableOp Enter RefEnter Switch RefSwitch Merge Cast Split SplitV StridedSlice "
    "Concat ConcatV2 Reshape Squeeze ExpandDims".split()
)

#: A use of an output: the `Node` that has it as its input ``index``, and the output's number.
Use = collections.namedtuple("Use", "node index output")


class Graph:
    """The nodes of a graph, and who uses them.

    Args:
      path: a ``.meta``, a ``.pb`` of a GraphDef, or a ``saved_model.pb``.
    """

    def __init__(self, path):
        self.path = path
        self.nodes, restores = metagraph.nodes(path)
        self._uses = collections.defaultdict(list)
        self._places = {name: number for number, name in enumerate(self.nodes)}
        for node in self.nodes.values():
            for index, tensor in enumerate(node.inputs):
                if not tensor.startswith("^"):
                    name, output = endpoint(tensor)
                    self._uses[name].append(Use(node, index, output))
        self._nodes_of, self._tensors = collections.defaultdict(list), {}
        with reading(path, "Pass the .meta beside the checkpoint."):
            for variable, (tensor, _) in metagraph.restored_by(self.nodes, restores).items():
                self._nodes_of[tensor].append(variable)
                self._tensors[variable] = tensor

    def variables(self, tensor):
        """Returns the nodes of a tensor of the checkpoint: several if it is partitioned."""
        return self._nodes_of.get(tensor) or ([tensor] if tensor in self.nodes else [])

    def tensor(self, variable):
        """Returns the tensor of the checkpoint that a variable's node is restored from."""
        return self._tensors.get(variable, variable)

    def place(self, node):
        """Returns the number of a node in the order in which the graph was made."""
        return self._places[node.name]

    def uses(self, name):
        """Returns the `Use` of every output of a node."""
        return self._uses.get(name, ())

    def readers(self, tensor):
        """Yields the `Use` of a tensor's value by every op that computes with it."""
        seen = set(self.variables(tensor))
        waiting = list(seen)
        while waiting:
            for use in self.uses(waiting.pop()):
                if use.node.op not in PASSING:
                    yield use
                elif use.node.name not in seen:
                    seen.add(use.node.name)
                    waiting.append(use.node.name)

    def input(self, node, index):
        """Returns the node of an input, past ops that hand a value on; None if there is none."""
        for _ in range(8):
            if index >= len(node.inputs):
                return None
            source = self.nodes.get(endpoint(node.inputs[index])[0])
            if (
                source is None
                or source.op not in ("Identity", "Enter", "Cast")
                or not source.inputs
            ):
                return source
            node, index = source, 0
        return None

    def constant(self, node):
        """Returns the only number of a constant, or None."""
        if node is None or node.op != "Const":
            return None
        values = _values(node)
        return float(values[0]) if values is not None and len(values) == 1 else None

    def integers(self, node):
        """Returns the integers of a constant, or None."""
        values = None if node is None or node.op != "Const" else _values(node)
        return None if values is None else [int(number) for number in values]


def _values(node):
    try:
        return graph_constants.values(node)
    except Malformed:
        return None


def is_gradient(name):
    """Tells whether a node computes a gradient, by its name."""
    return "gradients/" in name or name.startswith("gradients")


def endpoint(tensor):
    """Splits ``name:1`` into ("name", 1)."""
    name, _, output = tensor.partition(":")
    return name, int(output) if output.isdigit() else 0


def number(node, name, default):
    """Returns an attribute that is a float."""
    value = _attribute(node, name).get(4)
    return default if value is None else struct.unpack("<f", struct.pack("<I", value))[0]


def integer(node, name, default):
    """Returns an attribute that is an int."""
    return expect_int(_attribute(node, name).get(3, default))


def word(node, name):
    """Returns an attribute that is a string."""
    return bytes(expect_bytes(_attribute(node, name).get(2, b""))).decode("utf-8", "replace")


def boolean(node, name):
    """Returns an attribute that is a bool, False by default."""
    return bool(_attribute(node, name).get(5, 0))


def integers(node, name):
    """Returns an attribute that is a list of ints."""
    numbers = []
    for field, value in fields(expect_bytes(_attribute(node, name).get(1, b""))):
        if field == 3 and isinstance(value, int):
            numbers.append(value)
        elif field == 3:
            numbers += packed(value)
    return numbers


def packed(data):
    """Returns the varints in a packed field."""
    numbers, position = [], 0
    while position < len(data):
        number, position = read_varint(data, position)
        numbers.append(number)
    return numbers


def _attribute(node, name):
    return last_fields(expect_bytes(node.attrs.get(name, b"")))
