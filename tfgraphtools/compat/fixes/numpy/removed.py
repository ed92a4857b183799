"""Names that left NumPy 1.12 to 2.5, found by `scripts/removals`; the commonest are in `names`."""

import pickle

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made, standing


def _reading_records(name, since="NumPy 2.0", **fixed):
    """A reader of text that is `genfromtxt` with some arguments."""

    def provide(real):
        def read(fname, **options):
            for key, value in fixed.items():
                options.setdefault(key, value)
            found = real.genfromtxt(fname, **options)
            if name == "recfromcsv" or name == "recfromtxt":
                return found.view(real.recarray) if found.dtype.names else found
            return found

        return read

    return made("numpy." + name, since, f"numpy.{name} is numpy.genfromtxt")(provide)


@made("numpy.row_stack", "NumPy 2.5", "numpy.row_stack is numpy.vstack")
def _row_stack(real):
    from tfgraphtools.compat.engine import views

    return views.module("numpy").vstack


@made("numpy.nbytes", "NumPy 2.0", "numpy.nbytes[type] is the size of the type")
def _nbytes(real):
    class Sizes(dict):
        def __missing__(self, key):
            return real.dtype(key).itemsize

    return Sizes()


@made("numpy.MachAr", "NumPy 1.24", "the limits of float64, by numpy.finfo")
def _machar(real):
    class MachAr:
        def __init__(self, *ignored, **also_ignored):
            limits = real.finfo(real.float64)
            self.ibeta, self.it = 2, limits.nmant
            self.machep, self.eps = limits.machep, limits.eps
            self.negep, self.epsneg = limits.negep, limits.epsneg
            self.iexp, self.minexp = limits.iexp, limits.minexp
            self.xmin = self.tiny = limits.tiny
            self.maxexp, self.xmax = limits.maxexp, limits.max
            self.huge, self.precision = limits.max, limits.precision
            self.epsilon, self.resolution = limits.eps, limits.resolution

    return MachAr


@standing("numpy.lookfor", "NumPy 2.0", "prints a link to NumPy's documentation")
def _lookfor(what, *ignored, **also_ignored):
    print(f"Search results for {what!r}: see https://numpy.org/doc")


@standing("numpy.source", "NumPy 2.0", "prints the source of a function")
def _source(object, output=None):
    import inspect

    print(inspect.getsource(object), file=output)


@standing("numpy.who", "NumPy 2.0", "prints the arrays of a dictionary")
def _who(vardict=None):
    for name, value in (vardict or {}).items():
        if hasattr(value, "nbytes"):
            print(name, value.shape, value.nbytes, value.dtype)


@standing("numpy.deprecate_with_doc", "NumPy 2.0", "a decorator that does nothing")
def _deprecate_with_doc(msg):
    return lambda function: function


def _doing_nothing(name, why, since="NumPy 2.0"):
    return standing("numpy." + name, since, why)(lambda *ignored, **also_ignored: None)


@made("numpy.get_array_wrap", "NumPy 2.0", "the __array_wrap__ of the first that has it")
def _get_array_wrap(real):
    def get_array_wrap(*args):
        wraps = [x for x in args if hasattr(x, "__array_wrap__")]
        best = max(wraps, key=lambda x: getattr(x, "__array_priority__", 0), default=None)
        return None if best is None else best.__array_wrap__

    return get_array_wrap


@made("numpy.ma.rank", "NumPy 1.18", "numpy.ma.rank(a) is numpy.ndim(a)")
def _ma_rank(real):
    import numpy

    return numpy.ndim


@standing("numpy.ma.dump", "NumPy 1.18", "pickles an array to a file or a path")
def _ma_dump(a, F):
    if hasattr(F, "write"):
        return pickle.dump(a, F)
    with open(F, "wb") as file:
        return pickle.dump(a, file)


@standing("numpy.ma.dumps", "NumPy 1.18", "numpy.ma.dumps(a) is pickle.dumps(a)")
def _ma_dumps(a):
    return pickle.dumps(a)


@standing("numpy.ma.load", "NumPy 1.18", "unpickles an array from a file or a path")
def _ma_load(F):
    if hasattr(F, "read"):
        return pickle.load(F, encoding="latin1")
    with open(F, "rb") as file:
        return pickle.load(file, encoding="latin1")


@standing("numpy.ma.loads", "NumPy 1.18", "numpy.ma.loads(data) is pickle.loads(data)")
def _ma_loads(strg):
    return pickle.loads(strg, encoding="latin1")


@made("numpy.polynomial.polyutils.RankWarning", "NumPy 2.0", "numpy.exceptions.RankWarning")
def _rank_warning(real):
    import numpy

    return numpy.exceptions.RankWarning


@standing("numpy.testing.run_module_suite", "NumPy 1.25", "runs the tests of a file by pytest")
def _run_module_suite(file_to_run=None, argv=None):
    import sys

    import pytest

    return pytest.main(list(argv or [file_to_run or sys.argv[0]]))


@made("numpy.testing.rand", "NumPy 1.18", "numpy.random.rand")
def _testing_rand(real):
    import numpy

    return numpy.random.rand


TABLE = Table(
    "further names that left NumPy",
    "names",
    [
        _reading_records("recfromtxt", dtype=None, encoding="bytes"),
        _reading_records(
            "recfromcsv",
            dtype=None,
            encoding="bytes",
            names=True,
            delimiter=",",
            case_sensitive="lower",
        ),
        _reading_records("ndfromtxt", "NumPy 1.22"),
        _reading_records("mafromtxt", "NumPy 1.22", usemask=True),
        _row_stack,
        _nbytes,
        _machar,
        _lookfor,
        _source,
        _who,
        _deprecate_with_doc,
        _doing_nothing("add_docstring", "does nothing: documentation is not changed"),
        _doing_nothing("add_newdoc", "does nothing: documentation is not changed"),
        _doing_nothing("add_newdoc_ufunc", "does nothing: documentation is not changed"),
        _get_array_wrap,
        _ma_rank,
        _ma_dump,
        _ma_dumps,
        _ma_load,
        _ma_loads,
        _doing_nothing("alterdot", "does nothing: the BLAS is always used", "NumPy 1.14"),
        _doing_nothing("restoredot", "does nothing: the BLAS is always used", "NumPy 1.14"),
        _doing_nothing("pkgload", "modules are loaded by import", "NumPy 1.16"),
        _rank_warning,
        _run_module_suite,
        _testing_rand,
    ],
)
