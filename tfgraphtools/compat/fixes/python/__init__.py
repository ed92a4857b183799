"""Python's own modules, builtins and syntax.

python2            what only Python 2 compiled, or meant otherwise
builtins, modules, names, pickles,
splitting, mocks   the standard library
"""

from tfgraphtools.compat.fixes.python import builtins, mocks, modules, names, pickles, splitting

TABLES = (
    builtins.TABLE,
    modules.TABLE,
    names.TABLE,
    names.CALLS,
    pickles.TABLE,
    splitting.TABLE,
    mocks.TABLE,
)
