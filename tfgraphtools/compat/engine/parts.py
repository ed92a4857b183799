"""The parts of compat that bring tables: the one list to which a part is added.

A part is a module with

    TABLES                a tuple of `rows.Table`
    OF_OTHER_LIBRARIES    True where it is about no TensorFlow, Keras or Python
    OF_PROCESS            True where its tables of kind "listed" act on the whole process
    HELPERS               if it has any: name -> function that rewritten trees of user code call
    OFFERS                if it has any: instances of the interfaces below
    install(options)      if it has one: called when compat is activated, after all tables
                          are in force; changes things through `state` only, and imports
                          neither TensorFlow nor NumPy

The engine knows parts by their names only, so that fixes may import the engine.
"""

import ast
import functools
import importlib
import types
from typing import Any, Callable, NamedTuple, Optional, Tuple

PARTS = (
    "engine.views.user_imports",
    "engine.views.tensorflow_v1",
    "fixes.keras",
    "fixes.tensorflow.by_subject",
    "fixes.tensorflow.flags",
    "fixes.python2",
    "fixes.python",
    "fixes.protobuf",
    "fixes.pandas",
    "fixes.numpy",
    "fixes.scipy",
    "fixes.sklearn",
    "fixes.pictures",
    "fixes.librosa",
    "fixes.others",
    "fixes.testing",
    "contrib",
    "fixes.tensorflow.estimator",
    "seeds",
    "datasets",
    "constraints",
)

_loaded = []


def load():
    """Returns the modules of the parts, imported on first use."""
    if not _loaded:
        _loaded[:] = [importlib.import_module("tfgraphtools.compat." + name) for name in PARTS]
    return _loaded


@functools.lru_cache(maxsize=None)
def offered(interface):
    """Returns what a part offers of one of the interfaces below: exactly one part does."""
    offers = [offer for part in load() for offer in getattr(part, "OFFERS", ())]
    (offer,) = [offer for offer in offers if isinstance(offer, interface)]
    return offer


class SourceReader(NamedTuple):
    """A reader of the source of user code, whichever Python it was written for.

    Fields:
      look_ahead: (data, path): finds out what the modules that a module imports say about it.
      to_tree: (data, path, is_users): the tree of a module's source.
      is_old_program: whether the program has begun to run a module for an older Python alone.
    """

    look_ahead: Callable[[bytes, str], None]
    to_tree: Callable[..., ast.Module]
    is_old_program: Callable[[], bool]


class ImportRules(NamedTuple):
    """Rules for what absolute imports meant to an older Python.

    Fields:
      import_implicitly: (name, globals, locals, fromlist): the module of the importer's own
        package that the import means, or None.
      module_for: (name, globals): the module that stands for one that Python has changed, or None.
    """

    import_implicitly: Callable[..., Optional[types.ModuleType]]
    module_for: Callable[..., Optional[types.ModuleType]]


class LibraryChanges(NamedTuple):
    """Uses in a source that compute something else with today's libraries.

    Fields:
      changes_in: (tree, data): the changes that a source meets; they can be cached.
      tell: (path, changes): prints what concerns the installed libraries.
    """

    changes_in: Callable[[ast.Module, bytes], Tuple[Any, ...]]
    tell: Callable[[str, Tuple[Any, ...]], None]


class ValueTexts(NamedTuple):
    """Text of values as the libraries of user code printed them.

    Fields:
      helper: the name of the helper through which user code calls what makes text of values.
    """

    helper: str
