"""Ragged tensors as arguments of the functions that fixes put in the place of TensorFlow's.

TensorFlow's own functions hand a ragged tensor to a dispatcher. A function that stands for one
takes the values of it, once those of two arguments are of one shape.
"""

import functools
import inspect


def is_ragged(value):
    """Whether a value is ragged: a tensor, or the value of one."""
    from tensorflow.python.ops.ragged import ragged_tensor

    return ragged_tensor.is_ragged(value)


def of_one(function):
    """Makes a function whose first argument is a tensor take a ragged one."""
    first = next(iter(inspect.signature(function).parameters))

    @functools.wraps(function)
    def taking(*arguments, **options):
        value = arguments[0] if arguments else options.get(first)
        if not is_ragged(value):
            return function(*arguments, **options)
        from tensorflow.python.ops.ragged import ragged_tensor

        value = ragged_tensor.convert_to_tensor_or_ragged_tensor(value)
        others = {name: option for name, option in options.items() if name != first}
        return value.with_flat_values(function(value.flat_values, *arguments[1:], **others))

    return taking


def of_two(function):
    """Makes a function of (x, y, name) take ragged tensors, which it broadcasts."""

    @functools.wraps(function)
    def taking(x, y, name=None):
        if not (is_ragged(x) or is_ragged(y)):
            return function(x, y, name=name)
        from tensorflow.python.ops.ragged import ragged_dispatch

        return ragged_dispatch.ragged_binary_elementwise_op(
            functools.partial(function, name=name), x, y
        )

    return taking
