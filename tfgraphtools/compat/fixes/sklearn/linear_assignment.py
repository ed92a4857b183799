"""``sklearn.utils.linear_assignment_``, which scikit-learn removed."""

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import removed


def linear_assignment(X):
    """Returns the assignment of least cost, as pairs of indices [pairs, 2]."""
    import numpy
    from scipy.optimize import linear_sum_assignment

    return numpy.transpose(numpy.asarray(linear_sum_assignment(X)))


def _module():
    name = "sklearn.utils.linear_assignment_"
    return removed.module_of(name, ["scipy.optimize"], linear_assignment=linear_assignment)


MODULES = Table(
    "the module of assignments",
    "modules",
    [
        Fix(
            "sklearn.utils.linear_assignment_",
            "scikit-learn 0.23",
            "linear_assignment by scipy.optimize.linear_sum_assignment",
            _module,
        )
    ],
)
