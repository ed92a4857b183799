"""The variables that a graph restores from a checkpoint, as its Saver does.

A ``.meta`` (MetaGraphDef), a frozen or plain ``.pb`` (GraphDef) and a
``saved_model.pb`` are decoded by hand, so that a graph with ops that no
TensorFlow here has can be inspected anyway.
"""

import collections

from tfgraphtools import regular_files
from tfgraphtools.checkpoints.format import dtypes, graph_def
from tfgraphtools.checkpoints.format.wire import (
    Malformed,
    expect_bytes,
    expect_int,
    fields,
    last_fields,
    read_varint,
    reading,
    signed,
    text,
)
from tfgraphtools.errors import DamagedCheckpointError

#: A tensor that the graph restores; ``shape`` is None, or has None for a size, where unknown.
Expected = collections.namedtuple("Expected", "name dtype shape")

#: ``expected``: {name: Expected}; ``ops``: the set of all op types, functions' bodies included.
Model = collections.namedtuple("Model", "expected ops has_saver")

_VARIABLES = {"Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable", "TemporaryVariable"}
_ASSIGNS = {"Assign", "AssignVariableOp"}
_RESTORES = {"RestoreV2": (1, 2), "RestoreSlice": (1, 2), "Restore": (1, None)}
_LOOKED_THROUGH = {"Identity", "Cast", "Reshape"}


def read(path):
    """Returns the `Model` in a ``.meta`` or ``.pb`` file.

    Raises:
      DamagedCheckpointError: it is neither.
    """
    regular_files.require(path)
    with open(path, "rb") as file:
        data = file.read()
    next_step = "Pass the .meta beside the checkpoint, or a binary .pb (no .pbtxt)."
    nodes, ops, restores = {}, set(), set()
    with reading(path, next_step):
        for graph, restore in graph_def.with_savers(data, path):
            _read_graph(graph, nodes, ops)
            restores.add(restore)
        wanted = dict(_restored(nodes, restores))
        has_saver = bool(wanted)
        if not has_saver:
            wanted = {
                node.name: expected_of(node) for node in nodes.values() if node.op in _VARIABLES
            }
    if not ops:
        raise DamagedCheckpointError(path, "a graph", "no nodes", next_step)
    return Model(wanted, ops, has_saver)


def nodes(path):
    """Returns ({name: node}, the ops by which its Savers restore) of a ``.meta`` or ``.pb``.

    A node has a ``name``, an ``op``, ``inputs`` and ``attrs``. `restored_by` takes both.
    """
    with open(path, "rb") as file:
        data = file.read()
    by_name, restores = {}, set()
    with reading(path, "Pass the .meta beside the checkpoint, or a binary .pb (no .pbtxt)."):
        for graph, restore in graph_def.with_savers(data, path):
            _read_graph(graph, by_name, set())
            restores.add(restore)
    return by_name, restores


def boolean(node, name, default):
    """Returns a node's attribute of type bool."""
    if name not in node.attrs:
        return default
    return bool(last_fields(expect_bytes(node.attrs[name])).get(5, 0))


def _read_graph(data, nodes, ops):
    for number, value in fields(data):
        if number == 1:
            node = graph_def.node(expect_bytes(value))
            nodes[node.name] = node
            ops.add(node.op)
        elif number == 2:  # the library of functions
            for field, function in fields(expect_bytes(value)):
                if field == 1:
                    bodies = [v for n, v in fields(expect_bytes(function)) if n == 3]
                    ops.update(graph_def.node(expect_bytes(body)).op for body in bodies)


def expected_of(node):
    """Returns the `Expected` that the node of a variable or placeholder says: its own name."""
    dtype = last_fields(expect_bytes(node.attrs.get("dtype", b""))).get(6, 0)
    shape = last_fields(expect_bytes(node.attrs.get("shape", b""))).get(7)
    return Expected(
        node.name, type_name(dtype), None if shape is None else sizes(expect_bytes(shape))
    )


def type_name(number):
    """Returns the name of a type; a reference has that of its values."""
    number = expect_int(number)
    return dtypes.by_number(number - 100 if number > 100 else number).name  # 100 up: a reference


def sizes(data):
    """Returns the sizes in a TensorShapeProto, None where unknown; None for an unknown rank."""
    shape = []
    for number, value in fields(data):
        if number == 2:
            size = signed(last_fields(expect_bytes(value)).get(1, 0))
            shape.append(None if size < 0 else size)
        elif number == 3 and value:
            return None
    return tuple(shape)


# What the Saver restores ----------------------------------------------------


