"""Programs that are Python 2's as a whole, because Python 3 cannot parse one of their modules.

Only Python 2 could ever run that module, and it ran the whole program: a helper file
that happens to parse divided, listed and printed as Python 2 too.
"""

import contextlib

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.fixes.python2 import dialect, table

#: Not empty once a module that only Python 2 can parse has begun to run.
_python2_only = []


def note(name):
    """Notes that a module runs under compat, given the row that makes it Python 2's."""
    if name == table.SYNTAX.name and not _python2_only and state.is_changed():
        _python2_only.append(name)
        state.at_restore(_python2_only.clear)


@contextlib.contextmanager
def supposed():
    """Translates the enclosed source as if a module of Python 2 alone were already imported."""
    _python2_only.append(table.SYNTAX.name)
    try:
        yield
    finally:
        _python2_only.pop()


def is_python2():
    """Tells whether a module that only Python 2 can parse has begun to run."""
    return bool(_python2_only) and not rows.is_off(table.BY_COMPANY.name)


def concerns(tree):
    """Tells whether a module that parses as `tree` must be Python 2's as well."""
    return is_python2() and not dialect.is_python3_only(tree)
