"""Tracebacks with the user's frames only."""

import ast
import importlib
import os
import types

_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")


#: Files of Python's own whose frames are ours when we called them.
_CALLED = (ast.__file__, importlib.__file__)


def _is_ours(filename):
    return filename.startswith((_OURS, "<frozen importlib", "<frozen runpy"))


def users_own(error):
    """The error, its traceback and those of its causes without the frames of compat."""
    seen = set()
    waiting = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = _without_ours(one.__traceback__)
        waiting += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
    return error


def _without_ours(trace):
    kept, in_ours = [], True
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        in_ours = _is_ours(filename) or (in_ours and filename in _CALLED)
        if not in_ours:
            kept.append(trace)
        trace = trace.tb_next
    rebuilt = None
    for one in reversed(kept):
        rebuilt = types.TracebackType(rebuilt, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return rebuilt
