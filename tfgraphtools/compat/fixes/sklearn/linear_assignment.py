"""Removed modules of scikit-learn."""

import types

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import lines_of, lookup


def _module(name, *modules, **more):
    """A function that makes a module with the contents of others, and with `more`."""

    def provide():
        result = types.ModuleType(name)
        for source in map(lookup, modules):
            for attribute in dir(source):
                if not attribute.startswith("__"):
                    setattr(result, attribute, getattr(source, attribute))
        for attribute, value in more.items():
            setattr(result, attribute, value)
        return result

    return provide


def _row(name, since, *modules, **more):
    why = "its contents are in " + " and ".join(modules) + " now"
    return Row(name, since, why, _module(name, *modules, **more))


def linear_assignment(X):
    """The assignment of least cost, as pairs of indices [pairs, 2]."""
    import numpy
    from scipy.optimize import linear_sum_assignment

    return numpy.transpose(numpy.asarray(linear_sum_assignment(X)))


MODULES = Table(
    "modules that left scikit-learn",
    "modules",
    [
        _row(
            "sklearn.utils.linear_assignment_",
            "scikit-learn 0.23",
            "scipy.optimize",
            linear_assignment=linear_assignment,
        ),
        *[
            _row(name, since, *modules.split())
            for name, since, modules in lines_of(__file__, "modules.tsv")
        ],
    ],
)
