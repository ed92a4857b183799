"""What a docstring says of code that Keras cannot compile: loops and branches of Python."""

from tfgraphtools.graphs.source_code.ir import python_numbers
from tfgraphtools.graphs.source_code.scopes.scope_trees import LoopScope, Scope

_OF_STEPS = "Its loop is one of Python: compile it where the number of steps is known."
_OF_VALUES = "It decides by values in Python: run it eagerly, and do not compile it."


def words_of(scope):
    """Returns the sentence for a `Scope`, or ""."""
    loops = list(_loops(scope))
    nodes = [item for each in (scope, *loops) for item in each.items if not _is_scope(item)]
    decides = [node.inputs[0] for node in nodes if node.op == "Choice"]
    decides += [loop.end.inputs[0] for loop in loops]
    if not all(map(python_numbers.is_number, decides)):
        return _OF_VALUES
    return _OF_STEPS if loops else ""


def _is_scope(item):
    return isinstance(item, (LoopScope, Scope))


def _loops(scope):
    """Yields the loops of a method, with those inside of them."""
    for item in scope.items:
        if isinstance(item, LoopScope):
            yield item
            yield from _loops(item)
