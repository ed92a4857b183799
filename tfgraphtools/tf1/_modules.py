"""The modules of the runtime: made when they are imported or asked for, one for each old name."""

import importlib
import importlib.machinery
import os
import sys
import types

from tfgraphtools.tf1 import _keras, _serving

_TF1 = "tfgraphtools.tf1"
_LIBRARIES = _TF1 + ".libraries"

#: The entry of ``__path__`` of the runtime's packages that `_Finder` answers; no such folder.
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "names")


def old_name(name):
    """Returns what TF 1 called the module of this name.

    Example:
      >>> old_name("tfgraphtools.tf1.contrib"), old_name("tfgraphtools.tf1.libraries.numpy")
      ('tensorflow.contrib', 'numpy')
    """
    if name.startswith(_LIBRARIES + "."):
        return name[len(_LIBRARIES) + 1 :]
    return "tensorflow" + name[len(_TF1) :]


def attribute(module, name, behind=None):
    """Returns what ``module.name`` is, for the modules of the runtime.

    Args:
      module: the module's name in the runtime.
      name: the attribute.
      behind: the name of the module behind it, where that is not its old name: what TF 1 has
        as ``contrib.eager`` is the module ``contrib.eager.python.tfe``.
    """
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    full = f"{module}.{name}"
    if full in sys.modules:
        return sys.modules[full]
    old = f"{behind}.{name}" if behind else old_name(full)
    try:
        served = _serving.value(old)
    except ModuleNotFoundError as error:
        if error.name != old:
            raise
        raise AttributeError(f"module {module!r} has no attribute {name!r}") from None
    if isinstance(served, types.ModuleType) and _serving.is_served(served.__name__):
        return _served_module(full, served)
    return served


def once(value, name):
    """Returns the attribute that an object of a library had."""
    return _serving.attribute(value, name)


def library(name):
    """Returns a library, as old code saw it.

    Raises:
      AttributeError: there is none of this name.
    """
    if name.startswith("__"):
        raise AttributeError(f"module {_LIBRARIES!r} has no attribute {name!r}")
    try:
        return importlib.import_module(f"{_LIBRARIES}.{name}")
    except ModuleNotFoundError as error:
        if error.name not in (name, f"{_LIBRARIES}.{name}"):
            raise
        raise AttributeError(f"module {_LIBRARIES!r} has no attribute {name!r}") from None


def names(module):
    """Returns the names in a module of the runtime."""
    return _serving.names(old_name(module))


class Served(types.ModuleType):
    """A module of TF 1 under its name in the runtime.

    Args:
      name: its name in the runtime.
      behind: the module behind it.
    """

    def __init__(self, name, behind):
        super().__init__(name, behind.__doc__)
        self.__path__ = [PATH]
        self._behind = behind

    def __getattr__(self, name):
        behind = self._behind.__name__
        served = attribute(self.__name__, name, behind if _serving.is_served(behind) else None)
        self.__dict__[name] = served
        return served

    def __dir__(self):
        return [name for name in dir(self._behind) if not name.startswith("__")]


def _served_module(name, behind):
    if name not in sys.modules:
        sys.modules[name] = Served(name, behind)
    return sys.modules[name]


class _Finder:
    """Finds the modules of the runtime, and no others: it answers for `PATH` alone."""

    @classmethod
    def find_spec(cls, name, target=None):
        """Returns as every finder of an entry of a path."""
        keras = _keras.find_spec(name, PATH)
        if keras is not None:
            return keras
        spec = importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)
        spec.submodule_search_locations = [PATH]
        return spec


class _Loader:
    """Makes a module of the runtime."""

    def create_module(self, spec):
        """Returns the module.

        Raises:
          ModuleNotFoundError: TF 1 had none of this name.
        """
        served = _value_of(spec.name)
        if not isinstance(served, types.ModuleType):
            raise ModuleNotFoundError(f"No module named {spec.name!r}", name=spec.name)
        return Served(spec.name, served)

    def exec_module(self, module):
        """Executes nothing: names are looked up when they are asked for."""


def _value_of(name):
    try:
        return _serving.value(old_name(name))
    except AttributeError:
        return None
    except ModuleNotFoundError as error:
        if error.name != old_name(name):
            raise
        return None


sys.path_importer_cache[PATH] = _Finder
