"""Calls that may nest deeper than Python's recursion limit: trees of long sums and ``elif`` chains.

``"a" + "b" + ...`` of 400 terms is a tree of 400 levels. Python compiles three times as many levels
as a function in Python may walk down.
"""

import contextvars
import functools
import sys
import threading

#: The most levels; each takes at most a few KiB of the stack.
_LIMIT = 20000
_STACK = 512 << 20

_state = threading.local()
_lock = threading.Lock()


def call(function, *arguments, **named):
    """Calls a function; again with a large stack where it nests too deeply.

    The function is called again from its start, so what it does may be done twice.

    Args:
      function: a function without a result that another call would miss.
      arguments, named: its arguments.

    Raises:
      RecursionError: it nests too deeply for that, too.
    """
    try:
        return function(*arguments, **named)
    except RecursionError:
        if getattr(_state, "is_deep", False):
            raise
    with _lock:  # the limit is that of all threads
        return _with_large_stack(functools.partial(function, *arguments, **named))


def retried(function):
    """Returns a function whose calls are `call`s."""

    @functools.wraps(function)
    def calling(*arguments, **named):
        return call(function, *arguments, **named)

    return calling


def _with_large_stack(function):
    outcome, context = [], contextvars.copy_context()

    def work():
        _state.is_deep = True
        try:
            outcome.append((context.run(function), None))
        except BaseException as error:  # raised again where the call stands
            outcome.append((None, error))

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=work)
        sys.setrecursionlimit(max(limit, _LIMIT))
        thread.start()
        thread.join()
    except (RuntimeError, MemoryError):  # no memory for the stack
        raise RecursionError("maximum recursion depth exceeded") from None
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    result, error = outcome[0]
    if error is not None:
        raise error
    return result
