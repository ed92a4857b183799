"""Calls of SciPy: renamed arguments, and public functions that took or returned more."""

import functools

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import build
from tfgraphtools.compat.fixes.build import made

_INTERVALS = Row(
    "scipy.stats.interval",
    "SciPy 1.11",
    "stats.norm.interval(alpha=0.9): alpha is confidence now",
)

#: module -> {function: (old argument, new one)}
_ARGUMENTS = {
    "scipy.sparse.linalg": dict.fromkeys(
        "bicg bicgstab cg cgs gmres lgmres qmr".split(), ("tol", "rtol")
    ),
    "scipy.linalg": dict.fromkeys(["eigh", "eigvalsh"], ("eigvals", "subset_by_index")),
}


def _renaming(module, name, old, new):
    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def call(*arguments, **options):
            if old in options:
                used()
                options[new] = options.pop(old)
            return function(*arguments, **options)

        return call

    return made(f"{module}.{name}", "SciPy 1.14", f"{old}= is {new}=")(provide)


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

    return made("scipy.linalg." + name, "SciPy 1.17", "flattens what has several dimensions")(
        provide
    )


@made("scipy.stats.mode", "SciPy 1.11", "keeps the axis: stats.mode(x)[0][0]")
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


def _interval(original, self, *arguments, **options):
    if "alpha" in options:
        rows.used(_INTERVALS)
        options["confidence"] = options.pop("alpha")
    return original(self, *arguments, **options)


def replacements():
    """Returns what makes the distributions of SciPy take the old argument."""
    classes = "rv_continuous.interval rv_discrete.interval"
    return build.replacements(_INTERVALS, _interval, "scipy.stats:" + classes)


CALLS = Table(
    "calls of SciPy",
    "calls",
    [
        *[
            _renaming(module, name, *arguments)
            for module, functions in _ARGUMENTS.items()
            for name, arguments in functions.items()
        ],
        *map(_flattening, ("circulant", "hankel", "toeplitz")),
        _mode,
        _linregress,
        _solve,
    ],
)

TABLES = (CALLS, Table("distributions of SciPy", "listed", [_INTERVALS]))
