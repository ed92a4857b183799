"""SciPy's old names and calls, and the image functions that it had."""

from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.fixes.scipy import calls, names, starts

TABLES = (*names.TABLES, *calls.TABLES, starts.TABLE)


def install(options):
    """Makes distributions of SciPy accept the old arguments, once they are loaded."""
    install_after_import(*calls.replacements())
