"""Calls of librosa until 0.9: positional arguments, and old defaults.

``calls.tsv`` lists the functions with the order of their arguments in 0.7.
"""

import ast
import functools
import inspect

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import build


def _defaults(words):
    """{argument: default} of the arguments that have one."""
    pairs = (word.partition("=") for word in words if "=" in word)
    return {name: ast.literal_eval(value) for name, _, value in pairs}


def _order(words):
    listed = words[: words.index("*")] if "*" in words else words
    return [word.partition("=")[0] for word in listed]


def _row(name, words, other):
    order, defaults, attribute = _order(words), _defaults(words), name.rpartition(".")[2]

    def provide(real, used):
        original = getattr(real, attribute)
        kinds = [parameter.kind for parameter in inspect.signature(original).parameters.values()]
        places = sum(kind == inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds)

        @functools.wraps(original)
        def function(*arguments, **options):
            words = {**dict(zip(order[places:], arguments[places:])), **options}
            _say_if_unclear(name, arguments, order, other)
            for argument, value in defaults.items():
                if argument not in order[: len(arguments)]:
                    words.setdefault(argument, value)
            if words != options or len(arguments) > places:
                used()
            return original(*arguments[:places], *arguments[len(order) :], **words)

        return function

    why = "takes the arguments of librosa 0.7, with its defaults"
    return Row("librosa." + name, "librosa 0.10", why, provide)


def _say_if_unclear(name, arguments, order, other):
    """Reports a positional argument that had another meaning in 0.6."""
    for place in range(len(arguments) if other else 0):
        if place < len(other) and other[place] != order[place]:
            notices.once(
                f"librosa.{name}.order",
                f"{name}(): argument {place + 1} is {order[place]}, as in librosa 0.7; in 0.6 it "
                f"was {other[place]}. Pass it by name",
            )
            return


TABLE = Table(
    "calls of librosa",
    "calls",
    [
        _row(name, order.split(), other[0].split() if other else None)
        for name, order, *other in build.lines_of(__file__, "calls.tsv")
    ],
)
