"""Modules of NumPy that are private now, or are gone, under their old names."""

import importlib
import types

from tfgraphtools.compat.engine.rows import Row, Table

#: Old module -> the modules in which its names are now; `numpy` itself is asked last.
_NOW = {
    "numpy.compat": (),
    "numpy.compat.py3k": (),
    "numpy.core": ("numpy._core",),
    "numpy.core.arrayprint": ("numpy._core.arrayprint",),
    "numpy.core.defchararray": ("numpy._core.defchararray",),
    "numpy.core.einsumfunc": ("numpy._core.einsumfunc",),
    "numpy.core.fromnumeric": ("numpy._core.fromnumeric",),
    "numpy.core.function_base": ("numpy._core.function_base",),
    "numpy.core.getlimits": ("numpy._core.getlimits",),
    "numpy.core.machar": ("numpy._core.getlimits",),
    "numpy.core.memmap": ("numpy._core.memmap",),
    "numpy.core.multiarray": ("numpy._core.multiarray",),
    "numpy.core.numeric": ("numpy._core.numeric",),
    "numpy.core.numerictypes": ("numpy._core.numerictypes",),
    "numpy.core.records": ("numpy._core.records",),
    "numpy.core.shape_base": ("numpy._core.shape_base",),
    "numpy.core.umath": ("numpy._core.umath",),
    "numpy.core.umath_tests": ("numpy._core._umath_tests",),
    "numpy.dual": ("numpy.linalg", "numpy.fft"),
    "numpy.fft.fftpack": ("numpy.fft",),
    "numpy.fft.helper": ("numpy.fft",),
    "numpy.lib": ("numpy.lib",),
    "numpy.lib.arraypad": ("numpy.lib._arraypad_impl",),
    "numpy.lib.arraysetops": ("numpy.lib._arraysetops_impl",),
    "numpy.lib.arrayterator": ("numpy.lib._arrayterator_impl",),
    "numpy.lib.financial": (),
    "numpy.lib.function_base": ("numpy.lib._function_base_impl",),
    "numpy.lib.histograms": ("numpy.lib._histograms_impl",),
    "numpy.lib.index_tricks": ("numpy.lib._index_tricks_impl",),
    "numpy.lib.nanfunctions": ("numpy.lib._nanfunctions_impl",),
    "numpy.lib.npyio": ("numpy.lib.npyio", "numpy.lib._npyio_impl"),
    "numpy.lib.polynomial": ("numpy.lib._polynomial_impl",),
    "numpy.lib.scimath": ("numpy.lib.scimath",),
    "numpy.lib.shape_base": ("numpy.lib._shape_base_impl",),
    "numpy.lib.stride_tricks": ("numpy.lib.stride_tricks", "numpy.lib._stride_tricks_impl"),
    "numpy.lib.twodim_base": ("numpy.lib._twodim_base_impl",),
    "numpy.lib.type_check": ("numpy.lib._type_check_impl",),
    "numpy.lib.ufunclike": ("numpy.lib._ufunclike_impl",),
    "numpy.lib.utils": ("numpy.lib._utils_impl",),
    "numpy.linalg.linalg": ("numpy.linalg._linalg", "numpy.linalg"),
    "numpy.matlib": ("numpy.matlib",),
    "numpy.matrixlib.defmatrix": ("numpy.matrixlib.defmatrix",),
    "numpy.testing.decorators": ("numpy.testing",),
    "numpy.testing.nosetester": ("numpy.testing",),
    "numpy.testing.utils": ("numpy.testing",),
}

#: The modules that NumPy 1 had lost itself, since which version.
_SINCE = {
    "numpy.core.machar": "NumPy 1.25",
    "numpy.core.umath_tests": "NumPy 1.25",
    "numpy.dual": "NumPy 1.25",
    "numpy.fft.fftpack": "NumPy 1.17",
    "numpy.lib.financial": "NumPy 1.20",
    "numpy.testing.decorators": "NumPy 1.18",
    "numpy.testing.nosetester": "NumPy 1.18",
    "numpy.testing.utils": "NumPy 1.25",
}

#: What NumPy had of Python 2 and 3 alike.
_OF_BOTH_PYTHONS = {
    "asbytes": lambda s: s if isinstance(s, bytes) else str(s).encode("latin1"),
    "asstr": lambda s: s.decode("latin1") if isinstance(s, bytes) else str(s),
    "asunicode": lambda s: s.decode("latin1") if isinstance(s, bytes) else str(s),
    "asbytes_nested": lambda x: _nested(x, _OF_BOTH_PYTHONS["asbytes"]),
    "asunicode_nested": lambda x: _nested(x, _OF_BOTH_PYTHONS["asunicode"]),
    "basestring": str,
    "bytes": bytes,
    "isfileobj": lambda f: hasattr(f, "fileno"),
    "long": int,
    "integer_types": (int,),
    "sixu": lambda s: s,
    "strchar": "U",
    "unicode": str,
}


def _nested(x, function):
    if hasattr(x, "__iter__") and not isinstance(x, (bytes, str)):
        return [_nested(one, function) for one in x]
    return function(x)


def _module(old, names):
    """A module that finds its names where they are now."""
    made = types.ModuleType(old, f"{old} as NumPy 1 had it.")
    sources = []
    for name in names:
        try:
            sources.append(importlib.import_module(name))
        except ImportError:  # a NumPy in which it is elsewhere still
            pass

    def look_up(attribute):
        from tfgraphtools.compat.engine import views

        if f"{old}.{attribute}" in _NOW:
            return views.module(f"{old}.{attribute}")
        for source in sources:
            if hasattr(source, attribute) and not attribute.startswith("__"):
                return getattr(source, attribute)
        if attribute in _OF_BOTH_PYTHONS:
            return _OF_BOTH_PYTHONS[attribute]
        try:
            return getattr(views.module("numpy"), attribute)
        except AttributeError:
            message = f"module {old!r} has no attribute {attribute!r}"
            raise AttributeError(message) from None

    made.__getattr__ = look_up
    listed = {name for source in sources for name in vars(source) if name[0] != "_"}
    made.__dir__ = lambda: sorted(listed)
    made.__all__ = sorted(listed)
    made.__path__ = []
    return made


def _row(old, names):
    why = f"{old} is private now: its names are found in {', '.join(names) or 'numpy'}"
    return Row(old, _SINCE.get(old, "NumPy 2.0"), why, lambda: _module(old, names))


TABLE = Table(
    "modules that left NumPy", "modules", [_row(old, names) for old, names in _NOW.items()]
)
