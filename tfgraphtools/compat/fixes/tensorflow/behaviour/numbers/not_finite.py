"""What is said when a session gets, or is fed, a number that is not finite, and not before."""

import functools

from tfgraphtools.compat.engine import state

#: Name of a function that was called -> what says so.
_pending = {}

#: The functions that need no more be told of.
_done = set()


def watch():
    """Has sessions look at their results and at what they are fed, while something is expected."""
    from tensorflow.python.client import session

    plain = session.BaseSession._do_run

    @functools.wraps(plain)
    def do_run(self, handle, target_list, fetch_list, feed_dict, options, run_metadata):
        results = plain(self, handle, target_list, fetch_list, feed_dict, options, run_metadata)
        if _pending:
            look(results)
            look(feed_dict.values())
        return results

    state.set_attribute(session.BaseSession, "_do_run", do_run)
    state.at_restore(_pending.clear)
    state.at_restore(_done.clear)


def expect(name, make):
    """Keeps what ``make()`` gives, a function that says something, until it is time to say it."""
    if name not in _done:
        _done.add(name)
        _pending[name] = make()


def look(values):
    """Says all that is expected if one of the values has an element that is not finite."""
    if not _pending or all(map(_is_finite, values)):
        return
    for say in _pending.values():
        say()
    _pending.clear()


def _is_finite(value):
    import numpy as np

    if not isinstance(value, (np.ndarray, np.generic)) or value.dtype.kind not in "fc":
        return True
    with np.errstate(all="ignore"):  # a sum needs no memory; it may overflow, too
        return bool(np.isfinite(value.sum()) or np.isfinite(value).all())
