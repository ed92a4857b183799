"""Calls of librosa until 0.9: positional arguments, and old defaults.

``argument_orders.tsv`` lists the functions with the order of their arguments in 0.7.
"""

import ast
import functools
import inspect

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build


def _defaults(parameters):
    """Returns {argument: default} of the arguments that have one."""
    pairs = (parameter.partition("=") for parameter in parameters if "=" in parameter)
    return {name: ast.literal_eval(value) for name, _, value in pairs}


def _order(parameters):
    listed = parameters[: parameters.index("*")] if "*" in parameters else parameters
    return [parameter.partition("=")[0] for parameter in listed]


def _row(name, parameters, order_of_06):
    order, defaults = _order(parameters), _defaults(parameters)
    attribute = name.rpartition(".")[2]

    def provide(real, used):
        original = getattr(real, attribute)
        kinds = [parameter.kind for parameter in inspect.signature(original).parameters.values()]
        places = sum(kind == inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds)

        @functools.wraps(original)
        def function(*arguments, **options):
            by_name = {**dict(zip(order[places:], arguments[places:])), **options}
            _say_if_unclear(name, arguments, order, order_of_06)
            for argument, value in defaults.items():
                if argument not in order[: len(arguments)]:
                    by_name.setdefault(argument, value)
            if by_name != options or len(arguments) > places:
                used()
            return original(*arguments[:places], *arguments[len(order) :], **by_name)

        return function

    why = "takes the arguments of librosa 0.7, with its defaults"
    return Fix("librosa." + name, "librosa 0.10", why, provide)


def _say_if_unclear(name, arguments, order, order_of_06):
    """Reports a positional argument that had another meaning in 0.6."""
    for place, before in enumerate((order_of_06 or ())[: len(arguments)]):
        if before != order[place]:
            notices.once(
                f"librosa.{name}.order",
                f"{name}(): argument {place + 1} is {order[place]}, as in librosa 0.7; in 0.6 it "
                f"was {before}. Pass it by name",
            )
            return


TABLE = Table(
    "calls of librosa",
    "calls",
    [
        _row(name, parameters.split(), before[0].split() if before else None)
        for name, parameters, *before in build.lines_of(__file__, "argument_orders.tsv")
    ],
)
