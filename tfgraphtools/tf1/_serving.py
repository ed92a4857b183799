"""The values behind the modules of the runtime: the tables of compat, asked by name.

Nothing here changes what ``import`` gives to anybody: the modules of TF 1.15's own source
import one another through builtins of their own, and find one another through a finder
that is in force only while one of them is loading.
"""

import contextlib
import importlib
import sys
import threading

from tfgraphtools.compat.contrib import core_internals, finder
from tfgraphtools.compat.engine import activation, rows, views
from tfgraphtools.compat.engine.loading import (
    evaluated_texts,
    import_cache,
    user_builtins,
    user_code,
)
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.engine.views import lookup, tensorflow_v1, user_imports
from tfgraphtools.compat.fixes import removed

#: Where tf_keras keeps what TF 1 had under these names.
_LEGACY_KERAS = {
    "tensorflow.keras": "tf_keras.api._v1.keras",
    "tensorflow.layers": "tf_keras.api._v1.keras.__internal__.legacy.layers",
    "tensorflow.nn.rnn_cell": "tf_keras.api._v1.keras.__internal__.legacy.rnn_cell",
}

_lock = threading.RLock()
_depth = 0
_loading = None  # the thread that loads one
_began = False


def value(name):
    """Returns what user code of TF 1 found under a dotted name.

    Raises:
      AttributeError: there is no such name, or nothing stands for it any more.
      ImportError: a package that it needs is not installed.
    """
    parent, _, leaf = name.rpartition(".")
    with in_force():
        if not parent:
            return views.module(name)
        owner = _owner(parent)
        value_of_name = getattr(owner, leaf, _NOTHING)
        if value_of_name is not _NOTHING:
            return value_of_name
        try:
            return views.module(name)
        except ModuleNotFoundError as error:
            if error.name and not error.name.endswith(leaf):
                raise  # the module is there, and lacks another
        return getattr(owner, leaf)  # says why


_NOTHING = object()


def _owner(name):
    """Returns the module of this name; it need not be one that can be imported."""
    try:
        return views.module(name)
    except ModuleNotFoundError:
        return value(name)


def names(name):
    """Returns the names in a module of TF 1."""
    with in_force():
        return dir(value(name))


def is_served(name):
    """Tells whether a module of this name is TF 1.15's own source: it is loaded piece by piece."""
    return finder.is_served(name)


@contextlib.contextmanager
def in_force():
    """Finds modules of TF 1 while one of them is loading."""
    global _depth, _loading
    if activation.is_active():  # under `run`, which has set everything up
        yield
        return
    with _lock:
        _begin()
        if _WhileLoading not in sys.meta_path:
            sys.meta_path.insert(0, _WhileLoading)
        _depth, _loading = _depth + 1, threading.get_ident()
        try:
            yield
        finally:
            _depth -= 1
            _loading = _loading if _depth else None


class _WhileLoading:
    """A finder that answers only the thread that loads a module of TF 1.

    It stays in ``sys.meta_path``: another thread that walks along that list, and from which a
    finder is removed, would pass over the next one.
    """

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Returns what `LegacyFinder` finds, while it is in force for this thread."""
        if _loading != threading.get_ident():
            return None
        return finder.LegacyFinder.find_spec(name, path, target)


def _begin():
    global _began
    if _began and lookup.concerns("tensorflow"):
        return
    _began = True
    lookup.begin(rows.tables())
    user_code.begin()
    import_cache.begin()
    user_builtins.begin({"__import__": _import, **evaluated_texts.FUNCTIONS})
    lookup.register_real("tensorflow", _v1)
    for name in ("compat.v1", *tensorflow_v1.BESIDE):
        lookup.register_attribute(Fix("tensorflow." + name, None, "", _of_tensorflow(name)))
    for name, place in _LEGACY_KERAS.items():
        lookup.register_attribute(Fix(name, None, "", _module(place)))
    core_internals.install()
    removed.register_those_of_contrib()


def _v1():
    from tfgraphtools._tf import v1

    return v1


def _of_tensorflow(name):
    if name == "compat.v1":
        return lambda real: views.module("tensorflow")
    return tensorflow_v1.beside(name)


def _module(name):
    return lambda real: importlib.import_module(name)


def _import(name, globals=None, locals=None, fromlist=(), level=0):
    """Returns ``__import__`` of TF 1.15's own modules."""
    with in_force():
        return user_imports.user_import(name, globals, locals, fromlist, level)


_reproduces = False


def reproduce_seeds():
    """Makes TensorFlow derive seeds as TF 1.15 did."""
    global _reproduces
    from tfgraphtools.compat import Options, seeds

    if not _reproduces:
        _reproduces = True
        seeds.install(Options(seeds="tf1"))
        seeds.SEEDS.run()


def attribute(value, name):
    """Returns what ``value.name`` was: ``frame.ix``, ``array.ptp``, ``dataset.value``.

    Raises:
      AttributeError: it was nothing.
    """
    from tfgraphtools.compat.engine.translate import removed_attributes

    with in_force():
        return removed_attributes.read(value, name)
