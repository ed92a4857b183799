"""Names of ``inspect`` and ``asyncio`` that describe and make functions."""

from tfgraphtools.compat.engine.rows import Table
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


@made("asyncio.coroutine", "Python 3.11", "a generator whose `yield from` awaits")
def _coroutine(real):
    import functools
    import inspect
    import types

    def coroutine(function):
        if inspect.iscoroutinefunction(function):
            return function
        if inspect.isgeneratorfunction(function):
            return types.coroutine(function)

        @functools.wraps(function)
        def generator(*arguments, **options):
            found = function(*arguments, **options)
            if inspect.isawaitable(found) or inspect.isgenerator(found):
                found = yield from found
            return found

        return types.coroutine(generator)

    return coroutine


TABLE = Table(
    "functions that describe and make functions",
    "names",
    [_formatargspec, _arg_spec, _coroutine],
)
