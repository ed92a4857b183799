"""Debuggers, profilers and tracers that see no frame of ours.

User code calls helpers of this package for operators and imports. What it gives `sys.settrace`
and `sys.setprofile` (as `pdb`, `bdb`, `trace` and `threading` do) is not called for their frames:
a step goes on in the user's next line. Debuggers that look at the stack leave them out, too.
"""

import functools
import importlib
import os
import sys
import types

from tfgraphtools.compat.engine import after_import, state
from tfgraphtools.compat.engine.loading import own_code

#: Functions in whose place a tracer may be given; others, of C, are as fast as they are.
_OF_PYTHON = (types.FunctionType, types.MethodType)

#: Python's module `profile`, which checks that each frame is called by the last one that it saw.
_PROFILE = os.path.join(os.path.dirname(os.__file__), "profile.py")


def install():
    """Hides our frames from tracers until `state.restore`."""
    for setter, getter in (("settrace", "gettrace"), ("setprofile", "getprofile")):
        _hide(setter, getter)
    after_import.call("bdb", _pass_over_ours, "loading.tracing")


def _pass_over_ours(bdb):
    """Makes debuggers that were called in a function go on in user code when it returns."""
    original = bdb.Bdb.__init__

    @functools.wraps(original)
    def __init__(self, skip=None):
        original(self, [*(skip or ()), "tfgraphtools", "tfgraphtools.*"])

    state.set_attribute(bdb.Bdb, "__init__", __init__)


def _hide(setter, getter):
    set_original, get_original = getattr(sys, setter), getattr(sys, getter)

    def set_(function):
        if isinstance(function, _OF_PYTHON):
            is_whole = function.__code__.co_filename == _PROFILE
            function = _Hiding(function, __file__.__eq__ if is_whole else own_code.is_own)
        set_original(function)

    def get_():
        function = get_original()
        return function.function if isinstance(function, _Hiding) else function

    for function, name in ((set_, setter), (get_, getter)):
        function.__name__ = function.__qualname__ = name
        function.__doc__ = getattr(sys, name).__doc__
        state.set_attribute(sys, name, function)


class _Hiding:
    """A function that traces frames, but for ours.

    Args:
      function: the user's.
      is_own: tells of a file whether its frames are hidden.
    """

    def __init__(self, function, is_own):
        self.function, self._ask = function, is_own
        self._is_own = {}  # file -> whether it is ours

    def __call__(self, frame, event, argument):
        file = frame.f_code.co_filename
        if file == importlib.__file__ and frame.f_back is not None:  # called for an ``import``
            file = frame.f_back.f_code.co_filename
        is_own = self._is_own.get(file)
        if is_own is None:
            is_own = self._is_own[file] = self._ask(file)
        return None if is_own else self.function(frame, event, argument)
