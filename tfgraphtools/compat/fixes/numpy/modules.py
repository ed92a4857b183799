"""Modules of NumPy that are private now, or are gone, under their old names."""

import importlib
import types

from tfgraphtools.compat.engine.rows import Row, Table

#: Modules whose public names `numpy` itself has.
_CORE = (
    "arrayprint einsumfunc fromnumeric function_base getlimits machar memmap "
    "multiarray numerictypes shape_base umath umath_tests"
).split()
_LIB = (
    "arraypad arraysetops arrayterator financial function_base histograms "
    "index_tricks nanfunctions polynomial shape_base twodim_base type_check "
    "ufunclike utils"
).split()

#: Old module -> the modules in which its names are now; `numpy` itself is asked last.
_NOW = {
    **dict.fromkeys(["numpy.compat", "numpy.compat.py3k", "numpy.core"], ()),
    **dict.fromkeys(["numpy.core." + name for name in _CORE], ()),
    **dict.fromkeys(["numpy.lib." + name for name in _LIB], ()),
    "numpy.core.defchararray": ("numpy.char",),
    "numpy.core.numeric": ("numpy.lib.array_utils",),
    "numpy.core.records": ("numpy.rec",),
    "numpy.dual": ("numpy.linalg", "numpy.fft"),
    "numpy.fft.fftpack": ("numpy.fft",),
    "numpy.fft.helper": ("numpy.fft",),
    "numpy.lib": ("numpy.lib",),
    "numpy.lib.npyio": ("numpy.lib.npyio",),
    "numpy.lib.scimath": ("numpy.lib.scimath",),
    "numpy.lib.stride_tricks": ("numpy.lib.stride_tricks",),
    "numpy.linalg.linalg": ("numpy.linalg",),
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
