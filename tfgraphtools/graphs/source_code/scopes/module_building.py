"""The sources of all modules of a tree of scopes."""

from tfgraphtools.graphs.source_code.scopes.bodies import Body
from tfgraphtools.graphs.source_code.scopes.module_classes import ModuleSource
from tfgraphtools.graphs.source_code.scopes.scope_trees import Scope


def built(scope, target, program):
    """Returns the `ModuleSource` of a scope, with those of the scopes in it."""
    body = Body(scope, target, program)
    children = {
        attribute: built(member, target, program)
        for attribute, member in body.members.items()
        if isinstance(member, Scope)
    }
    return ModuleSource(body, children)
