"""The defaults of librosa 0.7, also for calls within librosa.

They apply while a call of user code runs, in its thread. Calls by other libraries keep today's
defaults. `prepare` wraps each function that has such defaults, in all loaded modules of
librosa; modules that are loaded later import the wrapper.
"""

import contextlib
import functools
import sys
import threading

from tfgraphtools.compat.engine import skipped, state
from tfgraphtools.compat.fixes.build import lookup

_running = threading.local()

#: name of a function -> its wrapper
_prepared = {}


@contextlib.contextmanager
def in_force(used):
    """A context in which librosa uses the old defaults; a function that does calls ``used()``."""
    before = getattr(_running, "used", None)
    _running.used = used
    try:
        yield
    finally:
        _running.used = before


def prepare(functions):
    """Wraps functions of librosa to use old defaults and replacements, once in a process.

    Args:
      functions: name below librosa -> ({argument: its old default}, replacement or None); the
        replacement takes the function and its arguments.
    """
    if _prepared:
        return
    state.at_restore(_prepared.clear)
    for name, (defaults, replacement) in functions.items():
        skipped.apply("librosa." + name, _prepare, name, defaults, replacement)


def _prepare(name, defaults, replacement):
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
