"""The nodes of a GraphDef, read in one pass that skips what they hold.

A graph of 100,000 nodes has a million attributes. A `Node` keeps where its bytes are and decodes
its attributes when they are asked for, so that neither tensors nor shapes are read for a summary.
"""

import collections

from tfgraphtools.checkpoints.format import graph_def
from tfgraphtools.checkpoints.format.wire import (
    BYTES,
    FIXED32,
    FIXED64,
    VARINT,
    Malformed,
    expect_bytes,
    expect_int,
    last_fields,
    read_varint,
    text,
)

_NAME, _OP, _INPUT, _ATTR = 0x0A, 0x12, 0x1A, 0x2A  # tags of fields 1, 2, 3 and 5 of a node
_KEY = 0x0A  # the tag of the name of an attribute


class Node:
    """A node of a graph: its name, op and inputs; the rest is decoded on request."""

    __slots__ = ("name", "op", "inputs", "_data", "_start", "_end")

    def __init__(self, data, start, end):
        self._data, self._start, self._end = data, start, end

    @property
    def attrs(self):
        """Returns {name: the serialized AttrValue}."""
        return self.decoded().attrs

    def decoded(self):
        """Returns all of it as a `graph_def.Node`, for functions that read several attributes."""
        return graph_def.node(memoryview(self._data)[self._start : self._end])

    @property
    def size(self):
        """Returns the bytes that the node takes in the file."""
        return self._end - self._start

    def attr(self, name):
        """Returns the serialized AttrValue of one attribute, b"" without it; decodes no other."""
        data, position, end, key = self._data, self._start, self._end, name.encode()
        while position < end:
            tag, size = data[position], data[position + 1]
            position += 2
            if size > 0x7F:
                size, position = read_varint(data, position - 1)
            if tag == _ATTR:
                if data[position] != _KEY:
                    return self.attrs.get(name, b"")
                start = position + 2 + data[position + 1]
                if data[position + 2 : start] == key:
                    return last_fields(memoryview(data)[position : position + size]).get(2, b"")
            elif tag & 7 != BYTES or tag > 0x7F:
                return self.attrs.get(name, b"")
            position += size
        return b""


class Graph:
    """A GraphDef: its nodes by name, its functions, and who reads whom.

    Args:
      data: bytes.
      start, end: where it is in them; all of them by default.

    Attributes:
      nodes: {name: `Node`}, in the order of the file.
      functions: {name: [`Node` of its body]}.
      producer: the version of GraphDef that TensorFlow wrote, or None.
    """

    def __init__(self, data, start=0, end=None):
        self.nodes, self.functions = {}, {}
        self.producer = None
        self._consumers = None
        names = {}  # one string for a name and all the inputs that are it
        for number, first, last in positions(data, start, end):
            if number == 1:
                node = _node(data, first, last, names)
                self.nodes[node.name] = node
            elif number == 2:
                self._add_functions(data, first, last, names)
            elif number == 4:
                self.producer = expect_int(last_fields(data[first:last]).get(1, 0))

    def _add_functions(self, data, start, end, names):
        for number, first, last in positions(data, start, end):
            if number != 1:
                continue
            name, body = "", []
            for field, begin, stop in positions(data, first, last):
                if field == 1:
                    name = text(last_fields(data[begin:stop]).get(1, b""))
                elif field == 3:
                    body.append(_node(data, begin, stop, names))
            self.functions[name] = body

    @property
    def consumers(self):
        """Returns {name of a node: [`Node` that reads an output of it]}, control edges excluded."""
        if self._consumers is None:
            self._consumers = collections.defaultdict(list)
            for node in self.nodes.values():
                for tensor in node.inputs:
                    if tensor[:1] != "^":
                        self._consumers[tensor.partition(":")[0]].append(node)
        return self._consumers

    def all_nodes(self):
        """Yields the nodes of the graph, then those of its functions."""
        yield from self.nodes.values()
        for body in self.functions.values():
            yield from body


def positions(data, position=0, end=None):
    """Yields (field, start, end) of every field of a message that holds bytes."""
    end = len(data) if end is None else end
    while position < end:
        tag, position = read_varint(data, position)
        wire = tag & 7
        if wire == BYTES:
            size, position = read_varint(data, position)
            if size > end - position:
                raise Malformed("a field that runs past the end of its message")
            yield tag >> 3, position, position + size
            position += size
        elif wire == VARINT:
            _, position = read_varint(data, position)
        elif wire in (FIXED32, FIXED64):
            position += 4 if wire == FIXED32 else 8
        else:
            raise Malformed(f"a field of wire type {wire}")


def _node(data, start, end, names):
    """Returns the `Node` at a range of the data: this loop is most of the time of a summary."""
    node = Node(data, start, end)
    name = op = ""
    inputs = []
    position = start
    while position < end:
        tag = data[position]
        size = data[position + 1]
        position += 2
        if size > 0x7F:
            size, position = read_varint(data, position - 1)
        stop = position + size
        if stop > end or tag & 7 != BYTES or tag > 0x7F:
            return _unusual_node(node, data, start, end)
        if tag == _INPUT or tag == _NAME or tag == _OP:
            raw = data[position:stop]
            string = names.get(raw)
            if string is None:
                string = names[raw] = raw.decode("utf-8", "surrogateescape")
            if tag == _INPUT:
                inputs.append(string)
            elif tag == _NAME:
                name = string
            else:
                op = string
        position = stop
    node.name, node.op, node.inputs = name, op, inputs
    return node


def _unusual_node(node, data, start, end):
    """Decodes a node with fields that this module does not expect; `Malformed` if it is none."""
    decoded = graph_def.node(expect_bytes(data[start:end]))
    node.name, node.op, node.inputs = decoded.name, decoded.op, decoded.inputs
    return node
