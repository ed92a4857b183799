"""The variables of a graph, and which of them a checkpoint has."""

import collections

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.graphs import metagraph
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.graphs import tensors

#: A variable. ``shape`` is None, or has None for a size, where unknown; ``bytes`` then is None;
#: ``trainable`` is None where the graph has no such collection; ``slot``: of an optimizer, or "";
#: ``key``: the tensor of the checkpoint; ``saved``: "yes", "no", "shape [..]"; "" if there is none.
Variable = collections.namedtuple("Variable", "name dtype shape bytes trainable slot key saved")


def variables(graph, trainable, restore=""):
    """Returns the `Variable` list of a graph, in its order.

    Args:
      graph: a `graph_def_nodes.Graph`.
      trainable: the names of the trainable ones, or None.
      restore: the op by which its Saver restores, or "".
    """
    nodes = [node for node in graph.nodes.values() if node.op in tensors.VARIABLES]
    keys = metagraph.restored_by(graph.nodes, [restore])
    expected = {node.name: metagraph.expected_of(node.decoded()) for node in nodes}
    known = {
        name: row.shape for name, row in expected.items() if tensors.size(row.shape) is not None
    }
    owners = optimizer_slots.find(known)
    state = optimizer_slots.optimizer_state(known)
    rows = []
    for name, row in expected.items():
        dtype = dtypes.by_name(row.dtype, name) if _is_known(row.dtype) else None
        slot = owners[name][1] if name in owners else ("state" if name in state else "")
        key, part = keys.get(name, (_shared_name(graph.nodes[name]), ""))
        size = tensors.byte_count(dtype, row.shape) if dtype else None
        is_trainable = None if trainable is None else name in trainable
        full = f"{key} {part}".strip()
        rows.append(Variable(name, row.dtype, row.shape, size, is_trainable, slot, full, ""))
    return rows


def _is_known(name):
    return not name.startswith("dtype-")


def _shared_name(node):
    """Returns the name by which a Saver knows a variable of which the graph has no Saver."""
    raw = tensors.attribute(node, "shared_name").get(2, b"")
    shared = bytes(raw).decode("utf-8", "surrogateescape") if not isinstance(raw, int) else ""
    return shared if node.op == "VarHandleOp" and shared else node.name


def in_checkpoint(rows, ckpt):
    """Returns the rows, each with what a checkpoint has of it.

    Args:
      rows: the `Variable` list.
      ckpt: an open checkpoint.
    """
    keys = {name: name for name in ckpt}
    if ckpt.object_graph is not None:
        for node in ckpt.object_graph.nodes:
            for attribute, full_name in node.full_names.items():
                keys.setdefault(full_name, node.attributes.get(attribute))
    return [row._replace(saved=_saved(row, keys, ckpt)) for row in rows]


def _saved(row, keys, ckpt):
    name, _, part = row.key.partition(" ")
    key = keys.get(name, keys.get(row.name))
    if key is None or key not in ckpt:
        return "no"
    shape = tuple(ckpt.info(key).shape)
    if part or row.shape is None or len(row.shape) != len(shape):
        fits = bool(part) or row.shape is None
    else:
        fits = all(size in (None, other) for size, other in zip(row.shape, shape))
    return "yes" if fits else "shape [{}]".format(", ".join(map(str, shape)))
