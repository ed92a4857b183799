"""``math``, ``random``, ``re``, ``struct``... as modules of Python 2 had them.

Their names are still there and mean something else: `math.floor` gave a float, so that
``math.floor(x) / 2`` was not floored, and a seeded `random.shuffle` drew in another way.

Source: the documentation and the behaviour of Python 2.7.
"""

import array
import builtins
import collections
import functools
import importlib
import io
import json
import math
import random
import re
import types

from tfgraphtools.compat.engine import rows, views
from tfgraphtools.compat.engine.loading import user_builtins
from tfgraphtools.compat.engine.views import lookup
from tfgraphtools.compat.fixes.python import regular_expressions
from tfgraphtools.compat.fixes.python2.containers import old_dicts
from tfgraphtools.compat.fixes.python2.library import (
    byte_functions,
    byte_texts,
    memory_files,
    old_arrays,
    old_csv,
    old_json,
    random_draws,
    stand_ins,
    text_codecs,
)
from tfgraphtools.compat.fixes.python2.library.byte_strings import string
from tfgraphtools.compat.fixes.python2.library.expressions import patterns
from tfgraphtools.compat.fixes.python2.table import (
    BUILTINS,
    BYTES,
    HASHES,
    MATH,
    RANDOM,
    TEXT,
    UNICODE,
)


def module_for(name, importer):
    """Returns what ``import name`` gives a Python 2 module, or None where that is today's.

    Args:
      name: the name that is imported.
      importer: the globals of the module that imports it.
    """
    if name not in _MODULES or not importer or importer.get("__python2__") is None:
        return None
    row, make = _MODULES[name]
    return None if rows.is_off(row.name) else make()


def _beside(module, row, functions, **others):
    """Returns a module with these names, and for the rest what user code finds in `module`.

    Args:
      module: the module of today.
      row: the fix that a call of a function uses.
      functions: {name: function}
      **others: values that need no report, or report their uses themselves.
    """

    def look_up(name):
        of_users = lookup.concerns(module.__name__)
        return getattr(views.module(module.__name__) if of_users else module, name)

    old = types.ModuleType(module.__name__, module.__doc__)
    old.__getattr__ = look_up
    old.__all__ = [name for name in dir(module) if not name.startswith("_")]
    vars(old).update(others, **{n: _reporting(row, call) for n, call in functions.items()})
    return old


def _reporting(row, function):
    @functools.wraps(function)
    def call(*arguments, **options):
        rows.used(row)
        return function(*arguments, **options)

    return call


def _as_float(function):
    """Returns `math.floor` or `math.ceil` that gives a float."""

    @functools.wraps(function)
    def rounded(x):
        x = float(x)
        return math.copysign(function(x), x) if math.isfinite(x) else x

    return rounded


@functools.lru_cache(maxsize=None)
def _math():
    return _beside(math, MATH, {"floor": _as_float(math.floor), "ceil": _as_float(math.ceil)})


@functools.lru_cache(maxsize=None)
def _random():
    return _beside(random, RANDOM, random_draws.functions(), Random=random_draws.Random)


@functools.lru_cache(maxsize=None)
def _array():
    return _beside(array, BYTES, {}, **old_arrays.NAMES)


@functools.lru_cache(maxsize=None)
def _csv():
    import csv

    return _beside(csv, BYTES, {}, **old_csv.readers())


@functools.lru_cache(maxsize=None)
def _json():
    return _beside(json, BYTES, {}, **old_json.functions())


@functools.lru_cache(maxsize=None)
def _re():
    return _beside(re, TEXT, {}, **regular_expressions.of_python2(patterns.functions()))


@functools.lru_cache(maxsize=None)
def _of_bytes(name):
    module = importlib.import_module(name)
    return _beside(module, BYTES, byte_functions.functions_of(name))


@functools.lru_cache(maxsize=None)
def _collections():
    others = {"defaultdict": old_dicts.DefaultDict, "Counter": old_dicts.Counter}
    return _beside(collections, HASHES, {}, **others)


@functools.lru_cache(maxsize=None)
def _codecs():
    import codecs

    functions = {"encode": text_codecs.encode, "decode": text_codecs.decode}
    constants = {n: string(v) for n, v in vars(codecs).items() if isinstance(v, bytes)}
    return _beside(codecs, UNICODE, functions, **constants)


class _Builtins(types.ModuleType):
    """The module ``__builtin__``: what user code puts there, every file of it finds."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        setattr(user_builtins.users(), name, value)

    def __delattr__(self, name):
        super().__delattr__(name)
        delattr(user_builtins.users(), name)


#: Classes of ``__builtin__``, of which code asks whether something is an instance.
_CLASSES = "bytearray dict enumerate frozenset list set str tuple type".split()


@functools.lru_cache(maxsize=None)
def _builtins():
    from tfgraphtools.compat.fixes.python2 import helpers

    names = {name: helpers.HELPERS[helper] for name, helper in stand_ins.HELPER_OF.items()}
    names["long"] = helpers.HELPERS["__python2_long_type__"]
    names["unicode"] = helpers.HELPERS["__python2_unicode_type__"]
    names.update(
        {
            "list": list,
            "tuple": tuple,
            "enumerate": enumerate,
            "str": str,
            "bytearray": bytearray,
            "bytes": str,
        }
    )
    module = _beside(builtins, BUILTINS, {}, **names)
    module.__class__ = _Builtins
    return module


def _of_plain(function, convert=old_dicts.plain_of):
    """Returns a function that gets dictionaries and sets of today, of which it asks the type."""

    def call(value, *arguments, **options):
        return function(convert(value), *arguments, **options)

    return functools.wraps(function)(call)


@functools.lru_cache(maxsize=None)
def _yaml():
    convert = functools.partial(old_dicts.plain_of, text=byte_texts.plain)
    names = ("dump", "safe_dump")
    users = views.module("yaml")
    return _beside(users, HASHES, {n: _of_plain(getattr(users, n), convert) for n in names})


@functools.lru_cache(maxsize=None)
def _pprint():
    import pprint

    functions = {name: _of_plain(getattr(pprint, name)) for name in ("pprint", "pformat")}
    return _beside(pprint, HASHES, functions)


@functools.lru_cache(maxsize=None)
def _io():
    return _beside(io, BYTES, {}, BytesIO=memory_files.BytesIO)


@functools.lru_cache(maxsize=None)
def _string_io():
    module = types.ModuleType("StringIO", memory_files.StringIO.__doc__)
    module.StringIO = memory_files.StringIO
    return module


_MODULES = {
    "StringIO": (BYTES, _string_io),
    "cStringIO": (BYTES, _string_io),
    "pprint": (HASHES, _pprint),
    "yaml": (HASHES, _yaml),
    "__builtin__": (BUILTINS, _builtins),
    "codecs": (UNICODE, _codecs),
    "collections": (HASHES, _collections),
    "array": (BYTES, _array),
    "csv": (BYTES, _csv),
    "io": (BYTES, _io),
    "json": (BYTES, _json),
    "math": (MATH, _math),
    "random": (RANDOM, _random),
    "re": (TEXT, _re),
    "cPickle": (BYTES, functools.partial(_of_bytes, "pickle")),
    **{n: (BYTES, functools.partial(_of_bytes, n)) for n in byte_functions.NAMES},
    **{
        n: (BYTES, functools.partial(byte_functions.dropped_module, n))
        for n in byte_functions.DROPPED
    },
}
