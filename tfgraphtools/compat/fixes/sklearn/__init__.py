"""scikit-learn: removed names, and earlier results of estimators and scores.

names    removed names, and old calls
modules  removed modules
fits     how estimators learn
linear   linear models; models: others
results  defaults and scores of 1.0
arguments  arguments that have another name today
scores   scores as numbers of NumPy
"""

from tfgraphtools.compat.fixes.sklearn import (
    arguments,
    fits,
    linear,
    models,
    modules,
    names,
    results,
    scores,
)

TABLES = (
    *names.TABLES,
    modules.MODULES,
    results.TABLE,
    fits.TABLE,
    linear.TABLE,
    models.TABLE,
    arguments.TABLE,
    scores.TABLE,
)


def install(options):
    """Restores the old behavior of scikit-learn, once each of its modules is loaded."""
    results.install()
    fits.install()
    linear.install()
    models.install()
    arguments.install()
    scores.install()
