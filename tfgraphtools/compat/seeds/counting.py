"""The number of ops that a graph would hold under TF 1.15, and the default seeds from it.

TF 1.15 seeds an op that was given no seed of its own with the number of ops
created in the graph so far; TF 2.x counts the requests for seeds instead. Where
an API makes more or fewer ops today than it did, a row of the tables adds the
difference here.

Source: `get_seed` in tensorflow/python/framework/random_seed.py of TF 1.15.5.
"""

import contextlib

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.fixes.tensorflow import ownership

#: The attribute of a graph that holds the ops that TF 1.15 would have made on top.
_DIFFERENCE = "_tfgraphtools_ops_of_tf1"

#: Called with the graph for each default seed that is handed out.
_listeners = []


def count(graph):
    """Returns the number of ops that this graph would hold under TF 1.15."""
    return graph.num_operations() + getattr(graph, _DIFFERENCE, 0)


def add(graph, ops):
    """Counts ops that TF 1.15 would have made more (or fewer) than were made here."""
    setattr(graph, _DIFFERENCE, getattr(graph, _DIFFERENCE, 0) + ops)


@contextlib.contextmanager
def paused(graph):
    """Returns the ops made inside leave no trace in the count: TF 1.15 did not make them."""
    before = count(graph)
    try:
        yield
    finally:
        add(graph, before - count(graph))


def listen(function):
    """Calls the function with the graph whenever a default seed is handed out."""
    _listeners.append(function)
    state.at_restore(lambda: _listeners.remove(function))


def is_installed():
    """Tells whether default seeds are derived as TF 1.15 does."""
    return bool(_listeners)


def install():
    """Makes `get_seed` derive default seeds as TF 1.15 does, until `state.restore`."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops, random_seed

    get_seed = random_seed.get_seed

    def get_seed_of_tf1(op_seed):
        graph = None if context.executing_eagerly() else ops.get_default_graph()
        if op_seed is not None or graph is None or graph.seed is None:
            return get_seed(op_seed)
        if not ownership.is_users(graph):
            return get_seed(op_seed)
        for listener in _listeners:
            listener(graph)
        return get_seed(count(graph))

    return {get_seed: get_seed_of_tf1}
