"""Ops that no gradient reaches: `tf.gradients` never asks for a gradient of an integer tensor."""

from tfgraphtools import _tf
from tfgraphtools.errors import UnreachableOverrideError
from tfgraphtools.gradients.explaining import causes


def gets_gradient(op):
    """Tells whether the gradient of one of the op's outputs can be asked for."""
    return any(_tf.has_gradients(tensor.dtype) for tensor in op.outputs)


def dtypes_of_outputs(op):
    """Returns the dtypes of an op's outputs in words."""
    names = sorted({tensor.dtype.base_dtype.name for tensor in op.outputs})
    return " and ".join(names) or "none"


def never_called(place, op):
    """Returns the error for an op whose gradient function would never be called."""
    cause, detail = causes.of_dtype(op), dtypes_of_outputs(op)
    return UnreachableOverrideError(
        place,
        "an op with an output of a float or complex dtype: no gradient reaches another",
        f"the op {op.name!r} of type {op.type}, whose outputs are {detail}",
        cause.advice.format(detail=detail, type=op.type),
    )
