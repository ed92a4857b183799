"""Layers as nodes: what they are, what they read, their parameters and settings."""

from tfgraphtools.graphs.source_code.ir import ir_nodes

#: Roles of parameters in the layout of TensorFlow.
KERNEL, BIAS, GAMMA, BETA, MEAN, VARIANCE = "kernel bias gamma beta mean variance".split()


def layer(kind, node, inputs, parameters, settings, dims):
    """Returns the output of a new layer in the place of a node.

    Args:
      kind: such as "linear".
      node: the op whose scope is that of the layer.
      inputs: list of `Value`.
      parameters: {role: `Value` of a parameter}.
      settings: {name: value}; ``activation`` is the op that a target has put into it.
      dims: of the output.
    """
    attributes = {"kind": kind, "parameters": parameters, "settings": settings}
    new = ir_nodes.Node(ir_nodes.LAYER, node.name, inputs, attributes, node.position)
    return new.add_output(dims, node.output.dtype)


def is_layer(value, *kinds):
    """Tells whether a value is that of a layer of one of some kinds."""
    return value.op == ir_nodes.LAYER and value.node.attributes["kind"] in kinds


def is_parameter(value, rank=None):
    """Tells whether a value is a parameter, of a rank."""
    return value.op == ir_nodes.PARAMETER and (rank is None or len(value.dims) == rank)


def parameters_of(node):
    """Returns {role: `Value`} of a layer."""
    return node.attributes["parameters"]


def settings_of(node):
    """Returns {name: value} of a layer."""
    return node.attributes["settings"]
