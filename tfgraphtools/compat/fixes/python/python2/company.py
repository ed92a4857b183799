"""Modules that are Python 2's because they run beside one that Python 3 cannot parse.

Only Python 2 could ever run that one, and it ran the whole program: a helper file
that happens to parse divided, listed and printed as Python 2 too.
"""

import contextlib

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.fixes.python.python2 import dialect, table

_found = []


def note(name):
    """Takes notice of a module that runs under compat, by the row that makes it Python 2's."""
    if name == table.SYNTAX.name and not _found and state.is_changed():
        _found.append(name)
        state.at_restore(_found.clear)


@contextlib.contextmanager
def supposed():
    """Makes what is read inside be read as if such a module had begun to run."""
    _found.append(table.SYNTAX.name)
    try:
        yield
    finally:
        _found.pop()


def is_python2():
    """Whether a module that only Python 2 can parse has begun to run."""
    return bool(_found) and not rows.is_off(table.BY_COMPANY.name)


def concerns(tree):
    """Whether a module that parses as `tree` must be Python 2's as well."""
    return is_python2() and not dialect.is_python3_only(tree)
