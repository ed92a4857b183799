"""The gradients and variables that a step is built of, checked."""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError

_AS_COMPUTED = "Pass the list that compute_gradients returned."


def checked(grads_and_vars, place):
    """Returns the (gradient, variable) pairs that a user passed as a list; arrays become tensors.

    Raises:
      ArgumentError: what are no such pairs, pairs without any gradient, or two of one variable.
    """
    pairs = list(grads_and_vars)
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ArgumentError(place, "a list of (gradient, variable)", repr(pair), _AS_COMPUTED)
    pairs = [(grad, _tf.without_keras(variable)) for grad, variable in pairs]
    for pair in pairs:
        if not _tf.is_variable(pair[1]):
            got = f"{pair[1]!r} of type {type(pair[1]).__name__}"
            raise ArgumentError(place, "variables", got, _AS_COMPUTED)
        _check_graph(pair[1], place)
    _check_once([variable for grad, variable in pairs if grad is not None], place)
    pairs = [(_gradient(grad, variable, place), variable) for grad, variable in pairs]
    if not any(grad is not None for grad, _ in pairs):
        raise ArgumentError(
            place,
            "a gradient for at least one variable",
            f"none for {_select.listing([v for _, v in pairs])}",
            "Check that the loss depends on these variables.",
        )
    return pairs


def _check_once(variables, place):
    """Raises where a variable has two gradients: a multiplier, mask or sum would count twice."""
    seen = _select.Assignment()
    for variable in variables:
        if variable in seen:
            raise ArgumentError(
                place,
                "one gradient for each variable",
                f"two for {_select.listing([variable])}",
                "Leave it out of one var_list, or add them: [(gradient + other, variable)].",
            )
        seen.put(variable, True)


def _gradient(grad, variable, place):
    dtype = variable.dtype.base_dtype
    if grad is None:
        return grad
    check_trainable_dtype(variable, variable, place)
    try:
        if isinstance(grad, tf.IndexedSlices):
            return _slices_of_tensors(grad, dtype)
        tensor = tf.convert_to_tensor(grad)
    except (TypeError, ValueError) as error:
        got = f"{grad!r} of type {type(grad).__name__}"
        raise ArgumentError(place, "gradients that are tensors", got, _AS_COMPUTED) from error
    if tensor.dtype.base_dtype != dtype or not tensor.shape.is_compatible_with(variable.shape):
        raise ArgumentError(
            place,
            f"a {dtype.name} gradient of shape {variable.shape} of {_select.listing([variable])}",
            f"a {tensor.dtype.name} one of shape {tensor.shape}",
            "Cast and reshape it, or pass what compute_gradients returned.",
        )
    return tensor


def is_trainable_dtype(value):
    """Tells whether a variable or tensor is of floating-point or complex numbers."""
    dtype = tf.as_dtype(value.dtype).base_dtype
    return dtype.is_floating or dtype.is_complex


def check_trainable_dtype(value, variable, place):
    """Raises for a variable, or its gradient, of integers, truths or texts, which none moves."""
    dtype = tf.as_dtype(value.dtype).base_dtype
    if not is_trainable_dtype(value):
        raise ArgumentError(
            place,
            "variables of floating-point or complex numbers",
            f"one of {dtype.name}: {_select.listing([variable])}",
            "Leave it out of var_list, or make it with a float dtype.",
        )


def _slices_of_tensors(grad, dtype):
    """Returns the same IndexedSlices; parts that are lists, arrays or variables become tensors."""
    if all(part is None or isinstance(part, tf.Tensor) for part in _parts_of(grad)):
        return grad
    values, indices, dense_shape = _parts_of(grad)
    values = tf.convert_to_tensor(values, None if hasattr(values, "dtype") else dtype)
    if dense_shape is not None:
        dense_shape = tf.convert_to_tensor(dense_shape)
    return tf.IndexedSlices(values, tf.convert_to_tensor(indices), dense_shape)


def _parts_of(grad):
    return grad.values, grad.indices, grad.dense_shape


def _check_graph(variable, place):
    """Raises for a variable of eager execution, or of another graph."""
    graph = _tf.graph_of_variable(variable)
    if graph is not _tf.root_graph():
        raise ArgumentError(
            place,
            "variables of the graph that the step is built in",
            f"{variable.name!r} of {'eager execution' if graph is None else 'another graph'}",
            "Make the variables and the step in the same tf.Graph().as_default().",
        )
