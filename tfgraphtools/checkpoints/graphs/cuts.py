"""Parts of GraphDefs: what an output needs, cut off at the inputs, without what training left."""

import collections
import itertools

from tfgraphtools.checkpoints.graphs.contrib_ops import MODULE_OF
from tfgraphtools.errors import GraphExportError, nearest

VARIABLES = ("VarHandleOp", "VariableV2", "Variable")
ASSIGNS = ("Assign", "AssignVariableOp")
PLACEHOLDERS = ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")
_OLDEST_SCALAR = 24  # the version of GraphDef since which a placeholder of shape [] is a scalar
TABLE_INITIALIZERS = (
    "InitializeTable",
    "InitializeTableV2",
    "InitializeTableFromTextFile",
    "InitializeTableFromTextFileV2",
    "LookupTableImport",
    "LookupTableImportV2",  # of graphs that TF 2 built
)
#: Tables that are filled while training: their content is in no constant and no file.
MUTABLE_TABLES = (
    "MutableHashTable",
    "MutableHashTableV2",
    "MutableDenseHashTable",
    "MutableDenseHashTableV2",
    "MutableHashTableOfTensors",
    "MutableHashTableOfTensorsV2",
)


def split_tensor(name):
    """Returns (node, output) of ``"node:1"``, ``"node"`` or ``"^node"``."""
    node, _, output = name.lstrip("^").partition(":")
    return node, int(output) if output.isdigit() else 0


def cut_at(graph_def, inputs, place, shapes):
    """Puts a placeholder in the place of each tensor of ``inputs`` that is not one already.

    Args:
      graph_def: the GraphDef.
      inputs: list of tensors.
      place: its file, for errors.
      shapes: {(node, output): TensorShapeProto} of those whose shape is known.

    Returns:
      {tensor as it was given: the tensor to feed}.
    """
    nodes = {node.name: node for node in graph_def.node}
    fed, moved = {}, {}
    for tensor in inputs:
        name, output = split_tensor(tensor)
        if name not in nodes:
            raise unknown_node(place, tensor, nodes)
        require_output(place, nodes[name], output)
        if nodes[name].op in PLACEHOLDERS:
            fed[tensor] = f"{name}:{output}"
            continue
        if (name, output) not in moved:
            new = moved[name, output] = unused_name(nodes, f"{name}/input_{output}")
            placeholder = graph_def.node.add(name=new, op="Placeholder")
            dtype = output_types(nodes[name])[output]
            placeholder.attr["dtype"].type = dtype % 100  # a reference's type is 100 more
            if (name, output) in shapes:
                placeholder.attr["shape"].shape.CopyFrom(shapes[name, output])
            else:
                placeholder.attr["shape"].shape.unknown_rank = True
        fed[tensor] = moved[name, output] + ":0"
    for node in graph_def.node:
        for i, tensor in enumerate(node.input):
            if not tensor.startswith("^") and split_tensor(tensor) in moved:
                node.input[i] = moved[split_tensor(tensor)]
    return fed


def unused_name(nodes, name):
    """Returns a name that no node has: this one, or with a number behind it."""
    names = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(1)))
    return next(each for each in names if each not in nodes)


def unknown_node(place, name, nodes):
    """Returns the error for a tensor that the graph does not have."""
    near = nearest(split_tensor(name)[0], nodes)
    return GraphExportError(
        place,
        f"a tensor {name!r} of the graph",
        "no node of that name",
        "Did you mean {}?".format(" or ".join(near)) if near else "Give the name of an op.",
    )


def require_output(place, node, output):
    """Raises `GraphExportError` if a node has no output of that number."""
    if op_definition(node.op) is None:  # a function, or an op that this TensorFlow lacks
        return
    count = len(output_types(node))
    if output >= count:
        raise GraphExportError(
            place,
            f"at most {node.name}:{count - 1} of {node.name} ({node.op})"
            if count
            else "an op that gives a tensor",
            f"{node.name}:{output}" if count else f"{node.name} ({node.op}), which gives none",
            "Name another output.",
        )


def placeholder_shape(graph_def, node):
    """Returns the shape of a placeholder with None for free sizes; None for an unknown rank.

    A shape that the node does not say is unknown, and so is [] in graphs of old TensorFlows; then
    the one that was inferred when the graph was saved holds, if the file has it.
    """
    said = node.attr["shape"].shape if "shape" in node.attr else None
    producer = graph_def.versions.producer
    is_old = 0 < producer < _OLDEST_SCALAR and node.op == "Placeholder"
    if said is None or said.unknown_rank or (is_old and not said.dim):
        inferred = node.attr["_output_shapes"].list.shape if "_output_shapes" in node.attr else []
        said = inferred[0] if inferred else None
    if said is None or said.unknown_rank:
        return None
    return tuple(None if dim.size < 0 else dim.size for dim in said.dim)


