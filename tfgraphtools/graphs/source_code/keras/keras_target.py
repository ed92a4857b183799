"""The Keras side of a body: expressions of nodes, layers, new tensors."""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.keras import (
    keras_elementwise,
    keras_functions,
    keras_images,
    keras_layer_table,
    keras_list_ops,
    keras_names,
    keras_shapes,
)
from tfgraphtools.graphs.source_code.scopes.scope_trees import LoopScope, Scope
from tfgraphtools.graphs.source_code.statements import expressions

TEMPLATES = {
    **keras_elementwise.TEMPLATES,
    **keras_shapes.TEMPLATES,
    **keras_functions.TEMPLATES,
    **keras_images.TEMPLATES,
    **keras_list_ops.TEMPLATES,
}

#: The method of a layer that computes.
METHOD = "call"
_TRAINING = "training=training"

attribute = keras_names.attribute


def parameters(body, names, is_root):
    """Returns the parameters of a method behind ``self``; `Model.fit` gives inputs by place.

    One without any is given the mode, as Keras looks at the first one.
    """
    is_refused = is_root and body.program.refusal
    has_mode = is_refused or not names or _has_modes(body.scope)
    return [*names, "training=False"] if has_mode else names


def argument(body, value):
    """Returns what a layer of the model is called with, where Keras takes tensors alone."""
    if body.is_number(value):
        return body.new("tensor", body.of_value(value), dtype=value.dtype)
    return body.of_value(value)


def more_arguments(scope):
    """Returns what each call of a layer of the model gets besides its inputs."""
    return [expressions.code(_TRAINING)] if _has_modes(scope) else []


def _has_modes(scope):
    return any(
        _has_modes(item)
        if isinstance(item, (LoopScope, Scope))
        else item.op == ir_nodes.LAYER and keras_layer_table.has_modes(item)
        for item in scope.items
    )


def size_of(tensor, place):
    """Returns the size of an axis at run time, also where Keras traces."""
    return expressions.index(expressions.call("ops.shape", tensor), [str(place)])


def call_of_layer(body, node, member, arguments):
    """Returns the call of a layer."""
    return keras_layer_table.call_of(node, member, arguments)


def form_of_targets(targets):
    """Returns the form of the targets of a recurrent layer."""
    is_sequence = targets[1:] == [None] * len(targets[1:])
    return "{}" if is_sequence else ", ".join(["{}"] * len(targets))


def expression(body, node):
    """Returns the `Code` of a node."""
    template = TEMPLATES.get(node.op)
    if template is None:
        raise body.refused(node, "no expression of Keras is known for it")
    return template(body, node)


def layer(body, node):
    """Returns the `body_statements.Layer` of a layer."""
    return keras_layer_table.LAYERS[node.attributes["kind"]](body, node)


def axis(value, number):
    """Returns where an axis of a value is: where TensorFlow has it."""
    return number


def new(body, function, arguments, keywords):
    """Returns a new tensor, as `Body.new`."""
    dtype, named = keywords.get("dtype"), {}
    if dtype is not None and (function, dtype) not in _DEFAULTS:
        named["dtype"] = expressions.code(f'"{dtype}"')
    function = "convert_to_tensor" if function == "tensor" else function
    return expressions.call("ops." + function, *arguments, **named)


#: The dtypes that functions give where none is named.
_DEFAULTS = (("zeros", "float32"), ("ones", "float32"), ("arange", "int32"))


def tensor_constructor(value):
    """Returns the `Code` that makes a parameter, or a tensor that does not train."""
    shape = expressions.sequence([expressions.literal(size) for size in value.dims])
    keywords = {"shape": shape if value.dims else expressions.code("()")}
    if value.dtype != "float32":
        keywords["dtype"] = expressions.code(f'"{value.dtype}"')
    if not is_trained_variable(value):
        keywords["trainable"] = expressions.code("False")
    return expressions.call("self.add_weight", **keywords)


def is_trained_variable(value):
    """Tells whether a tensor is a variable that an optimizer may change."""
    is_parameter = value.op == ir_nodes.PARAMETER and value.dtype.startswith(("float", "bfloat"))
    return is_parameter and value.node.attributes.get("is_trainable", True)
