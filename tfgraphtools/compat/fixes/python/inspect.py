"""``inspect.getargspec``, ``ArgSpec`` and ``formatargspec``."""

import collections

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides, standing


class ArgSpec(collections.namedtuple("ArgSpec", "args varargs keywords defaults")):
    """The result of getargspec; TensorFlow's decorators also read what it has no field for."""

    __slots__ = ()
    kwonlyargs, kwonlydefaults, annotations = (), None, {}


@standing("inspect.getargspec", "Python 3.11", "the first four fields of getfullargspec")
def _getargspec(function):
    import inspect

    full = inspect.getfullargspec(function)
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


@standing("inspect.formatargspec", "Python 3.11", "the text of a function's arguments")
def _formatargspec(args, varargs=None, varkw=None, defaults=None, *ignored, **also_ignored):
    first = len(args) - len(defaults or ())
    shown = [
        name if at < first else f"{name}={defaults[at - first]!r}" for at, name in enumerate(args)
    ]
    shown += ["*" + varargs] if varargs else []
    shown += ["**" + varkw] if varkw else []
    return "(" + ", ".join(shown) + ")"


@provides("inspect.ArgSpec", "Python 3.11", "what getargspec returns")
def _arg_spec(real):
    return ArgSpec


TABLE = Table("names that left inspect", "names", [_getargspec, _formatargspec, _arg_spec])
