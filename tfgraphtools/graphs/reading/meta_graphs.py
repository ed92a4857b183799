"""The facts of a MetaGraphDef beside its nodes: version, tags, signatures, collections, ops."""

import collections

from tfgraphtools.checkpoints.format.wire import expect_bytes, expect_int, fields, last_fields, text
from tfgraphtools.checkpoints.graphs import metagraph
from tfgraphtools.graphs.reading.graph_def_nodes import positions

#: ``inputs``, ``outputs``: {key: `Tensor`}.
Signature = collections.namedtuple("Signature", "name method inputs outputs")

#: A tensor at the border of a graph; ``shape`` is None, or has None for a size, where unknown.
Tensor = collections.namedtuple("Tensor", "name dtype shape op")

#: A collection: how many items, and the first ones if they are names.
Collection = collections.namedtuple("Collection", "name count kind")

#: What is known of the outputs of an op: [(type number, attribute of the type, has a number)].
OpDef = collections.namedtuple("OpDef", "outputs defaults")

_KINDS = {1: "names", 2: "messages", 3: "numbers", 4: "numbers", 5: "messages"}


class MetaGraph:
    """A MetaGraphDef, without its nodes.

    Attributes:
      graph: (data, start, end) of the serialized GraphDef.
      version: of the TensorFlow that wrote it, "" if it does not say.
      tags: list of str.
      signatures: list of `Signature`.
      collections: list of `Collection`.
      trainable: the names of the trainable variables, None if there is no such collection.
      update_ops: the names of the nodes in the collection of that name.
      op_definitions: {op: `OpDef`} of the ops that it uses, or {}.
      restore_op: the op by which its Saver restores, "" without one.
    """

    def __init__(self, data):
        self.graph, self.version, self.tags = (b"", 0, 0), "", []
        self.signatures, self.collections = [], []
        self.trainable, self.update_ops = None, set()
        self.op_definitions, self.restore_op = {}, ""
        for number, start, end in positions(data):
            value = memoryview(data)[start:end]
            if number == 1:
                self._read_info(value)
            elif number == 2:
                self.graph = data, start, end
            elif number == 3:
                self.restore_op = text(last_fields(value).get(3, b""))
            elif number == 4:
                self._read_collection(*_entry(value))
            elif number == 5:
                self.signatures.append(_signature(*_entry(value)))

    def _read_info(self, data):
        for number, value in fields(data):
            if number == 2:
                definitions = (v for n, v in fields(expect_bytes(value)) if n == 1)
                self.op_definitions.update(_op_definition(expect_bytes(d)) for d in definitions)
            elif number == 4:
                self.tags.append(text(value))
            elif number == 5:
                self.version = text(value)

    def _read_collection(self, name, data):
        count, kind, names = 0, "", []
        for number, value in fields(data):
            kind = _KINDS.get(number, "")
            items = [item for field, item in fields(expect_bytes(value)) if field == 1]
            count += _count(items, number == 4) if kind == "numbers" else len(items)
            if number == 2 and name == "trainable_variables":
                names += [text(last_fields(expect_bytes(item)).get(1, b"")) for item in items]
            elif number == 1 and name in ("trainable_variables", "update_ops"):
                names += [text(item) for item in items]
        self.collections.append(Collection(name, count, kind))
        if name == "trainable_variables":
            self.trainable = {variable.partition(":")[0] for variable in names}
        elif name == "update_ops":
            self.update_ops = {tensor.partition(":")[0] for tensor in names}


def _count(items, are_floats):
    """Returns how many numbers fields hold: each one, or several that are packed."""
    count = 0
    for item in items:
        if isinstance(item, int):
            count += 1
        elif are_floats:
            count += len(item) // 4
        else:
            count += sum(byte < 0x80 for byte in item)  # the last one of a varint
    return count


def _entry(value):
    """Returns (key, the bytes of the value) of a map's entry."""
    pair = last_fields(expect_bytes(value))
    return text(pair.get(1, b"")), expect_bytes(pair.get(2, b""))


def _signature(name, data):
    inputs, outputs, method = {}, {}, ""
    for number, value in fields(data):
        if number in (1, 2):
            key, info = _entry(value)
            (inputs if number == 1 else outputs)[key] = _tensor(info)
        elif number == 3:
            method = text(value)
    return Signature(name, method, inputs, outputs)


def _tensor(info):
    parts = last_fields(info)
    name = text(parts.get(1, b""))
    if 4 in parts:
        name = text(last_fields(expect_bytes(parts[4])).get(1, b"")) + " (sparse)"
    shape = parts.get(3)
    sizes = None if shape is None else metagraph.sizes(expect_bytes(shape))
    return Tensor(name, metagraph.type_name(parts[2]) if parts.get(2) else "", sizes, "")


def _op_definition(data):
    """Returns (op, `OpDef`)."""
    name, outputs, defaults = "", [], {}
    for number, value in fields(data):
        if number == 1:
            name = text(value)
        elif number == 3:
            parts = last_fields(expect_bytes(value))
            several = 5 in parts or 6 in parts
            attribute = text(parts.get(4, parts.get(6, b"")))
            outputs.append((expect_int(parts.get(3, 0)), attribute, several))
        elif number == 4:
            parts = last_fields(expect_bytes(value))
            default = last_fields(expect_bytes(parts.get(3, b""))).get(6)
            if default is not None:
                defaults[text(parts.get(1, b""))] = expect_int(default)
    return name, OpDef(outputs, defaults)
