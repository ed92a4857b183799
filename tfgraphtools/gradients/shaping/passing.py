"""Ops that pass values through bit for bit and shape the gradient on its way back.

All shaping of this part is one `IdentityN` with a registered gradient function:
its first input is the tensor, the others are what the gradient needs (a factor,
a mask, the hard value of a straight-through). No registered name is made per
use, the parameters are tensors that may be fed, and the op goes wherever ops
go: loops and branches of both kinds, `tf.function`, saved graphs.
"""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients.overriding import gradient_functions


def rule(name):
    """Registers the gradient function of a pass-through op as ``tfgraphtools.<name>``.

    Decorates ``fn(op, grads) -> gradient of the first input``; ``grads`` are the
    gradients of the op's outputs. The other inputs get None.
    """
    registered = "tfgraphtools." + name

    def register(function):
        def gradient(op, *grads):
            return [function(op, grads)] + [None] * (len(op.inputs) - 1)

        gradient_functions.register_gradient(gradient, name=registered)
        function.registered_name = registered
        return function

    return register


def pass_through(inputs, gradient, name):
    """Returns the inputs as they are, with one gradient rule for the first of them."""
    with v1.get_default_graph().gradient_override_map({"IdentityN": gradient.registered_name}):
        return tf.identity_n(inputs, name=name)


def as_float_tensor(x, place):
    """Returns the argument as a tensor of a dtype that has gradients, or an error."""
    x = as_tensor(x, place)
    if not (x.dtype.base_dtype.is_floating or x.dtype.base_dtype.is_complex):
        raise ArgumentError(
            place,
            "a tensor of a float dtype: no gradient goes through integers",
            f"{x.name!r} of dtype {x.dtype.base_dtype.name}",
            "Cast it first, and carry integers as floats.",
        )
    return x


def as_real_tensor(x, place):
    """Returns the argument as a tensor of a dtype whose numbers are ordered, or an error."""
    x = as_float_tensor(x, place)
    if x.dtype.is_complex:
        raise ArgumentError(
            place,
            "a tensor of a real float dtype",
            f"{x.name!r} of dtype {x.dtype.base_dtype.name}",
            "Call it for the real and the imaginary part: tf.math.real(x), tf.math.imag(x).",
        )
    return x


def as_tensor(x, place):
    """Returns the argument as a tensor, or an error that names it."""
    try:
        return tf.convert_to_tensor(x)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise ArgumentError(
            place,
            "a tensor, a variable, or what converts to a tensor",
            f"{x!r:.80} of type {type(x).__name__}",
            "Call it for each tensor of a structure: of a dict's values, say, or of x.values.",
        ) from error


def same_dtype(value, like, place):
    """Returns a parameter as a tensor of the dtype of the tensor that it acts on."""
    if not tf.executing_eagerly():
        _tensor_arguments.check_one_graph(place, [like], [value])
    if _tf.is_variable(value) or isinstance(value, tf.Tensor):
        dtype, target = value.dtype.base_dtype, like.dtype.base_dtype
        if dtype == tf.string or (dtype.is_complex and not target.is_complex):
            raise ArgumentError(
                place,
                f"a number, array or tensor that converts to {target.name}",
                f"{value.name!r} of dtype {dtype.name}",
                "Pass a number or a tensor of numbers.",
            )
        return tf.cast(value, target)
    try:
        return tf.convert_to_tensor(value, dtype=like.dtype.base_dtype)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise ArgumentError(
            place,
            f"a number, array or tensor that converts to {like.dtype.base_dtype.name}",
            repr(value),
            "Pass a number or a tensor.",
        ) from error


def dense(gradient):
    """Returns the gradient as one tensor: rows that IndexedSlices name twice are summed."""
    return tf.convert_to_tensor(gradient)


def map_values(function, gradient):
    """Applies a function that is linear row by row, keeping IndexedSlices sparse."""
    if isinstance(gradient, tf.IndexedSlices):
        return tf.IndexedSlices(function(gradient.values), gradient.indices, gradient.dense_shape)
    return function(gradient)
