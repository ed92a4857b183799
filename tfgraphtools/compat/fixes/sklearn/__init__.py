"""scikit-learn: removed names and modules, and arguments as they were called.

cross_validation   folds that are iterated themselves
sklearn_estimators removed names, methods and old calls
linear_assignment  removed modules
renamed_arguments  arguments, values and defaults that have changed

Estimators learn what the installed scikit-learn learns; `doctor` reports the differences.
"""

from tfgraphtools.compat.fixes.sklearn import (
    cross_validation,
    linear_assignment,
    renamed_arguments,
    sklearn_estimators,
)

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (
    *sklearn_estimators.TABLES,
    linear_assignment.MODULES,
    *cross_validation.TABLES,
    renamed_arguments.TABLE,
)


def install(options):
    """Makes the public classes and functions take the old arguments, once they are loaded."""
    renamed_arguments.install()
