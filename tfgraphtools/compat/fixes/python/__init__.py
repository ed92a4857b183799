"""Python's own modules, builtins and syntax.

python2            what only Python 2 compiled, or meant otherwise
builtins, modules, names, pickles,
splitting, mocks   the standard library
generators         what a generator may raise
random             arguments and draws of ``random``
dead_modules, removed, attributes
                   what left Python 3.7 to 3.14
changed            what is still there, and took or gave something else
"""

from tfgraphtools.compat.fixes.python import (
    attributes,
    builtins,
    changed,
    dead_modules,
    generators,
    mocks,
    modules,
    names,
    old_names,
    pickles,
    random,
    removed,
    splitting,
)

TABLES = (
    builtins.TABLE,
    modules.TABLE,
    names.TABLE,
    names.CALLS,
    old_names.TABLE,
    dead_modules.TABLE,
    dead_modules.GONE,
    removed.TABLE,
    removed.GONE,
    random.CALLS,
    attributes.TABLE,
    pickles.TABLE,
    splitting.TABLE,
    generators.TABLE,
    mocks.TABLE,
    mocks.MODULES,
    *changed.TABLES,
)


def install(options):
    """Makes finders that user code puts into ``sys.meta_path`` work as before."""
    changed.finders.install()
