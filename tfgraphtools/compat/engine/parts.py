"""The parts of compat that bring tables: the one list to which a part is added.

A part is a module with

    TABLES                a tuple of `rows.Table`
    OF_OTHER_LIBRARIES    True where it is about no TensorFlow, Keras or Python
    OF_PROCESS            True where its tables of kind "listed" act on the whole process
    HELPERS               if it has any: name -> function that rewritten trees of user code call
    install(options)      if it has one: called when compat is activated, after all tables
                          are in force; changes things through `state` only, and imports
                          neither TensorFlow nor NumPy

The engine knows parts by their names only, so that fixes may import the engine.
"""

import functools
import importlib

PARTS = (
    "engine.importer",
    "engine.facade",
    "fixes.tensorflow.symbols",
    "fixes.tensorflow.internals",
    "fixes.keras",
    "fixes.tensorflow.behaviour",
    "fixes.tensorflow.flags",
    "fixes.tensorflow.horizon",
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
    "fixes.tensorflow.estimators",
    "seeds",
    "datasets",
    "constraints",
)

_loaded = []


def load():
    """The modules of the parts, imported on first use."""
    if not _loaded:
        _loaded[:] = [importlib.import_module("tfgraphtools.compat." + name) for name in PARTS]
    return _loaded


@functools.lru_cache(maxsize=None)
def only(name):
    """What the one part that has an attribute of this name has there."""
    (found,) = [vars(part)[name] for part in load() if name in vars(part)]
    return found
