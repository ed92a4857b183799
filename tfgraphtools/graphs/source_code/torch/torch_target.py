"""The PyTorch side of a body: expressions of nodes, layers, new tensors."""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.torch import (
    torch_elementwise,
    torch_functions,
    torch_images,
    torch_layers,
    torch_layout,
    torch_lists,
    torch_shapes,
    torch_windows,
)
from tfgraphtools.graphs.source_code.torch.torch_elementwise import DTYPES

TEMPLATES = {
    **torch_elementwise.TEMPLATES,
    **torch_shapes.TEMPLATES,
    **torch_windows.TEMPLATES,
    **torch_functions.TEMPLATES,
    **torch_images.TEMPLATES,
    **torch_lists.TEMPLATES,
}


def expression(body, node):
    """Returns the `Code` of a node."""
    template = TEMPLATES.get(node.op)
    if template is None:
        raise body.refused(node, "no expression of PyTorch is known for it")
    return template(body, node)


#: The method of a module that computes.
METHOD = "forward"


def parameters(body, names, is_root):
    """Returns the parameters of a method behind ``self``; those of the whole graph have names."""
    return ["*", *names] if is_root and names else names


def attribute(name):
    """Returns what a member of a module is called."""
    return name


def size_of(tensor, place):
    """Returns the size of an axis at run time."""
    return expressions.index(expressions.attribute(tensor, "shape"), [str(place)])


def call_of_layer(body, node, member, arguments):
    """Returns the call of a layer; two initial states are one argument."""
    if node.attributes["settings"].get("states") == 2:
        arguments[-2:] = [expressions.sequence(arguments[-2:])]
    return expressions.call(member, *arguments)


def argument(body, value):
    """Returns what a module is called with."""
    return body.of_value(value)


def more_arguments(scope):
    """Returns what each call of a module gets besides its inputs."""
    return []


def form_of_targets(targets):
    """Returns the form of the targets of a recurrent layer, whose states are one value."""
    if targets[1:] == [None] * len(targets[1:]):
        return "{}, _"
    return "{}, ({}, {})" if len(targets) == 3 else "{}, {}"


def layer(body, node):
    """Returns the `body_statements.Layer` of a layer."""
    return torch_layers.LAYERS[node.attributes["kind"]](body, node)


def axis(value, number):
    """Returns where an axis of a value is in the tensor that the code has."""
    return torch_layout.axis(value, number)


def new(body, function, arguments, keywords):
    """Returns a new tensor, as `Body.new`."""
    dtype = keywords.get("dtype")
    source = body.any_tensor(dtype) if dtype is not None and function != "arange" else None
    if source is not None:
        return expressions.method(source, "new_" + function, *arguments)
    source, named = body.any_tensor(), {}
    if dtype is not None and not (function == "arange" and dtype == "int64"):
        named["dtype"] = expressions.code(DTYPES[dtype])
    if source is not None:
        named["device"] = expressions.attribute(source, "device")
    return expressions.call("torch." + function, *arguments, **named)


def tensor_constructor(value):
    """Returns the `Code` that makes a parameter, or a tensor that does not train."""
    sizes = [expressions.literal(size) for size in value.dims] or [expressions.sequence([])]
    keywords = {}
    if value.dtype != "float32":
        keywords["dtype"] = expressions.code(DTYPES[value.dtype])
    empty = expressions.call("torch.empty", *sizes, **keywords)
    if not is_trained(value):
        return empty
    return expressions.call("nn.Parameter", empty)


def is_trained(value):
    """Tells whether a tensor is a parameter that an optimizer may change."""
    is_parameter = value.op == ir_nodes.PARAMETER and value.dtype.startswith(("float", "bfloat"))
    return is_parameter and value.node.attributes.get("is_trainable", True)
