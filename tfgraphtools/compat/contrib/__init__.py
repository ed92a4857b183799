"""``tensorflow.contrib``, the real one of TF 1.15, from the legacy installation."""

from tfgraphtools.compat.contrib import bijectors, dropped, finder, living, moved

TABLES = (
    living.TABLE,
    dropped.TABLE,
    dropped.SKFLOW,
    dropped.MODULES,
    dropped.GONE,
    bijectors.TABLE,
)


def install(options):
    """Puts the finder and the moved internals in force; gives user code what its trees call."""
    from tfgraphtools.compat import importer

    vars(importer.user_builtins()).update(bijectors.HELPERS)
    moved.install()
    dropped.install()
    finder.install()
