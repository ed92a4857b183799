"""scikit-learn: removed names, and earlier results of estimators and scores.

names    removed names, and old calls
modules  removed modules
fits     how estimators learn
linear   linear models; models: others
results  defaults, arguments and scores of 1.0
"""

from tfgraphtools.compat.fixes.sklearn import fits, linear, models, modules, names, results

TABLES = (*names.TABLES, modules.MODULES, results.TABLE, fits.TABLE, linear.TABLE, models.TABLE)


def install(options):
    """Restores the old behavior of scikit-learn, once each of its modules is loaded."""
    results.install()
    fits.install()
    linear.install()
    models.install()
