"""Contrib without the legacy installation: modules of tf_slim, and an error for the rest."""

import importlib
import importlib.machinery
import types

from tfgraphtools.compat import legacy
from tfgraphtools.compat.engine.loading import made_modules
from tfgraphtools.errors import LegacyMissingError

#: The package tf_slim has these parts of contrib, or most of them.
SLIM = {
    "tensorflow.contrib.slim": "tf_slim",
    "tensorflow.contrib.slim.nets": "tf_slim.nets",
    "tensorflow.contrib.layers": "tf_slim.layers",
    "tensorflow.contrib.framework": "tf_slim",
    "tensorflow.contrib.framework.python.ops": "tf_slim.ops",
    "tensorflow.contrib.framework.python.ops.arg_scope": "tf_slim.ops.arg_scope",
    "tensorflow.contrib.layers.python.layers": "tf_slim.layers",
}

#: Packages in between, which have nothing of their own.
_PACKAGES = frozenset(
    [name.rpartition(".")[0] for name in SLIM if name.rpartition(".")[0] not in SLIM]
    + ["tensorflow.examples", "tensorflow.examples.tutorials"]
)


def find_spec(name):
    """Returns the spec of a module of contrib from tf_slim.

    Raises:
      LegacyMissingError: tf_slim has none; says what to install.
    """
    if name == "tensorflow.contrib":
        return made_modules.spec(name, Contrib)
    if name in _PACKAGES:
        return importlib.machinery.ModuleSpec(name, None, is_package=True)
    if name in SLIM:
        return made_modules.alias(name, _module_of_slim)
    raise missing(name)


def missing(name):
    """Returns the error for a module that only the legacy installation has."""
    return LegacyMissingError(
        "import " + name,
        "TF 1.15's contrib, examples and estimator",
        "none in " + str(legacy.cache_folder()),
        "Install them once: 'tfgraphtools legacy install'.",
    )


def outdated(name):
    """Returns the error for a module that another version of tfgraphtools did not install."""
    return LegacyMissingError(
        "import " + name,
        "the modules that this version of tfgraphtools installs",
        f"modules that another version installed in {legacy.cache_folder()}",
        "Install them again: 'tfgraphtools legacy install'.",
    )


class Contrib(types.ModuleType):
    """``tensorflow.contrib`` without an installation."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return importlib.import_module(self.__name__ + "." + name)


def _module_of_slim(name):
    """Returns the module of tf_slim for one of contrib."""
    try:
        return importlib.import_module(SLIM[name])
    except ModuleNotFoundError as error:
        if error.name != "tf_slim":
            raise
        raise missing(name) from None
