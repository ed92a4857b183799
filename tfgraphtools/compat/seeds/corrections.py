"""The kinds of correction that a row can make, and how they are put in place.

A correction wraps a function of TensorFlow wherever a module holds it, a method
of a class, or a registered gradient function. Its `provide` takes the row and a
`Changes` that collects the wrappers; nothing is changed before `Changes.apply`.
"""

import functools
import importlib
import sys

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.fixes.tensorflow import ownership
from tfgraphtools.compat.seeds import counting


class Call:
    """One call of a corrected function: its arguments, result, and ops made.

    Attributes:
      function, args, kwargs, result: the call.
      ops_made: how many ops the call made, the corrections of calls within it included.
    """

    def __init__(self, function, args, kwargs):
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.result = None
        self.ops_made = 0

    def argument(self, position, name, default=None):
        """Returns the value of an argument that was given by position or by name."""
        return self.args[position] if len(self.args) > position else self.kwargs.get(name, default)


class Changes:
    """A collection of wrapped functions, put in place in one pass over the modules."""

    def __init__(self):
        self._functions = {}  # function of TensorFlow -> what stands in for it

    def function(self, target, wrap):
        """Wraps "module:function", or "module:Class.method", by ``wrap(original)``."""
        module_name, _, path = target.partition(":")
        owner = importlib.import_module(module_name)
        *parents, leaf = path.split(".")
        for name in parents:
            owner = getattr(owner, name)
        original = getattr(owner, leaf)
        if parents:
            state.set_attribute(owner, leaf, _in_graphs(original, wrap(original)))
        else:
            before = self._functions.get(original, original)
            self.replace(original, _in_graphs(original, wrap(before)))

    def gradient(self, op_type, wrap):
        """Wraps the gradient function registered for an op type."""
        from tensorflow.python.framework import ops

        registry = ops.gradient_registry._registry
        entry = dict(registry[op_type])
        entry["type"] = _in_graphs(entry["type"], wrap(entry["type"]))
        state.set_item(registry, op_type, entry)

    def replace(self, original, replacement):
        """Puts the replacement wherever a module holds the original."""
        self._functions[original] = replacement

    def apply(self):
        """Sets every module's attribute, and gradient, that is one of the wrapped functions."""
        from tensorflow.python.framework import ops

        for op_type, entry in list(ops.gradient_registry._registry.items()):
            if entry["type"] in self._functions:
                self.gradient(op_type, self._functions.get)
        replacements = {id(original): new for original, new in self._functions.items()}
        for name, module in list(sys.modules.items()):
            if not name.startswith(("tensorflow", "tf_keras", "tf_slim")):
                continue
            for attribute, value in list(vars(module).items()):
                if id(value) in replacements:
                    state.set_attribute(module, attribute, replacements[id(value)])


def _in_graphs(original, replacement):
    """Returns the replacement for graphs: eager execution counts no ops, and has no graph."""

    @functools.wraps(replacement)
    def function(*args, **kwargs):
        from tensorflow.python.eager import context

        return (original if context.executing_eagerly() else replacement)(*args, **kwargs)

    return function


def _counted(row, original, ops_of_tf1, early=0):
    """Wraps `original`: after a call the graph counts `ops_of_tf1(call)` more ops.

    `early` of them are counted before the call: random ops of the call come after them.
    """

    @functools.wraps(original)
    def counted(*args, **kwargs):
        from tensorflow.python.framework import ops

        graph = ops.get_default_graph()
        before = counting.count(graph)
        counting.add(graph, early)
        call = Call(original, args, kwargs)
        call.result = original(*args, **kwargs)
        call.ops_made = counting.count(graph) - before
        more = ops_of_tf1(call)
        if more or early:
            rows.used(row)
            counting.add(graph, more)
        return call.result

    return counted


def more(target, ops):
    """Counts so many ops more (fewer: negative); a number, or a function of the `Call`."""
    return _of_function(target, _function_of(ops))


def more_before(target, ops):
    """Counts, as `more`, a number of ops that came before a random op of the call."""
    return _of_function(target, lambda call: 0, early=ops)


def exactly(target, ops):
    """Counts so many ops in all, whatever is made today."""
    ops = _function_of(ops)
    return _of_function(target, lambda call: ops(call) - call.ops_made)


def _of_function(target, ops_of_tf1, early=0):
    def provide(row, changes):
        changes.function(target, lambda original: _counted(row, original, ops_of_tf1, early))

    return provide


def more_in_gradient(op_types, ops):
    """Counts as `more`, for the gradient functions of these op types."""
    return _of_gradients(op_types, _function_of(ops))


def exactly_in_gradient(op_types, ops):
    """Counts as `exactly`, for the gradient functions of these op types."""
    ops = _function_of(ops)
    return _of_gradients(op_types, lambda call: ops(call) - call.ops_made)


def _of_gradients(op_types, ops_of_tf1):
    def provide(row, changes):
        for op_type in op_types.split():
            changes.gradient(op_type, lambda original: _counted(row, original, ops_of_tf1))

    return provide


def _function_of(ops):
    return ops if callable(ops) else lambda call: ops


def _is_in_users_graph():
    """Tells whether ops are made in a graph of user code; a library's are TensorFlow's own."""
    from tensorflow.python.framework import ops

    return ownership.is_users(ops.get_default_graph())


def instead(target, build):
    """Builds TF 1.15's graph by another function: ``build(original)`` gives it."""

    def provide(row, changes):
        def wrap(original):
            replacement = build(original)

            @functools.wraps(original)
            def counted(*args, **kwargs):
                if not _is_in_users_graph():
                    return original(*args, **kwargs)
                rows.used(row)
                return replacement(*args, **kwargs)

            return counted

        changes.function(target, wrap)

    return provide