def _restored(nodes, restores):
    """Yields (name, Expected) for every tensor that the graph's Saver reads."""
    assigned = dict(_assignments(nodes))
    own = _needed(nodes, restores)
    for node in nodes.values():
        if node.op not in _RESTORES or len(node.inputs) < 2 or own and node.name not in own:
            continue
        names_at, slices_at = _RESTORES[node.op]
        names = _strings(nodes, node.inputs[names_at])
        slices = _strings(nodes, node.inputs[slices_at]) if slices_at else []
        types = _types(node)
        for i, name in enumerate(names):
            variable = assigned.get((node.name, i))
            dtype, shape = (types[i] if i < len(types) else None), None
            if variable is not None:
                known = expected_of(variable)
                dtype, shape = known.dtype, known.shape
            if i < len(slices) and slices[i].strip():
                shape = _full_shape(slices[i])
            yield name, Expected(name, dtype, shape)


def restored_variables(graph_def, restores=()):
    """{variable: (tensor of the checkpoint, its slice or "")}, of a serialized GraphDef."""
    nodes = {}
    _read_graph(graph_def, nodes, set())
    return restored_by(nodes, restores)


def restored_by(nodes, restores=()):
    """Finds what a graph's Saver restores: warm starts and other Savers restore other tensors.

    Args:
      nodes: {name: node}.
      restores: the ops by which it restores (``saver_def.restore_op_name``). Where no file says
        them, a variable is restored under its own name, if any Saver does so.

    Returns:
      {variable: (tensor of the checkpoint, its slice or "")}.
    """
    own, tensors_of, read = _needed(nodes, restores), {}, {}
    for assign, (restore, output), variable in _assigned(nodes):
        if own and assign not in own:
            continue
        if restore not in read:  # once: one op restores all variables
            names_at, slices_at = _RESTORES[nodes[restore].op]
            names = _strings(nodes, nodes[restore].inputs[names_at])
            slices = _strings(nodes, nodes[restore].inputs[slices_at]) if slices_at else []
            read[restore] = names, slices
        names, slices = read[restore]
        if output < len(names):
            spec = slices[output].strip() if output < len(slices) else ""
            if own or tensors_of.get(variable.name, ("",))[0] != variable.name:
                tensors_of[variable.name] = names[output], spec
    return tensors_of


def _needed(nodes, restores):
    """Returns the names of the ops that some ops run, their own included, but for variables."""
    seen = {name for name in restores if name in nodes}
    waiting = list(seen)
    while waiting:
        for tensor in nodes[waiting.pop()].inputs:
            name = _endpoint(tensor)[0]
            if name in nodes and name not in seen and nodes[name].op not in _VARIABLES:
                seen.add(name)
                waiting.append(name)
    return seen


def _assignments(nodes):
    """Yields ((restore op, output), variable) for every assignment of a restored value."""
    for _, source, variable in _assigned(nodes):
        yield source, variable


def _assigned(nodes):
    """Yields (assignment, (restore op, output), variable) of every restored value."""
    for node in nodes.values():
        if node.op not in _ASSIGNS or len(node.inputs) < 2:
            continue
        source, output = _endpoint(node.inputs[1])
        for _ in range(8):  # Saver puts an Identity, a Reshape or a Cast between
            if source in nodes and nodes[source].op in _LOOKED_THROUGH and nodes[source].inputs:
                source, output = _endpoint(nodes[source].inputs[0])
        variable = nodes.get(_endpoint(node.inputs[0])[0])
        if source in nodes and nodes[source].op in _RESTORES and variable is not None:
            yield node.name, (source, output), variable


def _endpoint(text_form):
    name, _, output = text_form.lstrip("^").partition(":")
    return name, int(output) if output.isdigit() else 0


def _strings(nodes, endpoint):
    """Returns the values of a constant of strings."""
    node = nodes.get(_endpoint(endpoint)[0])
    if node is None or node.op != "Const":
        return []
    tensor = expect_bytes(last_fields(expect_bytes(node.attrs.get("value", b""))).get(8, b""))
    return [text(value) for number, value in fields(tensor) if number == 8]


def _types(node):
    """Returns the types that a restore op gives, by name."""
    listed = expect_bytes(last_fields(expect_bytes(node.attrs.get("dtypes", b""))).get(1, b""))
    numbers = []
    for number, value in fields(listed):
        if number == 6 and isinstance(value, int):
            numbers.append(value)
        elif number == 6:
            position = 0
            while position < len(value):
                one, position = read_varint(value, position)
                numbers.append(one)
    single = last_fields(expect_bytes(node.attrs.get("dt", b""))).get(6)
    return [type_name(number) for number in numbers or ([] if single is None else [single])]


def _full_shape(spec):
    """Returns the whole variable's shape in a slice's ``"7 3 0,3:-"``."""
    sizes = spec.split(" ")[:-1]
    if not all(size.isdigit() for size in sizes):
        raise Malformed(f"a slice specification {spec!r}")
    return tuple(map(int, sizes))
