"""Node definitions: their names and small changes to them."""

from tfgraphtools import _tf


def full_name(name):
    """Returns ``"op:0"`` for ``"op"``: they are one tensor; controls (``"^op"``) stay."""
    return name if name.startswith("^") or ":" in name else name + ":0"


def handles_of(ops):
    """Returns ``{name: tensor}`` of the handles and lists that these ops put out."""
    return {
        tensor.name: tensor for op in ops for tensor in op.outputs if tensor.dtype in _tf.HANDLES
    }


def strip_dangling_colocations(nodes):
    """Removes colocation with nodes that are not there: an import would refuse it."""
    node_names = {node.name for node in nodes}
    for node in nodes:
        if "_class" in node.attr:
            kept = [
                label
                for label in node.attr["_class"].list.s
                if not label.startswith(b"loc:@") or label[5:].decode() in node_names
            ]
            del node.attr["_class"].list.s[:]
            node.attr["_class"].list.s.extend(kept)
            if not kept:
                del node.attr["_class"]


def become(node, op, **types):
    """Makes the node another op with these type attributes and no others."""
    node.op = op
    node.attr.clear()
    for name, dtype in types.items():
        node.attr[name].type = dtype


def become_placeholder(node, dtype, shape):
    """Makes the node a Placeholder."""
    become(node, "Placeholder", dtype=dtype)
    del node.input[:]
    node.attr["shape"].shape.CopyFrom(shape.as_proto())


def forget(node, attribute):
    """Removes an attribute, if the node has it."""
    if attribute in node.attr:
        del node.attr[attribute]
