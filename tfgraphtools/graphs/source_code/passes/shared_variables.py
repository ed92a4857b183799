"""Variables that several layers have: the layers become ops that read one parameter."""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.patterns import layer_nodes
from tfgraphtools.graphs.source_code.patterns.layer_nodes import BIAS, KERNEL
from tfgraphtools.graphs.source_code.scopes import module_paths


def separate(program, names=()):
    """Makes ops of layers whose parameters other layers or ops read, too.

    Args:
      program: a `Program`.
      names: of further parameters that several modules need.

    Raises:
      GraphExportError: such a layer has no form of ops.
    """
    nodes = program.nodes()
    shared = _shared(nodes) | set(names)
    if not shared:
        return
    originals = {}
    for node in nodes:
        if node.op == ir_nodes.LAYER and _names(node) & shared:
            program.replace(node.output, _as_ops(program, node, originals, shared))
    for node in nodes:
        if node.op == ir_nodes.PARAMETER and node.name in shared and node.output.users:
            _replace_view(program, node, originals)
    program.sweep()


def _shared(nodes):
    """Returns the names of the parameters that are used in more than one way."""
    uses = {}
    for node in nodes:
        if node.op == ir_nodes.LAYER:
            for name in _names(node):
                uses.setdefault(name, set()).add(module_paths.layer_key(node))
        elif node.op == ir_nodes.PARAMETER:
            uses.setdefault(node.name, set()).add(repr(node.attributes["steps"]))
    return {name for name, keys in uses.items() if len(keys) > 1}


def _names(node):
    return {value.node.name for value in layer_nodes.parameters_of(node).values()}


def _original(parameter, originals):
    """Returns the whole parameter of a view, the one `Value` for all."""
    name = parameter.node.name
    if name not in originals:
        node = ir_nodes.Node(ir_nodes.PARAMETER, name)
        node.attributes.update(parameter.node.attributes, steps=())
        array = node.attributes["array"]
        originals[name] = node.add_output(array.shape, parameter.dtype)
    return originals[name]


def _read(parameter, node, originals):
    """Returns a view of a parameter as ops on the original."""
    value = _original(parameter, originals)
    for step in parameter.node.attributes["steps"]:
        if step[0] == "reshape":
            dims, attributes, op = step[1], {}, "Reshape"
        else:
            dims, op = tuple(value.dims[axis] for axis in step[1]), "Transpose"
            attributes = {"order": step[1]}
        value = ir_nodes.made(op, node.name, [value], dims, value.dtype, attributes, node.position)
    return value


def _replace_view(program, node, originals):
    if node.output is originals.get(node.name):
        return
    user = next(iter(node.output.users))
    program.replace(node.output, _read(node.output, user, originals))


def _as_ops(program, node, originals, shared):
    kind = node.attributes["kind"]
    parameters = layer_nodes.parameters_of(node)
    read = {role: _read(value, node, originals) for role, value in parameters.items()}
    dims, dtype, position = node.output.dims, node.output.dtype, node.position
    if kind == "embedding":
        inputs = [read[KERNEL], node.inputs[0]]
        return ir_nodes.made("Gather", node.name, inputs, dims, dtype, position=position)
    if kind != "linear":
        names = ", ".join(sorted(_names(node) & shared))
        reason = f"a {kind} layer whose {names} something else reads, too"
        raise ir_nodes.unwritable(program.place, [("Layer", node.name, reason)])
    inputs = [node.inputs[0], read[KERNEL]]
    result = ir_nodes.made("BatchMatMulV2", node.name, inputs, dims, dtype, position=position)
    if BIAS in read:
        result = ir_nodes.made(
            "AddV2", node.name, [result, read[BIAS]], dims, dtype, position=position
        )
    activation = layer_nodes.settings_of(node).get("activation")
    if activation:
        result = ir_nodes.made(activation, node.name, [result], dims, dtype, position=position)
    return result
