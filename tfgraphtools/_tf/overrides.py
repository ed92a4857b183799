"""The registry of gradient functions, and the attribute that overrides them."""

import sys

from tfgraphtools._tf.api import v1
from tfgraphtools._tf.tf_internals import Internal

_ops = Internal("tensorflow.python.framework.ops", "Gradient functions of ops")

#: The op attribute in which TF keeps the name of an op's own gradient function.
GRADIENT_ATTRIBUTE = "_gradient_op_type"

#: The functions of TF that build backward ops: `gradients` and the gradient tape.
_BACKWARD_BUILDERS = frozenset(["_GradientsHelper", "_gradient_function"])


def gradient_is_registered(name):
    """Tells whether TF knows a gradient function, or "not differentiable", by this name."""
    try:
        _ops._gradient_registry.lookup(name)
    except LookupError:
        return False
    return True


def registered_gradients():
    """Returns the names of all registered gradient functions (op types are names too)."""
    return _ops._gradient_registry.list()


def gradient_function(name):
    """Returns the function registered by this name; None is "not differentiable"."""
    return _ops._gradient_registry.lookup(name)


def lookup_gradient(op):
    """Returns TF's gradient function for the op, or None; LookupError if it is unknown."""
    return _ops.get_gradient_function(op)


def register_gradient(name, function):
    """Registers a gradient function permanently: TF's registry has no removal."""
    _ops._gradient_registry.register(function, name)


def gradient_override(op):
    """Returns the name of the op's own gradient function, or None."""
    try:
        return op.get_attr(GRADIENT_ATTRIBUTE).decode()
    except ValueError:
        return None


def set_gradient_override(op, name):
    """Gives the op a gradient function by name; honoured even on a finalized graph."""
    op._set_attr(  # pylint: disable=protected-access
        GRADIENT_ATTRIBUTE, v1.AttrValue(s=name.encode("utf-8"))
    )


def clear_gradient_override(op):
    """Gives the op back the gradient of its type."""
    op._clear_attr(GRADIENT_ATTRIBUTE)  # pylint: disable=protected-access


def active_override(graph, op_type):
    """Returns what `Graph.gradient_override_map` says now about an op type, or None."""
    return graph._gradient_override_map.get(op_type)  # pylint: disable=protected-access


def custom_gradients_open():
    """Counts the functions under `tf.custom_gradient` that this thread is calling."""
    frame, count = sys._getframe(1), 0  # pylint: disable=protected-access
    while frame is not None:
        count += frame.f_code.co_name in ("_graph_mode_decorator", "_eager_mode_decorator")
        frame = frame.f_back
    return count


def building_backward():
    """Tells whether TF builds backward ops somewhere up this thread's stack."""
    frame = sys._getframe(1)  # pylint: disable=protected-access
    while frame is not None:
        if frame.f_code.co_name in _BACKWARD_BUILDERS:
            return True
        frame = frame.f_back
    return False
