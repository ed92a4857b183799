"""Names of ``inspect`` that describe functions."""

from tfgraphtools.compat.fixes.build import made, standing


@standing("inspect.formatargspec", "Python 3.11", "the text of a function's arguments")
def _formatargspec(args, varargs=None, varkw=None, defaults=None, *ignored, **also_ignored):
    first = len(args) - len(defaults or ())
    shown = [
        name if at < first else f"{name}={defaults[at - first]!r}" for at, name in enumerate(args)
    ]
    shown += ["*" + varargs] if varargs else []
    shown += ["**" + varkw] if varkw else []
    return "(" + ", ".join(shown) + ")"


@made("inspect.ArgSpec", "Python 3.11", "what getargspec returns")
def _arg_spec(real):
    from tfgraphtools.compat.fixes.python import names

    return names.ArgSpec


ROWS = [_formatargspec, _arg_spec]
