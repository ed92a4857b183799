"""Run, train and migrate TensorFlow 1 graph code.

    tfgraphtools.gradients     override, shape, explain and check gradients
    tfgraphtools.training      parameter groups, learning-rate multipliers, frozen elements
    tfgraphtools.checkpoints   read, check, rewrite and convert checkpoints
    tfgraphtools.compat        run TF 1 code on TF 2.x
    tfgraphtools.errors        every error that this library raises

Subpackages are imported when they are first used. ``import tfgraphtools`` never imports
TensorFlow; only ``gradients`` and ``training`` need it to be installed.
"""

import importlib
import typing

from tfgraphtools._version import __version__

if typing.TYPE_CHECKING:
    from tfgraphtools import checkpoints, compat, errors, gradients, training

__all__ = ["__version__", "checkpoints", "compat", "errors", "gradients", "training"]


if not typing.TYPE_CHECKING:  # to type checkers it would mean that every name is there

    def __getattr__(name):
        if name not in __all__ or name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return importlib.import_module(__name__ + "." + name)


def __dir__() -> typing.List[str]:
    return __all__
