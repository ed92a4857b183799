"""Graphs whose source is lost: a ``.meta``, a frozen ``.pb`` or a SavedModel of TF 1.

    as_module         as a `tf.Module` of TF 2, with variables that can be trained
    as_keras_layer    as a layer of Keras 3

TensorFlow is imported when it is first needed.
"""

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tfgraphtools.graphs.keras_layer import as_keras_layer
    from tfgraphtools.graphs.module import as_module

_HOMES = {"as_module": "module", "as_keras_layer": "keras_layer"}

__all__ = ["as_keras_layer", "as_module"]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__():
    return __all__
