"""Tracebacks with the user's frames only."""

import ast
import importlib
import opcode
import re
import sys
import traceback
import types
from typing import Optional, Type

from tfgraphtools.compat.engine import skipped
from tfgraphtools.compat.engine.loading import own_code

#: Files of Python's own whose frames are ours when we called them.
_CALLED = (ast.__file__, importlib.__file__)


#: How TensorFlow writes down, in a message, where an op was made by us.
_OURS = "|".join(map(re.escape, own_code.FOLDERS))
_WRITTEN = re.compile(rf' *File "(?:{_OURS}|<frozen (?:importlib|runpy))')


def show(
    kind: Type[BaseException], error: BaseException, trace: Optional[types.TracebackType]
) -> None:
    """Prints an error as Python does.

    Where the message says where an op was made, it says so without frames of compat.
    """
    is_plain = not _is_written_in(message(error)) and not _is_of_notebook(trace)
    if sys.excepthook is not sys.__excepthook__ or is_plain:
        sys.excepthook(kind, error, trace)
        return
    lines = "".join(traceback.format_exception(kind, error, trace)).splitlines(True)
    sys.stderr.write("".join(line for line in lines if not _WRITTEN.match(line)))


def _is_of_notebook(trace):
    """Tells whether a line of a notebook is in it: Python itself would show lines of its JSON."""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(".ipynb"):
            return True
        trace = trace.tb_next
    return False


def _is_written_in(message):
    return any(folder in message for folder in own_code.FOLDERS)


def message(error: BaseException) -> str:
    """Returns the text of an error; "" where the user's own ``__str__`` fails."""
    try:
        return str(error)
    except Exception:  # pylint: disable=broad-except
        return ""


def _is_ours(filename):
    if own_code.is_own(filename):
        return True
    return filename.startswith(("<frozen importlib", "<frozen runpy"))


def own_failure(error: BaseException) -> Optional[str]:
    """Returns FILE:LINE of our code that failed to look up a name, or None where the user's did.

    Names that our code refuses with a ``raise`` are the user's own.
    """
    if not isinstance(error, NameError) and skipped.missing_name(error) is None:
        return None
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    is_raised = code.co_code[trace.tb_lasti] == opcode.opmap["RAISE_VARARGS"]
    if is_raised or not own_code.is_own(code.co_filename):
        return None
    return f"{code.co_filename}:{trace.tb_lineno}"


def users_own(error: BaseException) -> BaseException:
    """Returns the error, its traceback and those of its causes without the frames of compat."""
    seen = set()
    waiting = [error]
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        current.__traceback__ = _without_ours(current.__traceback__)
        waiting += [current.__cause__, current.__context__, *getattr(current, "exceptions", ())]
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
    for frame in reversed(kept):
        rebuilt = types.TracebackType(rebuilt, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return rebuilt
