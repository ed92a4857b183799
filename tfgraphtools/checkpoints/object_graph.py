"""The object graph of a TF 2 checkpoint: which object holds which tensor.

A TrackableObjectGraph lists nodes. A node has children (name -> node), attributes
(its values, each under a key of the checkpoint) and slot variables (which
optimizer slot of which variable is which node). Fields that we do not use are
kept as they are, so that a graph can be rewritten without losing anything.
"""

import collections

from tfgraphtools.checkpoints._proto import (
    bytes_field,
    expect_bytes,
    expect_int,
    fields,
    text,
    utf8,
    varint,
)

#: ``children``: {name: node number}; ``attributes``: {name: checkpoint key};
#: ``slots``: [(number of the variable, slot name, number of the slot variable)].
Node = collections.namedtuple("Node", "children attributes slots")

_KEY = 3  # the field of an attribute that holds its key in the checkpoint


class ObjectGraph:
    """The nodes of an object graph, node 0 the root."""

    def __init__(self, nodes):
        self.nodes = nodes

    def paths(self):
        """{checkpoint key: the shortest path to its object, names joined by '/'}."""
        reached, queue = {0: ""}, collections.deque([0] if self.nodes else [])
        while queue:
            number = queue.popleft()
            for name, child in self.nodes[number].children.items():
                if child not in reached and child < len(self.nodes):
                    reached[child] = (reached[number] + "/" + name).lstrip("/")
                    queue.append(child)
        return {
            key: reached[number]
            for number, node in enumerate(self.nodes)
            if number in reached
            for key in node.attributes.values()
        }

    def slots(self):
        """{checkpoint key of a slot: (checkpoint key of its variable, slot name)}."""
        out = {}
        for node in self.nodes:
            for variable, name, slot in node.slots:
                if variable < len(self.nodes) and slot < len(self.nodes):
                    owners = list(self.nodes[variable].attributes.values())
                    for key in self.nodes[slot].attributes.values():
                        out[key] = (owners[0] if owners else None, name)
        return out


def parse(data):
    """The `ObjectGraph` of a serialized TrackableObjectGraph."""
    return ObjectGraph([_parse_node(expect_bytes(v)) for n, v in fields(data) if n == 1])


def _parse_node(data):
    node = Node({}, {}, [])
    for number, value in fields(data):
        if number == 1:
            child = dict(fields(expect_bytes(value)))
            node.children[text(child.get(2, b""))] = expect_int(child.get(1, 0))
        elif number == 2:
            attribute = dict(fields(expect_bytes(value)))
            node.attributes[text(attribute.get(1, b""))] = text(attribute.get(_KEY, b""))
        elif number == 3:
            slot = dict(fields(expect_bytes(value)))
            node.slots.append(
                (expect_int(slot.get(1, 0)), text(slot.get(2, b"")), expect_int(slot.get(3, 0)))
            )
    return node


def with_keys(data, new_key):
    """The serialized graph with every checkpoint key replaced.

    Args:
      data: a serialized TrackableObjectGraph.
      new_key: function of a key; None removes the attribute, as for a tensor that is dropped.
    """
    return _rewritten(
        data, 1, lambda node: _rewritten(node, 2, lambda attribute: _with_key(attribute, new_key))
    )


def _with_key(attribute, new_key):
    key = new_key(text(dict(fields(attribute)).get(_KEY, b"")))
    return None if key is None else _rewritten(attribute, _KEY, lambda old: utf8(key))


def _rewritten(message, field, change):
    """A message with ``change`` applied to every value of one bytes field; None leaves it out."""
    out = b""
    for number, value in fields(message):
        if number == field:
            value = change(bytes(value))
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        elif value is not None:
            out += bytes_field(number, bytes(value))
    return out
