"""A program as one scope, without modules in it."""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.scopes.scope_trees import Scope
from tfgraphtools.graphs.source_code.statements import identifiers

#: Nodes that no statement computes.
SOURCES = (ir_nodes.INPUT, ir_nodes.PARAMETER, ir_nodes.CONSTANT, "Known")


def flat(program):
    """Returns the `Scope` of a whole program."""
    scope = Scope()
    nodes = program.nodes()
    scope.inputs = list(program.inputs.values())
    scope.outputs = list(program.outputs.values())
    scope.items = [node for node in nodes if node.op not in SOURCES]
    taken = set()
    for node in scope.items:
        if node.op == ir_nodes.LAYER:
            name = identifiers.unused(
                attribute_of(node.name.rpartition("/")[0] or node.name), taken
            )
            taken.add(name)
            scope.attributes_of_layers[node] = name
    for node in nodes:
        if node.op == ir_nodes.PARAMETER:
            name = identifiers.unused(attribute_of(node.name), taken)
            taken.add(name)
            scope.parameters[node.output] = name
    return scope


def attribute_of(path):
    """Returns the attribute for the last part of a path."""
    return identifiers.attribute_name(path.rpartition("/")[2])
