"""Counts of calls, which show how a cost grows: unlike times, they are equal on every machine."""

import contextlib
import sys


@contextlib.contextmanager
def counted_calls():
    """Counts the calls of functions, Python's and C's, in the block; gives a list of the number."""
    calls = [0]

    def profile(frame, event, argument):
        calls[0] += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def steps_of(function):
    """Returns the number of calls and of lines that a function executes."""
    steps = [0]

    def trace(frame, event, argument):
        steps[0] += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with counted_calls() as calls:
            function()
    finally:
        sys.settrace(before)
    return calls[0] + steps[0]
