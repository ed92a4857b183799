"""Advice about a gradient that stops at an op, where it depends on the op."""

from tfgraphtools import _tf

#: Ops that have a straight-through form in `gradients`, or a soft one.
_ROUNDING = frozenset(["Ceil", "Floor", "FloorDiv", "Rint", "Round", "Sign"])
#: Beginnings of the types of ops that keep tensors by their index.
_LISTS = ("DynamicStitch", "ParallelDynamicStitch", "Stack", "TensorArray", "TensorList")

_BACKWARD = (
    "It is an op of a backward pass, which override_gradient does not reach: "
    "gradients.set_gradient(op, fn) after tf.gradients, or "
    "gradients.register_gradient(fn, name={type!r}) before."
)
_WRITE = (
    "It writes a variable: tf.stop_gradient around it, or gradients.set_gradient(op, fn), or use "
    "the values that it writes instead of what it returns."
)
_LIST = (
    "Indices, sizes and handles get no gradient: differentiate with respect to the values that "
    "are written to it."
)
_OWN = (
    "If one is meant, give it one with gradients.override_gradient({{{type!r}: fn}}) around the "
    "code that builds it, or gradients.set_gradient(op, fn) after."
)


def advice_for(cause_name, op):
    """Returns the advice for a cause at an op, with {type} in it; None if the op does not matter.

    Args:
      cause_name: the name of a `Cause`.
      op: the op, or None.
    """
    if op is None or cause_name not in _BY_OP:
        return None
    is_missing = cause_name == "unregistered"
    if _tf.is_backward(op):
        return _BACKWARD
    if is_missing and _tf.writes(op):
        return _WRITE
    if op.type.startswith(_LISTS):
        return _LIST
    return None if is_missing or op.type in _ROUNDING else _OWN


_BY_OP = frozenset(["not differentiable", "returned None", "unregistered"])
