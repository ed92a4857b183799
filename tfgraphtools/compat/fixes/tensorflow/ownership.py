"""The owner of a call: the caller of a function of TensorFlow, and the graph that an op is in.

A graph is user code's if user code made it; the default graph that nobody made counts as such. The
graph of a `tf.function` belongs to whoever wrote the function, and the graphs that TensorFlow makes
inside (branches, loops, functions of datasets) to the owner of the graph around them, or else to
the caller.
"""

import functools
import sys
import threading

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.replacing import callers
from tfgraphtools.compat.engine.rows import Fix

#: The packages that are TensorFlow: its caller is the first frame outside of all of them.
FAMILY = ("tensorflow", "tf_keras", "tensorflow_estimator", "tf_slim", "keras_preprocessing")

#: `replacing.replaces` and `adds` for functions that TensorFlow's packages call for their caller.
replaces = functools.partial(replacing.replaces, through=FAMILY)
adds = functools.partial(replacing.adds, through=FAMILY)

#: A function of a frame that tells whether user code called TensorFlow.
is_user = callers.question(FAMILY)

#: The attribute of a graph that tells whether it is user code's.
_MARK = "_tfgraphtools_is_users"

_now = threading.local()  # `owner`: whether user code wrote the function that is traced next

_ROW = Fix("graphs.ownership", None, "tells graphs of user code from those of libraries")


def is_users(graph):
    """Tells whether user code made a graph."""
    is_marked = getattr(graph, _MARK, None)
    return _is_default(graph) if is_marked is None else is_marked


def is_of_users_graph(value, *arguments, **options):
    """Tells whether an op or a tensor, the first argument, is in a graph of user code.

    In eager execution, whether user code is the caller.
    """
    graph = getattr(value, "graph", None)
    return is_user(sys._getframe()) if graph is None else is_users(graph)


def _is_default(graph):
    """Tells whether it is the default graph of the process; True where TensorFlow hides that."""
    from tensorflow.python.framework import ops

    stack = getattr(ops, "_default_graph_stack", None)
    return graph is getattr(stack, "_global_default_graph", graph)


def _always(*arguments, **options):
    return True


@replacing.replaces("tensorflow.python.framework.ops:Graph.__init__", row=_ROW, when=_always)
def _mark_graph(original, self, *arguments, **options):
    owner = vars(_now).pop("owner", None)
    if owner is None and hasattr(type(self), "outer_graph"):
        owner = _owner_around()
    if owner is None:
        owner = is_user(sys._getframe())
    original(self, *arguments, **options)
    setattr(self, _MARK, owner or None)


def _owner_around():
    """Returns the owner of the graph in which a function is made; None in eager execution."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    return None if context.executing_eagerly() else is_users(ops.get_default_graph())


@replacing.replaces(
    "tensorflow.python.framework.func_graph:func_graph_from_py_func", row=_ROW, when=_always
)
def _mark_traced_graph(original, name, python_func, *arguments, **options):
    owner = _writer(python_func)
    graph = options.get("func_graph", arguments[3] if len(arguments) > 3 else None)
    if owner is None:
        return original(name, python_func, *arguments, **options)
    if graph is not None:
        setattr(graph, _MARK, owner)
        return original(name, python_func, *arguments, **options)
    _now.owner = owner
    try:
        return original(name, python_func, *arguments, **options)
    finally:
        vars(_now).pop("owner", None)


def _writer(function):
    """Tells whether user code wrote a function; None for a function of TensorFlow itself."""
    from tensorflow.python.util import tf_decorator

    while True:
        inner = tf_decorator.unwrap(function)[1]
        inner = getattr(inner, "func", inner)  # of functools.partial
        if inner is function:
            break
        function = inner
    if not hasattr(function, "__code__"):  # a method, or an object that is called
        function = getattr(function, "__func__", vars(type(function)).get("__call__"))
    namespace = getattr(function, "__globals__", None)
    if namespace is None:
        return None
    if callers.is_users(namespace):
        return True
    return None if (namespace.get("__name__") or "").partition(".")[0] in FAMILY else False


TABLES = (replacing.table("owners of graphs", _mark_graph, _mark_traced_graph, kind="patches"),)
