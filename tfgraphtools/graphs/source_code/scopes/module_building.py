"""The sources of all modules of a program."""

from tfgraphtools.graphs.source_code.passes import shared_variables
from tfgraphtools.graphs.source_code.scopes import repeated_calls, scope_building, value_names
from tfgraphtools.graphs.source_code.scopes.bodies import Body
from tfgraphtools.graphs.source_code.scopes.module_classes import ModuleSource
from tfgraphtools.graphs.source_code.scopes.scope_trees import calls_of


def root_of(program, target):
    """Returns the `ModuleSource` of a whole program.

    A layer that several modules would have becomes ops, whose parameters come from outside; two
    calls of one module whose bodies differ become part of the scope around them.
    """
    shared_variables.separate(program)
    dissolved, unnamed = set(), set()
    while True:
        scope = scope_building.built(program, dissolved, unnamed)
        names = scope_building.scattered(scope)
        if names:
            shared_variables.separate(program, names)
            continue
        only_calls = scope_building.only_calls(scope) - dissolved
        if only_calls:
            dissolved |= only_calls
            unnamed |= only_calls
            continue
        building = _Building(target, program)
        root = building.built(scope)
        if not building.different:
            return root
        dissolved |= building.different


class _Building:
    """The sources of a tree.

    Attributes:
      different: paths of calls of one module whose bodies differ.
    """

    def __init__(self, target, program):
        self._target, self._program = target, program
        self._names = value_names.names_of(program)
        self.different = set()

    def built(self, scope):
        """Returns the `ModuleSource` of a scope, with those of the scopes in it."""
        calls = list(calls_of(scope))
        children, by_attribute = {}, {}
        for call in calls:
            source = self.built(call)
            children.setdefault(call.attribute, source)
            by_attribute.setdefault(call.attribute, []).append((call, source))
        for rows in by_attribute.values():
            if len({_identity(source) for _, source in rows}) > 1:
                self.different.update(call.path for call, _ in rows)
        runs = repeated_calls.runs_of(scope, children)
        body = Body(scope, self._target, self._program, runs, self._names)
        listed = {
            call.attribute: f"{run.attribute}.{number}"
            for run in runs
            for number, call in enumerate(run.calls)
        }
        children = {listed.get(name, name): source for name, source in children.items()}
        return ModuleSource(body, children)


def _identity(source):
    """Returns what two calls of one module must have in common."""
    values = tuple(repr(literal.value) for literal in source.columns)
    return source.key, values, tuple(source.body.members)
