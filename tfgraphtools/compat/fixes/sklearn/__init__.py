"""scikit-learn: removed names and modules, and arguments as they were called.

names      removed names, attributes and old calls
modules    removed modules
arguments  arguments, values and defaults that have changed

Estimators learn what the installed scikit-learn learns; `doctor` reports the differences.
"""

from tfgraphtools.compat.fixes.sklearn import arguments, modules, names

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (*names.TABLES, modules.MODULES, arguments.TABLE)


def install(options):
    """Makes the public classes and functions take the old arguments, once they are loaded."""
    arguments.install()
