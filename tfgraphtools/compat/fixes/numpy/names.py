"""Names that left NumPy."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made, standing
from tfgraphtools.compat.fixes.numpy.arithmetic import together


@standing("numpy.asscalar", "NumPy 1.23", "numpy.asscalar(a) is a.item()")
def _asscalar(a):
    return a.item()


@standing(
    "numpy.issubclass_", "NumPy 2.0", "issubclass that returns False if an argument is not a class"
)
def _issubclass(arg1, arg2):
    return isinstance(arg1, type) and issubclass(arg1, arg2)


@made("numpy.typeDict", "NumPy 1.25", "numpy.sctypeDict, with the letters, numbers and sizes")
def _type_dict(real):
    found = dict(real.sctypeDict)
    for letter in real.typecodes["All"] + "pPa":
        dtype = real.dtype("S" if letter == "a" else letter)
        found[letter] = dtype.type
        if letter in "?bBhHiIlLqQefdgFDGSUVOMm":
            found[dtype.num] = dtype.type
        if letter in "?bBhHiIlLefdgFDGMm":
            found[dtype.str[1:]] = dtype.type
    return found


@made("numpy.NINF", "NumPy 2.0", "numpy.NINF is -numpy.inf")
def _ninf(real):
    return -real.inf


@made("numpy.asfarray", "NumPy 2.0", "an array of floats")
def _asfarray(real):
    def asfarray(a, dtype=real.float64):
        is_inexact = real.issubdtype(dtype, real.inexact)
        return real.asarray(a, dtype=dtype if is_inexact else real.float64)

    return asfarray


@made("numpy.msort", "NumPy 2.0", "numpy.msort(a) is numpy.sort(a, axis=0)")
def _msort(real):
    return lambda a: real.sort(a, axis=0)


@made("numpy.rank", "NumPy 1.18", "numpy.rank(a) is numpy.ndim(a)")
def _rank(real):
    return real.ndim


@made("numpy.alen", "NumPy 1.23", "the length of an array; 1 for a number")
def _alen(real):
    return lambda a: len(real.atleast_1d(a))


@made("numpy.in1d", "NumPy 2.0", "numpy.isin of flat arrays")
def _in1d(real):
    isin = together.members(real, used=lambda: None)
    return lambda ar1, ar2, *options, **named: isin(real.ravel(ar1), ar2, *options, **named)


@made("numpy.trapz", "NumPy 2.4", "numpy.trapz is numpy.trapezoid")
def _trapz(real):
    return real.trapezoid if hasattr(real, "trapezoid") else real.trapz


@made("numpy.fastCopyAndTranspose", "NumPy 2.0", "a copy of the transposed array")
def _fast_copy_and_transpose(real):
    return lambda a: real.array(a.T, copy=True)


@made("numpy.safe_eval", "NumPy 2.0", "numpy.safe_eval is ast.literal_eval")
def _safe_eval(real):
    import ast

    return ast.literal_eval


@made("numpy.loads", "NumPy 1.22", "numpy.loads is pickle.loads")
def _loads(real):
    from tfgraphtools.compat.engine import views

    return views.module("pickle").loads


@made("numpy.deprecate", "NumPy 2.0", "a decorator that warns")
def _deprecate(real):
    import functools
    import warnings

    def deprecate(function=None, *names, **more):
        if function is None:
            return deprecate

        @functools.wraps(function)
        def warning(*arguments, **options):
            warnings.warn(f"{function.__name__} is deprecated", DeprecationWarning, stacklevel=2)
            return function(*arguments, **options)

        return warning

    return deprecate


@made("numpy.set_string_function", "NumPy 2.0", "does nothing: arrays print as usual")
def _set_string_function(real):
    return lambda f, repr=True: None


@made("numpy.disp", "NumPy 2.0", "prints a message")
def _disp(real):
    def disp(mesg, device=None, linefeed=True):
        print(mesg, file=device, end="\n" if linefeed else "")

    return disp


TABLE = Table(
    "functions and constants that left NumPy",
    "names",
    [
        _asscalar,
        _issubclass,
        _type_dict,
        _ninf,
        _asfarray,
        _msort,
        _rank,
        _alen,
        _in1d,
        _trapz,
        _fast_copy_and_transpose,
        _safe_eval,
        _loads,
        _deprecate,
        _set_string_function,
        _disp,
    ],
)
