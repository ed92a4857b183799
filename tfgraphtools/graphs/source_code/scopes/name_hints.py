"""Names for the arguments and the local variables of methods."""

from tfgraphtools.graphs.source_code.ir import ir_nodes, python_numbers, tensor_arrays
from tfgraphtools.graphs.source_code.scopes import module_paths
from tfgraphtools.graphs.source_code.scopes.scope_trees import Scope, calls_of
from tfgraphtools.graphs.source_code.statements import identifiers
from tfgraphtools.graphs.source_code.statements.expressions import Local

#: What values of ops are called where "x" is taken.
_NOUNS = {
    "Attention": "context",
    "Softmax": "weights",
    "MatMul": "product",
    "BatchMatMul": "product",
    "BatchMatMulV2": "product",
    "Sum": "total",
    "Mean": "mean",
    "Max": "largest",
    "ArgMax": "place",
    "Range": "steps",
    "Sigmoid": "gate",
    "Cast": "numbers",
    "Row": "row",
    "ZerosLike": "zeros",
    "Sub": "difference",
    "Select": "chosen",
    "SelectV2": "chosen",
    "Split": "part",
    "SplitV": "part",
    "Unpack": "part",
}


def arguments_of(scope, program, names):
    """Returns list of the names of the arguments of a method.

    Args:
      scope: a `Scope`.
      program: the `Program`.
      names: {`Value`: name}, as in `value_names`.
    """
    result = []
    known = [_known_name(value, scope, names) for value in scope.inputs]
    for value, name in zip(scope.inputs, known):
        if name is None:
            is_free = "x" not in known and "x" not in result
            name = "x" if is_free else _described(value, program)
        result.append(identifiers.unused(identifiers.variable_name(name), result))
    return result


def _known_name(value, scope, names):
    if value.op != ir_nodes.INPUT:
        name = names.get(value)
        return None if name == "outputs" else name
    is_main = len(scope.inputs) == 1 and value.dtype.startswith("float")
    return None if is_main and scope.path else value.node.name


def _described(value, program):
    name = _origin(value, program)
    if name == "x" and value.op == ir_nodes.LAYER and value.node.attributes["parameters"]:
        scope = module_paths.variable_scope(value.node) or ("x",)
        name = scope[0] if scope[-1] in module_paths.GENERIC else scope[-1]
    return _NOUNS.get(value.op, name) if name == "x" else name


def _origin(value, program):
    """Returns the name of the only input of the graph that a value comes from, or "x"."""
    names, waiting, seen = set(), [value.node], set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.op == ir_nodes.INPUT:
            names.add(node.name)
        if node.op == ir_nodes.LAYER or len(names) > 1:
            return "x"
        waiting += [source.node for source in node.inputs]
    return names.pop() if len(names) == 1 else "x"


def of_value(body, item, value):
    """Returns names for the value of an item of a `Body`, the best first."""
    kept = [body.continued[value]] if value in body.continued else []
    if value in body.names:
        name = body.names[value]
        return [*kept, name, "new_" + name] if name in ("c", "h") else [*kept, name]
    if isinstance(item, Scope):
        return [*kept, *_of_call(body, item, value)]
    if len(value.node.outputs) > 1 and item.op != ir_nodes.LAYER:
        return [*kept, _NOUNS.get(item.op, "part") + str(value.index + 1)]
    return [*kept, *_of_node(body, item, value)]


def _of_call(body, scope, value):
    attribute = identifiers.variable_name(scope.attribute)
    if len(scope.outputs) == 1:
        return ["x", attribute]
    outputs = body.program.outputs.items()
    name = next((name for name, output in outputs if output is value), None)
    name = name or _layer_in(scope, value)
    return [identifiers.variable_name(name)] if name else ["x", attribute]


def _layer_in(scope, value):
    """Returns the attribute of the layer of a scope, or in it, that gives a value, or None."""
    if value.node in scope.attributes_of_layers:
        return scope.attributes_of_layers[value.node]
    names = (_layer_in(call, value) for call in calls_of(scope))
    return next((name for name in names if name), None)


def _of_node(body, node, value):
    own, names = body.ancestors[value], []
    if len(own) == 1 and len(body.arguments) > 1:
        names = [name for (name, _), v in zip(body.arguments, body.scope.inputs) if v in own]
    names.append("x")
    layers = body.scope.attributes_of_layers
    source = next(iter(own)) if len(own) == 1 else None
    if source in layers and source is not node:
        names.append(identifiers.variable_name(layers[source]))
    if node.op == ir_nodes.LAYER:
        names.append(identifiers.variable_name(layers[node]))
    elif node.op in _NOUNS:
        names.append(_NOUNS[node.op])
    return names


def of_variable(body, row):
    """Returns names for a variable of a loop, the best first.

    Args:
      body: a `Body`.
      row: (value in an iteration, initial value, next value, last value).
    """
    value, initial, new, last = row
    if value in body.names:
        return [body.names[value]]
    if value.dtype == tensor_arrays.LIST:
        return [body.names[stack.output] for stack in last.users if stack.op == "Stack"][:1] + [
            "outputs"
        ]
    if value.dtype == "bool":
        return ["finished"]
    if python_numbers.is_number(value):
        return ["count"]
    if new.op == ir_nodes.LAYER and new.node.attributes["parameters"]:
        own = module_paths.variable_scope(new.node)[-1:]
        return [*(name.replace("_layer", "") for name in own), "state"]
    if new.op == "Row" or any(source.op == "Row" for source in new.node.inputs):
        return ["inputs"]
    code = body.codes.get(initial)
    is_local = code is not None and len(code.parts) == 1 and isinstance(code.parts[0], Local)
    return [*(code.parts if is_local else []), "state"]
