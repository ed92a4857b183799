"""Inputs and outputs of a GraphDef under other names."""

import re

from tfgraphtools.checkpoints.graphs import cuts
from tfgraphtools.errors import ArgumentError

_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")  # of a node, as TensorFlow has it


def renamed(graph_def, inputs, outputs, names):
    """Renames the placeholders of inputs, and gives outputs an Identity of the new name.

    Args:
      graph_def: changed in place.
      inputs, outputs: {name: tensor}.
      names: {old name or tensor: new name of a node}.

    Returns:
      (inputs, outputs) with the new names.

    Raises:
      ArgumentError: no input or output has the old name, or a node has the new one.
    """
    _require_known(names, inputs, outputs)
    new_inputs = _each(graph_def, inputs, names, _rename_node)
    moved = dict(zip(inputs.values(), new_inputs.values()))  # an input may be an output
    outputs = {name: moved.get(tensor, tensor) for name, tensor in outputs.items()}
    return new_inputs, _each(graph_def, outputs, names, _add_identity)


def _each(graph_def, tensors, names, rename):
    """Returns {name: tensor} after `rename(graph_def, tensor, new name)` of those in `names`."""
    changed = {}
    for name, tensor in tensors.items():
        new = names.get(name, names.get(tensor))
        if new is not None and tensor != new + ":0":  # which an output that is an input has already
            _require_free(graph_def, name, new)
            rename(graph_def, tensor, new)
            tensor = new + ":0"
        if (new or name) in changed:
            got = f"{new or name} twice"
            raise ArgumentError(f"rename: {name}", "a name for each", got, "Choose another name.")
        changed[new or name] = tensor
    return changed


def _require_free(graph_def, name, new):
    """Raises unless a name may be that of a new node."""
    expected, got = "a new name", None
    if any(node.name == new for node in graph_def.node):
        got = f"{new}, a node of the graph"
    elif not _NAME.fullmatch(new):
        expected, got = "letters, digits, and _ . - / after the first", repr(new)
    if got:
        raise ArgumentError(f"rename: {name}", expected, got, "Choose another name.")


def _require_known(names, inputs, outputs):
    known = {*inputs, *inputs.values(), *outputs, *outputs.values()}
    if not known.issuperset(names):
        raise ArgumentError(
            "rename",
            "inputs and outputs: " + ", ".join([*inputs, *outputs]),
            ", ".join(sorted(set(names) - known)),
            "Name an input or an output.",
        )


def _rename_node(graph_def, tensor, new):
    old = cuts.split_tensor(tensor)[0]
    for node in graph_def.node:
        if node.name == old:
            node.name = new
        for index, source in enumerate(node.input):
            mark = "^" if source.startswith("^") else ""
            name, output = cuts.split_tensor(source)
            if name == old:
                node.input[index] = mark + new + (f":{output}" if output else "")


def _add_identity(graph_def, tensor, new):
    name, output = cuts.split_tensor(tensor)
    (source,) = [node for node in graph_def.node if node.name == name]
    number = cuts.output_types(source)[output]
    graph_def.node.add(name=new, op="Identity", input=[tensor]).attr["T"].type = number
