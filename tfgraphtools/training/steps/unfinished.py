"""Names that a step took before its build failed: the next build in the graph takes them over.

Nothing can be removed from a graph. In a notebook the cell that failed runs again, with
optimizers of the same names.
"""

import weakref

from tfgraphtools import _tf

#: graph: {name: what was made under it, weakly; None for a scope}. A variable is kept by the
#: graph's collections, and would itself keep the graph.
_left = weakref.WeakKeyDictionary()


def leave(taken):
    """Remembers what a failed step took: a list of (name, variable or None)."""
    names = _left.setdefault(_tf.root_graph(), {})
    for name, variable in taken:
        names[name] = None if variable is None else weakref.ref(variable)


def take_scope(name):
    """Tells whether the scope is left of a failed step, which it then is no longer."""
    names = _left.get(_tf.root_graph(), {})
    return name in names and names.pop(name) is None


def take_variable(name, resource):
    """Returns the variable of this name and kind that a failed step left, or None."""
    reference = _left.get(_tf.root_graph(), {}).pop(name, None)
    variable = None if reference is None else reference()
    if variable is None or _tf.is_resource_variable(variable) != resource:
        return None
    return variable
