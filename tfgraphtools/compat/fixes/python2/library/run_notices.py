"""Notices of statements that mean something else today, given as they run."""

from tfgraphtools.compat.engine import notices

_TEXTS = {
    "exec": "`exec` in a function binds no local variable of it, as it did in Python 2: name a "
    "dictionary, exec code in d",
    "error_names": "IOError, OSError and EnvironmentError are one class in Python 3, and the errors "
    "of sockets are of it, too; in Python 2 they were different classes",
    "ioerror": "`except IOError` catches every OSError in Python 3; Python 2 went on to the "
    "handler of OSError where a function of os failed",
}


def noted(subject, value=None):
    """Gives the notice about a subject, once, and returns a value."""
    notices.once("python2." + subject, _TEXTS[subject])
    return value
