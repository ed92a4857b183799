"""Notices that a run prints once, with the line of user code: it cannot do as TF 1.15 did."""

import sys

from tfgraphtools.compat.engine import quiet, rows, state
from tfgraphtools.compat.engine.loading import user_builtins

_printed = set()


def once(key, text):
    """Says ``tfgraphtools: FILE:LINE: text``, the first time that `key` is given: see `quiet.say`.

    Does nothing while modules of ours are being loaded.
    """
    if key not in _printed and rows.is_reporting():
        later(key, text)()


def later(key, text):
    """Returns a function that says the text of `once`, with the line of user code that runs now."""
    where = _line_of_user()

    def say():
        if key in _printed:
            return
        if not _printed:
            state.at_restore(_printed.clear)
        _printed.add(key)
        quiet.say(f"tfgraphtools: {where}{text}.")

    return say


def _line_of_user():
    """Returns "FILE:LINE: " of the user's statement that is running, or "" where none is."""
    frame = sys._getframe(2)
    while frame is not None:
        namespace = frame.f_globals
        package = namespace.get("__name__", "").partition(".")[0]
        # contrib runs as user code does
        if package != "tensorflow" and user_builtins.are_users(namespace.get("__builtins__")):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}: "
        frame = frame.f_back
    return ""
