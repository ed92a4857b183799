"""Functions of the API in pickles: ``pickle.dumps(tf.nn.tanh)``.

A pickle holds a function's module and name, under which it must be found. Some functions of
user code's API are not: those that a row replaces, and those that TensorFlow itself wraps
once more for its own modules. They get the name of the module of the API in which TF 1.15 has
them, ``tensorflow._api.v1.nn``, which is served here.
"""

import sys
import types

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.loading import made_modules

#: The module of TF 1.15 that holds its API.
_API = "tensorflow._api.v1"

#: Packages of TensorFlow that are no part of its API.
_APART = ("tensorflow.python", "tensorflow.contrib", "tensorflow.core", "tensorflow.compiler")

#: Modules of the API, of which no row need speak, with functions that are not found by their names.
MODULES = ("bitwise", "debugging", "losses", "manip", "signal", "spectral", "train")


def install(module_of):
    """Serves the modules of the API until `state.restore`.

    Args:
      module_of: gives user code's module of a dotted name.
    """
    state.insert_finder(_Finder(module_of))
    state.at_restore(_forget)


def serves(module):
    """Tells whether it is one of these modules; a pickle looks for it in ``sys.modules``."""
    return module == _API or module.startswith(_API + ".")


def name(module, attribute, value):
    """Makes a function of the API available under its own name.

    Args:
      module: the dotted name of the module in which user code sees it.
      attribute: its name there.
      value: the function or class; of others nothing is changed.
    """
    if not _may_be_lost(value) or not module.startswith("tensorflow"):
        return
    if module.startswith(_APART) or _is_found(value):
        return
    before = value.__module__, value.__qualname__
    _set_names(value, _API + module[len("tensorflow") :], attribute)
    state.at_restore(lambda: _set_names(value, *before))


def _set_names(value, module, name):
    value.__module__, value.__qualname__ = module, name


def _may_be_lost(value):
    """Tells whether it is a function, or a class inside one, that is ours or TensorFlow's."""
    if not isinstance(value, types.FunctionType):
        if not isinstance(value, type) or "<locals>" not in value.__qualname__:
            return False
    return str(value.__module__).partition(".")[0] in ("tensorflow", "tfgraphtools")


def _is_found(value):
    """Tells whether its module, which is loaded, has it under its name."""
    if value.__module__.startswith(_API):
        return True
    if value.__module__.startswith("tensorflow.python.keras"):
        return False  # user code finds the modules of the legacy Keras there
    value_at_name = sys.modules.get(value.__module__)
    for part in value.__qualname__.split("."):
        value_at_name = getattr(value_at_name, part, None)
    return value_at_name is value


class _Finder:
    """A finder of the modules of the API that 1.15 has below `_API`."""

    def __init__(self, module_of):
        self._module_of = module_of

    def find_spec(self, name, path=None, target=None):
        """Returns the spec of a module of the API, as a finder does; None for others."""
        if not serves(name):
            return None
        try:
            behind = self._module_of("tensorflow" + name[len(_API) :])
        except ImportError:
            return None
        return made_modules.spec(name, lambda name: _Module(name, behind))


class _Module(types.ModuleType):
    """A module with the attributes of another, under a name of its own."""

    def __init__(self, name, behind):
        super().__init__(name, behind.__doc__)
        self.__dict__["_tfgraphtools_behind"] = behind

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {attribute!r}")
        return getattr(self.__dict__["_tfgraphtools_behind"], attribute)


def _forget():
    """Takes the modules out of ``sys.modules`` and out of their package."""
    for module in [module for key, module in sys.modules.items() if key.startswith(_API)]:
        state.forget_module(module)
