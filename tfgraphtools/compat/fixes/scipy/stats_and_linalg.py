"""Calls of SciPy's public functions that took or returned more."""

import functools

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides


def _flattening(name):
    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def flat(*vectors, **options):
            import numpy

            if any(numpy.ndim(vector) > 1 for vector in (*vectors, *options.values())):
                used()
            vectors = [vector if vector is None else numpy.ravel(vector) for vector in vectors]
            return function(*vectors, **{key: numpy.ravel(v) for key, v in options.items()})

        return flat

    return provides("scipy.linalg." + name, "SciPy 1.17", "flattens what has several dimensions")(
        provide
    )


@provides("scipy.stats.mode", "SciPy 1.11", "keeps the axis: stats.mode(x)[0][0]")
def _mode(real, used):
    def mode(a, axis=0, nan_policy="propagate", **options):
        import numpy

        if "keepdims" in options:
            return real.mode(a, axis=axis, nan_policy=nan_policy, **options)
        used()
        array = numpy.asarray(a)
        if axis is None:
            array, axis = array.ravel(), 0
        return real.mode(array, axis=axis, nan_policy=nan_policy, keepdims=True)

    return mode


@provides("scipy.stats.linregress", "SciPy 1.15", "takes one array of two rows or columns, too")
def _linregress(real, used):
    def linregress(x, y=None, **options):
        if y is not None:
            return real.linregress(x, y, **options)
        import numpy

        used()
        pairs = numpy.asarray(x)
        return real.linregress(*(pairs if pairs.shape[0] == 2 else pairs.T), **options)

    return linregress


TABLE = Table(
    "calls of SciPy",
    "calls",
    [*map(_flattening, ("circulant", "hankel", "toeplitz")), _mode, _linregress],
)
