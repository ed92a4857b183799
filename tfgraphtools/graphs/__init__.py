"""Graphs whose source is lost, without TensorFlow.

    show    inputs, outputs, variables, ops, control flow, what only trains, what cannot leave TF 1

The names are loaded when first used, so that `import tfgraphtools` waits for none of them.
"""

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:  # what type checkers and the documentation see of the lazy names
    from tfgraphtools.graphs.showing import Summary, show

__all__ = ["Summary", "show"]

if not TYPE_CHECKING:  # to type checkers it would mean that every name is there

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(__name__ + ".showing"), name)


def __dir__():
    return __all__
