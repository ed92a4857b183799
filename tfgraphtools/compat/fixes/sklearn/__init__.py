"""scikit-learn: what left it, and what its estimators and scores gave.

names    names that left it, and calls that it took once
modules  modules that left it
fits     how estimators learn
linear   linear models; models: others
results  defaults, arguments and scores of 1.0
"""

from tfgraphtools.compat.fixes.sklearn import fits, linear, models, modules, names, results

TABLES = (*names.TABLES, modules.MODULES, results.TABLE, fits.TABLE, linear.TABLE, models.TABLE)


def install(options):
    """Has scikit-learn do as before, once each of its modules is loaded."""
    results.install()
    fits.install()
    linear.install()
    models.install()
