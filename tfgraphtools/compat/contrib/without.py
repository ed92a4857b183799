"""Without the legacy installation: what tf_slim covers, and one line for all the rest."""

import importlib
import importlib.machinery
import sys
import types

from tfgraphtools.compat import legacy
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
        return importlib.machinery.ModuleSpec(name, PackageLoader(), is_package=True)
    if name in SLIM or name in _PACKAGES:
        loader = SlimLoader() if name in SLIM else None
        return importlib.machinery.ModuleSpec(name, loader, is_package=True)
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


class PackageLoader:
    """Makes ``tensorflow.contrib``."""

    def create_module(self, spec):
        """Returns the package."""
        return Contrib(spec.name)

    def exec_module(self, module):
        """Executes nothing."""


class SlimLoader:
    """Puts a module of tf_slim where one of contrib is looked for."""

    def create_module(self, spec):
        """Leaves it to Python: the new module is not the one that stays."""

    def exec_module(self, module):
        """Imports the module of tf_slim."""
        name = module.__spec__.name
        try:
            sys.modules[name] = importlib.import_module(SLIM[name])
        except ModuleNotFoundError as error:
            if error.name != "tf_slim":
                raise
            raise missing(name) from None
