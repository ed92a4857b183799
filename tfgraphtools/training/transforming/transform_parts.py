"""What gradient transforms share: names, and the pairs that they change."""

from tfgraphtools import select as _select
from tfgraphtools._tf import v1
from tfgraphtools.training import _arguments, _step, _types


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
    _arguments.check_scalar(place, norm, lambda number: number > 0, "a positive number")


def mapped(pairs, function, chosen=None):
    """Returns the pairs, or the chosen ones, with the gradients that the function makes."""
    result = []
    for grad, variable in pairs:
        if grad is not None and (chosen is None or variable in chosen):
            with v1.name_scope("transform_" + variable.op.name.replace("/", "_")):
                grad = function(grad, variable)
        result.append((grad, variable))
    return result


def chosen(selector, pairs, place):
    return None if selector is None else values_of([(selector, True)], pairs, place)


def values_of(items, pairs, place):
    return _select.assign_values(items, _step.candidates([v for _, v in pairs]), place)
