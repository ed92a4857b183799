"""The local variables of a function as ``locals()``, ``exec`` and ``eval`` see them.

Up to Python 3.12 a function had one dictionary for them: ``exec("w = 1")`` put a name there that
``eval("w")`` and ``locals()["w"]`` found. Since Python 3.13 each call makes a new one.
"""

import builtins
import sys
import types

from tfgraphtools.compat.engine import attributes, rows

#: The name under which a frame keeps the dictionary; no variable is called so.
_KEPT = "locals()"

_plain_vars, _plain_dir = builtins.vars, builtins.dir


def _of_a_frame(frame):
    """Returns ``frame.f_locals`` of user code, where the frame has such a dictionary."""
    if not isinstance(frame, types.FrameType) or frame.f_locals.get(_KEPT) is None:
        raise AttributeError
    return of(frame)


ROW = attributes.fallback_row(
    "python.locals",
    "Python 3.13",
    "what exec() or locals()['w'] = 1 puts among a function's local variables stays there",
    {"f_locals": _of_a_frame},
    first=("f_locals",),
    cannot="keep the values in a dictionary: exec(text, globals(), values)",
)

TABLE = rows.Table("the local variables of functions", "listed", [ROW])


def of(frame):
    """Returns the dictionary of a frame's local variables, brought up to date.

    That of a module or class is its namespace itself.
    """
    now = frame.f_locals
    if isinstance(now, dict):
        return now
    if rows.is_off(ROW.name):
        return {name: value for name, value in now.items() if name != _KEPT}
    kept = now.get(_KEPT)
    if kept is None:
        kept = now[_KEPT] = {}
    values = {name: value for name, value in now.items() if name != _KEPT}
    code = frame.f_code
    for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
        if name not in values:  # it was deleted
            kept.pop(name, None)
    kept.update(values)
    if len(kept) > len(values):
        rows.used(ROW)
    return kept


def locals_():
    """Returns the caller's local variables: ``locals`` of user code."""
    return of(sys._getframe(1))


def vars_(*owner):
    """Returns attributes, or the caller's local variables: ``vars`` of user code."""
    return _plain_vars(*owner) if owner else of(sys._getframe(1))


def dir_(*owner):
    """Returns names, of the caller's local variables by default: ``dir`` of user code."""
    return _plain_dir(*owner) if owner else sorted(of(sys._getframe(1)))


def functions():
    """Returns the builtins that give local variables, where they differ from Python's."""
    if not rows.is_on(ROW):
        return {}
    replacements = {"locals": locals_, "vars": vars_, "dir": dir_}
    for name, function in replacements.items():
        function.__name__ = function.__qualname__ = name
    return replacements
