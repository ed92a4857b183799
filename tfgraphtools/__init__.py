"""Run, train and migrate TensorFlow 1 graph code.

    tfgraphtools.gradients     override, shape, explain and check gradients
    tfgraphtools.training      parameter groups, learning-rate multipliers, frozen elements
    tfgraphtools.checkpoints   read, check, rewrite and convert checkpoints
    tfgraphtools.graphs        show what is in a graph whose source is lost
    tfgraphtools.compat        run TF 1 code on TF 2.x
    tfgraphtools.upgrade       rewrite TF 1 code for TF 2.x
    tfgraphtools.revive        make a repository run, with a report
    tfgraphtools.errors        every error that this library raises

Subpackages are imported when they are first used. ``import tfgraphtools`` never imports
TensorFlow; only ``gradients`` and ``training`` need it to be installed.
"""

from __future__ import annotations

import importlib
import sys

from tfgraphtools._version import __version__

if sys.version_info < (3, 7):  # pip refuses it; a clone on PYTHONPATH would fail anywhere
    from tfgraphtools.errors import UnsupportedVersionError

    raise UnsupportedVersionError(
        "import tfgraphtools",
        "Python 3.7 or newer",
        "Python {}.{}".format(*sys.version_info[:2]),
        "Use a newer one: python3.7 with TF 1.15.5, python3.9 or newer with TF 2.16 or newer.",
    )

TYPE_CHECKING = False  # to type checkers it is True; `typing` itself is slow to import

if TYPE_CHECKING:
    import typing

    from tfgraphtools import (
        checkpoints,
        compat,
        errors,
        gradients,
        graphs,
        revive,
        training,
        upgrade,
    )

__all__ = [
    "__version__",
    "checkpoints",
    "compat",
    "errors",
    "gradients",
    "graphs",
    "revive",
    "training",
    "upgrade",
]


if not TYPE_CHECKING:  # to type checkers it would mean that every name is there

    def __getattr__(name):
        if name not in __all__ or name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return importlib.import_module(__name__ + "." + name)


def load_ipython_extension(ipython: typing.Any) -> None:
    """Runs the notebook's cells on TF 2.x as on TF 1.15, for ``%load_ext tfgraphtools``."""
    importlib.import_module(__name__ + ".compat").activate()


def unload_ipython_extension(ipython: typing.Any) -> None:
    """Restores everything, for ``%unload_ext tfgraphtools``."""
    importlib.import_module(__name__ + ".compat").activate().deactivate()


def pytest_load_initial_conftests(early_config: typing.Any) -> None:
    """Runs tests on TF 2.x as on TF 1.15, for ``pytest -p tfgraphtools``."""
    importlib.import_module(__name__ + ".compat").activate(running_code=False)
    importlib.import_module(__name__ + ".compat.fixes.testing.pytest_plugin").begin(early_config)


def pytest_configure(config: typing.Any) -> None:
    """Does the same a little later, for ``pytest_plugins = ["tfgraphtools"]`` in a conftest."""
    pytest_load_initial_conftests(config)


def __dir__() -> list:
    return [*__all__, "pytest_configure", "pytest_load_initial_conftests"]  # pytest looks here
