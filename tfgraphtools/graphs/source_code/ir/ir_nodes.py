"""Nodes and values of a graph that becomes source."""

import heapq

from tfgraphtools.errors import GraphExportError

#: Ops of nodes that TensorFlow does not have.
INPUT, PARAMETER, CONSTANT, LAYER = "Input", "Parameter", "Constant", "Layer"


class Value:
    """A tensor: one of the outputs of a node.

    Attributes:
      node, index: which output of which node.
      dims: the tuple of its sizes (see `symbolic_sizes`), or None where the rank is unknown.
      dtype: its name, as NumPy has it.
      content: what it holds, if these are integers that are known as sizes: a size, or a tuple.
      users: {node that reads it: how many times}.
    """

    __slots__ = ("node", "index", "dims", "dtype", "content", "users")

    def __init__(self, node, index, dims, dtype, content=None):
        self.node, self.index = node, index
        self.dims, self.dtype, self.content = dims, dtype, content
        self.users = {}

    def __repr__(self):
        return f"<{self.node.name}:{self.index} {self.dtype}{list(self.dims or ['?'])}>"

    @property
    def op(self):
        return self.node.op

    @property
    def array(self):
        """The array of a constant; None for other values."""
        return self.node.attributes.get("array") if self.node.op == CONSTANT else None


class Node:
    """An op, a constant, a parameter, an input or a layer.

    Attributes:
      op: the type of the op in TensorFlow, or one of this module's.
      name: of the op in the graph that it comes from.
      inputs, outputs: lists of `Value`.
      attributes: {name: value}. A constant has ``array``; a parameter ``variable`` and ``steps``; a
        layer ``kind``, ``parameters`` ({role: parameter}) and ``settings`` ({name: value}).
      position: where it stood in the graph; what replaces a node has its position.
    """

    __slots__ = ("op", "name", "inputs", "outputs", "attributes", "position")

    def __init__(self, op, name, inputs=(), attributes=None, position=0):
        self.op, self.name, self.position = op, name, position
        self.attributes = dict(attributes or {})
        self.inputs, self.outputs = [], []
        self.set_inputs(inputs)

    def __repr__(self):
        return f"<{self.op} {self.name}>"

    def add_output(self, dims, dtype, content=None):
        """Returns a new output."""
        dims = None if dims is None else tuple(dims)
        self.outputs.append(Value(self, len(self.outputs), dims, dtype, content))
        return self.outputs[-1]

    def set_inputs(self, inputs):
        """Replaces all inputs, and corrects the users of what is no longer read."""
        for value in self.inputs:
            value.users[self] -= 1
            if not value.users[self]:
                del value.users[self]
        self.inputs = list(inputs)
        for value in self.inputs:
            value.users[self] = value.users.get(self, 0) + 1

    @property
    def output(self):
        """The only output."""
        return self.outputs[0]


def made(op, name, inputs, dims, dtype, attributes=None, position=0):
    """Returns the output of a new node with one output."""
    node = Node(op, name, inputs, attributes, position)
    return node.add_output(dims, dtype)


class Program:
    """The nodes that some outputs need.

    Attributes:
      place: the file of the graph, for errors.
      inputs: {name: `Value` of an `INPUT`}, in the order of the user.
      outputs: {name: `Value`}.
      has_modes: whether it is written for training, too.
      refusal: why training mode, which computes something else, is not written; "" where it is.
      assumed: list of pairs of `symbolic_sizes.Symbol` of inputs that the code takes for equal.
    """

    def __init__(self, place, inputs, outputs):
        self.place, self.inputs, self.outputs = place, dict(inputs), dict(outputs)
        self.has_modes, self.refusal, self.assumed = False, "", []

    def replace(self, old, new):
        """Makes everything that reads a value read another."""
        for user in list(old.users):
            user.set_inputs([new if value is old else value for value in user.inputs])
        for name, value in self.outputs.items():
            if value is old:
                self.outputs[name] = new

    def is_output(self, value):
        """Tells whether a value is one of the outputs."""
        return any(value is output for output in self.outputs.values())

    def has_one_user(self, value):
        """Tells whether exactly one node reads a value, once, and it is no output."""
        return sum(value.users.values()) == 1 and not self.is_output(value)

    def nodes(self):
        """Returns the needed nodes, each after what it reads, else in the order of the graph."""
        reached, waiting = {}, [value.node for value in self.outputs.values()]
        while waiting:
            node = waiting.pop()
            if node not in reached:
                reached[node] = len({value.node for value in node.inputs})
                waiting += [value.node for value in node.inputs]
        return _ordered(reached)

    def sweep(self):
        """Detaches the nodes that no output needs; returns the others, as `nodes`."""
        nodes = self.nodes()
        kept = set(nodes)
        waiting = [value for node in nodes for value in node.inputs + node.outputs]
        for value in waiting:
            for user in list(value.users):
                if user not in kept:
                    user.set_inputs([])
        return nodes


def _ordered(reached):
    """Returns nodes in topological order, from {node: how many nodes it reads}."""
    serial = {node: number for number, node in enumerate(reached)}
    ready = [_key(node, serial) for node, count in reached.items() if not count]
    heapq.heapify(ready)
    ordered = []
    while ready:
        node = heapq.heappop(ready)[-1]
        ordered.append(node)
        for user in dict.fromkeys(user for value in node.outputs for user in value.users):
            if user in reached:
                reached[user] -= 1
                if not reached[user]:
                    heapq.heappush(ready, _key(user, serial))
    return ordered


def _key(node, serial):
    return node.position, serial[node], node


def unwritable(place, rows):
    """Returns the error for nodes that cannot be written.

    Args:
      place: the file.
      rows: list of (op, name, reason).
    """
    by_reason = {}
    for op, name, reason in rows:
        by_reason.setdefault((op, reason), []).append(name)
    reasons = [
        "{} ({}{}): {}".format(
            op, ", ".join(names[:3]), f" and {len(names) - 3} more" * (len(names) > 3), reason
        )
        for (op, reason), names in sorted(by_reason.items())
    ]
    return GraphExportError(
        place,
        "ops that `graph source` writes",
        "; ".join(reasons[:8]),
        "Cut them off: name the tensors behind them in --inputs, or choose other --outputs.",
    )
