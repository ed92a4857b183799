"""The parts of compat that bring tables: the one list to which a part is added.

A part is a module with

    TABLES                a tuple of `rows.Table`
    install(options)      if it has one: called when compat is activated, after all tables
                          are in force; changes things through `state` only, and imports
                          neither TensorFlow nor NumPy
"""

import importlib
import importlib.util

PARTS = (
    "importer",
    "facade",
    "symbols",
    "internals",
    "layers",
    "behaviour",
    "flags",
    "gone",
    "python2",
    "libraries",
    "contrib",
    "estimators",
    "seeds",
    "datasets",
)

_loaded = []


def load():
    """The modules of the parts, imported on first use."""
    if not _loaded:
        for name in PARTS:
            full = "tfgraphtools.compat." + name
            if importlib.util.find_spec(full) is not None:
                _loaded.append(importlib.import_module(full))
    return _loaded