def output_types(node):
    """Returns the numbers of the types of a node's outputs, as its op's definition says."""
    definition = op_definition(node.op)
    if definition is None:
        raise removed_ops("the inputs", [node])
    defaults = {attribute.name: attribute.default_value.type for attribute in definition.attr}
    types = []
    for argument in definition.output_arg:
        count = node.attr[argument.number_attr].i if argument.number_attr else 1
        if argument.type_list_attr:
            types.extend(node.attr[argument.type_list_attr].list.type)
        else:
            key = argument.type_attr  # to read an attribute that is not there would make it
            own = node.attr[key].type if key in node.attr else defaults.get(key, 0)
            types.extend([argument.type or own] * count)
    return types


def op_definition(op):
    """Returns the OpDef of an op, or None if this TensorFlow lacks it."""
    from tensorflow.python.framework import op_def_registry

    if hasattr(op_def_registry, "get"):
        return op_def_registry.get(op)
    return op_def_registry.get_registered_ops().get(op)


def removed_ops(place, nodes):
    """Returns the error for nodes whose ops this TensorFlow lacks."""
    by_op = collections.OrderedDict()
    for node in nodes:
        by_op.setdefault(node.op, []).append(node.name)
    words = [
        "{}{} ({})".format(
            op, f" of {MODULE_OF[op]}" if op in MODULE_OF else "", ", ".join(names[:4])
        )
        for op, names in sorted(by_op.items())
    ]
    return GraphExportError(
        place,
        "ops that this TensorFlow has",
        "none of the name " + "; ".join(words),
        "Cut them off with --inputs or choose other --outputs, or convert under the TensorFlow "
        "that has them.",
    )


def needed(graph_def, wanted):
    """Returns the names of the nodes that these nodes need, control inputs included."""
    nodes = {node.name: node for node in graph_def.node}
    names, waiting = set(), list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in names and name in nodes:
            names.add(name)
            waiting.extend(split_tensor(tensor)[0] for tensor in nodes[name].input)
    return names


def keep_only(graph_def, names):
    """Removes all other nodes, all devices, and colocation with what is gone."""
    kept = [node for node in graph_def.node if node.name in names]
    del graph_def.node[:]
    for node in kept:
        node.device = ""
        labels = node.attr["_class"].list.s
        near = [label for label in labels if label[5:].decode("utf-8", "replace") in names]
        del node.attr["_class"].list.s[:]
        node.attr["_class"].list.s.extend(near)
        if not near:
            del node.attr["_class"]
        graph_def.node.add().CopyFrom(node)
    _keep_called_functions(graph_def)
    for function in graph_def.library.function:
        for node in function.node_def:
            node.device = ""


def _keep_called_functions(graph_def):
    """Removes the functions that nothing calls any more, such as those of the gradients."""
    functions = {function.signature.name: function for function in graph_def.library.function}
    called, waiting = set(), list(graph_def.node)
    while waiting:
        node = waiting.pop()
        names = [node.op]
        for value in node.attr.values():
            names.extend([value.func.name] + [function.name for function in value.list.func])
        for name in names:
            if name in functions and name not in called:
                called.add(name)
                waiting.extend(functions[name].node_def)
    kept = [functions[name] for name in sorted(called)]
    del graph_def.library.function[:]
    graph_def.library.function.extend(kept)
    gradients = [
        gradient for gradient in graph_def.library.gradient if gradient.function_name in called
    ]
    del graph_def.library.gradient[:]
    graph_def.library.gradient.extend(
        gradient for gradient in gradients if gradient.gradient_func in called
    )


def require_ops(graph_def, place):
    """Raises `GraphExportError`, with every op, if this TensorFlow lacks some."""
    own = {function.signature.name for function in graph_def.library.function}
    bodies = [node for function in graph_def.library.function for node in function.node_def]
    known = {}
    lacking = []
    for node in list(graph_def.node) + bodies:
        if node.op not in known:
            known[node.op] = node.op in own or op_definition(node.op) is not None
        if not known[node.op]:
            lacking.append(node)
    if lacking:
        raise removed_ops(place, lacking)
