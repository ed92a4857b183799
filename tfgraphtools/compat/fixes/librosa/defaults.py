"""The defaults that functions of librosa had in 0.7, also where librosa calls them itself.

They are in force while a call of user code runs, in its thread: what other libraries call
is as it is. `prepare` puts a function before each that has such defaults, in all modules of
librosa that are loaded; those that are loaded later find it there.
"""

import contextlib
import functools
import sys
import threading

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.fixes.build import lookup

_running = threading.local()

#: The functions that stand before those of librosa, by the names of those.
_prepared = {}


@contextlib.contextmanager
def in_force(used):
    """Has librosa's functions take their old defaults inside; one that does calls ``used()``."""
    before = getattr(_running, "used", None)
    _running.used = used
    try:
        yield
    finally:
        _running.used = before


def prepare(functions):
    """Has functions of librosa ask for old defaults, and their replacements, once in a process.

    Args:
      functions: name below librosa -> ({argument: its old default}, replacement or None); the
        replacement takes the function, and its arguments.
    """
    if _prepared:
        return
    state.at_restore(_prepared.clear)
    for name, (defaults, replacement) in functions.items():
        module, _, attribute = ("librosa." + name).rpartition(".")
        plain = lookup(module + ":" + attribute)
        _prepared[name] = _replace(plain, _standing_before(plain, defaults, replacement))


def _standing_before(plain, defaults, replacement):
    @functools.wraps(plain)
    def function(*arguments, **options):
        used = getattr(_running, "used", None)
        if used is None:
            return plain(*arguments, **options)
        for name, value in defaults.items():
            if name not in options:
                used()
                options[name] = value
        if replacement is None:
            return plain(*arguments, **options)
        return replacement(plain, used, *arguments, **options)

    return function


def _replace(plain, function):
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "librosa" and module is not None:
            for attribute, value in list(vars(module).items()):
                if value is plain:
                    state.set_attribute(module, attribute, function)
    return function
