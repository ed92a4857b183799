"""Names and pairs that all gradient transforms use."""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _arguments, _step, _types
from tfgraphtools.training.steps import gradient_pairs as _pairs


def name_of(transform: _types.Transform) -> str:
    """Returns a transform in words, for `describe` and for errors."""
    return getattr(transform, "__name__", repr(transform))


def named(name, *arguments):
    """Gives a transform a name that has its arguments: numbers, or tensors by their names."""

    def decorate(transform):
        shown = [_arguments.shown(argument) for argument in arguments]
        transform.__name__ = f"{name}({', '.join(shown)})" if shown else name
        return transform

    return decorate


def check_norm(place, norm):
    """Raises unless the norm is a positive number or a scalar float tensor."""
    _arguments.check_scalar(place, norm, lambda number: number > 0, "a positive number")


def of_graph(pairs, place):
    """Returns the pairs as a list, with the graph's variables for those of Keras 3.

    Raises:
      ArgumentError: something else than pairs; a gradient of integers, which has no transform.
    """
    listed = list(pairs) if isinstance(pairs, (list, tuple, zip)) else [pairs]
    if any(not isinstance(pair, (list, tuple)) or len(pair) != 2 for pair in listed):
        raise ArgumentError(
            place,
            "a list of (gradient, variable)",
            f"{pairs!r:.80}",
            "Pass what compute_gradients returns.",
        )
    listed = [(grad, _tf.without_keras(variable)) for grad, variable in listed]
    for grad, variable in listed:
        if grad is not None:
            _pairs.check_trainable_dtype(grad, variable, place)
    return listed


def mapped(pairs, function, chosen=None):
    """Returns the pairs, or the chosen ones, with the gradients that the function makes."""
    result = []
    for grad, variable in of_graph(pairs, "a gradient transform"):
        if grad is not None and (chosen is None or variable in chosen):
            with v1.name_scope("transform_" + variable.op.name.replace("/", "_")):
                grad = function(grad, variable)
        result.append((grad, variable))
    return result


def chosen(selector, pairs, place):
    """Returns an `Assignment` of the variables that a selector takes; None, of all, for None."""
    return None if selector is None else values_of([(selector, True)], pairs, place)


def values_of(items, pairs, place):
    """Returns an `Assignment` of the variables to the values of their selectors."""
    return _select.assign_values(items, _step.candidates([v for _, v in pairs]), place)
