"""Calls of SciPy's public functions that took or returned more."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of


@in_place_of(
    "scipy.linalg.circulant scipy.linalg.hankel scipy.linalg.toeplitz",
    "SciPy 1.17",
    "flattens what has several dimensions",
)
def _flattening(original, used, *vectors, **options):
    import numpy

    if any(numpy.ndim(vector) > 1 for vector in (*vectors, *options.values())):
        used()
    vectors = [vector if vector is None else numpy.ravel(vector) for vector in vectors]
    return original(*vectors, **{key: numpy.ravel(vector) for key, vector in options.items()})


@in_place_of("scipy.stats.mode", "SciPy 1.11", "keeps the axis: stats.mode(x)[0][0]")
def _mode(original, used, a, axis=0, nan_policy="propagate", **options):
    import numpy

    if "keepdims" in options:
        return original(a, axis=axis, nan_policy=nan_policy, **options)
    used()
    array = numpy.asarray(a)
    if axis is None:
        array, axis = array.ravel(), 0
    return original(array, axis=axis, nan_policy=nan_policy, keepdims=True)


@in_place_of("scipy.stats.linregress", "SciPy 1.15", "takes one array of two rows or columns, too")
def _linregress(original, used, x, y=None, **options):
    import numpy

    if y is not None:
        return original(x, y, **options)
    used()
    pairs = numpy.asarray(x)
    return original(*(pairs if pairs.shape[0] == 2 else pairs.T), **options)


TABLE = Table("calls of SciPy", "calls", [*_flattening, *_mode, *_linregress])
