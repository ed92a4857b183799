"""Reports that wait until a session returns, or is fed, a number that is not finite."""

import functools

from tfgraphtools.compat.engine import state

#: Name of a called function -> the function that reports the call.
_pending = {}

#: The functions that need no further report.
_done = set()


def watch():
    """Makes sessions check their results and feeds while a report is pending."""
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
    """Keeps the function that ``make()`` returns, to be called when a number is not finite."""
    if name not in _done:
        _done.add(name)
        _pending[name] = make()


def look(values):
    """Prints all pending reports if an element of the values is not finite."""
    if not _pending or all(map(_is_finite, values)):
        return
    for say in _pending.values():
        say()
    _pending.clear()


def _is_finite(value):
    import numpy as np

    if not isinstance(value, (np.ndarray, np.generic)) or value.dtype.kind not in "fc":
        return True
    with np.errstate(all="ignore"):  # the sum is fast and may overflow
        return bool(np.isfinite(value.sum()) or np.isfinite(value).all())
