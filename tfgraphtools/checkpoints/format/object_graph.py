"""The object graph of a TF 2 checkpoint: which object holds which tensor.

A TrackableObjectGraph lists nodes. A node has children (name -> node), attributes
(its values, each under a key of the checkpoint) and slot variables (which
optimizer slot of which variable is which node). Fields that we do not use are
kept as they are, so that a graph can be rewritten without losing anything.
"""

import collections

from tfgraphtools.checkpoints.format.wire import (
    bytes_field,
    expect_bytes,
    expect_int,
    fields,
    number_field,
    text,
    utf8,
    varint,
)

#: ``children``: {name: node number}; ``attributes``: {name: checkpoint key};
#: ``slots``: [(number of the variable, slot name, number of the slot variable)];
#: ``full_names``: {attribute: its tensor's name in a graph}, by which a TF 1 Saver finds it.
Node = collections.namedtuple("Node", "children attributes slots full_names")

_CHILD, _ATTRIBUTE, _SLOT = 1, 2, 3  # fields of a node
_FULL_NAME, _KEY = 2, 3  # fields of an attribute


class ObjectGraph:
    """The nodes of an object graph, node 0 the root."""

    def __init__(self, nodes):
        self.nodes = nodes

    def paths(self):
        """Returns {checkpoint key: the shortest path to its object, names joined by '/'}."""
        return {
            key: path
            for number, path in sorted(self.node_paths().items())
            for key in self.nodes[number].attributes.values()
        }

    def node_paths(self):
        """Returns {node number: the shortest path to it}, of the slot variables too."""
        reached, queue = {0: ""}, collections.deque([0] if self.nodes else [])
        while queue:
            number = queue.popleft()
            for name, child in self.nodes[number].children.items():
                if child not in reached and child < len(self.nodes):
                    reached[child] = (reached[number] + "/" + name).lstrip("/")
                    queue.append(child)
        for number in list(reached):
            for variable, name, slot in self.nodes[number].slots:
                if variable in reached and slot < len(self.nodes):
                    reached.setdefault(slot, f"{reached[variable]}/{name}")
        return reached

    def walk(self, path):
        """Returns the number of the node that a path of names leads to, or None."""
        number = 0
        for name in path.split("/"):
            if number >= len(self.nodes) or name not in self.nodes[number].children:
                return None
            number = self.nodes[number].children[name]
        return number

    def slots(self):
        """Returns {checkpoint key of a slot: (checkpoint key of its variable, slot name)}."""
        out = {}
        for node in self.nodes:
            for variable, name, slot in node.slots:
                if variable < len(self.nodes) and slot < len(self.nodes):
                    owners = list(self.nodes[variable].attributes.values())
                    for key in self.nodes[slot].attributes.values():
                        out[key] = (owners[0] if owners else None, name)
        return out

    def keras_state(self):
        """Returns (keys of what optimizers of Keras 3 keep, keys of their step counts among them).

        Such an optimizer lists all of its variables, and beside them those that it trains, which
        are the model's, and moving averages, which are weights.
        """
        state, steps = set(), set()
        for node in self.nodes:
            if not {"_variables", "_trainable_variables", "_iterations"} <= set(node.children):
                continue
            own = self._listed(node, "_variables")
            for other in ("_trainable_variables", "_model_variables_moving_average"):
                own -= self._listed(node, other)
            state.update(key for number in own for key in self._keys(number))
            steps.update(self._keys(node.children["_iterations"]))
        return state, steps & state

    def _listed(self, node, name):
        """Returns the numbers of the nodes in a list that a node has, if it has it."""
        number = node.children.get(name, len(self.nodes))
        return set(self.nodes[number].children.values()) if number < len(self.nodes) else set()

    def _keys(self, number):
        return list(self.nodes[number].attributes.values()) if number < len(self.nodes) else []


def parse(data):
    """Returns the `ObjectGraph` of a serialized TrackableObjectGraph."""
    return ObjectGraph([_parse_node(expect_bytes(v)) for n, v in fields(data) if n == 1])


def _parse_node(data):
    node = Node({}, {}, [], {})
    for number, value in fields(data):
        if number == 1:
            child = dict(fields(expect_bytes(value)))
            node.children[text(child.get(2, b""))] = expect_int(child.get(1, 0))
        elif number == 2:
            attribute = dict(fields(expect_bytes(value)))
            name = text(attribute.get(1, b""))
            node.attributes[name] = text(attribute.get(_KEY, b""))
            node.full_names[name] = text(attribute.get(_FULL_NAME, b""))
        elif number == 3:
            slot = dict(fields(expect_bytes(value)))
            node.slots.append(
                (expect_int(slot.get(1, 0)), text(slot.get(2, b"")), expect_int(slot.get(3, 0)))
            )
    return node


def serialize(nodes):
    """Returns the bytes of a TrackableObjectGraph; the reverse of `parse` for graphs of our own."""
    return b"".join(bytes_field(1, _serialize_node(node)) for node in nodes)


def _serialize_node(node):
    out = b""
    for name, child in node.children.items():
        out += bytes_field(_CHILD, number_field(1, child) + bytes_field(2, utf8(name)))
    for name, key in node.attributes.items():
        out += bytes_field(
            _ATTRIBUTE,
            bytes_field(1, utf8(name))
            + bytes_field(_FULL_NAME, utf8(node.full_names.get(name, "")))
            + bytes_field(_KEY, utf8(key)),
        )
    for variable, name, slot in node.slots:
        out += bytes_field(
            _SLOT, number_field(1, variable) + bytes_field(2, utf8(name)) + number_field(3, slot)
        )
    return out


def with_child(data, name, node):
    """Returns the serialized graph with one more node, a child of the root."""
    nodes = [bytes(expect_bytes(value)) for number, value in fields(data) if number == 1]
    nodes[0] += _serialize_node(Node({name: len(nodes)}, {}, [], {}))
    return b"".join(bytes_field(1, serialized) for serialized in nodes + [_serialize_node(node)])


def with_keys(data, new_key, new_full_name=None):
    """Returns the serialized graph with every checkpoint key replaced.

    Args:
      data: a serialized TrackableObjectGraph.
      new_key: function of a key; None removes the attribute, as for a tensor that is dropped. The
        object stays, without a value: TF leaves it as it is.
      new_full_name: function of an old key; None keeps the full name.
    """
    return _rewritten(
        data,
        1,
        lambda node: _rewritten(
            node, _ATTRIBUTE, lambda attribute: _with_key(attribute, new_key, new_full_name)
        ),
    )


def _with_key(attribute, new_key, new_full_name):
    old = text(dict(fields(attribute)).get(_KEY, b""))
    key = new_key(old)
    if key is None:
        return None
    full_name = new_full_name and new_full_name(old)
    if full_name is not None:
        attribute = _rewritten(attribute, _FULL_NAME, lambda _: utf8(full_name))
    return _rewritten(attribute, _KEY, lambda _: utf8(key))


def _rewritten(message, field, change):
    """Applies ``change`` to every value of a bytes field of a message; None drops it."""
    out = b""
    for number, value in fields(message):
        if number == field:
            value = change(bytes(value))
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        elif value is not None:
            out += bytes_field(number, bytes(value))
    return out
