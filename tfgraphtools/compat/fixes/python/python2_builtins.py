"""Python 2's built-in names, for user code of either Python."""

import abc
import builtins
import functools
import importlib
import io
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import Rename
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import standing
from tfgraphtools.compat.fixes.python2 import builtin_functions
from tfgraphtools.compat.fixes.python2.library import old_files
from tfgraphtools.compat.fixes.python2.old_objects.base_string import BaseString

_SINCE = "Python 3.0"


class File(metaclass=abc.ABCMeta):  # noqa: B024 (nobody derives from it)
    """``file``: opens one, and is the class of those that are open."""

    def __new__(cls, *arguments, **options):
        return old_files.open_(*arguments, **options)


File.register(io.IOBase)


def _is(name, value, why, rewrite=None):
    return Fix("builtins." + name, _SINCE, why, lambda real: value, rewrite)


@standing("builtins.cmp", _SINCE, "cmp(a, b) is -1, 0 or 1")
def cmp(a, b):
    """Returns -1, 0 or 1, as `a` is less than, equal to or greater than `b`."""
    from tfgraphtools.compat.fixes.python2 import ordering

    if rows.is_off(ordering.ORDER.name):
        return (a > b) - (a < b)
    return ordering.compare(a, b)


@standing("builtins.apply", _SINCE, "apply(f, args) is f(*args)")
def apply(function, arguments=(), options=None):
    """Calls the function with these arguments."""
    return function(*arguments, **(options or {}))


@standing("builtins.execfile", _SINCE, "execfile(path) runs the file in the caller's namespace")
def execfile(path, globals=None, locals=None):
    """Runs a file as user code, in the caller's namespace unless one is given."""
    from tfgraphtools.compat.engine.loading import evaluated_texts
    from tfgraphtools.compat.engine.loading import user_builtins as own_builtins
    from tfgraphtools.compat.engine.translate import source

    caller = sys._getframe(1)
    if globals is None:
        globals, locals = caller.f_globals, evaluated_texts.locals_of(caller)
    with open(path, "rb") as file:
        code = source.code_of(file.read(), path)
    own_builtins.give_users(globals)
    exec(code, globals, globals if locals is None else locals)


@standing("builtins.reload", _SINCE, "reload is importlib.reload; reload(sys) does nothing")
def reload(module):
    """Reloads a module, except ``sys``, which Python 2 scripts reload to set the encoding."""
    from tfgraphtools.compat.engine import views

    real = views.real_of(module)
    if real is not sys:
        importlib.reload(real)
    return module


TABLE = Table(
    "Python 2's built-in names",
    "names",
    [
        _is("xrange", builtin_functions.xrange_, "xrange is range"),
        _is("unicode", str, "unicode is str"),
        _is("basestring", BaseString, "basestring is str or bytes"),
        _is("long", int, "long is int"),
        _is("unichr", chr, "unichr is chr"),
        _is("raw_input", builtins.input, "raw_input is input"),
        _is("StandardError", Exception, "StandardError is Exception"),
        _is("reduce", functools.reduce, "reduce is functools.reduce"),
        _is("file", File, "file is open", Rename("builtins.open", uncalled="io.IOBase")),
        _is("intern", sys.intern, "intern is sys.intern"),
        _is("buffer", memoryview, "buffer is memoryview"),
        cmp,
        apply,
        execfile,
        reload,
    ],
)
