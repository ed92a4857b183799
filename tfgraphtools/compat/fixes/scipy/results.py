"""Functions of SciPy that gave something else, and attributes of its sparse matrices."""

from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made


@made("scipy.stats.mode", "SciPy 1.11", "keeps the axis: stats.mode(x)[0][0]; takes strings")
def _mode(real, used):
    def mode(a, axis=0, nan_policy="propagate", **options):
        import numpy

        array = numpy.asarray(a)
        if "keepdims" in options:
            return real.mode(a, axis=axis, nan_policy=nan_policy, **options)
        used()
        if axis is None:
            array, axis = array.ravel(), 0
        if array.dtype.kind in "biufc":
            return real.mode(array, axis=axis, nan_policy=nan_policy, keepdims=True)
        found = numpy.apply_along_axis(_most_frequent, axis, array)
        counts = (array == numpy.expand_dims(found, axis)).sum(axis, keepdims=True)
        return _ModeResult(numpy.expand_dims(found, axis), counts)

    return mode


class _ModeResult(tuple):
    """(mode, count), also by these names."""

    def __new__(cls, mode, count):
        return super().__new__(cls, (mode, count))

    mode = property(lambda self: self[0])
    count = property(lambda self: self[1])


def _most_frequent(values):
    import numpy

    found, counts = numpy.unique(values, return_counts=True)
    return found[counts.argmax()]


@made("scipy.integrate.simps", "SciPy 1.11", "for an even number of points it uses even='avg'")
def _simps(real, used):
    def simps(y, x=None, dx=1.0, axis=-1, even="avg"):
        import numpy

        y = numpy.moveaxis(numpy.asarray(y), axis, -1)
        if x is not None:
            x = numpy.asarray(x)
            x = numpy.moveaxis(x, axis, -1) if x.ndim > 1 else x
        count = y.shape[-1]
        used()
        if count % 2 == 1 or count < 4:
            way = "avg" if count % 2 == 0 else "odd"
            return _trapezoid(y, x, dx) if way == "avg" else _simpson(real, y, x, dx)
        ends = {"first": [0], "last": [1], "avg": [0, 1]}[even]
        total = 0.0
        for end in ends:
            kept, rest = (slice(0, -1), slice(-2, None)) if end == 0 else (slice(1, None), slice(2))
            x_kept, x_rest = (None, None) if x is None else (x[..., kept], x[..., rest])
            total = total + _simpson(real, y[..., kept], x_kept, dx)
            total = total + _trapezoid(y[..., rest], x_rest, dx)
        return total / len(ends)

    return simps


def _simpson(real, y, x, dx):
    return real.simpson(y, x=x, dx=dx, axis=-1)


@made("scipy.integrate.simpson", "SciPy 1.11", "an even number of points is averaged: even='avg'")
def _simpson_rule(real, used):
    simps = _simps.provide(real, lambda: None)

    def simpson(y, x=None, dx=1.0, axis=-1, even="avg"):
        import numpy

        if numpy.shape(y)[axis] % 2 == 0:
            used()
        return simps(y, x, dx, axis, even)

    return simpson


@made("scipy.stats.wilcoxon", "SciPy 1.13", "exact p-values up to 25 pairs, also with ties")
def _wilcoxon(real, used):
    def wilcoxon(
        x, y=None, zero_method="wilcox", correction=False, alternative="two-sided", mode="auto",
        **options
    ):  # fmt: skip
        import numpy

        mode = options.pop("method", mode)
        if mode == "auto" and not options:
            differences = numpy.asarray(x) - (0 if y is None else numpy.asarray(y))
            used()
            mode = "exact" if len(differences) <= 25 and differences.all() else "asymptotic"
        mode = "asymptotic" if mode == "approx" else mode
        return real.wilcoxon(x, y, zero_method, correction, alternative, method=mode, **options)

    return wilcoxon


@made("scipy.stats.linregress", "SciPy 1.15", "takes one array of two rows or columns, too")
def _linregress(real, used):
    def linregress(x, y=None, **options):
        if y is not None:
            return real.linregress(x, y, **options)
        import numpy

        used()
        pairs = numpy.asarray(x)
        return real.linregress(*(pairs if pairs.shape[0] == 2 else pairs.T), **options)

    return linregress


@made("scipy.linalg.solve", "SciPy 1.11", "sym_pos=True is assume_a='pos'; debug is ignored")
def _solve(real, used):
    names = ("sym_pos", "lower", "overwrite_a", "overwrite_b", "debug", "check_finite", "assume_a")

    def solve(a, b, *arguments, **options):
        if arguments or "sym_pos" in options or "debug" in options:
            used()
            options.update(zip((*names, "transposed"), arguments))
            options.pop("debug", None)
            if options.pop("sym_pos", False):
                options["assume_a"] = "pos"
        return real.solve(a, b, **options)

    return solve


def _trapezoid(y, x, dx):
    import numpy

    widths = dx if x is None else numpy.diff(x, axis=-1)
    return (widths * (y[..., 1:] + y[..., :-1]) / 2.0).sum(-1)


@made("scipy.stats.itemfreq", "SciPy 1.9", "the values and their counts")
def _itemfreq(real):
    import numpy

    return lambda a: numpy.array(numpy.unique(a, return_counts=True)).T


@made("scipy.stats.binom_test", "SciPy 1.12", "the p-value of binomtest")
def _binom_test(real):
    def binom_test(x, n=None, p=0.5, alternative="two-sided"):
        import numpy

        if numpy.size(x) == 2:
            n = x[0] + x[1]
            x = x[0]
        return real.binomtest(int(x), int(n), p, alternative).pvalue

    return binom_test


@made("scipy.interp", "SciPy 1.11", "numpy.interp")
def _interp(real):
    import numpy

    return numpy.interp


@made("scipy.random", "SciPy 1.11", "numpy.random")
def _random(real):
    import numpy

    return numpy.random


def _sparse(function):
    def fallback(value):
        if not type(value).__module__.startswith("scipy.sparse"):
            raise AttributeError
        return function(value)

    return fallback


ATTRIBUTES = Table(
    "attributes of SciPy's sparse matrices",
    "listed",
    [
        fallback_row(
            "scipy.sparse.attributes",
            "SciPy 1.14",
            "matrix.A is matrix.toarray(), matrix.H its conjugate transpose",
            {
                "A": _sparse(lambda matrix: matrix.toarray()),
                "H": _sparse(lambda matrix: matrix.conjugate().transpose()),
                "asfptype": _sparse(lambda matrix: lambda: matrix._asfptype()),
            },
            "scipy",
        )
    ],
)

TABLES = (
    Table(
        "functions of SciPy whose results changed",
        "calls",
        [_mode, _simps, _simpson_rule, _wilcoxon, _linregress, _solve],
    ),
    Table("removed functions of SciPy", "names", [_itemfreq, _binom_test, _interp, _random]),
    ATTRIBUTES,
)
